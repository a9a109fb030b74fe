import type { Access, PermissionDeclaration } from '@lintel/sdk';

export const VIEW = 'diagrams.view';
export const MANAGE = 'diagrams.manage';
export const CARD_MANAGE = 'card.diagrams_manage';

export const PERMISSIONS: readonly PermissionDeclaration[] = [
  { key: VIEW, description: 'See diagrams.', roles: ['architect', 'member', 'viewer'] },
  {
    key: MANAGE,
    description: 'Create, change and delete diagrams and their groups.',
    roles: ['architect', 'member'],
  },
];

export const CARD_PERMISSIONS = [{ key: CARD_MANAGE, description: 'Write the diagrams that show the card.' }];

/** Users with the permission, or with a stakeholder role on any card; for the latter the service checks the cards. */
export const WRITERS: Access = { permission: MANAGE, anyCard: CARD_MANAGE };
