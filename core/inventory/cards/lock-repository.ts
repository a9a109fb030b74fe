import { relationSeenSql } from '../access/index.js';
import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { isUuid } from '../../foundation/ids.js';
import type { CardState } from './types.js';

/**
 * Hides the value of a parameter from the planner. With the value, the planner would prefer a custom plan for each
 * call, slightly cheaper than the generic plan, and planning takes longer than these statements run.
 */
export const opaque = (parameter: string): string => `(select ${parameter})`;

/** Columns of the state used by the write path. */
const STATE = `c.id, c.type, c.subtype, c.name, c.description, c.parent_id, c.path_ids, v.lifecycle, v.attributes, c.status,
  c.approval_status, v.data_quality::float8 as data_quality, v.open_quality::float8 as open_quality, v.basic_quality::float8 as basic_quality, c.external_id, c.alias, v.edited_by, v.version`;

/**
 * The facts related to a card that affect its score, sorted. Relations to archived cards do not count.
 * @param mandatory SQL of the relation types that count
 * @param seen SQL condition on the relations `r` that count
 */
export const facts = (mandatory: string, seen?: string): string => `array(
  select 'r:' || role from card_stakeholders s where s.card_id = c.id
  union select 'g:' || t.group_id from card_tags k join tags t on t.id = k.tag_id where k.card_id = c.id
  union select 's:' || r.type from relations r where r.source_id = c.id and r.type = any(${mandatory}) and ${seen ?? `r.target_status = 'ACTIVE'`}
  union select 't:' || r.type from relations r where r.target_id = c.id and r.type = any(${mandatory}) and ${seen ?? `r.source_status = 'ACTIVE'`}
  order by 1)`;

const MANDATORY = `${opaque('$2::text[]')}::text[]`;

/** The requested ids: given directly, or by (type, external_id). A UNION, because an OR would scan the table. */
const WANTED = `wanted as (select unnest(${opaque('$1::uuid[]')}) as id union
  select k.id from unnest(${opaque('$2::text[]')}, ${opaque('$3::text[]')}) as w(type, external_id) join cards k using (type, external_id))`;

const LOAD_FOR_WRITE = {
  name: 'cards-load-write',
  text: `with ${WANTED} select ${STATE} from cards c join card_contents v using (id) where c.id in (select id from wanted) order by c.id for no key update of c, v`,
};
/** FOR UPDATE for cards to be deleted, so that no foreign key reference to them can be added. */
const LOAD_FOR_DELETE = {
  name: 'cards-load-delete',
  text: LOAD_FOR_WRITE.text.replace('for no key update', 'for update'),
};
/**
 * Parents are locked FOR SHARE against moving and deletion, so that many cards can be created below one concurrently.
 */
const LOAD_FOR_SHARE = {
  name: 'cards-load-share',
  text: `with ${WANTED} select ${STATE} from cards c join card_contents v using (id) where c.id in (select id from wanted) order by c.id for share of c`,
};
/**
 * Cards that will probably not change are read without a lock: before a change they are locked and compared with what
 * was read.
 */
const LOAD_FOR_READ = {
  name: 'cards-load-read',
  text: `with ${WANTED} select ${STATE} from wanted join cards c using (id) join card_contents v using (id)`,
};
/** A single card by its id, the most frequent write, with a simpler statement. */
const LOAD_ONE = {
  write: {
    name: 'cards-load-one',
    text: `select ${STATE}, ${facts(MANDATORY)} as facts from cards c join card_contents v using (id) where c.id = $1 for no key update of c, v`,
  },
  delete: {
    name: 'cards-load-one-delete',
    text: `select ${STATE}, ${facts(MANDATORY)} as facts from cards c join card_contents v using (id) where c.id = $1 for update of c, v`,
  },
};
/** The same without a lock, for a write that is refused if the row of `card_contents` has changed since. */
const READ_ONE = {
  name: 'cards-read-one',
  text: `select ${STATE}, v.xmin::text as row_version, ${facts(MANDATORY)} as facts from cards c join card_contents v using (id) where c.id = $1`,
};
/** The same for cards of several units of work. */
const READ_SINGLES = { name: 'cards-read-singles', text: READ_ONE.text.replace('c.id = $1', 'c.id = any($1::uuid[])') };
/** The same with the parent, whose status decides whether the card may be restored. */
const READ_WITH_PARENT = {
  name: 'cards-read-parent',
  text: READ_ONE.text.replace(
    'c.id = $1',
    'c.id = any(array(select unnest(array[k.id, k.parent_id]) from cards k where k.id = $1))',
  ),
};
const LOADS = { write: LOAD_FOR_WRITE, delete: LOAD_FOR_DELETE, share: LOAD_FOR_SHARE, read: LOAD_FOR_READ } as const;
const FACTS = {
  name: 'cards-facts',
  text: `select c.id, ${facts(MANDATORY)} as facts from cards c where c.id = any($1::uuid[])`,
};
const FACTS_SEEN = {
  name: 'cards-facts-seen',
  text: `select c.id, ${facts(MANDATORY, relationSeenSql('$3::text[]'))} as facts from cards c where c.id = any($1::uuid[])`,
};
const MOVE_LOCK = { name: 'cards-move-lock', text: 'select pg_advisory_xact_lock(7315003)' };

export interface CardKey {
  type: string;
  external_id: string;
}

