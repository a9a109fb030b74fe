import type { UserRef } from '@lintel/sdk';
import type { Knex } from 'knex';
import { Bindings, type Page } from '../../foundation/db/list-query.js';
import { contains, readPage } from '../../foundation/db/list.js';
import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { nameKey } from '../../foundation/text.js';
import type { User } from './model.js';
import type { DirectoryQuery, UserQuery } from './schemas.js';

const SPEC = {
  table: 'users u',
  id: 'u.id',
  sorts: {
    display_name: { sql: 'lower(u.display_name)', type: 'text' },
    email: { sql: 'u.email_key', type: 'text' },
    created_at: { sql: 'u.created_at', type: 'timestamptz' },
    last_login_at: { sql: 'u.last_login_at', type: 'timestamptz', nullable: true },
  },
  defaultSort: 'display_name',
} as const;
const COLUMNS =
  'u.id, u.email, u.display_name, u.role, u.kind, u.is_active, u.auth_provider, u.locale, u.last_login_at, u.created_at, u.updated_at, u.version';
const NOW = "greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp()))";

// Locked in the order of ids: concurrent changes wait for each other without a deadlock, and the count of
// administrators stays correct.
const LOCK_ADMINS = {
  name: 'users-lock-admins',
  text: `select id from users where role = 'admin' and is_active order by id for update`,
};
const END_SESSIONS = {
  name: 'users-end-sessions',
  text: `update sessions set ended_at = clock_timestamp() where user_id = any($1::uuid[]) and ended_at is null and expires_at > clock_timestamp() returning id, user_id`,
};
const END_TOKENS = {
  name: 'users-end-tokens',
  text: `update api_tokens set ended_at = clock_timestamp() where user_id = any($1::uuid[]) and ended_at is null and expires_at > clock_timestamp() returning id, name, user_id`,
};
const SET_ROLES = {
  name: 'users-set-roles',
  text: `update users u set role = v.role, version = version + 1, updated_at = ${NOW}
    from unnest($1::uuid[], $2::text[]) as v(id, role) where u.id = v.id`,
};

const FIND = { name: 'user', text: 'select * from users where id = $1' };
const REFS = { name: 'users-refs', text: 'select id, display_name, is_active from users where id = any($1::uuid[])' };
const RECEIVERS = {
  name: 'users-receivers',
  text: 'select id, display_name, email, role from users where is_active and id = any($1::uuid[])',
};
const SERVICE_ACCOUNTS = {
  name: 'users-service-accounts',
  text: `select u.id, u.role from users u where u.id = any($1::uuid[]) and u.kind = 'service' and u.is_active`,
};
const OF_ROLES = {
  name: 'users-of-roles',
  text: 'select id, display_name, is_active from users where is_active and role = any($1::text[]) order by lower(display_name), id',
};

export type UserRow = Pick<
  User,
  | 'id'
  | 'email'
  | 'display_name'
  | 'role'
  | 'kind'
  | 'is_active'
  | 'auth_provider'
  | 'locale'
  | 'last_login_at'
  | 'created_at'
  | 'updated_at'
  | 'version'
>;
export type NewUser = Pick<
  User,
  'id' | 'email' | 'email_key' | 'display_name' | 'role' | 'kind' | 'locale' | 'password_hash'
> &
  Partial<Pick<User, 'auth_provider'>>;
export type UserChanges = Partial<
  Pick<
    User,
    | 'email'
    | 'email_key'
    | 'display_name'
    | 'role'
    | 'is_active'
    | 'locale'
    | 'preferences'
    | 'password_hash'
    | 'auth_provider'
  >
>;

/** Objection and knex take longer to load than most of the service, and few requests need them. */
const model = async () => (await import('./model.js')).User;

export async function insertUser(knex: Knex, user: NewUser): Promise<void> {
  const now = knex.raw("date_trunc('milliseconds', clock_timestamp())");
  await (await model()).query(knex).insert({ ...user, created_at: now, updated_at: now } as object);
}

export async function findUser(db: Pick<Database, 'query'>, id: string): Promise<User | undefined> {
  return (await db.query<User & Record<string, unknown>>(FIND, [id]))[0];
}

export async function lockUser(knex: Knex, id: string): Promise<User | undefined> {
  return await (await model()).query(knex).findById(id).forUpdate();
}

