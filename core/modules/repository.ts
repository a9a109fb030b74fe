import type { CardRef, UnitOfWork } from '@lintel/sdk';
import type { Database } from '../db/database.js';

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
const CARDS = { name: 'modules-cards', text: 'select id, type, name, status from cards where id = any($1::uuid[])' };

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

/** What modules may know of cards; ids that are no card are left out. */
export async function readCardRefs(db: Database, ids: readonly string[]): Promise<CardRef[]> {
  return await db.query<CardRef & Record<string, unknown>>(CARDS, [ids]);
}
