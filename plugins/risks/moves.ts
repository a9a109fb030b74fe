export const STATUSES = [
  'identified',
  'analysed',
  'mitigation_planned',
  'in_progress',
  'mitigated',
  'monitoring',
  'accepted',
  'closed',
] as const;
export type Status = (typeof STATUSES)[number];

/** Where a risk may go from each status. */
export const MOVES: Record<Status, readonly Status[]> = {
  identified: ['analysed', 'accepted'],
  analysed: ['mitigation_planned', 'accepted'],
  mitigation_planned: ['in_progress', 'accepted'],
  in_progress: ['mitigated', 'accepted'],
  mitigated: ['monitoring', 'in_progress'],
  monitoring: ['closed', 'in_progress', 'accepted'],
  accepted: ['in_progress', 'closed'],
  closed: ['in_progress'],
};

/** Something is still to be done about these: a target date can pass. */
export const ACTIVE: readonly Status[] = ['identified', 'analysed', 'mitigation_planned', 'in_progress'];
