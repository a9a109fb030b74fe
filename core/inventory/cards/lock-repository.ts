import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { nameKey } from '../../foundation/text.js';
import type { CardState } from './types.js';

/**
 * A parameter the planner cannot look into. By its value it would find each call a plan of its own a little cheaper
 * than the one for all, and planning takes longer than these statements run.
 */
export const opaque = (parameter: string): string => `(select ${parameter})`;

/** Columns of the state the write path works on. */
const STATE = `c.id, c.type, c.subtype, c.name, c.description, c.parent_id, c.path_ids, c.lifecycle, c.attributes, c.status,
  c.approval_status, c.data_quality::float8 as data_quality, c.open_quality::float8 as open_quality, c.external_id, c.alias, c.edited_by, c.version`;

/**
 * The facts around a card that count in its score, in an order of their own. A relation to an archived card is none.
 * @param mandatory SQL of the relation types that count
 */
export const facts = (mandatory: string): string => `array(
  select 'r:' || role from card_stakeholders s where s.card_id = c.id
  union select 'g:' || t.group_id from card_tags k join tags t on t.id = k.tag_id where k.card_id = c.id
  union select 's:' || r.type from relations r where r.source_id = c.id and r.type = any(${mandatory}) and r.target_status = 'ACTIVE'
  union select 't:' || r.type from relations r where r.target_id = c.id and r.type = any(${mandatory}) and r.source_status = 'ACTIVE'
  order by 1)`;

const MANDATORY = `${opaque('$2::text[]')}::text[]`;

/** The wanted ids: those given, and those behind (type, external_id). A union, because an OR would scan the table. */
const WANTED = `wanted as (select unnest(${opaque('$1::uuid[]')}) as id union
  select k.id from unnest(${opaque('$2::text[]')}, ${opaque('$3::text[]')}) as w(type, external_id) join cards k using (type, external_id))`;

const LOAD_FOR_WRITE = {
  name: 'cards-load-write',
  text: `with ${WANTED} select ${STATE} from cards c where c.id in (select id from wanted) order by c.id for no key update of c`,
};
/** Nor can anything come to refer to them: what is about to be deleted. */
const LOAD_FOR_DELETE = {
  name: 'cards-load-delete',
  text: LOAD_FOR_WRITE.text.replace('for no key update', 'for update'),
};
/** Parents are only kept from moving and from being deleted: many may create below one at once. */
const LOAD_FOR_SHARE = {
  name: 'cards-load-share',
  text: `with ${WANTED} select ${STATE} from cards c where c.id in (select id from wanted) order by c.id for share of c`,
};
/** What may well stay as it is: whoever changes it after all locks it then, and looks whether it still is as it was read. */
const LOAD_FOR_READ = {
  name: 'cards-load-read',
  text: `with ${WANTED} select ${STATE} from wanted join cards c using (id)`,
};
/** A lone card by its id, the usual write: found without working out what is wanted. */
const LOAD_ONE = {
  write: {
    name: 'cards-load-one',
    text: `select ${STATE}, ${facts(MANDATORY)} as facts from cards c where c.id = $1 for no key update of c`,
  },
  delete: {
    name: 'cards-load-one-delete',
    text: `select ${STATE}, ${facts(MANDATORY)} as facts from cards c where c.id = $1 for update of c`,
  },
};
const LOADS = { write: LOAD_FOR_WRITE, delete: LOAD_FOR_DELETE, share: LOAD_FOR_SHARE, read: LOAD_FOR_READ } as const;
const FACTS = {
  name: 'cards-facts',
  text: `select c.id, ${facts(MANDATORY)} as facts from cards c where c.id = any($1::uuid[])`,
};
const MOVE_LOCK = { name: 'cards-move-lock', text: 'select pg_advisory_xact_lock(7315003)' };

export interface CardKey {
  type: string;
  external_id: string;
}

/**
 * Loads and, but to read them, locks cards in id order, so that two batches cannot wait for each other.
 * @param mandatory relation types that count in a score, to have a lone card's facts with it; else facts are empty
 */
export async function lockCards(
  uow: UnitOfWork,
  mode: keyof typeof LOADS,
  ids: string[],
  keys: CardKey[] = [],
  mandatory?: string[],
): Promise<CardState[]> {
  if (ids.length === 0 && keys.length === 0) return [];
  if (mandatory && (mode === 'write' || mode === 'delete') && ids.length === 1 && keys.length === 0)
    return uow.query<CardState & Record<string, unknown>>(LOAD_ONE[mode], [ids[0], mandatory]);
  const rows = await uow.query<CardState & Record<string, unknown>>(LOADS[mode], [
    ids,
    keys.map((k) => k.type),
    keys.map((k) => k.external_id),
  ]);
  for (const row of rows) row.facts = [];
  return rows;
}

/** The facts around cards as they are now; what is to count must be locked before. */
export async function factsOf(uow: UnitOfWork, ids: string[], mandatory: string[]): Promise<Map<string, string[]>> {
  const rows = await uow.query<{ id: string; facts: string[] }>(FACTS, [ids, mandatory]);
  return new Map(rows.map((r) => [r.id, r.facts]));
}

