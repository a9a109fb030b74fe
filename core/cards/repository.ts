import { FLUSH } from '../db/flush.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import { nameKey, searchFold } from '../text.js';
import type { CardState } from './types.js';

/** Columns of the state the write path works on. */
const STATE = `c.id, c.type, c.subtype, c.name, c.description, c.parent_id, c.path_ids, c.lifecycle, c.attributes, c.status,
  c.approval_status, c.data_quality::float8 as data_quality, c.external_id, c.alias, c.edited_by, c.version`;

/**
 * The facts around a card that count in its score, in an order of their own. A relation to an archived card is none.
 * @param mandatory placeholder of the relation types that count
 */
const facts = (mandatory: string): string => `array(
  select 'r:' || role from card_stakeholders s where s.card_id = c.id
  union select 'g:' || t.group_id from card_tags k join tags t on t.id = k.tag_id where k.card_id = c.id
  union select 's:' || r.type from relations r where r.source_id = c.id and r.type = any(${mandatory}::text[]) and r.target_status = 'ACTIVE'
  union select 't:' || r.type from relations r where r.target_id = c.id and r.type = any(${mandatory}::text[]) and r.source_status = 'ACTIVE'
  order by 1)`;

/** The wanted ids: those given, and those behind (type, external_id). A union, because an OR would scan the table. */
const WANTED = `wanted as (select unnest($1::uuid[]) as id union
  select k.id from unnest($2::text[], $3::text[]) as w(type, external_id) join cards k using (type, external_id))`;

const LOAD_FOR_WRITE = {
  name: 'cards-load-write',
  text: `with ${WANTED} select ${STATE} from cards c where c.id in (select id from wanted) order by c.id for no key update of c`,
};
/** Nor can anything come to refer to them: what is about to be deleted. */
const LOAD_FOR_DELETE = { name: 'cards-load-delete', text: LOAD_FOR_WRITE.text.replace('for no key update', 'for update') };
/** Parents are only kept from moving and from being deleted: many may create below one at once. */
const LOAD_FOR_SHARE = {
  name: 'cards-load-share',
  text: `with ${WANTED} select ${STATE} from cards c where c.id in (select id from wanted) order by c.id for share of c`,
};
/** A lone card by its id, the usual write: found without working out what is wanted. */
const LOAD_ONE = {
  write: { name: 'cards-load-one', text: `select ${STATE}, ${facts('$2')} as facts from cards c where c.id = $1 for no key update of c` },
  delete: { name: 'cards-load-one-delete', text: `select ${STATE}, ${facts('$2')} as facts from cards c where c.id = $1 for update of c` },
};
const LOADS = { write: LOAD_FOR_WRITE, delete: LOAD_FOR_DELETE, share: LOAD_FOR_SHARE } as const;
const FACTS = { name: 'cards-facts', text: `select c.id, ${facts('$2')} as facts from cards c where c.id = any($1::uuid[])` };
const MOVE_LOCK = { name: 'cards-move-lock', text: 'select pg_advisory_xact_lock(7315003)' };

export interface CardKey { type: string; external_id: string }

/**
 * Loads and locks cards in id order, so that two batches cannot wait for each other.
 * @param mandatory relation types that count in a score, to have a lone card's facts with it; else facts are empty
 */
export async function lockCards(uow: UnitOfWork, mode: keyof typeof LOADS, ids: string[], keys: CardKey[] = [], mandatory?: string[]): Promise<CardState[]> {
  if (ids.length === 0 && keys.length === 0) return [];
  if (mandatory && mode !== 'share' && ids.length === 1 && keys.length === 0) return uow.query<CardState & Record<string, unknown>>(LOAD_ONE[mode], [ids[0], mandatory]);
  const rows = await uow.query<CardState & Record<string, unknown>>(LOADS[mode], [ids, keys.map((k) => k.type), keys.map((k) => k.external_id)]);
  for (const row of rows) row.facts = [];
  return rows;
}

/** The facts around cards as they are now; what is to count must be locked before. */
export async function factsOf(uow: UnitOfWork, ids: string[], mandatory: string[]): Promise<Map<string, string[]>> {
  const rows = await uow.query<{ id: string; facts: string[] }>(FACTS, [ids, mandatory]);
  return new Map(rows.map((r) => [r.id, r.facts]));
}

const BELOW = { name: 'cards-below', text: 'select id from cards where path_ids && $1::uuid[]' };
const ACTIVE_BELOW = { name: 'cards-active-below', text: `select id from cards where path_ids && $1::uuid[] and status = 'ACTIVE'` };

