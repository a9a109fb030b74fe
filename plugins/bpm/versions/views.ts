import { timeOf } from '../basics.js';
import type { VersionRow, WholeVersion } from './repository.js';
import type { ProblemView, VersionSummary, VersionView } from './schemas.js';
import { allowedActions } from './states.js';

/** A version in lists. */
export function summaryOf({ file_id: _file, frozen_hash: _hash, ...row }: VersionRow): VersionSummary {
  return {
    ...row,
    submitted_at: timeOf(row.submitted_at),
    decided_at: timeOf(row.decided_at),
    published_at: timeOf(row.published_at),
    archived_at: timeOf(row.archived_at),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    allowed_actions: allowedActions(row.state),
  };
}

/** A version with its first problems. */
export function viewOf({ diagrams, ...row }: WholeVersion, problems: ProblemView[]): VersionView {
  return { ...summaryOf(row), diagrams, problems };
}