/** @returns the new version */
export async function changeUser(knex: Knex, id: string, changes: UserChanges): Promise<number> {
  const [row] = await (await model())
    .query(knex)
    .patch({ ...changes, version: knex.raw('version + 1'), updated_at: knex.raw(NOW) } as object)
    .where({ id })
    .returning('version');
  return (row as unknown as User).version;
}

export async function deleteUser(knex: Knex, id: string): Promise<void> {
  await (await model()).query(knex).deleteById(id);
}

/** Ids of the active administrators, locked until the transaction ends. */
export async function lockAdmins(uow: UnitOfWork): Promise<string[]> {
  return (await uow.query<{ id: string }>(LOCK_ADMINS)).map(({ id }) => id);
}

/** Ends all sessions of users. @returns those that were active */
export async function endSessionsOf(
  uow: UnitOfWork,
  userIds: readonly string[],
): Promise<{ id: string; user_id: string }[]> {
  return await uow.query<{ id: string; user_id: string }>(END_SESSIONS, [userIds]);
}

/** Ends all API tokens of users. @returns those that were active */
export async function endTokensOf(
  uow: UnitOfWork,
  userIds: readonly string[],
): Promise<{ id: string; name: string; user_id: string }[]> {
  return await uow.query<{ id: string; name: string; user_id: string }>(END_TOKENS, [userIds]);
}

/** Gives users roles. @param roles the role of the user at the same place of `ids` */
export async function setRoles(uow: UnitOfWork, ids: readonly string[], roles: readonly string[]): Promise<void> {
  await uow.query(SET_ROLES, [ids, roles]);
}

/** The public data of users; unknown ids are omitted. */
export async function readUserRefs(db: Database, ids: readonly string[]): Promise<UserRef[]> {
  return await db.query<UserRef & Record<string, unknown>>(REFS, [ids]);
}

/** The active users among these, with the columns that determine what they may see. */
export async function readReceivers(
  db: Pick<UnitOfWork, 'query'>,
  ids: readonly string[],
): Promise<Pick<User, 'id' | 'display_name' | 'email' | 'role'>[]> {
  return await db.query<Pick<User, 'id' | 'display_name' | 'email' | 'role'> & Record<string, unknown>>(RECEIVERS, [
    ids,
  ]);
}

/** The active service accounts among these. */
export async function readServiceAccounts(
  uow: Pick<UnitOfWork, 'query'>,
  ids: readonly string[],
): Promise<Pick<User, 'id' | 'role'>[]> {
  return await uow.query<Pick<User, 'id' | 'role'> & Record<string, unknown>>(SERVICE_ACCOUNTS, [ids]);
}

/** The active users with any of the roles, by name. */
export async function readUsersOfRoles(db: Database, roles: readonly string[]): Promise<UserRef[]> {
  return await db.query<UserRef & Record<string, unknown>>(OF_ROLES, [roles]);
}

export async function listUsers(db: Database, query: UserQuery): Promise<Page<UserRow>> {
  const bindings = new Bindings();
  const where: string[] = [];
  if (query.role !== undefined) where.push(`u.role = any(${bindings.add(query.role.split(','))})`);
  if (query.kind !== undefined) where.push(`u.kind = ${bindings.add(query.kind)}`);
  if (query.is_active !== undefined) where.push(`u.is_active = ${bindings.add(query.is_active)}`);
  if (query.search !== undefined) {
    const text = query.search.trim();
    where.push(
      `(${contains('u.display_name', bindings.add(text))} or strpos(u.email_key, ${bindings.add(nameKey(text))}) > 0)`,
    );
  }
  const scope = JSON.stringify([query.role, query.kind, query.is_active, query.search]);
  return await readPage<UserRow & Record<string, unknown>>(db, {
    spec: SPEC,
    params: query,
    where,
    bindings,
    scope,
    columns: COLUMNS,
  });
}

export async function listDirectory(
  db: Database,
  query: DirectoryQuery,
): Promise<Page<Pick<User, 'id' | 'display_name'>>> {
  const bindings = new Bindings();
  const where = ['u.is_active'];
  if (query.search !== undefined) where.push(contains('u.display_name', bindings.add(query.search.trim())));
  const scope = JSON.stringify(['directory', query.search]);
  return await readPage<{ id: string; display_name: string }>(db, {
    spec: SPEC,
    params: query,
    where,
    bindings,
    scope,
    columns: 'u.id, u.display_name',
  });
}