/** Everything below cards. */
export async function descendantIds(uow: UnitOfWork, ids: string[], activeOnly: boolean): Promise<string[]> {
  return (await uow.query<{ id: string }>(activeOnly ? ACTIVE_BELOW : BELOW, [ids])).map((r) => r.id);
}

/** A place to look for: keys of the names from the root to the card, or of the card's alone where it may be anywhere. */
export interface PlaceKey {
  /** null: of any type. */
  type: string | null;
  keys: string[];
  anywhere: boolean;
}

const PLACED = {
  name: 'cards-placed',
  text: `select w.n::int as n, c.id from jsonb_to_recordset($1::jsonb) as w(n int, type text, name_key text, above text[], anywhere boolean)
    join cards c on c.name_key = w.name_key and c.status = 'ACTIVE' and (w.type is null or c.type = w.type)
      and (w.anywhere or (cardinality(c.path_ids) = cardinality(w.above)
        and array(select a.name_key from cards a where a.id = any(c.path_ids) order by array_position(c.path_ids, a.id)) = w.above))`,
};

/** The active cards at each place, by its index: none, one, or several. */
export async function findPlaced(uow: UnitOfWork, places: readonly PlaceKey[]): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>();
  if (places.length === 0) return found;
  const rows = await uow.query<{ n: number; id: string }>(PLACED, [JSON.stringify(places.map(({ type, keys, anywhere }, n) => ({ n, type, name_key: keys.at(-1), above: keys.slice(0, -1), anywhere })))]);
  for (const { n, id } of rows) found.set(n, [...found.get(n) ?? [], id]);
  return found;
}

/** The ids of active cards at any of the places. */
export async function placedIds(uow: UnitOfWork, places: readonly PlaceKey[]): Promise<Set<string>> {
  return new Set([...(await findPlaced(uow, places)).values()].flat());
}

/** Moves run one at a time: two that each look harmless can make a cycle together. */
export async function lockMoves(uow: UnitOfWork): Promise<void> {
  await uow.query(MOVE_LOCK);
}

const CHILDREN = { name: 'cards-children', text: 'select parent_id as id, count(*)::int as n from cards where parent_id = any($1) group by parent_id' };
const ACTIVE_CHILDREN = { name: 'cards-active-children', text: `select parent_id as id, count(*)::int as n from cards where parent_id = any($1) and status = 'ACTIVE' group by parent_id` };

/** Counts the children of cards; ids without any are absent. */
export async function childCounts(uow: UnitOfWork, ids: string[], activeOnly: boolean): Promise<Map<string, number>> {
  const rows = await uow.query<{ id: string; n: number }>(activeOnly ? ACTIVE_CHILDREN : CHILDREN, [ids]);
  return new Map(rows.map((r) => [r.id, r.n]));
}

const TAKEN = {
  name: 'cards-names-taken',
  text: `select w.n::int as n, c.id, c.external_id from unnest($1::text[], $2::uuid[], $3::text[]) with ordinality as w(type, parent_id, name_key, n)
    join cards c on c.type = w.type and c.parent_id is not distinct from w.parent_id and c.name_key = w.name_key and c.status = 'ACTIVE'`,
};

/** The card that has what another wants. */
export interface Holder { id: string; external_id: string | null }

/** Which of the wanted names active siblings have: by place in the list, the card that has it. */
export async function namesTaken(uow: UnitOfWork, cards: CardState[]): Promise<Map<number, Holder>> {
  const rows = await uow.query<Holder & { n: number }>(TAKEN, [cards.map((c) => c.type), cards.map((c) => c.parent_id), cards.map((c) => nameKey(c.name))]);
  return new Map(rows.map((r) => [r.n - 1, r]));
}

const KEYS_TAKEN = {
  name: 'cards-external-ids-taken',
  text: `select w.n::int as n, c.id, c.external_id from unnest($1::text[], $2::text[]) with ordinality as w(type, external_id, n)
    join cards c using (type, external_id)`,
};

/** Which of the wanted external ids other cards have: by place in the list, the card that has it. */
export async function externalIdsTaken(uow: UnitOfWork, cards: CardState[]): Promise<Map<number, Holder>> {
  const rows = await uow.query<Holder & { n: number }>(KEYS_TAKEN, [cards.map((c) => c.type), cards.map((c) => c.external_id)]);
  return new Map(rows.map((r) => [r.n - 1, r]));
}

/** Unique indexes are checked row by row: what changes hands within a batch is let go of first. No name has a U+0001 key. */
const VACATE = { name: 'cards-vacate', text: 'update cards set name_key = chr(1) || id, external_id = null where id = any($1::uuid[])' };

