/** The jobs of the module. */
export const RUN_JOB = 'insightlens.run';
export const NIGHTLY_JOB = 'insightlens.nightly';
export const CLEAN_UP_JOB = 'insightlens.clean_up';

export const RUN_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** A run as its job needs it. */
export interface Run {
  id: string;
  kind: string;
  state: RunState;
  is_current: boolean;
  /** Index of the phase under way; of a run whose phases are complete: their number. */
  phase: number;
  /** Where this phase continues. */
  position: unknown;
  percent: number;
  /** The UTC day on which it was queued. */
  day: string;
  started_by: string | null;
  job_id: string | null;
  version: number;
}
