import type { Access, PermissionDeclaration } from '@lintel/sdk';

export const VIEW = 'bpm.view';
export const EDIT = 'bpm.edit';
export const ASSESS = 'bpm.assess';
export const APPROVE = 'bpm.approve';
export const CARD_EDIT = 'card.bpm_edit';
export const CARD_ASSESS = 'card.bpm_assess';
export const CARD_APPROVE = 'card.bpm_approve';

export const PERMISSIONS: readonly PermissionDeclaration[] = [
  {
    key: VIEW,
    description: 'See the flows, elements and assessments of processes.',
    roles: ['architect', 'member', 'viewer'],
  },
  {
    key: EDIT,
    description: 'Write and submit flows, link their elements, write templates.',
    roles: ['architect', 'member'],
  },
  { key: ASSESS, description: 'Assess processes.', roles: ['architect', 'member'] },
  { key: APPROVE, description: 'Publish or reject submitted flows.', roles: ['architect'] },
];

export const CARD_PERMISSIONS = [
  { key: CARD_EDIT, description: 'Write and submit the flow of the process.' },
  { key: CARD_ASSESS, description: 'Assess the process.' },
  { key: CARD_APPROVE, description: 'Publish or reject submitted flows of the process.' },
];

/** Access rules of routes below a process: the application permission, or a stakeholder role on the card. */
export const EDITORS: Access = { permission: EDIT, card: 'card_id', cardPermission: CARD_EDIT };
export const APPROVERS: Access = { permission: APPROVE, card: 'card_id', cardPermission: CARD_APPROVE };
export const READERS: Access = { permission: VIEW };
