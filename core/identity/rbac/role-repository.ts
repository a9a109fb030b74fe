import type { Knex } from 'knex';
import type { Database } from '../../foundation/db/database.js';
import { Bindings, type Page } from '../../foundation/db/list-query.js';
import { contains, readPage } from '../../foundation/db/list.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Role } from './model.js';
import type { RoleQuery } from './schemas.js';

const SPEC = {
  table: 'roles r',
  id: 'r.key',
  idType: 'text',
  defaultSort: 'label',
  sorts: {
    key: { sql: 'r.key', type: 'text' },
    label: { sql: 'lower(r.label)', type: 'text' },
    created_at: { sql: 'r.created_at', type: 'timestamptz' },
  },
} as const;
const COLUMNS =
  'r.key, r.label, r.description, r.color, r.permissions, r.types, r.is_system, r.is_default, r.is_archived, r.created_at, r.updated_at, r.version';
const NOW = "greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp()))";

const FIND = { name: 'role', text: 'select * from roles where key = $1' };
const COUNT_USERS = { name: 'role-users', text: 'select count(*)::int as n from users where role = $1' };

export type RoleRow = Pick<
  Role,
  | 'key'
  | 'label'
  | 'description'
  | 'color'
  | 'permissions'
  | 'types'
  | 'is_system'
  | 'is_default'
  | 'is_archived'
  | 'created_at'
  | 'updated_at'
  | 'version'
>;
type NewRole = Pick<Role, 'key' | 'label' | 'description' | 'color' | 'permissions' | 'types'>;
export type RoleChanges = Partial<
  Pick<Role, 'label' | 'description' | 'color' | 'permissions' | 'types' | 'is_default' | 'is_archived'>
>;

/** Objection and knex take longer to load than most of the service, and few requests need them. */
const model = async () => (await import('./model.js')).Role;

export async function insertRole(knex: Knex, role: NewRole): Promise<void> {
  const now = knex.raw("date_trunc('milliseconds', clock_timestamp())");
  await (await model()).query(knex).insert({ ...role, created_at: now, updated_at: now } as object);
}

export async function findRole(db: Database, key: string): Promise<Role | undefined> {
  return (await db.query<Role & Record<string, unknown>>(FIND, [key]))[0];
}

/** FOR UPDATE also conflicts with foreign key checks, so that no transaction can assign the role meanwhile. */
export async function lockRole(knex: Knex, key: string): Promise<Role | undefined> {
  return await (await model()).query(knex).findById(key).forUpdate();
}

export async function lockDefaultRole(knex: Knex): Promise<Role | undefined> {
  return await (await model()).query(knex).findOne({ is_default: true }).forUpdate();
}

/** @returns the new version */
export async function changeRole(knex: Knex, key: string, changes: RoleChanges): Promise<number> {
  const [row] = await (await model())
    .query(knex)
    .patch({ ...changes, version: knex.raw('version + 1'), updated_at: knex.raw(NOW) } as object)
    .where({ key })
    .returning('version');
  return (row as unknown as Role).version;
}

/** Number of users with a role, active or not. */
export async function countUsers(uow: UnitOfWork, role: string): Promise<number> {
  return (await uow.query<{ n: number }>(COUNT_USERS, [role]))[0]!.n;
}

export async function listRoles(db: Database, query: RoleQuery): Promise<Page<RoleRow>> {
  const bindings = new Bindings();
  const where: string[] = [];
  if (query.is_archived !== undefined) where.push(`r.is_archived = ${bindings.add(query.is_archived)}`);
  if (query.search !== undefined) {
    const text = bindings.add(query.search.trim());
    where.push(`(${contains('r.label', text)} or strpos(r.key, lower(${text})) > 0)`);
  }
  const scope = JSON.stringify([query.is_archived, query.search]);
  return await readPage<RoleRow & Record<string, unknown>>(db, {
    spec: SPEC,
    params: query,
    where,
    bindings,
    scope,
    columns: COLUMNS,
  });
}
