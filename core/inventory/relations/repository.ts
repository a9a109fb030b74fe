import { relationSeenSql } from '../access/index.js';
import { opaque } from '../cards/index.js';
import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { End, RelationState } from './types.js';

/** A card named by its external id. */
export interface ExternalKey {
  type: string;
  external_id: string;
}

const ENDS = {
  name: 'relation-ends',
  text: `with wanted as (select unnest(${opaque('$1::uuid[]')}) as id union
      select k.id from unnest(${opaque('$2::text[]')}, ${opaque('$3::text[]')}) as w(type, external_id) join cards k using (type, external_id))
    select c.id, c.type, c.status, c.external_id from wanted join cards c using (id)`,
};

/**
 * Reads the cards at the ends. No lock and no transaction: types do not change, and the foreign key detects cards that are
 * deleted or archived concurrently.
 */
export async function readEnds(uow: UnitOfWork, ids: string[], keys: readonly ExternalKey[]): Promise<End[]> {
  if (ids.length + keys.length === 0) return [];
  return uow.read<End & Record<string, unknown>>(ENDS, [ids, keys.map((k) => k.type), keys.map((k) => k.external_id)]);
}

/** As `readEnds`, for several units of work. */
export async function readEndsTogether(db: Database, ids: readonly string[]): Promise<End[]> {
  return db.query<End & Record<string, unknown>>(ENDS, [ids, [], []]);
}

const STATE = `r.id, r.type, r.source_id, r.target_id, r.source_type, r.target_type, r.attributes, r.description, r.valid_from::text, r.valid_to::text, r.version`;
const LOCK_IDS = {
  name: 'relations-lock',
  text: `select ${STATE} from relations r where r.id = any($1::uuid[]) and not r.hidden order by r.id for update`,
};
const READ_IDS = {
  name: 'relations-read',
  text: `select ${STATE}, r.xmin::text as row_version from relations r where r.id = any($1::uuid[]) and not r.hidden`,
};
const READ_ENDS = {
  name: 'relations-read-ends',
  text: `select ${STATE} from unnest(${opaque('$1::text[]')}, ${opaque('$2::uuid[]')}, ${opaque('$3::uuid[]')}) as w(type, source_id, target_id) join relations r using (type, source_id, target_id)`,
};
const HOLDERS = {
  name: 'relations-holders',
  text: `select r.id, r.type, 'source' as side, r.target_id as card_id from unnest($1::text[], $2::uuid[]) as w(type, id)
      join relations r on r.type = w.type and r.target_id = w.id where r.one_source and not r.hidden
    union all select r.id, r.type, 'target', r.source_id from unnest($3::text[], $4::uuid[]) as w(type, id)
      join relations r on r.type = w.type and r.source_id = w.id where r.one_target and not r.hidden`,
};
const LOCK_ENDS = { name: 'relations-lock-ends', text: `${READ_ENDS.text} order by r.id for update of r` };
const LOCK_OF_CARDS = {
  name: 'relations-lock-cards',
  text: `select ${STATE} from relations r where r.source_id = any($1::uuid[]) or r.target_id = any($1::uuid[]) order by r.id for update`,
};

export async function lockRelations(uow: UnitOfWork, ids: string[]): Promise<RelationState[]> {
  return uow.query<RelationState & Record<string, unknown>>(LOCK_IDS, [ids]);
}

/** Reads relations outside the transaction, with their `row_version`. */
export async function readRelations(uow: UnitOfWork, ids: string[]): Promise<RelationState[]> {
  return uow.read<RelationState & Record<string, unknown>>(READ_IDS, [ids]);
}

/** As `readRelations`, for several units of work. */
export async function readRelationsTogether(db: Database, ids: readonly string[]): Promise<RelationState[]> {
  return db.query<RelationState & Record<string, unknown>>(READ_IDS, [ids]);
}

/** A card that has the one relation of a type that it may have with a card at the other side. */
export interface Holder {
  /** The relation. */
  id: string;
  type: string;
  /** The side of which there is one card. */
  side: 'source' | 'target';
  /** The card at the other side. */
  card_id: string;
}

/**
 * The relations of types with one card at a side.
 * @param oneSource types and targets of those with one source
 * @param oneTarget types and sources of those with one target
 */
export async function holders(
  uow: UnitOfWork,
  oneSource: readonly (readonly [type: string, target: string])[],
  oneTarget: readonly (readonly [type: string, source: string])[],
): Promise<Holder[]> {
  if (oneSource.length + oneTarget.length === 0) return [];
  const values = [oneSource, oneTarget].flatMap((pairs) => [pairs.map(([type]) => type), pairs.map(([, id]) => id)]);
  return uow.query<Holder & Record<string, unknown>>(HOLDERS, values);
}

type Pair = Pick<RelationState, 'type' | 'source_id' | 'target_id'>;
const columns = (pairs: readonly Pair[]): string[][] => [
  pairs.map((p) => p.type),
  pairs.map((p) => p.source_id),
  pairs.map((p) => p.target_id),
];

/** The relations of a type between two cards, with their current state. */
export async function readByEnds(uow: UnitOfWork, pairs: readonly Pair[]): Promise<RelationState[]> {
  return uow.query<RelationState & Record<string, unknown>>(READ_ENDS, columns(pairs));
}

export async function lockByEnds(uow: UnitOfWork, pairs: readonly Pair[]): Promise<RelationState[]> {
  return uow.query<RelationState & Record<string, unknown>>(LOCK_ENDS, columns(pairs));
}

