import type { CardState } from '../../cards/index.js';
import type { Statement } from '../../../foundation/db/database.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { nameKey } from '../../../foundation/text.js';
import { group, key, type KnownCard, type Place } from '../parse/archimate/plan.js';
import type { Reference } from '../types.js';

const CARD = `c.id, c.type, c.subtype, c.name, c.description, c.parent_id, c.path_ids, c.lifecycle, c.attributes, c.status, c.external_id, c.alias, c.version`;

/**
 * `type || ''` prevents the use of an index on the type: before the first ANALYZE the planner would underestimate its
 * rows.
 */
const AT_ROOT = `c.name_key = w.name_key and c.parent_id is null and c.status = 'ACTIVE' and c.type || '' = w.type`;

/** @param seen condition for cards that may be found @param known condition for cards found by their path */
const references = (
  seen: string,
  known: string,
): string => `with w as materialized (select * from jsonb_to_recordset($1::jsonb) as w(k text, id uuid, type text, external_id text, name_key text, path jsonb))
    select w.k, c.id, c.type, c.status from w join cards c on c.id = w.id ${seen}
    union all select w.k, c.id, c.type, c.status from w join cards c on c.type = w.type and c.external_id = w.external_id ${seen}
    union all select w.k, c.id, c.type, c.status from w join cards c on c.type = w.type and c.name_key = w.name_key and c.status = 'ACTIVE' ${seen}
      where w.path is null or (jsonb_array_length(w.path) = cardinality(c.path_ids) ${known} and (c.parent_id is null
        or (select jsonb_agg(a.name_key order by array_position(c.path_ids, a.id)) from cards a where a.id = any(c.path_ids)) = w.path))`;
const REFERENCES = { name: 'import-references', text: references('', '') };
/**
 * For users from whom some types are hidden: excludes hidden cards, and cards addressed by the names of hidden
 * ancestors.
 */
const REFERENCES_SEEN = {
  name: 'import-references-seen',
  text: references(
    'and c.type <> all($2::text[])',
    'and not exists (select from cards a where a.id = any(c.path_ids) and a.type = any($2::text[]))',
  ),
};
const MATCHES_BY_ID = {
  name: 'import-matches-by-id',
  text: `select w.n, ${CARD} from unnest($1::int[], $2::uuid[]) as w(n, id) join card_rows c using (id)`,
};
const MATCHES_BY_KEY = {
  name: 'import-matches-by-key',
  text: `select w.n, ${CARD} from unnest($1::int[], $2::text[], $3::text[]) as w(n, type, external_id) join card_rows c using (type, external_id)`,
};
const PLACES = 'unnest($1::int[], $2::text[], $3::uuid[], $4::text[]) as w(n, type, parent_id, name_key)';
const MATCHES_BY_PLACE = {
  name: 'import-matches-by-place',
  text: `with w as materialized (select * from ${PLACES}),
      found as (select w.n, c.id from w join cards c on c.type = w.type and c.parent_id = w.parent_id and c.name_key = w.name_key and c.status = 'ACTIVE'
        union all select w.n, c.id from w join cards c on ${AT_ROOT} where w.parent_id is null)
    select f.n, ${CARD} from found f join card_rows c using (id)`,
};
const HOLDERS = {
  name: 'import-holders',
  text: `with w as materialized (select * from ${PLACES})
    select w.n, c.id from w join cards c on c.type = w.type and c.parent_id = w.parent_id and c.name_key = w.name_key and c.status = 'ACTIVE'
    union all select w.n, c.id from w join cards c on ${AT_ROOT} where w.parent_id is null`,
};
const RELATION = `x.id, x.attributes, x.description, x.valid_from::text, x.valid_to::text, x.version, x.source_type, x.target_type, x.hidden as archived`;
const RELATIONS = {
  name: 'import-relations',
  text: `select w.n, ${RELATION}, x.type, x.source_id, x.target_id
    from unnest($1::int[], $2::uuid[]) as w(n, id) join relations x using (id)`,
};
/** Without the columns that are sought. */
const RELATIONS_BETWEEN = {
  name: 'import-relations-between',
  text: `select w.n, ${RELATION}
    from unnest($1::int[], $2::text[], $3::uuid[], $4::uuid[]) as w(n, type, source_id, target_id) join relations x using (type, source_id, target_id)`,
};
const KNOWN = {
  name: 'import-known',
  text: `select c.type, c.external_id, c.id, c.name, c.parent_id, c.status, cardinality(c.path_ids) as depth
    from unnest($1::text[], $2::text[]) as w(type, external_id) join cards c using (type, external_id)`,
};
/** The name itself, and names with ` (` after it: they are adjacent in index order. */
const VARIANT = `c.status = 'ACTIVE' and (c.name_key = w.name_key or (c.name_key >= w.name_key || ' (' and c.name_key < w.name_key || ' )'))`;
const TAKEN = {
  name: 'import-names-taken',
  text: `with w as materialized (select * from unnest($1::text[], $2::uuid[], $3::text[]) as w(type, parent_id, name_key))
    select c.type, c.parent_id, c.name_key from w join cards c on c.type = w.type and c.parent_id = w.parent_id and ${VARIANT}
    union select c.type, c.parent_id, c.name_key from w join cards c on c.type = w.type and c.parent_id is null and w.parent_id is null and ${VARIANT}`,
};

