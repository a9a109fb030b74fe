import type { PermissionDeclaration } from '@lintel/sdk';

export const VIEW = 'reports.view';

export const PERMISSIONS: readonly PermissionDeclaration[] = [
  {
    key: VIEW,
    description: 'See reports and the dashboard, and save reports.',
    roles: ['architect', 'member', 'viewer'],
  },
];