/**
 * Loads cards and, except in read mode, locks them in the order of ids, so that two batches cannot deadlock.
 * @param mandatory relation types that count in a score, to load a single card's facts as well; else facts are empty
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

/** Cards as `lockCards` reads them, for several units of work. */
export async function readCards(db: Database, ids: readonly string[]): Promise<CardState[]> {
  return db.query<CardState & Record<string, unknown>>(LOAD_FOR_READ, [ids, [], []]);
}

/**
 * Reads a card outside the transaction, with its facts and `row_version`.
 * @param mandatory relation types that count in a score
 * @param withParent whether its parent is read too
 */
export async function readCard(
  uow: UnitOfWork,
  id: string,
  mandatory: string[],
  withParent: boolean,
): Promise<CardState[]> {
  return uow.read<CardState & Record<string, unknown>>(withParent ? READ_WITH_PARENT : READ_ONE, [id, mandatory]);
}

/** As `readCard`, for cards of several units of work. */
export async function readSingles(db: Database, ids: readonly string[], mandatory: string[]): Promise<CardState[]> {
  return db.query<CardState & Record<string, unknown>>(READ_SINGLES, [ids, mandatory]);
}

/**
 * The current facts of cards; whatever affects them must be locked before.
 * @param hidden card types at whose cards relations do not count, because the caller does not see them
 */
export async function factsOf(
  uow: UnitOfWork,
  ids: string[],
  mandatory: string[],
  hidden: readonly string[] = [],
): Promise<Map<string, string[]>> {
  const rows =
    hidden.length === 0
      ? await uow.query<{ id: string; facts: string[] }>(FACTS, [ids, mandatory])
      : await uow.query<{ id: string; facts: string[] }>(FACTS_SEEN, [ids, mandatory, hidden]);
  return new Map(rows.map((r) => [r.id, r.facts]));
}

/** By parents, because PostgreSQL compares each id of a path with each of the given ones. */
const BELOW = {
  name: 'cards-below',
  text: `with recursive below as (select c.id, c.status from cards c where c.parent_id in (select unnest($1::uuid[]))
    union select c.id, c.status from below b join cards c on c.parent_id = b.id) select id from below`,
};
const ACTIVE_BELOW = { name: 'cards-active-below', text: `${BELOW.text} where status = 'ACTIVE'` };

/** All cards below the given ones. */
export async function descendantIds(uow: UnitOfWork, ids: string[], activeOnly: boolean): Promise<string[]> {
  return (await uow.query<{ id: string }>(activeOnly ? ACTIVE_BELOW : BELOW, [ids])).map((r) => r.id);
}

/** A position to search: name keys from the root to the card, or only the card's where it may be anywhere. */
export interface PlaceKey {
  /** null: any type. */
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

/**
 * The same for callers from whom some types are hidden: excludes hidden cards, and cards addressed by the names of
 * hidden ancestors.
 */
const PLACED_SEEN = {
  name: 'cards-placed-seen',
  text: `${PLACED.text} where c.type <> all($2::text[])
    and (w.anywhere or not exists (select from cards a where a.id = any(c.path_ids) and a.type = any($2::text[])))`,
};

/**
 * The active cards at each position, by index: none, one, or several. @param hiddenTypes types whose cards are not
 * found
 */
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
  for (const { n, id } of rows) {
    const ids = found.get(n);
    if (ids) ids.push(id);
    else found.set(n, [id]);
  }
  return found;
}

/** The ids of active cards at any of the positions. */
export async function placedIds(uow: UnitOfWork, places: readonly PlaceKey[]): Promise<Set<string>> {
  return new Set([...(await findPlaced(uow, places)).values()].flat());
}

/** Serialises moves: two concurrent moves that are valid individually can create a cycle together. */
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

/** Number of children of a card, and how many of them the caller may see. */
interface ChildCount {
  n: number;
  seen: number;
}

/** Counts the children of cards; ids without any are omitted. @param hiddenTypes types hidden from the caller */
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

/** The user or card in a value of kind `user` or `card_reference`. */
interface NamedObject {
  kind: 'user' | 'card_reference';
  id: string;
}

const MISSING = {
  name: 'references-missing',
  text: `select 'user' as kind, w.id from unnest($1::uuid[]) as w(id) where not exists (select from users u where u.id = w.id)
    union all select 'card_reference', w.id from unnest($2::uuid[]) as w(id) where not exists (select from cards c where c.id = w.id and c.type <> all($3::text[]))`,
};

/** The key distinguishes a user and a card with the same id. */
export const objectKey = ({ kind, id }: NamedObject): string => `${kind} ${id}`;

/**
 * The keys of referenced users and cards that do not exist. Ids that are not UUIDs are ignored: they are errors of the
 * value.
 * @param hiddenTypes card types hidden from the caller
 */
export async function missingObjects(
  uow: UnitOfWork,
  named: readonly NamedObject[],
  hiddenTypes: readonly string[],
): Promise<Set<string>> {
  const known = named.filter(({ id }) => isUuid(id));
  if (known.length === 0) return new Set();
  const ids = (kind: NamedObject['kind']) => [...new Set(known.filter((r) => r.kind === kind).map((r) => r.id))];
  return new Set(
    (
      await uow.query<NamedObject & Record<string, unknown>>(MISSING, [ids('user'), ids('card_reference'), hiddenTypes])
    ).map(objectKey),
  );
}
