import type { ResourceResult, UnitOfWork } from '@lintel/sdk';
import { timeOf, type Host } from '../basics.js';
import { findVersion, readProblems, type VersionRow, type WholeVersion } from './repository.js';
import type { ProblemView, VersionSummary, VersionView } from './schemas.js';
import { allowedActions } from './states.js';

/** Problems shown with a version. */
const SHOWN_PROBLEMS = 50;

/** A version as it is sent. */
export type VersionResource = Omit<ResourceResult<VersionView>, 'status'>;

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

/** A version with its first problems, as it is sent; undefined if the process has no such version. */
export async function readVersion(
  db: Host['db'] | UnitOfWork,
  cardId: string,
  id: string,
): Promise<VersionResource | undefined> {
  const row = await findVersion(db, cardId, id);
  if (!row) return undefined;
  const problems = row.error_count + row.warning_count === 0 ? [] : await readProblems(db, id, SHOWN_PROBLEMS);
  return { version: row.version, body: viewOf(row, problems) };
}
