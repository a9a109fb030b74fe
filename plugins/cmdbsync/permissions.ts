import type { Access, PermissionDeclaration } from '@lintel/sdk';

export const VIEW = 'cmdbsync.view';
export const MANAGE = 'cmdbsync.manage';
export const APPLY = 'cmdbsync.apply';

export const PERMISSIONS: readonly PermissionDeclaration[] = [
  {
    key: VIEW,
    description: 'See connections without their addresses and accounts, mappings, runs and their records.',
    roles: [],
  },
  {
    key: MANAGE,
    description: 'See the addresses and accounts of connections; write connections and mappings.',
    roles: [],
  },
  { key: APPLY, description: 'Start runs, decide on their records and cancel them.', roles: [] },
];

export const READERS: Access = { permission: VIEW };
export const MANAGERS: Access = { permission: MANAGE };
export const APPLIERS: Access = { permission: APPLY };
