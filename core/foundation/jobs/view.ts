import type { JobDetail, JobView } from './schemas.js';
import { withoutSecrets } from './secrecy.js';
import type { JobRow } from './view-repository.js';

/** @param hasHandler whether this service has a handler for the job's type */
export function viewJob(
  { payload, progress, result, error, failures, run_at, created_at, finished_at, ...row }: JobRow,
  hasHandler: boolean,
): JobDetail {
  return {
    ...row,
    has_handler: hasHandler,
    payload: withoutSecrets(payload),
    progress: withoutSecrets(progress),
    result: withoutSecrets(result),
    error: error === null ? null : String(withoutSecrets(error)),
    failures: failures.map(({ attempt, at, error: why }) => ({
      attempt,
      at: new Date(at).toISOString(),
      error: String(withoutSecrets(why)),
    })),
    run_at: run_at.toISOString(),
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  };
}

/** The job as it appears in lists. */
export function listed({ failures: _failures, ...job }: JobDetail): JobView {
  return job;
}
