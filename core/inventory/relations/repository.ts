import { opaque } from '../cards/index.js';
import type { Database } from '../../foundation/db/database.js';
import { FLUSH } from '../../foundation/db/flush.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Change } from '../changes.js';
import type { RelationType } from '../metamodel/index.js';
import type { End, RelationState } from './types.js';

const ENDS = {
  name: 'relation-ends',
  text: `with wanted as (select unnest(${opaque('$1::uuid[]')}) as id union
      select k.id from unnest(${opaque('$2::text[]')}, ${opaque('$3::text[]')}) as w(type, external_id) join cards k using (type, external_id))
    select c.id, c.type, c.status, c.external_id from wanted join cards c using (id)`,
};

/** Reads the cards at the ends. No lock: types do not change, and the foreign key detects concurrent deletions. */
export async function readEnds(
  uow: UnitOfWork,
  ids: string[],
  keys: { type: string; external_id: string }[],
): Promise<End[]> {
  if (ids.length + keys.length === 0) return [];
  return uow.query<End & Record<string, unknown>>(ENDS, [ids, keys.map((k) => k.type), keys.map((k) => k.external_id)]);
}

const STATE = `r.id, r.type, r.source_id, r.target_id, r.source_type, r.target_type, r.attributes, r.description, r.valid_from::text, r.valid_to::text, r.version`;
const LOCK_IDS = {
  name: 'relations-lock',
  text: `select ${STATE} from relations r where r.id = any($1::uuid[]) and not r.hidden order by r.id for update`,
};
const READ_ENDS = {
  name: 'relations-read-ends',
  text: `select ${STATE} from unnest(${opaque('$1::text[]')}, ${opaque('$2::uuid[]')}, ${opaque('$3::uuid[]')}) as w(type, source_id, target_id) join relations r using (type, source_id, target_id)`,
};
const LOCK_ENDS = { name: 'relations-lock-ends', text: `${READ_ENDS.text} order by r.id for update of r` };
const LOCK_OF_CARDS = {
  name: 'relations-lock-cards',
  text: `select ${STATE} from relations r where r.source_id = any($1::uuid[]) or r.target_id = any($1::uuid[]) order by r.id for update`,
};