export type MatchedCard = Pick<
  CardState,
  | 'id'
  | 'type'
  | 'subtype'
  | 'name'
  | 'description'
  | 'parent_id'
  | 'path_ids'
  | 'lifecycle'
  | 'attributes'
  | 'status'
  | 'external_id'
  | 'alias'
  | 'version'
>;

export interface FoundCard {
  id: string;
  type: string;
  status: 'ACTIVE' | 'ARCHIVED';
}

export interface FoundRelation {
  id: string;
  type: string;
  source_id: string;
  target_id: string;
  source_type: string;
  target_type: string;
  attributes: Record<string, unknown>;
  description: string | null;
  valid_from: string | null;
  valid_to: string | null;
  version: number;
  /** Whether one of its ends is archived. */
  archived: boolean;
}

/**
 * The cards that references refer to.
 * @param references by a key chosen by the caller
 * @param hiddenTypes types whose cards are not found
 * @returns cards by that key; a name without path finds nothing if several cards have it
 */
export async function findReferences(
  uow: UnitOfWork,
  references: ReadonlyMap<string, Exclude<Reference, { row: number }>>,
  hiddenTypes: readonly string[],
): Promise<Map<string, FoundCard>> {
  if (references.size === 0) return new Map();
  const wanted = [...references].map(([k, r]) => ({
    k,
    ...('id' in r
      ? { id: r.id }
      : 'external_id' in r
        ? r
        : { type: r.type, name_key: nameKey(r.name.trim()), path: r.path?.map((name) => nameKey(name.trim())) }),
  }));
  const found = new Map<string, FoundCard>();
  const several = new Set<string>();
  const text = JSON.stringify(wanted);
  const rows =
    hiddenTypes.length === 0
      ? await uow.query<FoundCard & { k: string }>(REFERENCES, [text])
      : await uow.query<FoundCard & { k: string }>(REFERENCES_SEEN, [text, hiddenTypes]);
  for (const { k, ...card } of rows) {
    if (found.has(k)) several.add(k);
    found.set(k, card);
  }
  for (const k of several) found.delete(k);
  return found;
}

/** A position in the tree, and a name. */
export interface CardPlace {
  type: string;
  parent_id: string | null;
  name_key: string;
}

/** What the card of a row may be found by. */
export interface Sought {
  n: number;
  id?: string | undefined;
  type: string;
  external_id?: string | null | undefined;
  /** Undefined where it is not known, or where the row gives an id. */
  place: CardPlace | undefined;
}

/** The cards that a row may refer to. */
export interface Matches {
  byId?: MatchedCard;
  byKey?: MatchedCard;
  byPlace?: MatchedCard;
}

const placesOf = (rows: readonly { n: number; place: CardPlace }[]): unknown[] => [
  rows.map(({ n }) => n),
  rows.map(({ place }) => place.type),
  rows.map(({ place }) => place.parent_id),
  rows.map(({ place }) => place.name_key),
];

/**
 * The cards that rows may refer to, by row. By position only where no card has the id or the external id: the card of an
 * unchanged row is read once.
 */