/** Has cards let go of name and external id; `updateCards` or `deleteCards` must follow for each. */
export async function vacate(uow: UnitOfWork, ids: string[]): Promise<void> {
  await uow.query(VACATE, [ids]);
}

const VERSION_DOC = `to_jsonb(c) - '{name_key,search_name,search_text,words,edited_by}'::text[]`;
const INPUT = `input as materialized (select * from jsonb_to_recordset($2::jsonb) as r(id uuid, type text, subtype text, name text,
  name_key text, description text, parent_id uuid, path_ids uuid[], lifecycle jsonb, attributes jsonb, status text, approval_status text,
  data_quality numeric, external_id text, alias text, search_name text, search_text text, edited_by uuid, facts text[]))`;

const INSERT = {
  name: 'cards-insert',
  text: `with ${FLUSH}, ${INPUT},
    c as (insert into cards (id, type, subtype, name, name_key, description, parent_id, path_ids, lifecycle, attributes, status, approval_status,
        data_quality, external_id, alias, search_name, search_text, edited_by, created_by, updated_by, created_at, updated_at, version)
      select r.id, r.type, r.subtype, r.name, r.name_key, r.description, r.parent_id, r.path_ids, r.lifecycle, r.attributes, r.status, r.approval_status,
        r.data_quality, r.external_id, r.alias, r.search_name, r.search_text, r.edited_by, flush.actor, flush.actor, flush.clock, flush.clock, 1 from flush, input r
      returning *),
    versions as (insert into card_versions (id, version, valid_from, doc, change_id, metamodel_revision)
      select c.id, 1, c.created_at, ${VERSION_DOC}, flush.change_id, $3::bigint from c, flush),
    counts as (insert into card_counts (type, status, approval_status, n) select type, status, approval_status, count(*) from c group by 1, 2, 3)
    select count(*)::int as n from c`,
};

const UPDATE = {
  name: 'cards-update',
  text: `with ${FLUSH}, ${INPUT},
    before as (select c.id, c.type, c.status, c.approval_status from cards c join input using (id)),
    c as (update cards c set subtype = r.subtype, name = r.name, name_key = r.name_key, description = r.description, parent_id = r.parent_id,
        path_ids = r.path_ids, lifecycle = r.lifecycle, attributes = r.attributes, status = r.status, approval_status = r.approval_status,
        data_quality = r.data_quality, external_id = r.external_id, alias = r.alias, search_name = r.search_name, search_text = r.search_text, edited_by = r.edited_by,
        archived_at = case when r.status = 'ARCHIVED' then coalesce(c.archived_at, flush.clock) end,
        updated_by = flush.actor, updated_at = greatest(c.updated_at + interval '1 millisecond', flush.clock), version = c.version + 1
      from flush, input r where c.id = r.id returning c.*),
    closed as (update card_versions v set valid_to = c.updated_at from c where v.id = c.id and v.version = c.version - 1),
    versions as (insert into card_versions (id, version, valid_from, doc, change_id, metamodel_revision)
      select c.id, c.version, c.updated_at, ${VERSION_DOC}, flush.change_id, $3::bigint from c, flush),
    counts as (insert into card_counts (type, status, approval_status, n)
      select type, status, approval_status, sum(n) from (
        select b.type, b.status, b.approval_status, -1 as n from before b
        union all select c.type, c.status, c.approval_status, 1 from c) moved
      group by 1, 2, 3 having sum(n) <> 0)
    select c.id, now.facts from c join input using (id), lateral (select ${facts('$4')} as facts) now
    where $4::text[] is not null and now.facts <> input.facts`,
};

/** A deleted card leaves its last version with an end: it stays readable as of then. */
const DELETE = {
  name: 'cards-delete',
  text: `with ${FLUSH},
    c as (delete from cards where id = any($2::uuid[]) returning id, type, status, approval_status, updated_at),
    closed as (update card_versions v set valid_to = greatest(c.updated_at + interval '1 millisecond', flush.clock)
      from c, flush where v.id = c.id and v.valid_to is null),
    counts as (insert into card_counts (type, status, approval_status, n) select type, status, approval_status, -count(*) from c group by 1, 2, 3)
    select count(*)::int as n from c`,
};

function row(card: CardState): Record<string, unknown> {
  const { version, ...stored } = card;
  const names = [card.name, card.alias].filter(Boolean).join(' ');
  return {
    ...stored,
    path_ids: `{${card.path_ids.join(',')}}`,
    name_key: nameKey(card.name),
    search_name: searchFold(names),
    search_text: searchFold([names, card.external_id, card.description].filter(Boolean).join(' ')),
  };
}

