import type { ExportColumn, UnitOfWork } from '@lintel/sdk';
import type { Database } from '../foundation/db/database.js';
import type { StatementRole } from '../foundation/db/statement-role.js';
import { exportedCard } from '../inventory/exports/index.js';

/** The stored state of a module: enabled or not, its settings, its applied migrations (null: never enabled). */
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
// In the order of ids, so that concurrent changes do not deadlock.
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
// Its permission keys are also deleted: from the catalogue, and from every role that has one.
const FORGET = {
  name: 'modules-clear',
  text: `with cleared as (update modules set migrations = null, settings = '{}', version = version + 1,
        updated_at = greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp())) where id = $1),
      secret as (delete from secrets where starts_with(name, 'module.' || $1 || '.')),
      file as (delete from files where module = $1),
      subscription as (delete from subscriptions where module = $1),
      parked as (delete from parked_events where module = $1),
      job as (delete from jobs where starts_with(type, $1 || '.')),
      slot as (delete from cron_slots where starts_with(job, $1 || '.')),
      notice as (delete from notifications where starts_with(kind, $1 || '.') or subject_kind = $1 or starts_with(subject_kind, $1 || '_')
        or (subject_kind = 'job' and starts_with(subject_type, $1 || '.'))),
      preference as (update notification_preferences set version = version + 1, updated_at = clock_timestamp(),
          value = (select coalesce(jsonb_object_agg(key, v), '{}') from jsonb_each(value) as e(key, v) where not starts_with(key, $1 || '.'))
        where exists (select from jsonb_object_keys(value) as e(key) where starts_with(key, $1 || '.'))),
      keys as (delete from permission_keys where owner = $1 returning key),
      held as (select r.key, r.permissions as before,
          (select coalesce(jsonb_agg(p order by p), '[]') from jsonb_array_elements_text(r.permissions) p where p not in (select key from keys)) as after
        from roles r where exists (select from keys where r.permissions ? keys.key) order by r.key for update)
    update roles set permissions = held.after, version = version + 1,
        updated_at = greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp()))
      from held where roles.key = held.key returning roles.key as role, held.before, held.after`,
};

// The timeout applies only to this lock: later row locks of the transaction wait as long as usual. The subquery is
// evaluated before the columns, which are evaluated from left to right.
const LOCK_NAME = {
  name: 'modules-lock-name',
  text: `select set_config('lock_timeout', $3, true), pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 11)),
      set_config('lock_timeout', b.was, true)
    from (select current_setting('lock_timeout') as was offset 0) b`,
};
const IS_MIGRATED = {
  name: 'modules-is-migrated',
  text: 'select from modules where id = $1 and migrations is not null for share',
};
// The secrets of a module may have been set before it was enabled.
const DROP = {
  name: 'modules-drop',
  text: `with gone as (delete from modules where id = any($1) and migrations is null and not enabled returning id)
    delete from secrets s using gone where starts_with(s.name, 'module.' || gone.id || '.')`,
};

const PACKAGES = { name: 'module-packages', text: 'select name from module_packages order by name collate "C"' };
const ADD_PACKAGE = {
  name: 'module-package-add',
  text: 'insert into module_packages (name) values ($1) on conflict do nothing returning name',
};
const REMOVE_PACKAGE = { name: 'module-package-remove', text: 'delete from module_packages where name = $1' };

export async function readModules(on: Pick<Database, 'query'>): Promise<StoredModule[]> {
  return await on.query<Row>(READ);
}

/**
 * What names of tables begin with that belong to other modules although they begin like those of this one: `acme_costs_` for `acme`.
 * @param id of the module
 */
export async function prefixesWithin(on: Pick<Database, 'query'>, id: string): Promise<string[]> {
  return (await readModules(on)).flatMap((other) => (other.id.startsWith(`${id}_`) ? [`${other.id}_`] : []));
}

/** Locks all modules' rows, because the check of requirements involves all of them. */
export async function lockModules(uow: UnitOfWork): Promise<StoredModule[]> {
  return await uow.query<Row>(LOCK);
}

/** Creates the rows of new modules. @returns the ids that had none */
export async function storeModules(uow: UnitOfWork, found: { id: string; enabled: boolean }[]): Promise<string[]> {
  return (await uow.query<{ id: string }>(FOUND, [JSON.stringify(found)])).map(({ id }) => id);
}

export async function storeMigrations(uow: UnitOfWork, id: string, names: readonly string[]): Promise<void> {
  await uow.query(MIGRATED, [id, JSON.stringify(names)]);
}

/** Whether the module has been enabled, and its data was not deleted; this cannot change until the transaction ends. */
export async function isMigrated(uow: UnitOfWork, id: string): Promise<boolean> {
  return (await uow.query(IS_MIGRATED, [id])).length > 0;
}

/** Deletes the rows of modules that are not installed any more, if they were never enabled or their data was deleted. */
export async function dropModules(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  await uow.query(DROP, [ids]);
}

/** @returns the new version */
export async function writeModule(uow: UnitOfWork, { id, enabled, settings }: StoredModule): Promise<number> {
  return (await uow.query<{ version: number }>(WRITE, [id, enabled, JSON.stringify(settings)]))[0]!.version;
}

/** Deletes all data of a module except its row. @returns the roles that had its permissions, before and after */
export async function clearModule(
  uow: UnitOfWork,
  id: string,
): Promise<{ role: string; before: string[]; after: string[] }[]> {
  return await uow.query<{ role: string; before: string[]; after: string[] }>(FORGET, [id]);
}

/** The names of the packages that were installed while the service was running. */
export async function readPackages(db: Database): Promise<string[]> {
  return (await db.query<{ name: string }>(PACKAGES)).map(({ name }) => name);
}

/** @returns whether the package was not there before */
export async function addPackage(uow: UnitOfWork, name: string): Promise<boolean> {
  return (await uow.query(ADD_PACKAGE, [name])).length > 0;
}

export async function removePackage(uow: UnitOfWork, name: string): Promise<void> {
  await uow.query(REMOVE_PACKAGE, [name]);
}

/** PostgreSQL types allowed for an export column of a type; text allows all. */
const COLUMN_TYPES: Readonly<Record<Exclude<ExportColumn['type'], 'text'>, readonly string[]>> = {
  number: ['smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision'],
  boolean: ['boolean'],
  date: ['date'],
  timestamp: ['timestamp with time zone', 'timestamp without time zone'],
};

/**
 * Lets the database check a module's SQL for an export column without reading a row.
 * @param role of the module, whose rights it may not exceed; exports run as the user of the service
 * @throws the database's error, or an Error where the type differs from the declared one
 */
export async function checkColumn(
  db: Database,
  role: StatementRole | undefined,
  sql: string,
  type: ExportColumn['type'],
): Promise<void> {
  const [found] = await db.queryAs<{ type: string }>(role, {
    name: undefined,
    text: `select pg_typeof((select (${sql}) from ${exportedCard('null::uuid')} limit 0))::text as type`,
  });
  if (type !== 'text' && !COLUMN_TYPES[type].includes(found!.type))
    throw new Error(`its SQL gives ${found!.type}, which is no ${type}`);
}

/**
 * Locks a name until the transaction ends; modules have separate names.
 * @param waitMs longest wait; then the statement fails with `lock_not_available`
 */
export async function lockName(
  uow: Pick<Database, 'query'>,
  module: string,
  name: string,
  waitMs: number,
): Promise<void> {
  await uow.query(LOCK_NAME, [module, name, `${waitMs}ms`]);
}
