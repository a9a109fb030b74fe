import type { Knex } from 'knex';

/** An object of the database: a row of a catalogue. */
export interface SchemaObject {
  /** Name of the catalogue without `pg_`, such as `class` for tables, views, sequences and indexes. */
  catalogue: string;
  name: string;
  /** Id of the relation to which it belongs, its own for a table or view; null for one that belongs to none. */
  relation: string | null;
  /** Id of its schema, where it has a name in one. */
  schema: string | null;
  /** Checksum of its definition. */
  state: string;
  /** Id of the transaction that stored the row, without epoch. */
  xid: string;
}

interface Source {
  /** What identifies a row. */
  key?: string;
  name?: string;
  relation?: string;
  schema?: string;
  where?: string;
  state?: string;
}

const NOT_SYSTEM = `not in (select oid from system)`;
const OF_RELATION = 'in (select oid from relations)';
const named = (prefix: string): Source => ({
  name: `${prefix}name`,
  schema: `${prefix}namespace`,
  where: `${prefix}namespace ${NOT_SYSTEM}`,
});
const of = (relation: string, more: Source = {}): Source => ({
  relation,
  where: `${relation} ${OF_RELATION}`,
  ...more,
});

/** Statistics and hints are left out: other sessions update them in place. */
const CLASS_STATE = `concat_ws('|', relname, relnamespace, relowner, relkind, relpersistence, relrowsecurity, relforcerowsecurity, reloptions, relacl,
  relispartition, relpartbound::text, relreplident, case when relkind in ('r', 'm') then relfilenode end)`;
/** Indexes and sequences of columns belong to their table. */
const CLASS_RELATION = `coalesce((select indrelid from pg_index where indexrelid = t.oid),
  (select refobjid from pg_depend where t.relkind = 'S' and classid = 'pg_class'::regclass and objid = t.oid and refclassid = 'pg_class'::regclass and deptype in ('a', 'i') limit 1),
  t.oid)`;

/**
 * Row types and array types are those of their table. A trigger of a foreign key belongs to the table of the key, also where it is on
 * the table to which the key refers.
 */
const SOURCES: Readonly<Record<string, Source>> = {
  class: {
    name: 'relname',
    relation: CLASS_RELATION,
    schema: 'relnamespace',
    where: `oid ${OF_RELATION}`,
    state: CLASS_STATE,
  },
  attribute: of('attrelid', {
    key: `attrelid || '.' || attnum`,
    name: 'attname',
    where: `attnum > 0 and attrelid in (select oid from relations where relkind not in ('i', 'I', 'S'))`,
  }),
  attrdef: of('adrelid'),
  index: of('indrelid', { key: 'indexrelid' }),
  constraint: of('conrelid', { name: 'conname' }),
  trigger: {
    name: 'tgname',
    relation: 'coalesce((select conrelid from pg_constraint where oid = tgconstraint and tgisinternal), tgrelid)',
    where: `tgrelid ${OF_RELATION}`,
  },
  policy: of('polrelid', { name: 'polname' }),
  rewrite: of('ev_class', { name: 'rulename' }),
  sequence: of('seqrelid', { key: 'seqrelid' }),
  inherits: of('inhparent', { key: `inhrelid || '.' || inhparent` }),
  statistic_ext: of('stxrelid', { name: 'stxname' }),
  proc: named('pro'),
  type: { ...named('typ'), where: `typnamespace ${NOT_SYSTEM} and typrelid = 0 and typcategory <> 'A'` },
  operator: named('opr'),
  collation: named('coll'),
  ts_config: named('cfg'),
  ts_dict: named('dict'),
  namespace: { name: 'nspname', where: `nspname !~ '^pg_'` },
  extension: { name: 'extname' },
  event_trigger: { name: 'evtname' },
  language: { name: 'lanname' },
  publication: { name: 'pubname' },
  default_acl: {},
  cast: {},
};

const OBJECTS = `with system as (select oid from pg_namespace where nspname ~ '^pg_' or nspname = 'information_schema'),
  relations as materialized (select oid, relkind from pg_class where relnamespace ${NOT_SYSTEM} and relkind <> 't')
  ${Object.entries(SOURCES)
    .map(
      ([
        catalogue,
        { key = 'oid', name = `''`, relation = 'null', schema = 'null', where = 'true', state = 't::text' },
      ]) =>
        `select '${catalogue}' as catalogue, '${catalogue} ' || (${key}) as key, (${name})::text as name, (${relation})::text as relation,
      (${schema})::text as schema, md5(${state}) as state, t.xmin::text as xid from pg_${catalogue} t where ${where}`,
    )
    .join('\n  union all ')}`;

