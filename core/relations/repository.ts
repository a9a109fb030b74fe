import type { Database } from '../db/database.js';
import { FLUSH } from '../db/flush.js';
import { readPage } from '../db/list.js';
import { Bindings, type ListParams, type ListSpec } from '../db/list-query.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import type { Page } from '../http/respond.js';
import type { RelationType } from '../metamodel/index.js';
import type { End, RelationState } from './types.js';

const ENDS = {
  name: 'relation-ends',
  text: `with wanted as (select unnest($1::uuid[]) as id union
      select k.id from unnest($2::text[], $3::text[]) as w(type, external_id) join cards k using (type, external_id))
    select c.id, c.type, c.name, c.status, c.external_id from wanted join cards c using (id)`,
};

/** Reads the cards at the ends. No lock: a type never changes, and the foreign key holds what is deleted meanwhile. */
export async function readEnds(uow: UnitOfWork, ids: string[], keys: { type: string; external_id: string }[]): Promise<End[]> {
  return uow.query<End & Record<string, unknown>>(ENDS, [ids, keys.map((k) => k.type), keys.map((k) => k.external_id)]);
}

const STATE = `r.id, r.type, r.source_id, r.target_id, r.attributes, r.description, r.valid_from::text, r.valid_to::text, r.version`;
const LOCK_IDS = { name: 'relations-lock', text: `select ${STATE} from relations r where r.id = any($1::uuid[]) and not r.hidden order by r.id for update` };
const LOCK_ENDS = {
  name: 'relations-lock-ends',
  text: `select ${STATE} from unnest($1::text[], $2::uuid[], $3::uuid[]) as w(type, source_id, target_id)
    join relations r using (type, source_id, target_id) order by r.id for update of r`,
};
const LOCK_OF_CARDS = { name: 'relations-lock-cards', text: `select ${STATE} from relations r where r.source_id = any($1::uuid[]) or r.target_id = any($1::uuid[]) order by r.id for update` };

export async function lockRelations(uow: UnitOfWork, ids: string[]): Promise<RelationState[]> {
  return uow.query<RelationState & Record<string, unknown>>(LOCK_IDS, [ids]);
}

export async function lockByEnds(uow: UnitOfWork, ends: { type: string; source_id: string; target_id: string }[]): Promise<RelationState[]> {
  return uow.query<RelationState & Record<string, unknown>>(LOCK_ENDS, [ends.map((e) => e.type), ends.map((e) => e.source_id), ends.map((e) => e.target_id)]);
}

/** Every relation that touches one of the cards. */
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

const DOC = `to_jsonb(r) - '{rule_source,rule_target,one_source,one_target,allow_self,source_status,target_status,hidden}'::text[]`;
const INPUT = `input as materialized (select * from jsonb_to_recordset($2::jsonb) as r(id uuid, type text, source_id uuid, target_id uuid, source_type text,
  target_type text, rule_source text, rule_target text, one_source boolean, one_target boolean, allow_self boolean, attributes jsonb, description text,
  valid_from date, valid_to date))`;

const INSERT = {
  name: 'relations-insert',
  text: `with ${FLUSH}, ${INPUT},
    r as (insert into relations (id, type, source_id, target_id, source_type, target_type, rule_source, rule_target, one_source, one_target, allow_self,
        attributes, description, valid_from, valid_to, created_by, updated_by, created_at, updated_at, version)
      select i.id, i.type, i.source_id, i.target_id, i.source_type, i.target_type, i.rule_source, i.rule_target, i.one_source, i.one_target, i.allow_self,
        i.attributes, i.description, i.valid_from, i.valid_to, flush.actor, flush.actor, flush.clock, flush.clock, 1 from flush, input i
      returning *),
    versions as (insert into relation_versions (id, version, valid_from, doc, change_id, metamodel_revision)
      select r.id, 1, r.created_at, ${DOC}, flush.change_id, $3::bigint from r, flush)
    select count(*)::int as n from r`,
};
const UPDATE = {
  name: 'relations-update',
  text: `with ${FLUSH}, ${INPUT},
    r as (update relations r set attributes = i.attributes, description = i.description, valid_from = i.valid_from, valid_to = i.valid_to,
        updated_by = flush.actor, updated_at = greatest(r.updated_at + interval '1 millisecond', flush.clock), version = r.version + 1
      from flush, input i where r.id = i.id returning r.*),
    closed as (update relation_versions v set valid_to = r.updated_at from r where v.id = r.id and v.version = r.version - 1),
    versions as (insert into relation_versions (id, version, valid_from, doc, change_id, metamodel_revision)
      select r.id, r.version, r.updated_at, ${DOC}, flush.change_id, $3::bigint from r, flush)
    select count(*)::int as n from r`,
};
const DELETE = {
  name: 'relations-delete',
  text: `with ${FLUSH},
    r as (delete from relations where id = any($2::uuid[]) returning id, updated_at),
    closed as (update relation_versions v set valid_to = greatest(r.updated_at + interval '1 millisecond', flush.clock)
      from r, flush where v.id = r.id and v.valid_to is null)
    select count(*)::int as n from r`,
};

