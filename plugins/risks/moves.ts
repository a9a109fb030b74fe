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

/** The possible next statuses of each status. */
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

/** Statuses in which a risk can be overdue. */
export const ACTIVE: readonly Status[] = ['identified', 'analysed', 'mitigation_planned', 'in_progress'];