export async function lockRelations(uow: UnitOfWork, ids: string[]): Promise<RelationState[]> {
  return uow.query<RelationState & Record<string, unknown>>(LOCK_IDS, [ids]);
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

const NEIGHBOURS = {
  name: 'relations-neighbours',
  text: `select r.target_id as id from relations r where r.source_id = any($1::uuid[]) and r.type = any($2::text[])
    union select r.source_id from relations r where r.target_id = any($1::uuid[]) and r.type = any($2::text[])`,
};

/** The cards at the other ends of relations of the types. */
export async function neighbours(uow: UnitOfWork, cardIds: string[], types: string[]): Promise<string[]> {
  return (await uow.query<{ id: string }>(NEIGHBOURS, [cardIds, types])).map((r) => r.id);
}

/** The columns stored when a relation is deleted: all but the copy of the type's rule. */
const DOCUMENTED = [
  'id',
  'type',
  'source_id',
  'target_id',
  'attributes',
  'description',
  'valid_from',
  'valid_to',
  'created_by',
  'updated_by',
  'created_at',
  'updated_at',
  'version',
]
  .map((column) => `r.${column}`)
  .join(', ');
const INPUT = `input as materialized (select * from jsonb_to_recordset($2::jsonb) as r(id uuid, type text, source_id uuid, target_id uuid, source_type text,
  target_type text, rule_source text, rule_target text, one_source boolean, one_target boolean, allow_self boolean, attributes jsonb, description text,
  valid_from date, valid_to date, changes jsonb))`;

const INSERT = {
  name: 'relations-insert',
  text: `with ${FLUSH}, ${INPUT},
    r as (insert into relations as r (id, type, source_id, target_id, source_type, target_type, rule_source, rule_target, one_source, one_target, allow_self,
        attributes, description, valid_from, valid_to, created_by, updated_by, created_at, updated_at, version)
      select i.id, i.type, i.source_id, i.target_id, i.source_type, i.target_type, i.rule_source, i.rule_target, i.one_source, i.one_target, i.allow_self,
        i.attributes, i.description, i.valid_from, i.valid_to, flush.actor, flush.actor, flush.clock, flush.clock, 1 from flush, input i
      returning r.id, r.created_at),
    versions as (insert into relation_versions (id, version, at, change_id, metamodel_revision)
      select r.id, 1, r.created_at, flush.change_id, $3::bigint from r, flush)
    select count(*)::int as n from r`,
};
const UPDATE = {
  name: 'relations-update',
  text: `with ${FLUSH}, ${INPUT},
    r as (update relations r set attributes = i.attributes, description = i.description, valid_from = i.valid_from, valid_to = i.valid_to,
        updated_by = flush.actor, updated_at = greatest(r.updated_at + interval '1 millisecond', flush.clock), version = r.version + 1
      from flush, input i where r.id = i.id returning r.id, r.version, r.updated_at, i.changes),
    versions as (insert into relation_versions (id, version, at, changes, change_id, metamodel_revision)
      select r.id, r.version, r.updated_at, r.changes, flush.change_id, $3::bigint from r, flush)
    select count(*)::int as n from r`,
};
const DELETE = {
  name: 'relations-delete',
  text: `with ${FLUSH},
    r as (delete from relations r where id = any($2::uuid[]) returning ${DOCUMENTED}),
    stored as (insert into relation_deletions (id, type, version, at, doc, change_id)
      select r.id, r.type, r.version, greatest(r.updated_at + interval '1 millisecond', flush.clock), to_jsonb(r), flush.change_id from r, flush)
    select count(*)::int as n from r`,
};

const CHANGES_SINCE = {
  name: 'relation-changes-since',
  text: `select c.field, c.old, c.new from relation_versions v, jsonb_to_recordset(v.changes) as c(field text, old jsonb, new jsonb)
    where v.id = $1 and v.version > $2 order by v.version`,
};

/** The changes of a relation after a version, in their order. */
export async function changesSince(uow: UnitOfWork, id: string, version: number): Promise<Change[]> {
  return uow.query<Change & Record<string, unknown>>(CHANGES_SINCE, [id, version]);
}

export interface NewRelation {
  state: RelationState;
  type: RelationType;
  source: End;
  target: End;
}

/** Inserts relations, each with a copy of its type's rule, so that the database can enforce it. */
export async function insertRelations(
  uow: UnitOfWork,
  relations: NewRelation[],
  revision: string,
  result?: unknown,
): Promise<void> {
  const rows = relations.map(({ state: { version: _version, ...row }, type, source, target }) => ({
    ...row,
    source_type: source.type,
    target_type: target.type,
    rule_source: type.definition.source_type,
    rule_target: type.definition.target_type,
    one_source: type.oneSource,
    one_target: type.oneTarget,
    allow_self: type.definition.allow_self,
  }));
  await uow.last(INSERT, [uow.flushed(result), JSON.stringify(rows), revision]);
}

/** @param states after the changes */
export async function updateRelations(
  uow: UnitOfWork,
  states: readonly (RelationState & { changes: readonly Change[] })[],
  revision: string,
): Promise<void> {
  await uow.last(UPDATE, [uow.flushed(), JSON.stringify(states), revision]);
}

export async function deleteRelations(uow: UnitOfWork, ids: string[]): Promise<void> {
  await uow.last(DELETE, [uow.flushed(), ids]);
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
  /** Whether an end was changed after the relation: its name may differ without a new version of the relation. */
  ends_moved: boolean;
  /** Whether an end is below one of the roots of the query. */
  is_below?: boolean;
}

/** Columns of a relation's view, and the joins they need. */
export const VIEW = `r.id, r.type, r.source_id, r.target_id, json_build_object('id', s.id, 'type', s.type, 'name', s.name) as source,
  json_build_object('id', t.id, 'type', t.type, 'name', t.name) as target, r.attributes, r.description, r.valid_from::text, r.valid_to::text,
  r.created_at, r.updated_at, r.version, greatest(s.updated_at, t.updated_at) > r.updated_at as ends_moved`;
/** Column that is true if either end is below one of the cards. @param roots placeholder of their ids */
export const belowSql = (roots: string): string =>
  `coalesce(s.path_ids && ${roots}::uuid[] or t.path_ids && ${roots}::uuid[], false) as is_below`;
export const JOINS = 'left join cards s on s.id = r.source_id left join cards t on t.id = r.target_id';
const GET = { name: 'relation-get', text: `select ${VIEW} from relations r ${JOINS} where r.id = $1 and not r.hidden` };
const GET_BELOW = {
  name: 'relation-get-below',
  text: `select ${VIEW}, ${belowSql('$2')} from relations r ${JOINS} where r.id = $1 and not r.hidden`,
};

/** Reads one relation, from the pool or, to include uncommitted changes, in a unit of work. */
export async function readRelation(
  db: Pick<Database, 'query'> | UnitOfWork,
  id: string,
  roots: ReadonlySet<string> = new Set(),
): Promise<StoredRelation | undefined> {
  const read =
    roots.size > 0
      ? db.query<StoredRelation & Record<string, unknown>>(GET_BELOW, [id, [...roots]])
      : db.query<StoredRelation & Record<string, unknown>>(GET, [id]);
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
