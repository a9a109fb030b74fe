import type { ExportColumn, UnitOfWork } from '@lintel/sdk';
import type { Database } from '../foundation/db/database.js';

/** What is stored of a module: whether it shall be on, what was set, which migrations ran (null: never enabled). */
export interface StoredModule {
  id: string;
  enabled: boolean;
  settings: Record<string, unknown>;
  migrations: string[] | null;
  version: number;
}
type Row = StoredModule & Record<string, unknown>;

const COLUMNS = 'id, enabled, settings, migrations, version';
const READ = { name: 'modules', text: `select ${COLUMNS} from modules` };
// In order of id: two changes at once must not wait for each other in a circle.
const LOCK = { name: 'modules-lock', text: `select ${COLUMNS} from modules order by id for update` };
const FOUND = {
  name: 'modules-found',
  text: `insert into modules (id, enabled) select m.id, m.enabled from jsonb_to_recordset($1::jsonb) as m(id text, enabled boolean)
    on conflict (id) do nothing returning id`,
};
const MIGRATED = { name: 'modules-migrated', text: 'update modules set migrations = $2::jsonb where id = $1' };
const WRITE = {
  name: 'modules-write',
  text: `update modules set enabled = $2, settings = $3::jsonb, version = version + 1,
      updated_at = greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp()))
    where id = $1 returning version`,
};
// Its keys go with it: from the catalogue, and from every role that holds one.
const FORGET = {
  name: 'modules-forget',
  text: `with forgotten as (update modules set migrations = null, settings = '{}', version = version + 1,
        updated_at = greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp())) where id = $1),
      secret as (delete from secrets where starts_with(name, 'module.' || $1 || '.')),
      file as (delete from files where module = $1),
      subscription as (delete from subscriptions where module = $1),
      parked as (delete from parked_events where module = $1),
      keys as (delete from permission_keys where owner = $1 returning key),
      held as (select r.key, r.permissions as before,
          (select coalesce(jsonb_agg(p order by p), '[]') from jsonb_array_elements_text(r.permissions) p where p not in (select key from keys)) as after
        from roles r where exists (select from keys where r.permissions ? keys.key) order by r.key for update)
    update roles set permissions = held.after, version = version + 1,
        updated_at = greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp()))
      from held where roles.key = held.key returning roles.key as role, held.before, held.after`,
};

export async function readModules(db: Database): Promise<StoredModule[]> {
  return await db.query<Row>(READ);
}

/** Locks every module's row: what requires what is judged over all of them. */
export async function lockModules(uow: UnitOfWork): Promise<StoredModule[]> {
  return await uow.query<Row>(LOCK);
}

/** Makes the rows of modules seen for the first time. @returns the ids that had none */
export async function rememberModules(uow: UnitOfWork, found: { id: string; enabled: boolean }[]): Promise<string[]> {
  return (await uow.query<{ id: string }>(FOUND, [JSON.stringify(found)])).map(({ id }) => id);
}

export async function rememberMigrations(uow: UnitOfWork, id: string, names: readonly string[]): Promise<void> {
  await uow.query(MIGRATED, [id, JSON.stringify(names)]);
}

/** @returns the new version */
export async function writeModule(uow: UnitOfWork, { id, enabled, settings }: StoredModule): Promise<number> {
  return (await uow.query<{ version: number }>(WRITE, [id, enabled, JSON.stringify(settings)]))[0]!.version;
}

/** Forgets all of a module but that it is installed. @returns the roles that held its permissions, before and after */
export async function forgetModule(
  uow: UnitOfWork,
  id: string,
): Promise<{ role: string; before: string[]; after: string[] }[]> {
  return await uow.query<{ role: string; before: string[]; after: string[] }>(FORGET, [id]);
}

/** Types of PostgreSQL that a column of a type may have; text takes every one. */
const COLUMN_TYPES: Readonly<Record<Exclude<ExportColumn['type'], 'text'>, readonly string[]>> = {
  number: ['smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision'],
  boolean: ['boolean'],
  date: ['date'],
  timestamp: ['timestamp with time zone', 'timestamp without time zone'],
};

/**
 * Has the database look at SQL a module gives for a column over a card, `c`, without reading a row.
 * @throws what is wrong with it, or an Error where it is of another type than the module says
 */
export async function checkColumn(db: Database, sql: string, type: ExportColumn['type']): Promise<void> {
  const [found] = await db.query<{ type: string }>({
    name: undefined,
    text: `select pg_typeof((select (${sql}) from cards c limit 0))::text as type`,
  });
  if (type !== 'text' && !COLUMN_TYPES[type].includes(found!.type))
    throw new Error(`its SQL gives ${found!.type}, which is no ${type}`);
}
