import { CLOCK, FLUSH, FLUSH_LOG, flushOf, inputWithFlush } from '../../foundation/db/flush.js';
import type { Database } from '../../foundation/db/database.js';
import { jsonRows } from '../../foundation/db/json-rows.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Scores } from '../metamodel/index.js';
import { nameKey, searchColumns } from '../../foundation/text.js';
import type { CardState } from './types.js';
import { NEW_CARD_COLUMNS, CHANGING, KEPT, ROW_COLUMNS } from './list/view-repository.js';

/**
 * Unique indexes are checked row by row: values exchanged within a batch must be released first. U+0001 occurs in no
 * name key.
 */
const RELEASE_KEYS = {
  name: 'cards-release-keys',
  text: 'update cards set name_key = chr(1) || id, external_id = null where id = any($1::uuid[])',
};

/** Releases name and external id of cards; `updateCards` or `deleteCards` must follow for each. */
export async function releaseUniqueKeys(uow: UnitOfWork, ids: string[]): Promise<void> {
  await uow.query(RELEASE_KEYS, [ids]);
}

const ROW = `id uuid, type text, subtype text, name text, name_key text, description text, parent_id uuid, path_ids uuid[], lifecycle jsonb, attributes jsonb,
  status text, approval_status text, data_quality numeric, open_quality numeric, basic_quality numeric, external_id text, alias text, search_name text, search_text text, edited_by uuid, facts text[], changes jsonb, is_placed boolean, is_restated boolean, row_version text`;
/** The cards of a statement, from its JSON parameter `$2`. */
export const INPUT = `input as materialized (select * from jsonb_to_recordset($2::jsonb) as r(${ROW}))`;
/** A single one. Of a set, the planner would expect 100 rows, and read short tables as a whole to join them. */
export const INPUT_ONE = INPUT.replace('recordset', 'record');
/** Those of several units of work. */
export const INPUT_SINGLES = inputWithFlush(ROW);
/** Inserts the rows of `input`. @param from SQL of the rows `r` @param actor SQL of the user @param clock SQL of the time */
const made = (
  from: string,
  actor: string,
  clock: string,
  conflict = '',
): string => `k as (insert into cards as c (id, type, subtype, name, name_key, description,
        parent_id, path_ids, status, approval_status, external_id, alias, search_name, search_text, created_by, created_at)
      select r.id, r.type, r.subtype, r.name, r.name_key, r.description, r.parent_id, r.path_ids, r.status, r.approval_status, r.external_id, r.alias,
        r.search_name, r.search_text, ${actor}, ${clock} from ${from} ${conflict} returning c.*),
    v as (insert into card_contents as v (id, type, status, name_key, attributes, lifecycle, data_quality, open_quality, basic_quality, edited_by, updated_by, updated_at, version)
      select r.id, r.type, r.status, r.name_key, r.attributes, r.lifecycle, r.data_quality, r.open_quality, r.basic_quality, r.edited_by, ${actor}, ${clock}, 1 from ${from}
        ${conflict && 'join k using (id)'} returning v.*),
    c as (select ${KEPT}, ${CHANGING} from k c join v using (id))`;
const COUNTED =
  'counts as (insert into card_counts (type, status, approval_status, n) select type, status, approval_status, count(*) from c group by 1, 2, 3)';

/** @param returned columns returned for the inserted cards */
const insert = (name: string, returned: string) => ({
  name,
  text: `with ${FLUSH}, ${INPUT},
    ${made('flush, input r', 'flush.actor', 'flush.clock')},
    versions as (insert into card_versions (id, version, at, change_id, metamodel_revision)
      select c.id, 1, c.created_at, flush.change_id, $3::bigint from c, flush),
    ${COUNTED}
    select ${returned} from c`,
});
const INSERT = insert('cards-insert', 'count(*)');
/** A card created by itself is returned with the columns of its view, as a read would return it. */
const INSERT_ONE = insert('cards-insert-one', NEW_CARD_COLUMNS);

/** Lock timeout in ms: a unique value that a running transaction may insert must not delay unrelated cards. */
const LOCK_TIMEOUT_MS = 100;
export const LOCK_TIMEOUT = `set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true)`;
/**
 * Inserts cards of several units of work, each with its own flush, with one statement. A card whose name or external id
 * is already used, or whose parent is not active, does not have the path with which it was read or is being changed, is
 * not inserted and not returned; the others are not affected.
 */
const INSERT_SINGLES = {
  name: 'cards-insert-singles',
  text: `with now as materialized (select ${CLOCK} as at, ${LOCK_TIMEOUT}),
    ${INPUT_SINGLES},
    parents as materialized (select p.id, p.path_ids || p.id as path_ids from cards p
      where p.id = any(array(select r.parent_id from input r where r.parent_id is not null)) and p.status = 'ACTIVE' for share skip locked),
    placed as materialized (select r.* from input r
      where r.parent_id is null or exists (select from parents p where p.id = r.parent_id and p.path_ids = r.path_ids)),
    ${made('now, placed r', 'r.actor', 'now.at', 'on conflict do nothing')},
    ${flushOf('select id, created_at as clock from c')},
    ${FLUSH_LOG},
    versions as (insert into card_versions (id, version, at, change_id, metamodel_revision)
      select c.id, 1, c.created_at, flush.change_id, flush.revision from c join flush on flush.row_id = c.id),
    ${COUNTED}
    select ${NEW_CARD_COLUMNS} from c`,
};