export async function findMatches(uow: UnitOfWork, sought: readonly Sought[]): Promise<Map<number, Matches>> {
  const matches = new Map<number, Matches>();
  const read = async (by: keyof Matches, statement: Statement, values: unknown[]): Promise<void> => {
    for (const { n, ...card } of await uow.query<MatchedCard & { n: number }>(statement, values)) {
      const found = matches.get(n);
      if (found) found[by] ??= card;
      else matches.set(n, { [by]: card });
    }
  };
  const withId = sought.filter(({ id }) => id !== undefined);
  if (withId.length > 0) await read('byId', MATCHES_BY_ID, [withId.map(({ n }) => n), withId.map(({ id }) => id)]);
  const withKey = sought.filter(({ external_id }) => Boolean(external_id));
  if (withKey.length > 0)
    await read('byKey', MATCHES_BY_KEY, [
      withKey.map(({ n }) => n),
      withKey.map(({ type }) => type),
      withKey.map(({ external_id }) => external_id),
    ]);
  const placed = sought.flatMap(({ n, place }) => (place && !matches.has(n) ? [{ n, place }] : []));
  if (placed.length > 0) await read('byPlace', MATCHES_BY_PLACE, placesOf(placed));
  return matches;
}

/** Cards that have a name at a position, by row. */
export async function findHolders(
  uow: UnitOfWork,
  places: readonly { n: number; place: CardPlace }[],
): Promise<Map<number, string>> {
  if (places.length === 0) return new Map();
  return new Map((await uow.query<{ n: number; id: string }>(HOLDERS, placesOf(places))).map(({ n, id }) => [n, id]));
}

/** A relation sought by its ends. */
export type RelationBetween = Pick<FoundRelation, 'type' | 'source_id' | 'target_id'>;

type RelationRow = Omit<FoundRelation, keyof RelationBetween> & { n: number };

/** The relations that rows refer to. @param ids by row @param ends by row @returns relations by row */
export async function findRelations(
  uow: UnitOfWork,
  ids: ReadonlyMap<number, string>,
  ends: ReadonlyMap<number, RelationBetween>,
): Promise<Map<number, FoundRelation>> {
  const found = new Map<number, FoundRelation>();
  if (ids.size > 0) {
    const rows = await uow.query<FoundRelation & { n: number }>(RELATIONS, [[...ids.keys()], [...ids.values()]]);
    for (const { n, ...relation } of rows) found.set(n, relation);
  }
  if (ends.size > 0) {
    const all = [...ends.values()];
    const rows = await uow.query<RelationRow>(RELATIONS_BETWEEN, [
      [...ends.keys()],
      all.map(({ type }) => type),
      all.map(({ source_id }) => source_id),
      all.map(({ target_id }) => target_id),
    ]);
    for (const { n, ...relation } of rows) found.set(n, Object.assign(relation, ends.get(n)));
  }
  return found;
}

const MANY = 5_000;

export async function findKnown(
  uow: UnitOfWork,
  keys: readonly { type: string; external_id: string }[],
): Promise<Map<string, KnownCard>> {
  const known = new Map<string, KnownCard>();
  for (let i = 0; i < keys.length; i += MANY) {
    const some = keys.slice(i, i + MANY);
    const rows = await uow.query<KnownCard & { type: string; external_id: string }>(KNOWN, [
      some.map((k) => k.type),
      some.map((k) => k.external_id),
    ]);
    for (const { type, external_id, ...card } of rows) known.set(key(type, external_id), card);
  }
  return known;
}

export async function findTaken(uow: UnitOfWork, places: readonly Place[]): Promise<Set<string>> {
  const taken = new Set<string>();
  for (let i = 0; i < places.length; i += MANY) {
    const some = places.slice(i, i + MANY);
    const rows = await uow.query<{ type: string; parent_id: string | null; name_key: string }>(TAKEN, [
      some.map((p) => p.type),
      some.map((p) => p.parent_id),
      some.map((p) => nameKey(p.name)),
    ]);
    for (const row of rows) taken.add(`${group(row.type, row.parent_id)}\n${row.name_key}`);
  }
  return taken;
}
