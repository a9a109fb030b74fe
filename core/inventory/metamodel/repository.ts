import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { CardTypeDefinition, RelationTypeDefinition, Tag } from './types.js';

/** A row of a table of types. */
export interface TypeRow<D> {
  key: string;
  doc: D;
  version: number;
  updated_at: string;
}

/** A tag with its group. */
export interface StoredTag extends Tag {
  group_id: string;
}

export interface StoredTagGroup {
  id: string;
  name: string;
  mode: 'single' | 'multi';
  mandatory: boolean;
  restrict_to_types: string[];
  version: number;
  created_at: string;
  updated_at: string;
}

/** From one snapshot; times are text, as in JSON. */
export interface StoredMetamodel {
  revision: string;
  types: TypeRow<CardTypeDefinition>[];
  relation_types: TypeRow<RelationTypeDefinition>[];
  tag_groups: (StoredTagGroup & { tags: Tag[] })[];
}

const TYPES = `(select coalesce(jsonb_agg(t order by t.sort_order, t.key collate "C"), '[]') from card_types t)`;
const RELATION_TYPES = `(select coalesce(jsonb_agg(t order by t.sort_order, t.key collate "C"), '[]') from relation_types t)`;
const TAG_GROUPS = `(select coalesce(jsonb_agg(to_jsonb(g) - 'name_key' || jsonb_build_object('tags',
    (select coalesce(jsonb_agg(to_jsonb(t) - '{name_key,group_id}'::text[] order by t.name_key), '[]') from tags t where t.group_id = g.id))
  order by g.name_key), '[]') from tag_groups g)`;
/** SQL of the whole metamodel, as stored in a snapshot. */
export const WHOLE = `jsonb_build_object('types', ${TYPES}, 'relation_types', ${RELATION_TYPES}, 'tag_groups', ${TAG_GROUPS})`;

const READ_ALL = {
  name: 'metamodel',
  text: `select (select revision from revisions where kind = 'metamodel') as revision,
    ${TYPES} as types, ${RELATION_TYPES} as relation_types, ${TAG_GROUPS} as tag_groups`,
};
const SEED_TYPES = {
  name: 'metamodel-seed-types',
  text: `insert into card_types (key, doc, sort_order)
    select t->>'key', t, (t->>'sort_order')::int from jsonb_array_elements($1::jsonb) t`,
};
const SEED_RELATIONS = {
  name: 'metamodel-seed-relations',
  text: `insert into relation_types (key, source_type, target_type, one_source, one_target, allow_self, doc, sort_order)
    select t->>'key', t->>'source_type', t->>'target_type', t->>'cardinality' <> 'n:m', t->>'cardinality' = '1:1',
      (t->>'allow_self')::boolean, t, (t->>'sort_order')::int
    from jsonb_array_elements($1::jsonb) t`,
};
/** Serialises changes of the metamodel; a lock timeout returns a problem that allows a retry. */
const LOCK = {
  name: 'metamodel-lock',
  text: `select set_config('lock_timeout', '10s', true), pg_advisory_xact_lock(7315002)`,
};
const LOCK_SHARED = { name: 'metamodel-lock-shared', text: 'select pg_advisory_xact_lock_shared(7315002)' };
const SEEDED = {
  name: 'metamodel-seeded',
  text: 'select exists (select from card_types) or exists (select from metamodel_revisions) as seeded',
};
/** Waits for running writes of cards and relations, and blocks new ones until the transaction ends. */
const CLOSE_WRITES = { name: 'metamodel-close-writes', text: 'select pg_advisory_xact_lock(7315021)' };
const RAISE_FLOOR = {
  name: 'metamodel-floor',
  text: `update metamodel_floor set revision = (select revision + 1 from revisions where kind = 'metamodel')`,
};

/** Reads the whole metamodel from one snapshot. */
export async function readMetamodel(db: Pick<Database, 'query'> | UnitOfWork): Promise<StoredMetamodel> {
  const [row] = await db.query<StoredMetamodel & Record<string, unknown>>(READ_ALL);
  return row!;
}

/** Takes the exclusive lock on the metamodel until the unit of work ends. */
export async function lockMetamodel(uow: UnitOfWork): Promise<void> {
  await uow.query(LOCK);
}

/** Takes the shared lock: the metamodel does not change until the unit of work ends. */
export async function shareMetamodel(uow: UnitOfWork): Promise<void> {
  await uow.query(LOCK_SHARED);
}

/** Stores the default metamodel if none was ever stored. @returns whether it was stored */
export async function seedMetamodel(
  uow: UnitOfWork,
  types: readonly CardTypeDefinition[],
  relations: readonly RelationTypeDefinition[],
): Promise<boolean> {
  const [row] = await uow.query<{ seeded: boolean }>(SEEDED);
  if (row!.seeded) return false;
  await uow.query(SEED_TYPES, [JSON.stringify(types)]);
  await uow.query(SEED_RELATIONS, [JSON.stringify(relations)]);
  return true;
}

/**
 * Called before uses are counted: blocks writes of cards and relations until the unit of work ends, and afterwards
 * rejects writes of nodes that have not loaded the change yet.
 */
export async function closeWrites(uow: UnitOfWork): Promise<void> {
  await uow.query(CLOSE_WRITES);
  await uow.query(RAISE_FLOOR);
}

/**
 * Makes writers with older metamodels retry, without waiting for running writes: for changes protected by row locks.
 */
export async function raiseFloor(uow: UnitOfWork): Promise<void> {
  await uow.query(RAISE_FLOOR);
}
