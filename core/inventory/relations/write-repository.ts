import type { Database } from '../../foundation/db/database.js';
import { CLOCK, FLUSH, FLUSH_LOG, flushOf, inputWithFlush } from '../../foundation/db/flush.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Change } from '../changes.js';
import type { RelationType } from '../metamodel/index.js';
import { JOINS, TAGGED_VIEW, type StoredRelation } from './repository.js';
import type { End, RelationState } from './types.js';

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
const ROW = `id uuid, type text, source_id uuid, target_id uuid, source_type text,
  target_type text, rule_source text, rule_target text, one_source boolean, one_target boolean, allow_self boolean, attributes jsonb, description text,
  valid_from date, valid_to date, changes jsonb, row_version text`;
const INPUT = `input as materialized (select * from jsonb_to_recordset($2::jsonb) as r(${ROW}))`;
/** A single one. Of a set, the planner would expect 100 rows, and read short tables as a whole to join them. */
const INPUT_ONE = INPUT.replace('recordset', 'record');

/** Inserts the rows of `input`. @param from SQL of the rows `i` and of `flush` */
const made = (
  from: string,
): string => `r as (insert into relations as r (id, type, source_id, target_id, source_type, target_type, rule_source, rule_target, one_source, one_target, allow_self,
        attributes, description, valid_from, valid_to, created_by, updated_by, created_at, updated_at, version)
      select i.id, i.type, i.source_id, i.target_id, i.source_type, i.target_type, i.rule_source, i.rule_target, i.one_source, i.one_target, i.allow_self,
        i.attributes, i.description, i.valid_from, i.valid_to, flush.actor, flush.actor, flush.clock, flush.clock, 1 from ${from}`;
/** @param returned the query on the inserted relations, `r` */
const insert = (name: string, input: string, returned: string) => ({
  name,
  text: `with ${FLUSH}, ${input},
    ${made('flush, input i')} returning r.*),
    versions as (insert into relation_versions (id, version, at, change_id, metamodel_revision)
      select r.id, 1, r.created_at, flush.change_id, $3::bigint from r, flush)
    ${returned}`,
});
const CHANGED = `attributes = i.attributes, description = i.description, valid_from = i.valid_from, valid_to = i.valid_to,
        updated_by = flush.actor, updated_at = greatest(r.updated_at + interval '1 millisecond', flush.clock), version = r.version + 1`;
/** @param isStored SQL of the condition on the stored relation @param returned the query on the updated relations, `r` */
const update = (name: string, input: string, isStored: string, returned: string) => ({
  name,
  text: `with ${FLUSH}, ${input},
    r as (update relations r set ${CHANGED}
      from flush, input i where ${isStored} returning r.*, i.changes),
    versions as (insert into relation_versions (id, version, at, changes, change_id, metamodel_revision)
      select r.id, r.version, r.updated_at, r.changes, flush.change_id, $3::bigint from r, flush)
    ${returned}`,
});
const NUMBER = 'select count(*)::int as n from r';
const INSERT = insert('relations-insert', INPUT, NUMBER);
const UPDATE = update('relations-update', INPUT, 'r.id = i.id', NUMBER);
/** A relation created by itself is returned with the columns of its view, as a read would return it. */
const INSERT_ONE = insert('relations-insert-one', INPUT_ONE, `select ${TAGGED_VIEW} from r ${JOINS}`);
/** The same for a changed one; fails if the row was read without a lock and has changed since. */
const UPDATE_ONE = update(
  'relations-update-one',
  INPUT_ONE,
  'r.id = i.id and (i.row_version is null or r.xmin::text = i.row_version)',
  `select ${TAGGED_VIEW} from (select 1) as one left join r on true ${JOINS} where r.id is not null or lintel_write_conflict()`,
);

/** Lock timeout in ms: what a running transaction holds must not delay unrelated relations. */
const LOCK_TIMEOUT_MS = 100;
/**
 * Relations of several units of work, each with its own flush. One that is not written is not returned: it exists, its
 * row has changed since it was read, or another transaction has locked it. The others are not affected.
 */
