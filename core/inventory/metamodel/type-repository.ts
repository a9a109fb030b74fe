import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { CardTypeDefinition, RelationTypeDefinition } from './types.js';

const NOW = `greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp()))`;
const RULE = `$3->>'source_type', $3->>'target_type', $3->>'cardinality' <> 'n:m', $3->>'cardinality' = '1:1', ($3->>'allow_self')::boolean`;

/** The values a write sets in a type's row. */
export interface Stamp extends Record<string, unknown> {
  version: number;
  updated_at: Date;
}

const CARD = {
  insert: {
    name: 'card-type-insert',
    text: 'insert into card_types (key, sort_order, doc) values ($1, $2, $3::jsonb) returning version, updated_at',
  },
  update: {
    name: 'card-type-update',
    text: `update card_types set sort_order = $2, doc = $3::jsonb, version = version + 1, updated_at = ${NOW} where key = $1 returning version, updated_at`,
  },
  // Blocks inserts of cards, which take a key share lock on the row of their type.
  lock: { name: 'card-type-lock', text: 'select 1 from card_types where key = $1 for update' },
  remove: { name: 'card-type-delete', text: 'delete from card_types where key = $1' },
};
const RELATION = {
  insert: {
    name: 'relation-type-insert',
    text: `insert into relation_types (key, sort_order, doc, source_type, target_type, one_source, one_target, allow_self)
      values ($1, $2, $3::jsonb, ${RULE.replaceAll('$3', '$3::jsonb')}) returning version, updated_at`,
  },
  /** The foreign key propagates the rule to all relations of the type, where constraints enforce it. */
  update: {
    name: 'relation-type-update',
    text: `update relation_types set sort_order = $2, doc = $3::jsonb,
      (source_type, target_type, one_source, one_target, allow_self) = row(${RULE.replaceAll('$3', '$3::jsonb')}),
      version = version + 1, updated_at = ${NOW} where key = $1 returning version, updated_at`,
  },
  lock: { name: 'relation-type-lock', text: 'select 1 from relation_types where key = $1 for update' },
  remove: { name: 'relation-type-delete', text: 'delete from relation_types where key = $1' },
};

/** The table of one kind of types. */
interface TypeTable<D extends CardTypeDefinition | RelationTypeDefinition> {
  insert(uow: UnitOfWork, definition: D): Promise<Stamp>;
  update(uow: UnitOfWork, definition: D): Promise<Stamp>;
  /** Blocks new cards or relations of the type until the unit of work ends. */
  lock(uow: UnitOfWork, key: string): Promise<void>;
  remove(uow: UnitOfWork, key: string): Promise<void>;
}

function table<D extends CardTypeDefinition | RelationTypeDefinition>(sql: typeof CARD): TypeTable<D> {
  const write = async (uow: UnitOfWork, statement: typeof CARD.insert, d: D): Promise<Stamp> =>
    (await uow.query<Stamp>(statement, [d.key, d.sort_order, JSON.stringify(d)]))[0]!;
  return {
    insert: (uow, definition) => write(uow, sql.insert, definition),
    update: (uow, definition) => write(uow, sql.update, definition),
    lock: async (uow, key) => {
      await uow.query(sql.lock, [key]);
    },
    remove: async (uow, key) => {
      await uow.query(sql.remove, [key]);
    },
  };
}

export const cardTypes = table<CardTypeDefinition>(CARD);
export const relationTypes = table<RelationTypeDefinition>(RELATION);
