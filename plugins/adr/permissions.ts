import type { PermissionDeclaration } from '@lintel/sdk';

export const PERMISSIONS: readonly PermissionDeclaration[] = [
  { key: 'adr.view', description: 'See architecture decisions.', roles: ['architect', 'member', 'viewer'] },
  { key: 'adr.manage', description: 'Write and change architecture decisions.', roles: ['architect', 'member'] },
  { key: 'adr.sign', description: 'Sign architecture decisions.', roles: ['architect'] },
  { key: 'adr.delete', description: 'Delete drafts of architecture decisions.', roles: ['architect'] },
];

export const CARD_PERMISSIONS = [
  { key: 'card.adr_manage', description: 'Write the architecture decisions of the card.' },
];
