import type { PermissionDeclaration } from '@lintel/sdk';

export const VIEW = 'reports.view';
export const SHARE = 'reports.share';
export const MANAGE = 'reports.manage';

export const PERMISSIONS: readonly PermissionDeclaration[] = [
  {
    key: VIEW,
    description: 'See reports and the dashboard, and save reports.',
    roles: ['architect', 'member', 'viewer'],
  },
  { key: SHARE, description: 'Make own saved reports public.', roles: ['architect', 'member'] },
  {
    key: MANAGE,
    description: 'Change and delete saved reports of others that are public or shared with oneself.',
    roles: ['architect'],
  },
];
