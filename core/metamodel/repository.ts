import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import type { CardTypeDefinition, RelationTypeDefinition } from './types.js';

interface Row<D> { key: string; doc: D; version: number; updated_at: Date }

const READ_ALL = {
  name: 'metamodel',
  text: `select (select revision from revisions where kind = 'metamodel') as revision,
    (select coalesce(jsonb_agg(t order by sort_order, key), '[]') from card_types t) as types,
    (select coalesce(jsonb_agg(t order by sort_order, key), '[]') from relation_types t) as relation_types`,
};
const SEED_TYPES = {
  name: 'metamodel-seed-types',
  text: `insert into card_types (key, doc, sort_order)
    select t->>'key', t, (t->>'sort_order')::int from jsonb_array_elements($1::jsonb) t on conflict (key) do nothing`,
};
const SEED_RELATIONS = {
  name: 'metamodel-seed-relations',
  text: `insert into relation_types (key, source_type, target_type, one_source, one_target, allow_self, doc, sort_order)
    select t->>'key', t->>'source_type', t->>'target_type', t->>'cardinality' <> 'n:m', t->>'cardinality' = '1:1',
      (t->>'allow_self')::boolean, t, (t->>'sort_order')::int
    from jsonb_array_elements($1::jsonb) t on conflict (key) do nothing`,
};
const SEED_LOCK = { name: 'metamodel-seed-lock', text: 'select pg_advisory_xact_lock(7315002)' };
const COUNT = { name: 'metamodel-count', text: 'select count(*)::int as n from card_types' };

export interface StoredMetamodel {
  revision: string;
  types: (Omit<Row<CardTypeDefinition>, 'updated_at'> & { updated_at: string })[];
  relation_types: (Omit<Row<RelationTypeDefinition>, 'updated_at'> & { updated_at: string })[];
}

/** Reads the whole metamodel of one snapshot. */
export async function readMetamodel(db: Database): Promise<StoredMetamodel> {
  const [row] = await db.query<StoredMetamodel & Record<string, unknown>>(READ_ALL);
  return row!;
}

/** Stores the default metamodel where there is none. @returns whether it was stored */
export async function seedMetamodel(uow: UnitOfWork, types: CardTypeDefinition[], relations: RelationTypeDefinition[]): Promise<boolean> {
  await uow.query(SEED_LOCK);
  const [count] = await uow.query<{ n: number }>(COUNT);
  if (count!.n > 0) return false;
  await uow.query(SEED_TYPES, [JSON.stringify(types)]);
  await uow.query(SEED_RELATIONS, [JSON.stringify(relations)]);
  return true;
}
