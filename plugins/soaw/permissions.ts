import type { Access, PermissionDeclaration } from '@lintel/sdk';

export const VIEW = 'soaw.view';
export const MANAGE = 'soaw.manage';
export const SIGN = 'soaw.sign';
export const DELETE = 'soaw.delete';
export const CARD_MANAGE = 'card.soaw_manage';

export const PERMISSIONS: readonly PermissionDeclaration[] = [
  { key: VIEW, description: 'See statements of architecture work.', roles: ['architect', 'member', 'viewer'] },
  { key: MANAGE, description: 'Write and change statements of architecture work.', roles: ['architect', 'member'] },
  { key: SIGN, description: 'Sign statements of architecture work.', roles: ['architect', 'member'] },
  { key: DELETE, description: 'Delete drafts of statements of architecture work.', roles: ['architect'] },
];

export const CARD_PERMISSIONS = [
  { key: CARD_MANAGE, description: 'Write the statements of architecture work of the card.' },
];

/** Users with the permission, or with a stakeholder role on any card; for the latter the service checks the cards. */
export const WRITERS: Access = { permission: MANAGE, anyCard: CARD_MANAGE };
