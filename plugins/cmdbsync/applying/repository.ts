import type { UnitOfWork } from '@lintel/sdk';
import { NOW } from '../basics.js';
import type { FieldDiff, RecordAction, Value } from '../records/definition.js';

/** A record to be applied to a card, with what is known of it. */
export interface DueRecord extends Record<string, unknown> {
  id: string;
  external_id: string;
  card_id: string | null;
  card_type: string;
  action: RecordAction;
  diff: FieldDiff[];
  detail: {
    values?: Record<string, Value>;
    references?: Record<string, string[]>;
    digest?: string;
    references_digest?: string;
    base?: Record<string, Value>;
    link?: string;
    /** Version of the card of which nothing has to be written to the other system, as compared when it was read. */
    agreed_version?: number;
    /** Whether something has to be written to the other system. */
    has_push?: boolean;
    /** How often the card was changed while it was to be written. */
    repeated?: number;
  };
  pulled_version: number | null;
  pushed_version: number | null;
  kept: Record<string, Value> | null;
}

/** What a record is after it was applied. */
export interface Applied {
  external_id: string;
  card_id: string;
  digest: string;
  references_digest: string;
  base: Readonly<Record<string, Value>>;
  kept: Readonly<Record<string, Value>>;
  /** Of the card, as compared with the record; null: it has to be compared again. */
  version: number | null;
  pushed_version: number | null;
}

/** The outcome of a record. */
export interface RecordOutcome {
  id: string;
  state: 'applied' | 'failed' | 'pending' | 'approved';
  action: RecordAction;
  card_id: string | null;
  diff: readonly FieldDiff[];
  detail: DueRecord['detail'];
  reason: string | null;
}

const DUE = {
  name: 'cmdbsync-records-due',
  text: `select c.id, c.external_id, coalesce(c.card_id, i.card_id) as card_id, c.card_type, c.action, c.diff, c.detail, i.pulled_version,
      i.pushed_version, i.kept
    from cmdbsync_records c join cmdbsync_runs r on r.id = c.run_id
    left join cmdbsync_identities i on i.mapping_id = r.mapping_id and i.external_id = c.external_id
    where c.run_id = $1 and c.state = 'approved' and c.side = 'card' order by c.id limit $2 for no key update of c`,
};
const OUTCOMES = {
  name: 'cmdbsync-records-outcomes',
  text: `update cmdbsync_records c set state = o.state, action = o.action, card_id = o.card_id, diff = o.diff, detail = o.detail,
      reason = o.reason, applied_at = case when o.state = 'applied' then ${NOW} end
    from jsonb_to_recordset($1::jsonb) as o(id uuid, state text, action text, card_id uuid, diff jsonb, detail jsonb, reason text)
    where c.id = o.id`,
};
const LINK = {
  name: 'cmdbsync-identities-link',
  text: `insert into cmdbsync_identities as i (mapping_id, external_id, id, card_id, digest, references_digest, base, kept, pulled_version,
      pushed_version, linked_at)
    select $1, a.external_id, gen_random_uuid(), a.card_id, a.digest, a.references_digest, a.base, a.kept, a.version, a.pushed_version, ${NOW}
    from jsonb_to_recordset($2::jsonb) as a(external_id text, card_id uuid, digest text, references_digest text, base jsonb, kept jsonb,
      version integer, pushed_version integer)
    on conflict (mapping_id, external_id) do update set card_id = excluded.card_id, digest = excluded.digest,
      references_digest = excluded.references_digest, base = excluded.base, kept = excluded.kept, pulled_version = excluded.pulled_version,
      pushed_version = excluded.pushed_version, linked_at = coalesce(i.linked_at, excluded.linked_at)`,
};
const OWNERS = {
  name: 'cmdbsync-cards-owners',
  text: 'select card_id, external_id from cmdbsync_identities where mapping_id = $1 and card_id = any($2::uuid[])',
};
const WANT_LINKS = {
  name: 'cmdbsync-links-want',
  text: `with wanted as (
      select * from jsonb_to_recordset($2::jsonb) as w(external_id text, map_key text, target_table text, target_id text)),
    gone as (
      update cmdbsync_links l set is_wanted = false where l.mapping_id = $1 and l.external_id = any($3::text[]) and l.is_wanted
        and not exists (select from wanted w where w.external_id = l.external_id and w.map_key = l.map_key and w.target_id = l.target_id)
        and not exists (select from jsonb_to_recordset($4::jsonb) as h(external_id text, map_key text)
          where h.external_id = l.external_id and h.map_key = l.map_key))
    insert into cmdbsync_links (mapping_id, external_id, map_key, target_table, target_id)
    select $1, w.external_id, w.map_key, w.target_table, w.target_id from wanted w
    on conflict (mapping_id, external_id, map_key, target_id) do update set is_wanted = true, target_table = excluded.target_table`,
};

/** The next records to be applied, locked, in their order. */
export async function lockDueRecords(uow: UnitOfWork, runId: string, most: number): Promise<DueRecord[]> {
  return await uow.query<DueRecord>(DUE, [runId, most]);
}

/** The records to which cards are linked, by the id of the card. */
export async function findOwners(
  uow: UnitOfWork,
  mappingId: string,
  cards: readonly string[],
): Promise<Map<string, string>> {
  if (cards.length === 0) return new Map();
  const rows = await uow.query<{ card_id: string; external_id: string }>(OWNERS, [mappingId, cards]);
  return new Map(rows.map(({ card_id, external_id }) => [card_id, external_id]));
}

export async function saveOutcomes(uow: UnitOfWork, outcomes: readonly RecordOutcome[]): Promise<void> {
  await uow.query(OUTCOMES, [JSON.stringify(outcomes)]);
}

/** Links records to their cards, with what both sides agree on now. */
export async function linkCards(uow: UnitOfWork, mappingId: string, applied: readonly Applied[]): Promise<void> {
  if (applied.length > 0) await uow.query(LINK, [mappingId, JSON.stringify(applied)]);
}

/** A reference of a record. */
export interface WantedLink {
  external_id: string;
  map_key: string;
  target_table: string;
  target_id: string;
}

/**
 * Stores the references of records; those that they had before and have no longer are marked.
 * @param of ids of all these records
 * @param hidden references that a record does not show, so that they stay as they are
 */
export async function wantLinks(
  uow: UnitOfWork,
  mappingId: string,
  links: readonly WantedLink[],
  of: readonly string[],
  hidden: readonly Pick<WantedLink, 'external_id' | 'map_key'>[],
): Promise<void> {
  if (of.length > 0) await uow.query(WANT_LINKS, [mappingId, JSON.stringify(links), of, JSON.stringify(hidden)]);
}