/** The state of a deleted card is stored whole, so that its versions can still be computed. */
const DELETE = {
  name: 'cards-delete',
  text: `with ${FLUSH},
    c as (select ${ROW_COLUMNS} from card_rows c where c.id = any($2::uuid[])),
    gone as (delete from cards where id = any($2::uuid[])),
    stored as (insert into card_deletions (id, type, version, at, doc, change_id)
      select c.id, c.type, c.version, greatest(c.updated_at + interval '1 millisecond', flush.clock), to_jsonb(c), flush.change_id from c, flush),
    counts as (insert into card_counts (type, status, approval_status, n) select type, status, approval_status, -count(*) from c group by 1, 2, 3)
    select count(*)::int as n from c`,
};

/** A card as a row of INPUT. The other members come first, as in `newRow` of relations, which has the reason. */
export function cardRow(card: CardState): Record<string, unknown> {
  const { search_name, search_text } = searchColumns(card);
  return { name_key: nameKey(card.name), search_name, search_text, ...card, path_ids: `{${card.path_ids.join(',')}}` };
}

/** The values of the statement that inserts cards with their first versions and counts, and flushes the unit of work. */
export async function cardInserts(
  uow: UnitOfWork,
  cards: readonly CardState[],
  metamodelRevision: string,
): Promise<unknown[]> {
  const flush = uow.flushed();
  return [flush, await jsonRows(cards, cardRow), metamodelRevision];
}

/** Inserts cards. @param values from `cardInserts` */
export async function insertCards(uow: UnitOfWork, values: unknown[]): Promise<void> {
  await uow.last(INSERT, values);
}

/**
 * The same for one card.
 * @param flush of the unit of work
 * @returns the columns of its view, as text
 */
export async function insertCard(
  uow: UnitOfWork,
  card: CardState,
  metamodelRevision: string,
  flush: string,
): Promise<(string | null)[]> {
  const [view] = await uow.lastRows(INSERT_ONE, [flush, JSON.stringify([cardRow(card)]), metamodelRevision]);
  return view!;
}

/**
 * Inserts cards, each with the flush of its unit of work, in one transaction.
 * @param inserts results of `rowWithFlush`
 * @returns the columns of the views of the inserted cards
 */
export async function insertSingles(db: Database, inserts: readonly string[]): Promise<(string | null)[][]> {
  return db.rows(INSERT_SINGLES, [`[${inserts.join(',')}]`]);
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
 * Rewrites the paths below moved cards, repeatedly until none is left: cards inserted concurrently below a card that
 * was not locked yet are visible only to the next statement.
 * @returns the deepest level per type after the moves
 */
export async function rewritePaths(uow: UnitOfWork, roots: string[]): Promise<Map<string, number>> {
  for (;;) {
    const rows = await uow.query<{ type: string; level: number; moved: number }>(REPATH, [roots]);
    if (rows.every((r) => r.moved === 0)) return new Map(rows.map((r) => [r.type, r.level]));
  }
}

const PURGEABLE = {
  name: 'cards-purgeable',
  text: `select id from cards c where status = 'ARCHIVED' and archived_at < clock_timestamp() - make_interval(days => $1)
    and not exists (select from cards d where d.parent_id = c.id) and id > $2 order by id limit 1000`,
};

/** Archived cards after their retention period, leaves first, at most 1,000 at a time. */
export async function purgeableIds(uow: UnitOfWork, days: number, after: string): Promise<string[]> {
  return (await uow.query<{ id: string }>(PURGEABLE, [days, after])).map((r) => r.id);
}

const IDS_OF_TYPES = {
  name: 'cards-of-types',
  text: 'select id from cards where id > $1 and ($2::text[] is null or type = any($2)) order by id limit $3',
};

/** Ids of cards of the types (all where null), in order, after the given id. */
export async function idsOfTypes(
  uow: UnitOfWork,
  types: readonly string[] | null,
  after: string,
  limit: number,
): Promise<string[]> {
  return (await uow.query<{ id: string }>(IDS_OF_TYPES, [after, types, limit])).map((r) => r.id);
}

/** Aggregates the deltas of the counters to one row each; on one node at a time. */
export const COMPACT_COUNTS = {
  name: 'card-counts-compact',
  text: `with gone as (delete from card_counts where (select pg_try_advisory_xact_lock(7315004)) returning type, status, approval_status, n)
    insert into card_counts (type, status, approval_status, n)
    select type, status, approval_status, sum(n) from gone group by 1, 2, 3 having sum(n) <> 0`,
};

/** Merges the pending lists of the GIN indexes, which searches scan completely; on one node at a time. */
export const FLUSH_GIN = {
  name: 'cards-flush-gin',
  text: `select gin_clean_pending_list(i) from unnest(array['cards_words', 'cards_name_part', 'cards_path', 'card_contents_attributes']::regclass[]) i
    where (select pg_try_advisory_xact_lock(7315005))`,
};

const RESCORE = {
  name: 'cards-rescore',
  text: `update card_contents c set data_quality = r.data_quality, open_quality = r.open_quality, basic_quality = r.basic_quality
    from jsonb_to_recordset($1::jsonb) as r(id uuid, data_quality numeric, open_quality numeric, basic_quality numeric)
    where c.id = r.id`,
};

/** Stores scores, which are derived: without a version and history. */
export async function rescoreCards(uow: UnitOfWork, scores: ({ id: string } & Scores)[]): Promise<void> {
  await uow.query(RESCORE, [JSON.stringify(scores)]);
}
