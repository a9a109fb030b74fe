import type { UnitOfWork } from '@lintel/sdk';
import { NOW } from '../basics.js';
import type { FieldDiff, RecordAction, Value } from '../records/definition.js';
import type { NewRecord } from '../reading/repository.js';

/** A change that is to be made in the other system, with what is known of the record. */
export interface DueUpdate extends Record<string, unknown> {
  id: string;
  external_id: string;
  /** Null if the record is not linked to a card. */
  card_id: string | null;
  diff: FieldDiff[];
  base: Record<string, Value> | null;
  kept: Record<string, Value> | null;
  references_digest: string | null;
  /** Whether the run has another record for it, which changes the card. */
  has_card_record: boolean;
}

/** A record that is to be created in the other system. */
export interface DueCreation extends Record<string, unknown> {
  id: string;
  /** Null if the card was deleted. */
  card_id: string | null;
  /** The record that the card is linked to meanwhile. */
  linked: string | null;
  /** Whether it may have been sent before. */
  is_sent: boolean;
}

/** The outcome of a record on the side of the other system. */
export interface PushOutcome {
  id: string;
  state: 'applied' | 'approved' | 'failed' | 'pending' | 'sent' | 'resolved' | 'superseded';
  side: 'card' | 'cmdb';
  action: RecordAction;
  external_id: string | null;
  /** Null: as before. */
  diff: readonly FieldDiff[] | null;
  detail: Readonly<Record<string, unknown>> | null;
  reason: string | null;
}

/** What is known of a record after it was written. */
export interface PushMark {
  external_id: string;
  base: Readonly<Record<string, Value>>;
  kept: Readonly<Record<string, Value>>;
  /** Null: something still differs. */
  pushed_version: number | null;
  /** Null: as before, because what the other system has changed has to be compared. */
  digest: string | null;
  pulled_version: number | null;
}

const WRITE_LATER = {
  name: 'cmdbsync-records-write-later',
  text: `insert into cmdbsync_records as c (id, run_id, external_id, card_id, card_type, name, action, side, state, diff, detail)
    select r.id, $1, r.external_id, r.card_id, r.card_type, r.name, r.action, 'cmdb', r.state, r.diff, r.detail
    from jsonb_to_recordset($2::jsonb) as r(id uuid, external_id text, card_id uuid, card_type text, name text, action text, state text,
      diff jsonb, detail jsonb)
    on conflict (run_id, external_id, side) where external_id is not null do update set action = excluded.action, reason = null,
      state = case when c.state = 'pending' then 'pending' else excluded.state end,
      diff = excluded.diff || case when c.state in ('pending', 'approved') then (
        select coalesce(jsonb_agg(d), '[]') from jsonb_array_elements(c.diff) d
        where not exists (select from jsonb_array_elements(excluded.diff) e where e ->> 'field' = d ->> 'field')) else '[]' end`,
};
const DUE_UPDATES = {
  name: 'cmdbsync-pushes-due',
  text: `select c.id, c.external_id, i.card_id, c.diff, i.base, i.kept, i.references_digest,
      exists (select from cmdbsync_records o where o.run_id = c.run_id and o.external_id = c.external_id and o.side = 'card') as has_card_record
    from cmdbsync_records c join cmdbsync_runs r on r.id = c.run_id
    left join cmdbsync_identities i on i.mapping_id = r.mapping_id and i.external_id = c.external_id
    where c.run_id = $1 and c.state = 'approved' and c.side = 'cmdb' and c.action <> 'create' order by c.id limit $2`,
};
const DUE_CREATIONS = {
  name: 'cmdbsync-creations-due',
  text: `select c.id, c.card_id, i.external_id as linked, coalesce((c.detail ->> 'is_sent')::boolean, false) as is_sent
    from cmdbsync_records c join cmdbsync_runs r on r.id = c.run_id
    left join cmdbsync_identities i on i.mapping_id = r.mapping_id and i.card_id = c.card_id
    where c.run_id = $1 and c.side = 'cmdb' and c.action = 'create' and (c.state = 'approved' or $3 and c.state = 'sent')
      and ($2::uuid is null or c.id > $2) order by c.id limit $4`,
};
const SENT = {
  name: 'cmdbsync-creations-sent',
  text: `select c.id, c.card_id, i.external_id as linked, true as is_sent
    from cmdbsync_records c join cmdbsync_runs r on r.id = c.run_id
    left join cmdbsync_identities i on i.mapping_id = r.mapping_id and i.card_id = c.card_id
    where r.mapping_id = $1 and c.state = 'sent' and ($2::uuid is null or c.id > $2) order by c.id limit $3`,
};
const MARK_SENT = {
  name: 'cmdbsync-creations-mark-sent',
  text: `update cmdbsync_records set state = 'sent', reason = null, detail = detail || '{"is_sent": true}' where id = any($1::uuid[])`,
};
const EXPLAIN_SENT = {
  name: 'cmdbsync-creations-explain',
  text: `update cmdbsync_records set reason = coalesce(reason, $2) where run_id = $1 and state = 'sent'`,
};
const OUTCOMES = {
  name: 'cmdbsync-pushes-outcomes',
  text: `update cmdbsync_records c set state = o.state, side = o.side, action = o.action, external_id = o.external_id,
      diff = coalesce(o.diff, c.diff), detail = coalesce(o.detail, c.detail), reason = o.reason,
      applied_at = case when o.state = 'applied' then ${NOW} end
    from jsonb_to_recordset($1::jsonb) as o(id uuid, state text, side text, action text, external_id text, diff jsonb, detail jsonb, reason text)
    where c.id = o.id and (o.state <> 'superseded' or c.run_id = $2)`,
};
const MARK = {
  name: 'cmdbsync-identities-pushed',
  text: `update cmdbsync_identities i set base = m.base, kept = m.kept, pushed_version = m.pushed_version,
      digest = coalesce(m.digest, i.digest), pulled_version = coalesce(m.pulled_version, i.pulled_version)
    from jsonb_to_recordset($2::jsonb) as m(external_id text, base jsonb, kept jsonb, pushed_version integer, digest text,
      pulled_version integer)
    where i.mapping_id = $1 and i.external_id = m.external_id`,
};
const LINKED = {
  name: 'cmdbsync-identities-linked',
  text: `select external_id, card_id from cmdbsync_identities where mapping_id = $1 and external_id = any($2::text[]) and card_id is not null`,
};

