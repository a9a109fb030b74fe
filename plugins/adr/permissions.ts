import type { Access, PermissionDeclaration } from '@lintel/sdk';

export const VIEW = 'adr.view';
export const MANAGE = 'adr.manage';
export const SIGN = 'adr.sign';
export const DELETE = 'adr.delete';
export const CARD_MANAGE = 'card.adr_manage';

export const PERMISSIONS: readonly PermissionDeclaration[] = [
  { key: VIEW, description: 'See architecture decisions.', roles: ['architect', 'member', 'viewer'] },
  { key: MANAGE, description: 'Write and change architecture decisions.', roles: ['architect', 'member'] },
  { key: SIGN, description: 'Sign architecture decisions.', roles: ['architect'] },
  { key: DELETE, description: 'Delete drafts of architecture decisions.', roles: ['architect'] },
];

export const CARD_PERMISSIONS = [{ key: CARD_MANAGE, description: 'Write the architecture decisions of the card.' }];

/** Users with the permission, or with a stakeholder role on any card; for the latter the service checks the cards. */
export const WRITERS: Access = { permission: MANAGE, anyCard: CARD_MANAGE };