const BELOW = { name: 'cards-below', text: 'select id from cards where path_ids && $1::uuid[]' };
const ACTIVE_BELOW = {
  name: 'cards-active-below',
  text: `select id from cards where path_ids && $1::uuid[] and status = 'ACTIVE'`,
};

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

/** The same for who may not see cards of some types: neither they nor, by their names, what is below them. */
const PLACED_SEEN = {
  name: 'cards-placed-seen',
  text: `${PLACED.text} where c.type <> all($2::text[])
    and (w.anywhere or not exists (select from cards a where a.id = any(c.path_ids) and a.type = any($2::text[])))`,
};

/** The active cards at each place, by its index: none, one, or several. @param hiddenTypes whose cards nothing names */
export async function findPlaced(
  uow: UnitOfWork,
  places: readonly PlaceKey[],
  hiddenTypes: readonly string[] = [],
): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>();
  if (places.length === 0) return found;
  const wanted = JSON.stringify(
    places.map(({ type, keys, anywhere }, n) => ({
      n,
      type,
      name_key: keys.at(-1),
      above: keys.slice(0, -1),
      anywhere,
    })),
  );
  const rows =
    hiddenTypes.length === 0
      ? await uow.query<{ n: number; id: string }>(PLACED, [wanted])
      : await uow.query<{ n: number; id: string }>(PLACED_SEEN, [wanted, hiddenTypes]);
  for (const { n, id } of rows) found.set(n, [...(found.get(n) ?? []), id]);
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

const SEEN = 'count(*) filter (where type <> all($2::text[]))::int as seen';
const CHILDREN = {
  name: 'cards-children',
  text: `select parent_id as id, count(*)::int as n, ${SEEN} from cards where parent_id = any($1) group by parent_id`,
};
const ACTIVE_CHILDREN = {
  name: 'cards-active-children',
  text: `select parent_id as id, count(*)::int as n, ${SEEN} from cards where parent_id = any($1) and status = 'ACTIVE' group by parent_id`,
};

/** How many children a card has, and how many of them the caller may see. */
export interface ChildCount {
  n: number;
  seen: number;
}

/** Counts the children of cards; ids without any are absent. @param hiddenTypes those that do not exist for the caller */
export async function childCounts(
  uow: UnitOfWork,
  ids: string[],
  activeOnly: boolean,
  hiddenTypes: readonly string[],
): Promise<Map<string, ChildCount>> {
  const rows = await uow.query<{ id: string } & ChildCount>(activeOnly ? ACTIVE_CHILDREN : CHILDREN, [
    ids,
    hiddenTypes,
  ]);
  return new Map(rows.map((r) => [r.id, r]));
}

/**
 * With and without a parent are asked apart: no index serves IS NOT DISTINCT FROM, and what skips over the parents takes
 * time with each of them. No index is chosen for the type: while statistics know of no cards, those of a type seem few.
 */
const TAKEN = {
  name: 'cards-names-taken',
  text: `with w as materialized (select * from unnest(${opaque('$1::text[]')}, ${opaque('$2::uuid[]')}, ${opaque('$3::text[]')}) with ordinality as w(type, parent_id, name_key, n))
    select w.n::int as n, c.id, c.external_id from w join cards c on c.type || '' = w.type and c.parent_id = w.parent_id and c.name_key = w.name_key and c.status = 'ACTIVE'
    union all select w.n::int, c.id, c.external_id from w join cards c on c.type || '' = w.type and c.parent_id is null and c.name_key = w.name_key and c.status = 'ACTIVE'
    where w.parent_id is null`,
};

/** The card that has what another wants. */
export interface Holder {
  id: string;
  external_id: string | null;
}

/** Which of the wanted names active siblings have: by place in the list, the card that has it. */
export async function namesTaken(uow: UnitOfWork, cards: CardState[]): Promise<Map<number, Holder>> {
  const rows = await uow.query<Holder & { n: number }>(TAKEN, [
    cards.map((c) => c.type),
    cards.map((c) => c.parent_id),
    cards.map((c) => nameKey(c.name)),
  ]);
  return new Map(rows.map((r) => [r.n - 1, r]));
}

const KEYS_TAKEN = {
  name: 'cards-external-ids-taken',
  text: `select w.n::int as n, c.id, c.external_id from unnest(${opaque('$1::text[]')}, ${opaque('$2::text[]')}) with ordinality as w(type, external_id, n)
    join cards c using (type, external_id)`,
};

/** Which of the wanted external ids other cards have: by place in the list, the card that has it. */
export async function externalIdsTaken(uow: UnitOfWork, cards: CardState[]): Promise<Map<number, Holder>> {
  const rows = await uow.query<Holder & { n: number }>(KEYS_TAKEN, [
    cards.map((c) => c.type),
    cards.map((c) => c.external_id),
  ]);
  return new Map(rows.map((r) => [r.n - 1, r]));
}