/** All relations of the cards, locked. */
export async function lockOfCards(uow: UnitOfWork, cardIds: string[]): Promise<RelationState[]> {
  return uow.query<RelationState & Record<string, unknown>>(LOCK_OF_CARDS, [cardIds]);
}

const CROWDED = {
  name: 'relations-crowded',
  text: `with back as (select r.id, r.type, r.source_id, r.target_id, r.one_source, r.one_target from relations r
      where r.hidden and (r.source_id = any($1::uuid[]) or r.target_id = any($1::uuid[])) and (r.one_source or r.one_target)
        and (r.source_status = 'ACTIVE' or r.source_id in (select unnest($1::uuid[])))
        and (r.target_status = 'ACTIVE' or r.target_id in (select unnest($1::uuid[]))))
    select b.source_id, b.target_id from back b where exists (select from relations o where o.type = b.type and o.id <> b.id
        and b.one_source and o.one_source and o.target_id = b.target_id and (not o.hidden or o.id in (select id from back)))
      or exists (select from relations o where o.type = b.type and o.id <> b.id
        and b.one_target and o.one_target and o.source_id = b.source_id and (not o.hidden or o.id in (select id from back)))`,
};

/** The ends of relations that would exist again if the cards were restored, and of whose type there would be too many. */
export async function crowdedEnds(uow: UnitOfWork, cardIds: string[]): Promise<string[]> {
  const rows = await uow.query<{ source_id: string; target_id: string }>(CROWDED, [cardIds]);
  return rows.flatMap(({ source_id, target_id }) => [source_id, target_id]);
}

const NEIGHBOURS = {
  name: 'relations-neighbours',
  text: `select r.target_id as id from relations r where r.source_id = any($1::uuid[]) and r.type = any($2::text[])
    union select r.source_id from relations r where r.target_id = any($1::uuid[]) and r.type = any($2::text[])`,
};

/** The cards at the other ends of relations of the types. */
export async function neighbours(uow: UnitOfWork, cardIds: string[], types: string[]): Promise<string[]> {
  return (await uow.query<{ id: string }>(NEIGHBOURS, [cardIds, types])).map((r) => r.id);
}

export interface StoredRelation {
  id: string;
  type: string;
  source_id: string;
  target_id: string;
  source: { id: string; type: string; name: string };
  target: { id: string; type: string; name: string };
  attributes: Record<string, unknown>;
  description: string | null;
  valid_from: string | null;
  valid_to: string | null;
  created_at: Date;
  updated_at: Date;
  version: number;
  /**
   * Whether an end was changed after the relation: its name may differ without a new version of the relation. Absent in
   * lists, whose items have no ETag.
   */
  ends_moved?: boolean;
  /** Whether an end is below one of the roots of the query. */
  is_below?: boolean;
}

/** Columns of a relation's view, and the joins they need. */
export const VIEW = `r.id, r.type, r.source_id, r.target_id, json_build_object('id', s.id, 'type', s.type, 'name', s.name) as source,
  json_build_object('id', t.id, 'type', t.type, 'name', t.name) as target, r.attributes, r.description, r.valid_from::text, r.valid_to::text,
  r.created_at, r.updated_at, r.version`;
/** The same with what its ETag depends on. */
export const TAGGED_VIEW = `${VIEW}, greatest(s.updated_at, t.updated_at) > r.updated_at as ends_moved`;
/** Column that is true if either end is below one of the cards. @param roots placeholder of their ids */
export const belowSql = (roots: string): string =>
  `coalesce(s.path_ids && ${roots}::uuid[] or t.path_ids && ${roots}::uuid[], false) as is_below`;
export const JOINS = 'left join card_rows s on s.id = r.source_id left join card_rows t on t.id = r.target_id';
const ONE = `from relations r ${JOINS} where r.id = $1 and ${relationSeenSql('$2::text[]')}`;
const GET = { name: 'relation-get', text: `select ${TAGGED_VIEW} ${ONE}` };
const GET_BELOW = { name: 'relation-get-below', text: `select ${TAGGED_VIEW}, ${belowSql('$3')} ${ONE}` };

/**
 * Reads one relation.
 * @param hidden card types at whose cards the reader may see no relations
 */
export async function readRelation(
  db: Pick<Database, 'query'>,
  id: string,
  hidden: readonly string[],
  roots: ReadonlySet<string> = new Set(),
): Promise<StoredRelation | undefined> {
  const read =
    roots.size > 0
      ? db.query<StoredRelation & Record<string, unknown>>(GET_BELOW, [id, hidden, [...roots]])
      : db.query<StoredRelation & Record<string, unknown>>(GET, [id, hidden]);
  return (await read)[0];
}

const ENDS_BELOW = {
  name: 'relation-ends-below',
  text: 'select id from cards where id = any($2::uuid[]) and path_ids && $1::uuid[]',
};
const CARDS_BELOW = { name: 'relation-ends-all-below', text: 'select id from cards where path_ids && $1::uuid[]' };

/** The cards among the ids, or among all cards where null, that are below one of the roots. */
export async function cardsBelow(
  on: Pick<Database, 'query'>,
  roots: readonly string[],
  ids: readonly string[] | null,
): Promise<string[]> {
  if (ids?.length === 0) return [];
  return (
    await on.query<{ id: string }>(ids === null ? CARDS_BELOW : ENDS_BELOW, ids === null ? [roots] : [roots, ids])
  ).map(({ id }) => id);
}
