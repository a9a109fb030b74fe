import type { ModuleServices, RequestContext, UnitOfWork } from '@lintel/sdk';
import type { FieldDiff, RecordAction, RecordState, Value } from '../records/definition.js';

/** What is known of a record, with its card as the service account may see it. */
export interface KnownIdentity extends Record<string, unknown> {
  external_id: string;
  card_id: string | null;
  digest: string | null;
  references_digest: string | null;
  base: Record<string, Value>;
  kept: Record<string, Value>;
  pulled_version: number | null;
  pushed_version: number | null;
  /** Null if the card is hidden. */
  status: string | null;
  version: number | null;
}

/** A record to be stored. */
export interface NewRecord {
  id: string;
  /** Null for a record that is to be created in the other system. */
  external_id: string | null;
  card_id: string | null;
  card_type: string;
  name: string | null;
  action: RecordAction;
  /** Where it changes something. */
  side: 'card' | 'cmdb';
  state: RecordState;
  diff: readonly FieldDiff[];
  detail: Readonly<Record<string, unknown>>;
  reason: string | null;
}

/** An identity whose record needs nothing more than new marks. */
export interface Agreement {
  external_id: string;
  /** Null: as before, because what the other system has changed was not compared. */
  digest: string | null;
  references_digest: string | null;
  base: Readonly<Record<string, Value>>;
  kept: Readonly<Record<string, Value>>;
  /** Version of the card that was compared with what was read; null: as before. */
  pulled_version: number | null;
  /** Version of the card of which nothing has to be written to the other system; null: something has. */
  pushed_version: number | null;
  /** Whether the fields that the card owns were compared too: otherwise `pushed_version` is as before. */
  is_complete: boolean;
}

const INSERT_RECORDS = {
  name: 'cmdbsync-records-insert',
  text: `insert into cmdbsync_records (id, run_id, external_id, card_id, card_type, name, action, side, state, diff, detail, reason)
    select r.id, $1, r.external_id, r.card_id, r.card_type, r.name, r.action, r.side, r.state, r.diff, r.detail, r.reason
    from jsonb_to_recordset($2::jsonb) as r(id uuid, external_id text, card_id uuid, card_type text, name text, action text, side text,
      state text, diff jsonb, detail jsonb, reason text)
    on conflict (run_id, external_id, side) where external_id is not null do update set card_id = excluded.card_id, name = excluded.name,
      action = excluded.action, state = excluded.state, diff = excluded.diff, detail = excluded.detail, reason = excluded.reason`,
};
const SEE = {
  name: 'cmdbsync-identities-see',
  text: `insert into cmdbsync_identities (mapping_id, external_id, id, seen_run)
    select $1, e, gen_random_uuid(), $3 from unnest($2::text[]) as e
    on conflict (mapping_id, external_id) do update set seen_run = excluded.seen_run`,
};
const AGREE = {
  name: 'cmdbsync-identities-agree',
  text: `update cmdbsync_identities i set digest = coalesce(a.digest, i.digest),
      references_digest = coalesce(a.references_digest, i.references_digest), base = a.base, kept = a.kept,
      pulled_version = coalesce(a.pulled_version, i.pulled_version),
      pushed_version = case when a.is_complete then a.pushed_version else i.pushed_version end
    from jsonb_to_recordset($2::jsonb) as a(external_id text, digest text, references_digest text, base jsonb, kept jsonb, pulled_version integer,
      pushed_version integer, is_complete boolean)
    where i.mapping_id = $1 and i.external_id = a.external_id`,
};

/** What is known of records, in one statement. */
export async function findKnown(
  uow: UnitOfWork,
  { cards, db }: Pick<ModuleServices, 'cards' | 'db'>,
  ctx: RequestContext,
  mappingId: string,
  externalIds: readonly string[],
): Promise<Map<string, KnownIdentity>> {
  const bindings = db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const text = `select i.external_id, i.card_id, i.digest, i.references_digest, i.base, i.kept, i.pulled_version, i.pushed_version, c.status, c.version
    from cmdbsync_identities i left join ${cards.visibleCards(ctx, bind)} c on c.id = i.card_id
    where i.mapping_id = ${bind(mappingId)} and i.external_id = any(${bind(externalIds)}::text[])`;
  const rows = await uow.query<KnownIdentity>({ name: 'cmdbsync-identities-known', text }, bindings.values);
  return new Map(rows.map((row) => [row.external_id, row]));
}

export async function insertRecords(uow: UnitOfWork, runId: string, records: readonly NewRecord[]): Promise<void> {
  if (records.length > 0) await uow.query(INSERT_RECORDS, [runId, JSON.stringify(records)]);
}

/** Marks records as seen by a run, known or not. */
export async function markSeen(
  uow: UnitOfWork,
  mappingId: string,
  externalIds: readonly string[],
  runId: string,
): Promise<void> {
  // In one order, so that no two transactions wait for each other.
  await uow.query(SEE, [mappingId, [...externalIds].sort(), runId]);
}

/** Stores that records agree with their cards. */
export async function markAgreed(uow: UnitOfWork, mappingId: string, agreed: readonly Agreement[]): Promise<void> {
  if (agreed.length > 0) await uow.query(AGREE, [mappingId, JSON.stringify(agreed)]);
}

/**
 * Numbers of records that a run has seen, and of active, visible cards that are linked. Cards that are archived already do not count: with each
 * archived card the share of those that are left would become smaller.
 */
export async function countSeen(
  uow: UnitOfWork,
  { cards, db }: Pick<ModuleServices, 'cards' | 'db'>,
  ctx: RequestContext,
  mappingId: string,
  runId: string,
): Promise<{ seen: number; linked: number }> {
  const bindings = db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const text = `select count(*) filter (where i.seen_run = ${bind(runId)})::int as seen, count(c.id)::int as linked
    from cmdbsync_identities i left join ${cards.visibleCards(ctx, bind)} c on c.id = i.card_id and c.status = 'ACTIVE'
    where i.mapping_id = ${bind(mappingId)}`;
  const [counts] = await uow.query<{ seen: number; linked: number }>(
    { name: 'cmdbsync-identities-seen', text },
    bindings.values,
  );
  return counts!;
}

/** Active cards, visible to the service account, whose records a full read has not seen. */
export async function findMissing(
  uow: UnitOfWork,
  { cards, db }: Pick<ModuleServices, 'cards' | 'db'>,
  ctx: RequestContext,
  mappingId: string,
  runId: string,
): Promise<{ external_id: string; card_id: string; name: string }[]> {
  const bindings = db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const text = `select i.external_id, i.card_id, c.name from cmdbsync_identities i
    join ${cards.visibleCards(ctx, bind)} c on c.id = i.card_id
    where i.mapping_id = ${bind(mappingId)} and i.seen_run is distinct from ${bind(runId)} and c.status = 'ACTIVE' order by i.external_id`;
  return await uow.query({ name: 'cmdbsync-identities-missing', text }, bindings.values);
}