const singles = (name: string, written: string, versions: string) => ({
  name,
  text: `with now as materialized (select ${CLOCK} as clock, set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true)),
    ${inputWithFlush(ROW)},
    ${written},
    ${flushOf('select id, written_at as clock from r')},
    ${FLUSH_LOG},
    versions as (insert into relation_versions (id, version, at, changes, change_id, metamodel_revision)
      select r.id, r.version, r.updated_at, ${versions}, flush.change_id, flush.revision from r join flush on flush.row_id = r.id)
    select ${TAGGED_VIEW} from r ${JOINS}`,
});
const timed = 'ready as (select i.*, now.clock from now, input i)';
const INSERT_SINGLES = singles(
  'relations-insert-singles',
  `${timed},
    ${made('ready i').replaceAll('flush.', 'i.')} on conflict do nothing returning r.*, r.created_at as written_at)`,
  'null',
);
const UPDATE_SINGLES = singles(
  'relations-update-singles',
  `free as materialized (select r.id from input i join relations r on r.id = i.id where r.xmin::text = i.row_version for no key update of r skip locked),
    ready as (select i.*, now.clock from now, free join input i using (id)),
    r as (update relations r set ${CHANGED.replaceAll('flush.', 'i.')}
      from ready i where r.id = i.id returning r.*, i.changes, i.clock as written_at)`,
  'r.changes',
);
/** Fails if the row version `$3` is given and not that of the relation. */
const DELETE = {
  name: 'relations-delete',
  text: `with ${FLUSH},
    r as (delete from relations r where id = any($2::uuid[]) and ($3::text is null or r.xmin::text = $3) returning ${DOCUMENTED}),
    stored as (insert into relation_deletions (id, type, version, at, doc, change_id)
      select r.id, r.type, r.version, greatest(r.updated_at + interval '1 millisecond', flush.clock), to_jsonb(r), flush.change_id from r, flush)
    select count(*)::int as n from r having $3::text is null or count(*) > 0 or lintel_write_conflict()`,
};

export interface NewRelation {
  state: RelationState;
  type: RelationType;
  source: End;
  target: End;
}

/** A relation after its changes. */
export type ChangedRelation = RelationState & { changes: readonly Change[] };

/**
 * Each relation has a copy of its type's rule, so that the database can enforce it. As in all rows that are written in large
 * numbers, the other members come first: adding members to a copy of an object takes V8 thirty times as long.
 */
export const newRow = ({ state, type, source, target }: NewRelation) => ({
  rule_source: type.definition.source_type,
  rule_target: type.definition.target_type,
  one_source: type.oneSource,
  one_target: type.oneTarget,
  allow_self: type.definition.allow_self,
  ...state,
  source_type: source.type,
  target_type: target.type,
});

type Row = StoredRelation & Record<string, unknown>;

/** The values of the statement that inserts relations with their first versions, and flushes the unit of work. */
export const relationInserts = (uow: UnitOfWork, relations: readonly NewRelation[], revision: string): unknown[] => [
  uow.flushed(),
  JSON.stringify(relations.map(newRow)),
  revision,
];

/** Inserts relations. @param values from `relationInserts` */
export async function insertRelations(uow: UnitOfWork, values: unknown[]): Promise<void> {
  await uow.last(INSERT, values);
}

/**
 * The same for one relation.
 * @param flush of the unit of work
 * @returns the relation
 */
export async function insertRelation(
  uow: UnitOfWork,
  relation: NewRelation,
  revision: string,
  flush: string,
): Promise<StoredRelation> {
  const [row] = await uow.last<Row>(INSERT_ONE, [flush, JSON.stringify(newRow(relation)), revision]);
  return row!;
}

/** Stores new states of locked relations with the next version. */
export async function updateRelations(
  uow: UnitOfWork,
  relations: readonly ChangedRelation[],
  revision: string,
): Promise<void> {
  await uow.last(UPDATE, [uow.flushed(), JSON.stringify(relations), revision]);
}

/**
 * The same for one relation, which is locked or was read with `readRelations`.
 * @param flush of the unit of work
 * @returns the relation after the change
 * @throws a serialisation failure (40001), after which the unit of work is repeated, if the row has changed since it was read
 */
export async function updateRelation(
  uow: UnitOfWork,
  relation: ChangedRelation,
  revision: string,
  flush: string,
): Promise<StoredRelation> {
  const [row] = await uow.last<Row>(UPDATE_ONE, [flush, JSON.stringify(relation), revision]);
  return row!;
}

/**
 * Inserts or updates relations, each with the flush of its unit of work, in one transaction.
 * @param rows results of `rowWithFlush`, at most one for each relation
 * @returns the relations that were written
 */
export async function writeSingles(
  db: Database,
  how: 'insert' | 'update',
  rows: readonly string[],
): Promise<StoredRelation[]> {
  return db.query<Row>(how === 'insert' ? INSERT_SINGLES : UPDATE_SINGLES, [`[${rows.join(',')}]`]);
}

/**
 * Deletes relations, and flushes the unit of work, in one statement.
 * @param rowVersion of the only relation, if it was read with `readRelations` and is not locked
 * @throws as `updateRelation`
 */
export async function deleteRelations(uow: UnitOfWork, ids: string[], rowVersion?: string): Promise<void> {
  await uow.last(DELETE, [uow.flushed(), ids, rowVersion ?? null]);
}