/** Stores changes of the other system that decisions have made necessary, together with those that the run has for the same records. */
export async function writeLater(uow: UnitOfWork, runId: string, records: readonly NewRecord[]): Promise<void> {
  await uow.query(WRITE_LATER, [runId, JSON.stringify(records)]);
}

/** The next changes to be made in the other system. */
export async function readDueUpdates(uow: UnitOfWork, runId: string, most: number): Promise<DueUpdate[]> {
  return await uow.query<DueUpdate>(DUE_UPDATES, [runId, most]);
}

/**
 * The next records to be created in the other system.
 * @param after id of the last one
 * @param withSent whether those whose outcome is not known are among them
 */
export async function readDueCreations(
  uow: UnitOfWork,
  runId: string,
  after: string | null,
  withSent: boolean,
  most: number,
): Promise<DueCreation[]> {
  return await uow.query<DueCreation>(DUE_CREATIONS, [runId, after, withSent, most]);
}

/** Creations of a mapping whose outcome is not known, of any run. @param after id of the last one */
export async function readSent(
  uow: UnitOfWork,
  mappingId: string,
  after: string | null,
  most: number,
): Promise<DueCreation[]> {
  return await uow.query<DueCreation>(SENT, [mappingId, after, most]);
}

/** Notes before a request that a record may be created by it. */
export async function markSent(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await uow.query(MARK_SENT, [ids]);
}

/** Gives creations whose outcome is not known a reason, where they have none. */
export async function explainSent(uow: UnitOfWork, runId: string, reason: string): Promise<void> {
  await uow.query(EXPLAIN_SENT, [runId, reason]);
}

/** Stores outcomes. @param runId the run that gives up records: one that another run has taken over is not its own any more */
export async function savePushOutcomes(
  uow: UnitOfWork,
  runId: string,
  outcomes: readonly PushOutcome[],
): Promise<void> {
  if (outcomes.length > 0) await uow.query(OUTCOMES, [JSON.stringify(outcomes), runId]);
}

export async function markPushed(uow: UnitOfWork, mappingId: string, marks: readonly PushMark[]): Promise<void> {
  if (marks.length > 0) await uow.query(MARK, [mappingId, JSON.stringify(marks)]);
}

/** The cards to which records are linked, by id of the record. */
export async function findLinkedRecords(
  uow: UnitOfWork,
  mappingId: string,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map();
  const rows = await uow.query<{ external_id: string; card_id: string }>(LINKED, [mappingId, externalIds]);
  return new Map(rows.map(({ external_id, card_id }) => [external_id, card_id]));
}
