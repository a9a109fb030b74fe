import { ConnectorError, type UnitOfWork } from '@lintel/sdk';
import type { Run } from '../runs/definition.js';
import { added, type RunWork } from '../runs/lifecycle.js';
import { countSeen, findMissing, insertRecords, type NewRecord } from './repository.js';

/**
 * Completes a read: after a full one, the cards whose records are gone are to be archived, if the mapping says so. Above its ratio they wait
 * for a decision.
 * @returns what has changed of the run
 * @throws ConnectorError if fewer records were read than the other system has
 */
export async function stageMissing(work: RunWork, uow: UnitOfWork, run: Run): Promise<Partial<Run>> {
  const { host, mapping, ctx } = work;
  // A dry run that only reads is over now; others go on with what is to be written to the other system.
  const state = run.direction !== 'pull' ? 'reading' : run.dry_run ? 'done' : 'applying';
  const read: Partial<Run> = { ...run, is_read: true, state };
  const { seen, linked } = await countSeen(uow, host, ctx, mapping.id, run.id);
  const count = run.dry_run || !run.is_full ? (run.counts['read'] ?? 0) : seen;
  if (run.total !== null && count < run.total)
    throw new ConnectorError('invalid_answer', `Of ${run.total} records only ${count} were read.`);
  if (!run.is_full || run.dry_run || mapping.delete_policy !== 'archive') return read;
  const missing = await findMissing(uow, host, ctx, mapping.id, run.id);
  if (missing.length === 0) return read;
  const isTripped = missing.length / Math.max(linked, 1) > mapping.delete_ratio;
  await insertRecords(
    uow,
    run.id,
    missing.map(
      ({ external_id, card_id, name }): NewRecord => ({
        id: host.newId(),
        external_id,
        card_id,
        card_type: mapping.card_type,
        name,
        action: 'archive',
        side: 'card',
        state: run.auto_apply && !isTripped ? 'approved' : 'pending',
        diff: [],
        detail: {},
        reason: isTripped ? 'More cards would be archived than the ratio of the mapping allows.' : null,
      }),
    ),
  );
  return { ...read, guard_tripped: isTripped, counts: added(run.counts, { archive: missing.length }) };
}
