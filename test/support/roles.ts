import { makeUser, sql, until, type Session, type TestApp } from './app.js';

export interface RoleOptions {
  /** The role from which permissions are copied. */
  like: string;
  /** Permissions that are not copied. */
  without?: string[];
  /** Rules per card type: `{Application: {'cards.view': false}}`. */
  types?: Record<string, Record<string, boolean>>;
}

/**
 * Creates a role directly in the database, waits until the node has loaded it, and creates a user with it.
 * @returns the user, logged in
 */
export async function makeRoleUser(
  { app, database }: TestApp,
  admin: Session,
  key: string,
  { like, without = [], types = {} }: RoleOptions,
): Promise<Session> {
  await sql(
    database,
    `insert into roles (key, label, permissions, types) select $1, $1, permissions - $3::text[], $4 from roles where key = $2`,
    [key, like, without, JSON.stringify(types)],
  );
  await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  await until(() => app.services.rbac.permissionsOf(key).list().length > 0);
  return await makeUser(admin, key);
}
