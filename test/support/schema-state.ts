import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { CORE_MIGRATIONS, migrate, type Migration } from '../../core/foundation/db/migrate.js';
import { sql } from './database.js';

const HISTORY = 'lintel_migrations';

/**
 * Applies the core's migrations up to one, which is applied too.
 * @param last its name, such as `0027_version_changes`
 * @returns the names of those that were applied by this call
 */
export async function migrateTo(database: DatabaseConnection, last: string): Promise<string[]> {
  const names = CORE_MIGRATIONS.filter((name) => name <= last);
  const migrations: Record<string, Migration> = {};
  for (const name of names) migrations[name] = await migrationOf(name);
  const release = { name: 'Lintel', version: last };
  return await migrate(database, { table: HISTORY, migrations, release }, { division: 'one each' });
}

/** The migration of the core with this name. */
export async function migrationOf(name: string): Promise<Migration> {
  return (await import(new URL(`../../migrations/${name}.js`, import.meta.url).href)) as Migration;
}

/** Names of the applied migrations, sorted. */
export async function appliedMigrations(database: DatabaseConnection): Promise<string[]> {
  const rows = await sql<{ name: string }>(database, `select name from ${HISTORY} order by name collate "C"`);
  return rows.map(({ name }) => name);
}

/**
 * All columns, indexes, constraints, triggers, views and functions of the schema `public`, one line each, sorted. The order
 * of columns is not included, nor are the names of NOT NULL constraints, which only later versions of PostgreSQL have.
 */
export async function schemaOf(database: DatabaseConnection): Promise<string[]> {
  const rows = await sql<{ line: string }>(
    database,
    `with relations as (select oid, relname, relkind from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v'))
    select line from (
      select format('column %s.%s %s %s %s', r.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid)) as line
        from relations r join pg_attribute a on a.attrelid = r.oid left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum where a.attnum > 0 and not a.attisdropped
      union all select 'index ' || pg_get_indexdef(i.indexrelid) from pg_index i join relations r on r.oid = i.indrelid
      union all select format('constraint %s.%s %s', r.relname, c.conname, pg_get_constraintdef(c.oid)) from pg_constraint c join relations r on r.oid = c.conrelid where c.contype <> 'n'
      union all select 'trigger ' || pg_get_triggerdef(t.oid) from pg_trigger t join relations r on r.oid = t.tgrelid where not t.tgisinternal
      union all select format('view %s %s', relname, pg_get_viewdef(oid)) from relations where relkind = 'v'
      union all select 'function ' || pg_get_functiondef(p.oid) from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    ) l order by line collate "C"`,
  );
  return rows.map(({ line }) => line);
}

/** The number of rows of a query, and a checksum that does not depend on their order. */
export async function checksum(database: DatabaseConnection, query: string): Promise<string> {
  const [row] = await sql<{ sum: string }>(
    database,
    `select count(*) || ' rows, ' || coalesce(sum(hashtextextended(q::text, 0)), 0) as sum from (${query}) q`,
  );
  return row!.sum;
}

/** The checksums of those of the tables that there are. */
export async function checksums(
  database: DatabaseConnection,
  tables: readonly string[],
): Promise<Record<string, string>> {
  const there = await sql<{ name: string }>(
    database,
    'select name from unnest($1::text[]) name where to_regclass(name) is not null order by name',
    [tables],
  );
  const sums: Record<string, string> = {};
  for (const { name } of there) sums[name] = await checksum(database, `table ${name}`);
  return sums;
}

/** Columns of catalogues with statistics and hints, which maintenance changes, and positions in files. */
const HINTS =
  'relpages reltuples relallvisible relallfrozen relfrozenxid relminmxid relfilenode relhasindex relhasrules relhastriggers relhassubclass';
/** Statistics; contents of large objects, of which `pg_largeobject_metadata` has the rows; catalogues of the server, of which only the lines below concern one database. */
const NOT_COMPARED = 'pg_statistic pg_statistic_ext_data pg_largeobject';

/**
 * The rows of all catalogues of a database, by name: relations, columns, constraints, triggers, functions, types, privileges,
 * dependencies, comments and all else that a dump is made of; and the rows of the catalogues of the server that concern the
 * database and the roles of its modules. Two results of the same database are equal only if dumps of its schema are, because
 * `pg_dump` reads nothing else. (It is not used: the embedded PostgreSQL comes without it, and one of an older version refuses the server.)
 */
export async function catalogueOf(database: DatabaseConnection): Promise<Record<string, string[]>> {
  const names = await sql<{ name: string }>(
    database,
    `select relname as name from pg_class where relnamespace = 'pg_catalog'::regnamespace and relkind = 'r' and not relisshared
      and relname <> all(string_to_array($1, ' ')) order by 1`,
    [NOT_COMPARED],
  );
  const rows: Record<string, string[]> = {};
  const read = async (name: string, from: string): Promise<void> => {
    const found = await sql<{ row: string }>(
      database,
      `select (to_jsonb(t) - string_to_array($1, ' '))::text as row from ${from} t order by 1`,
      [HINTS],
    );
    rows[name] = found.map(({ row }) => row);
  };
  for (const { name } of names) await read(name, `pg_catalog.${name}`);
  const here = '(select oid from pg_database where datname = current_database())';
  const roles = `(select oid from pg_roles where starts_with(rolname, 'lintel_' || ${here} || '_'))`;
  await read('roles', `(select * from pg_roles where oid in ${roles})`);
  await read('members of roles', `(select * from pg_auth_members where roleid in ${roles} or member in ${roles})`);
  await read('dependencies on roles', `(select * from pg_shdepend where dbid = ${here})`);
  await read('settings of roles', `(select * from pg_db_role_setting where setdatabase = ${here})`);
  return rows;
}
