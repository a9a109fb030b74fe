import type { Access, PermissionDeclaration } from '@lintel/sdk';

export const VIEW = 'insightlens.view';
export const MANAGE = 'insightlens.manage';

export const PERMISSIONS: readonly PermissionDeclaration[] = [
  {
    key: VIEW,
    description: 'See analyses and those of their findings whose cards are visible.',
    roles: ['architect', 'member', 'viewer'],
  },
  {
    key: MANAGE,
    description: 'Start and cancel analyses, decide on findings, and ask for proposals.',
    roles: ['architect', 'member'],
  },
];

export const READERS: Access = { permission: VIEW };
export const MANAGERS: Access = { permission: MANAGE };
