import type { Access, PermissionDeclaration } from '@lintel/sdk';

export const VIEW = 'risks.view';
export const MANAGE = 'risks.manage';
export const ACCEPT = 'risks.accept';
export const CARD_MANAGE = 'card.risks_manage';

export const PERMISSIONS: readonly PermissionDeclaration[] = [
  { key: VIEW, description: 'See the risk register.', roles: ['architect', 'member', 'viewer'] },
  { key: MANAGE, description: 'Write and move risks and their mitigations.', roles: ['architect', 'member'] },
  { key: ACCEPT, description: 'Accept risks for a time.', roles: ['architect'] },
];

export const CARD_PERMISSIONS = [{ key: CARD_MANAGE, description: 'Write the risks of the card.' }];

/** Users with the permission, or with a stakeholder role on any card; for the latter the service checks the cards. */
export const WRITERS: Access = { permission: MANAGE, anyCard: CARD_MANAGE };