const VERSION_DOC = { name: 'relation-version', text: 'select doc from relation_versions where id = $1 and version = $2' };

/** The stored document of a version, to tell what changed since. */
export async function versionDoc(uow: UnitOfWork, id: string, version: number): Promise<Record<string, unknown> | undefined> {
  return (await uow.query<{ doc: Record<string, unknown> }>(VERSION_DOC, [id, version]))[0]?.doc;
}

export interface NewRelation { state: RelationState; type: RelationType; source: End; target: End }

/** Inserts relations, each with a copy of its type's rule, so that the database can hold it to it. */
export async function insertRelations(uow: UnitOfWork, relations: NewRelation[], revision: string, result?: unknown): Promise<void> {
  const rows = relations.map(({ state: { version: _version, ...row }, type, source, target }) => ({
    ...row, source_type: source.type, target_type: target.type, rule_source: type.definition.source_type, rule_target: type.definition.target_type,
    one_source: type.oneSource, one_target: type.oneTarget, allow_self: type.definition.allow_self,
  }));
  await uow.last(INSERT, [uow.flushed(result), JSON.stringify(rows), revision]);
}

export async function updateRelations(uow: UnitOfWork, states: RelationState[], revision: string): Promise<void> {
  await uow.last(UPDATE, [uow.flushed(), JSON.stringify(states), revision]);
}

export async function deleteRelations(uow: UnitOfWork, ids: string[]): Promise<void> {
  await uow.last(DELETE, [uow.flushed(), ids]);
}

export interface StoredRelation {
  id: string; type: string; source_id: string; target_id: string;
  source: { id: string; type: string; name: string }; target: { id: string; type: string; name: string };
  attributes: Record<string, unknown>; description: string | null; valid_from: string | null; valid_to: string | null;
  created_at: Date; updated_at: Date; version: number;
}

const VIEW = `r.id, r.type, r.source_id, r.target_id, json_build_object('id', s.id, 'type', s.type, 'name', s.name) as source,
  json_build_object('id', t.id, 'type', t.type, 'name', t.name) as target, r.attributes, r.description, r.valid_from::text, r.valid_to::text,
  r.created_at, r.updated_at, r.version`;
const JOINS = 'left join cards s on s.id = r.source_id left join cards t on t.id = r.target_id';
const GET = { name: 'relation-get', text: `select ${VIEW} from relations r ${JOINS} where r.id = $1 and not r.hidden` };

/** Reads one relation, from the pool or, to see what is not committed yet, in a unit of work. */
export async function readRelation(db: Pick<Database, 'query'> | UnitOfWork, id: string): Promise<StoredRelation | undefined> {
  return (await db.query<StoredRelation & Record<string, unknown>>(GET, [id]))[0];
}

export interface RelationFilters {
  type?: string | undefined;
  card_id?: string | undefined;
  source_id?: string | undefined;
  target_id?: string | undefined;
  direction?: string | undefined;
}

const LIST: ListSpec = {
  table: 'relations r', id: 'r.id', defaultSort: 'created_at',
  sorts: { created_at: { sql: 'r.created_at', type: 'timestamptz' }, updated_at: { sql: 'r.updated_at', type: 'timestamptz' }, type: { sql: 'r.type', type: 'text', collate: '"C"' } },
};
const list = (text: string) => [...new Set(text.split(',').map((s) => s.trim()).filter(Boolean))];

/** One page of relations between active cards; those of archived ones are hidden until they return. */
export async function listRelations(db: Database, query: ListParams & RelationFilters): Promise<Page<StoredRelation>> {
  const bindings = new Bindings();
  const where = ['not r.hidden'];
  if (query.type !== undefined) where.push(`r.type = any(${bindings.add(list(query.type))}::text[])`);
  if (query.source_id !== undefined) where.push(`r.source_id = ${bindings.add(query.source_id)}`);
  if (query.target_id !== undefined) where.push(`r.target_id = ${bindings.add(query.target_id)}`);
  if (query.card_id !== undefined) {
    const card = bindings.add(query.card_id);
    const [out, into] = [`r.source_id = ${card}`, `r.target_id = ${card}`];
    where.push(query.direction === 'outgoing' ? out : query.direction === 'incoming' ? into : `(${out} or ${into})`);
  }
  const { page: _p, page_size: _s, cursor: _c, sort_by: _b, sort_dir: _d, ...filters } = query;
  return readPage<StoredRelation & Record<string, unknown>>(db, { spec: LIST, params: query, where, bindings, scope: JSON.stringify(Object.entries(filters).sort()), columns: VIEW, joins: JOINS });
}
