import type { PermissionDeclaration } from '@lintel/sdk';

export const PERMISSIONS: PermissionDeclaration[] = [
  { key: 'starter.view', description: 'See items.', roles: ['architect', 'member', 'viewer'] },
  { key: 'starter.manage', description: 'Write and delete items.', roles: ['architect'] },
];

export const CARD_PERMISSIONS = [
  { key: 'card.starter_manage', description: 'Write and delete the items of the card.' },
];
