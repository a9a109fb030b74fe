import { ConnectorError, type Connector } from '@lintel/sdk';
import type { RecordState } from '../records/definition.js';
import { mapPage, stagePage } from '../reading/page.js';
import { insertRecords, type NewRecord } from '../reading/repository.js';
import type { Reading } from '../reading/stage.js';
import type { Run } from '../runs/definition.js';
import { added, type RunWork } from '../runs/lifecycle.js';
import { findDirty, findUnlinkedCards, isMatched } from './scan-repository.js';

/** Records that a connector reads by id at a time. */
const MOST_IDS = 100;
const CARDS = 500;
/** The position of a run: which records it has compared by id, and then for which cards it has stored that records are to be created. */
const RECORDS = 'record:';
const NEW = 'card:';

/**
 * Compares the records whose cards have changed, unless the run has read all records, and stores what is to be written to the other system,
 * after the read or instead of it.
 * @returns the run when this is done
 * @throws ConnectorError, RunEnded
 */
export async function stagePushes(work: RunWork, start: Run, connector: Connector, reading: Reading): Promise<Run> {
  let run = start;
  const readsById = run.direction === 'push' || !run.is_full;
  while (run.state === 'reading') {
    work.job.signal.throwIfAborted();
    if (readsById && !run.cursor?.startsWith(NEW)) run = await stageChanged(work, run, connector, reading);
    else run = await stageCreations(work, run);
  }
  return run;
}

const after = (run: Run, kind: string): string | null =>
  run.cursor?.startsWith(kind) && run.cursor.length > kind.length ? run.cursor.slice(kind.length) : null;

/** The next records whose cards have changed: read by id, and compared as those of a page. */
async function stageChanged(work: RunWork, run: Run, connector: Connector, reading: Reading): Promise<Run> {
  const { host, mapping, ctx } = work;
  const isAll = run.direction === 'push' && run.is_full;
  let ids: string[] = [];
  const current = await work.step(['reading'], async (uow, locked) => {
    ids = await findDirty(uow, host, ctx, mapping.id, run.id, isAll, after(locked, RECORDS), MOST_IDS);
    return ids.length === 0 ? { cursor: NEW } : undefined;
  });
  if (ids.length === 0) return current;
  const records = await connector.get!(mapping.table_name, ids, reading.reader.sources);
  const page = mapPage(reading, records);
  for (const id of page.keys())
    if (!ids.includes(id)) throw new ConnectorError('invalid_answer', 'A record was returned that was not asked for.');
  return await work.step(['reading'], async (uow, locked) => {
    const counts = page.size === 0 ? locked.counts : await stagePage(work, uow, locked, reading, page);
    const gone = ids.filter((id) => !page.has(id));
    await insertRecords(
      uow,
      run.id,
      gone.map(
        (external_id): NewRecord => ({
          ...ofMapping(work),
          external_id,
          card_id: null,
          name: null,
          action: 'skip',
          state: 'reported',
          reason: 'The other system has no such record any more; a full run decides about its card.',
        }),
      ),
    );
    return { counts: added(counts, { skip: gone.length }), cursor: `${RECORDS}${ids.at(-1)!}` };
  });
}

/** The next cards for which records are to be created. */
async function stageCreations(work: RunWork, run: Run): Promise<Run> {
  const { host, mapping, ctx } = work;
  const over = { state: run.dry_run ? ('done' as const) : ('applying' as const), cursor: null };
  return await work.step(['reading'], async (uow, locked) => {
    if (!mapping.creates_remote) return over;
    // Before records and cards were matched, a card without a record may still have one.
    if (mapping.direction === 'both' && run.direction === 'push' && !(await isMatched(uow, mapping.id))) return over;
    const cards = await findUnlinkedCards(uow, host, ctx, mapping, run.id, after(locked, NEW), CARDS);
    const open: RecordState = run.dry_run ? 'reported' : run.auto_apply ? 'approved' : 'pending';
    await insertRecords(
      uow,
      run.id,
      cards.map(
        ({ id, name }): NewRecord => ({
          ...ofMapping(work),
          external_id: null,
          card_id: id,
          name,
          action: 'create',
          state: open,
          reason: null,
        }),
      ),
    );
    const counts = added(locked.counts, { remote_create: cards.length });
    return cards.length < CARDS ? { ...over, counts } : { counts, cursor: `${NEW}${cards.at(-1)!.id}` };
  });
}

const ofMapping = ({ host, mapping }: RunWork) => ({
  id: host.newId(),
  card_type: mapping.card_type,
  side: 'cmdb' as const,
  diff: [],
  detail: {},
});
