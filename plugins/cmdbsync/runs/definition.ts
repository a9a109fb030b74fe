/** The jobs of the module. */
export const RUN_JOB = 'cmdbsync.run';
export const APPLY_JOB = 'cmdbsync.apply';
export const SCHEDULE_JOB = 'cmdbsync.schedule';
export const CLEAN_UP_JOB = 'cmdbsync.clean_up';

export type RunState = 'queued' | 'reading' | 'applying' | 'review' | 'done' | 'failed' | 'cancelled';

/** A run as its job needs it. */
export interface Run {
  id: string;
  mapping_id: string;
  /** The job that works on it. */
  job_id: string | null;
  state: RunState;
  direction: 'pull' | 'push' | 'both';
  is_full: boolean;
  dry_run: boolean;
  auto_apply: boolean;
  since: string | null;
  watermark: string | null;
  cursor: string | null;
  pages: number;
  total: number | null;
  is_read: boolean;
  guard_tripped: boolean;
  counts: Readonly<Record<string, number>>;
}