/** Inserts cards with their first versions and counts, and flushes the unit of work, in one statement. */
export async function insertCards(uow: UnitOfWork, cards: CardState[], metamodelRevision: string, result?: unknown): Promise<void> {
  await uow.last(INSERT, [uow.flushed(result), JSON.stringify(cards.map(row)), metamodelRevision]);
}

/**
 * Stores new states of locked cards, each one version on.
 * @param mandatory relation types that count in a score, where facts were read with the lock: those may be of before it
 * @returns cards whose facts changed while the lock was waited for
 */
export async function updateCards(uow: UnitOfWork, cards: CardState[], metamodelRevision: string, mandatory?: string[]): Promise<Pick<CardState, 'id' | 'facts'>[]> {
  return uow.last<Pick<CardState, 'id' | 'facts'>>(UPDATE, [uow.flushed(), JSON.stringify(cards.map(row)), metamodelRevision, mandatory ?? null]);
}

export async function deleteCards(uow: UnitOfWork, ids: string[]): Promise<void> {
  await uow.last(DELETE, [uow.flushed(), ids]);
}

const REPATH = {
  name: 'cards-repath',
  text: `with recursive tree as (
      select c.id, c.type, case when p.id is null then '{}'::uuid[] else p.path_ids || p.id end as path
        from cards c left join cards p on p.id = c.parent_id where c.id = any($1::uuid[])
      union all select c.id, c.type, t.path || t.id from tree t join cards c on c.parent_id = t.id),
    moved as (update cards c set path_ids = t.path from tree t where t.id = c.id and c.path_ids is distinct from t.path returning 1)
    select type, max(cardinality(path)) + 1 as level, (select count(*) from moved)::int as moved from tree group by type`,
};

/**
 * Rewrites the paths below moved cards, until there is nothing left to rewrite: what others were just creating below
 * a card that is not locked yet is only seen by the next statement.
 * @returns the deepest level per type that the moves led to
 */
export async function rewritePaths(uow: UnitOfWork, roots: string[]): Promise<Map<string, number>> {
  for (;;) {
    const rows = await uow.query<{ type: string; level: number; moved: number }>(REPATH, [roots]);
    if (rows.every((r) => r.moved === 0)) return new Map(rows.map((r) => [r.type, r.level]));
  }
}

const VERSION_FIELDS = {
  name: 'card-version',
  text: 'select doc from card_versions where id = $1 and version = $2',
};

/** The stored document of a version, to tell what changed since. */
export async function versionDoc(uow: UnitOfWork, id: string, version: number): Promise<Record<string, unknown> | undefined> {
  return (await uow.query<{ doc: Record<string, unknown> }>(VERSION_FIELDS, [id, version]))[0]?.doc;
}

const PURGEABLE = {
  name: 'cards-purgeable',
  text: `select id from cards c where status = 'ARCHIVED' and archived_at < clock_timestamp() - make_interval(days => $1)
    and not exists (select from cards d where d.parent_id = c.id) and id > $2 order by id limit 1000`,
};

/** Archived cards past their retention, leaves first, at most 1,000 at a time. */
export async function purgeableIds(uow: UnitOfWork, days: number, after: string): Promise<string[]> {
  return (await uow.query<{ id: string }>(PURGEABLE, [days, after])).map((r) => r.id);
}

const IDS_OF_TYPES = { name: 'cards-of-types', text: 'select id from cards where id > $1 and ($2::text[] is null or type = any($2)) order by id limit $3' };

/** Ids of cards of the types, all where null, in order, after one. */
export async function idsOfTypes(uow: UnitOfWork, types: readonly string[] | null, after: string, limit: number): Promise<string[]> {
  return (await uow.query<{ id: string }>(IDS_OF_TYPES, [after, types, limit])).map((r) => r.id);
}

/** Sums the deltas of the counts up into one row each; of several nodes at it, one does it. */
export const FOLD_COUNTS = {
  name: 'card-counts-fold',
  text: `with gone as (delete from card_counts where (select pg_try_advisory_xact_lock(7315004)) returning type, status, approval_status, n)
    insert into card_counts (type, status, approval_status, n)
    select type, status, approval_status, sum(n) from gone group by 1, 2, 3 having sum(n) <> 0`,
};

const RESCORE = {
  name: 'cards-rescore',
  text: `update cards c set data_quality = r.data_quality from jsonb_to_recordset($1::jsonb) as r(id uuid, data_quality numeric)
    where c.id = r.id and c.data_quality <> r.data_quality`,
};

/** Stores scores: derived, so no version, no history. */
export async function rescoreCards(uow: UnitOfWork, scores: { id: string; data_quality: number }[]): Promise<void> {
  await uow.query(RESCORE, [JSON.stringify(scores)]);
}
