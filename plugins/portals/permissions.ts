import type { PermissionDeclaration } from '@lintel/sdk';

export const MANAGE = 'portals.manage';

/** Only administrators hold it from the start: it opens part of the inventory to everyone. */
export const PERMISSIONS: readonly PermissionDeclaration[] = [
  { key: MANAGE, description: 'Publish web portals.', roles: [] },
];