/** Which tables and sequences the session has locked for changes of rows, or completely. Locks are held until the transaction ends. */
const LOCKS = `select relation::text, mode from pg_locks where pid = pg_backend_pid() and locktype = 'relation' and granted
  and mode in ('RowExclusiveLock', 'AccessExclusiveLock')`;

/** Functions that run with the rights of their owner, or are in a language that may do anything. */
const UNSAFE = `select 'proc ' || oid as key from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
  or pronamespace = 'public'::regnamespace and prolang in (select oid from pg_language where not lanpltrusted and lanname <> 'sql')`;

/** Which columns of relations the rules of others read or write: views are relations with a rule. Empty for the relation as a whole. */
const USES = `select distinct 'rewrite ' || r.oid as key, c.oid::text as relation, coalesce(a.attname::text, '') as column
  from pg_rewrite r
  join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> r.ev_class
  join pg_class c on c.oid = d.refobjid
  left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid and d.refobjsubid > 0
  where c.relnamespace not in (select oid from pg_namespace where nspname ~ '^pg_' or nspname = 'information_schema')`;

/** Ids of transactions without epoch, of those given, that are running: that of the session, or a savepoint of it. */
const RUNNING = `with own as (select cast(? as bigint) as id)
  select xid from own, unnest(cast(? as text[])) xid, lateral (select (xid::bigint - (id & 4294967295) + 4294967296) & 4294967295 as later) l
  where later < 2147483648 and pg_xact_status((id + later)::text::xid8) = 'in progress'`;

async function read<T>(knex: Knex, text: string, values: string[] = []): Promise<T[]> {
  return ((await knex.raw(text, values)) as { rows: T[] }).rows;
}

/** A column of a relation, or the relation as a whole, that a rule uses. */
export interface Use {
  /** Key of the rule. */
  key: string;
  /** Id of the relation. */
  relation: string;
  /** Empty for the relation as a whole. */
  column: string;
}

/** The objects of a database and the locks of its session at one moment. */
export interface SchemaState {
  /** Id of the transaction of the session. */
  transaction: string;
  /** Id of the schema `public`. */
  publicId: string;
  objects: ReadonlyMap<string, SchemaObject>;
  /** Ids of the relations of which the session changed rows. */
  written: ReadonlySet<string>;
  /** Ids of the relations that the session locked completely, as it must to drop them or what belongs to them. */
  locked: ReadonlySet<string>;
  /** Keys of functions that could do more than the caller. */
  unsafe: ReadonlySet<string>;
  /** What rules, such as those of views, use besides their own relation. */
  uses: readonly Use[];
}

/** Reads all objects of the database as the transaction of the knex instance sees them. */
export async function readSchema(knex: Knex): Promise<SchemaState> {
  // The first statement, so that the transaction has an id from now on.
  const [about] = await read<{ transaction: string; publicId: string }>(
    knex,
    `select pg_current_xact_id()::text as transaction, 'public'::regnamespace::oid::text as "publicId"`,
  );
  const objects = await read<SchemaObject & { key: string }>(knex, OBJECTS);
  const locks = await read<{ relation: string; mode: string }>(knex, LOCKS);
  const unsafe = await read<{ key: string }>(knex, UNSAFE);
  const uses = await read<Use>(knex, USES);
  const inMode = (wanted: string) => locks.flatMap(({ relation, mode }) => (mode === wanted ? [relation] : []));
  return {
    ...about!,
    objects: new Map(objects.map((object) => [object.key, object])),
    written: new Set(inMode('RowExclusiveLock')),
    locked: new Set(inMode('AccessExclusiveLock')),
    unsafe: new Set(unsafe.map(({ key }) => key)),
    uses,
  };
}

/**
 * Which of the ids of transactions, from rows of catalogues that changed after `state` was read, are those of the running transaction and of
 * its savepoints: rows of others can be seen only after these have ended.
 */
export async function ownTransactions(
  knex: Knex,
  { transaction }: SchemaState,
  xids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await read<{ xid: string }>(knex, RUNNING, [transaction, `{${[...new Set(xids)].join(',')}}`]);
  return new Set(found.map(({ xid }) => xid));
}
