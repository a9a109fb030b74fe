import type { UnitOfWork } from '@lintel/sdk';
import { NOW } from '../basics.js';
import type { FieldDiff, RecordAction, RecordDetail, RecordState } from './definition.js';

const APPROVE = {
  name: 'cmdbsync-records-approve',
  text: `update cmdbsync_records set state = 'approved', decided_by = $3, decided_at = ${NOW}
    where run_id = $1 and state = 'pending' and action in ('create', 'update', 'archive') and ($2::uuid[] is null or id = any($2::uuid[]))
    returning id`,
};
const LOCK = {
  name: 'cmdbsync-record-lock',
  text: `select c.id, c.run_id, c.external_id, c.card_id, c.card_type, c.action, c.side, c.state, c.diff, c.detail
    from cmdbsync_records c where c.id = $1 for no key update`,
};
const RUN_OF = { name: 'cmdbsync-record-run', text: 'select run_id from cmdbsync_records where id = $1' };
const DECIDE = {
  name: 'cmdbsync-record-decide',
  text: `update cmdbsync_records set state = $2, action = $3, diff = $4, detail = $5, decided_by = $6, decided_at = ${NOW} where id = $1`,
};
const LINKED = {
  name: 'cmdbsync-card-linked',
  text: 'select 1 from cmdbsync_identities where mapping_id = $1 and card_id = $2',
};
const WAITING = {
  name: 'cmdbsync-records-waiting',
  text: `select count(*)::int as n from cmdbsync_records where run_id = $1 and state in ('pending', 'approved', 'sent')`,
};

/** Approves records that wait and are no conflicts. @param ids in lower case; default: all @returns the ids of those approved */
export async function approve(
  uow: UnitOfWork,
  runId: string,
  ids: readonly string[] | undefined,
  by: string | null,
): Promise<Set<string>> {
  return new Set((await uow.query<{ id: string }>(APPROVE, [runId, ids ?? null, by])).map(({ id }) => id));
}

/** A record that is locked until the transaction ends. */
export interface LockedRecord {
  id: string;
  run_id: string;
  external_id: string | null;
  card_id: string | null;
  card_type: string;
  action: RecordAction;
  side: 'card' | 'cmdb';
  state: RecordState;
  diff: FieldDiff[];
  detail: RecordDetail & Record<string, unknown>;
}

export async function runOfRecord(uow: UnitOfWork, id: string): Promise<string | undefined> {
  return (await uow.query<{ run_id: string }>(RUN_OF, [id]))[0]?.run_id;
}

export async function lockRecord(uow: UnitOfWork, id: string): Promise<LockedRecord | undefined> {
  return (await uow.query<LockedRecord & Record<string, unknown>>(LOCK, [id]))[0];
}

export async function decide(
  uow: UnitOfWork,
  { id, state, action, diff, detail }: Pick<LockedRecord, 'id' | 'state' | 'action' | 'diff' | 'detail'>,
  by: string | null,
): Promise<void> {
  await uow.query(DECIDE, [id, state, action, JSON.stringify(diff), JSON.stringify(detail), by]);
}

/** Whether a card is linked to a record of the mapping. */
export async function isLinked(uow: UnitOfWork, mappingId: string, cardId: string): Promise<boolean> {
  return (await uow.query(LINKED, [mappingId, cardId])).length > 0;
}

/** The number of records of a run that are not done with. */
export async function countWaiting(uow: UnitOfWork, runId: string): Promise<number> {
  return (await uow.query<{ n: number }>(WAITING, [runId]))[0]!.n;
}
