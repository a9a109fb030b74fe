import type { Access, PermissionDeclaration } from '@lintel/sdk';

export const VIEW = 'ppm.view';
export const MANAGE = 'ppm.manage';
export const CARD_MANAGE = 'card.ppm_manage';

export const PERMISSIONS: readonly PermissionDeclaration[] = [
  {
    key: VIEW,
    description: 'See the plans, tasks, status reports and risks of initiatives; amounts with the right to see costs.',
    roles: ['architect', 'member', 'viewer'],
  },
  { key: MANAGE, description: 'Write the plans of initiatives.', roles: ['architect', 'member'] },
];

export const CARD_PERMISSIONS = [{ key: CARD_MANAGE, description: 'Write the plan of the initiative.' }];

export const READERS: Access = { permission: VIEW };
/** Access rule of routes below an initiative: the application permission, or a stakeholder role on the card. */
export const MANAGERS: Access = { permission: MANAGE, card: 'card_id', cardPermission: CARD_MANAGE };
