import pg from 'pg';
import type { Database } from './database.js';
import type { UnitOfWork } from './unit-of-work.js';

/** What a role may use of the schema `public`. */
export interface RoleRights {
  /** Its tables, views and sequences: those whose names begin with this. */
  prefix: string;
  /** Not its own, although their names begin with the prefix: with one of these names, or beginning with one of these. */
  without: { names: readonly string[]; prefixes: readonly string[] };
  /** Columns of other tables that it may read. */
  readable: Readonly<Record<string, readonly string[]>>;
}

/** Thrown where the database's user may not make or set a role; the message is the reason. */
export class RoleRefused extends Error {}

/** One transaction at a time changes roles: concurrent grants on the same table fail. */
export const ROLES_LOCK = 7_315_024;
const LOCK = { name: 'role-lock', text: 'select pg_advisory_xact_lock($1)' };
const NAME = {
  name: 'role-name',
  text: `select 'lintel_' || oid || '_' || $1 as name from pg_database where datname = current_database()`,
};
const MAY_CREATE = {
  name: 'role-may-create',
  text: 'select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user',
};
const MAY_GRANT = {
  name: 'role-may-grant',
  text: `select has_schema_privilege('public', 'create with grant option') as may`,
};
/**
 * Whether the role exists, whether the current user may set it (the right to do so is separate from membership since PostgreSQL
 * 16), and the missing grants. PostgreSQL's functions return null for a role that does not exist: all grants are then missing.
 */
const STATE = {
  name: 'role-state',
  text: `with role as (select (select oid from pg_roles where rolname = $1) as oid)
    select role.oid is not null as "exists",
      coalesce(pg_has_role(current_user, role.oid, case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end), false) as settable,
      array(select format('grant %s on %s to %I', m.rights, m.object, $1) from (
        select 'usage' as rights, 'schema public' as object where has_schema_privilege(role.oid, 'public', 'usage') is not true
        union all
        select case c.relkind when 'S' then 'usage, select, update' else 'select, insert, update, delete, truncate' end,
            format(case c.relkind when 'S' then 'sequence %s' else 'table %s' end, c.oid::regclass)
          from pg_class c
          where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and starts_with(c.relname, $2)
            and c.relname <> all($3::text[]) and not exists (select from unnest($4::text[]) other where starts_with(c.relname, other))
            and case c.relkind when 'S' then has_sequence_privilege(role.oid, c.oid, 'usage') and has_sequence_privilege(role.oid, c.oid, 'select') and has_sequence_privilege(role.oid, c.oid, 'update')
              else has_table_privilege(role.oid, c.oid, 'select') and has_table_privilege(role.oid, c.oid, 'insert') and has_table_privilege(role.oid, c.oid, 'update')
                and has_table_privilege(role.oid, c.oid, 'delete') and has_table_privilege(role.oid, c.oid, 'truncate') end is not true
        union all
        select format('select (%s)', string_agg(quote_ident(r.name), ', ')), format('table %I', r.of)
          from jsonb_to_recordset($5::jsonb) as r("of" text, name text)
          where has_column_privilege(role.oid, r.of, r.name, 'select') is not true
          group by r.of
      ) m) as missing
    from role`,
};

interface State {
  exists: boolean;
  /** Whether the current user may set the role. */
  settable: boolean;
  missing: string[];
}

const grantable = (readable: RoleRights['readable']): { of: string; name: string }[] =>
  Object.entries(readable).flatMap(([of, names]) => names.map((name) => ({ of, name })));

const valuesOf = (name: string, { prefix, without, readable }: RoleRights): unknown[] => [
  name,
  prefix,
  without.names,
  without.prefixes,
  JSON.stringify(grantable(readable)),
];

/** A missing right, and what a managed service does not support. */
export const REFUSED: readonly string[] = ['42501', '0A000'];

/** The name of a role in this database: roles belong to the whole server. @param suffix at most 45 characters */
export async function roleName(db: Pick<Database, 'query'>, suffix: string): Promise<string> {
  return (await db.query<{ name: string }>(NAME, [suffix]))[0]!.name;
}

/** Whether the database's user may make roles. */
export async function mayCreateRoles(db: Database): Promise<boolean> {
  return (await db.query<{ may: boolean }>(MAY_CREATE))[0]!.may;
}

/** Whether the database's user may let a role create objects in the schema `public`. */
export async function mayGrantSchema(db: Database): Promise<boolean> {
  return (await db.query<{ may: boolean }>(MAY_GRANT))[0]!.may;
}

/** Whether the role has exactly what it needs, so that nothing is to be changed. */
export async function isRoleReady(db: Database, name: string, rights: RoleRights): Promise<boolean> {
  const [state] = await db.query<State & Record<string, unknown>>(STATE, valuesOf(name, rights));
  return state!.settable && state!.missing.length === 0;
}

/**
 * Makes a role, allows the current user to set it, and grants what is missing.
 * @throws RoleRefused if the database's user may not do that; the transaction must be rolled back
 */
export async function makeRole(uow: UnitOfWork, name: string, rights: RoleRights): Promise<void> {
  const run = async (text: string): Promise<unknown> => await uow.query({ name: undefined, text });
  const read = async (): Promise<State> =>
    (await uow.query<State & Record<string, unknown>>(STATE, valuesOf(name, rights)))[0]!;
  const role = pg.escapeIdentifier(name);
  await uow.query(LOCK, [ROLES_LOCK]);
  try {
    const state = await read();
    if (!state.exists) await run(`create role ${role} nologin`);
    // A user who is no superuser administers the roles that it creates, and may not set them. A superuser may set all.
    if (!(await read()).settable) await run(`grant ${role} to current_user`);
    for (const grant of state.missing) await run(grant);
  } catch (error) {
    if (!REFUSED.includes((error as { code?: string }).code ?? '')) throw error;
    throw new RoleRefused((error as Error).message, { cause: error });
  }
  const { settable, missing } = await read();
  // PostgreSQL warns, and does not fail, where a user may not pass on a right.
  if (!settable || missing.length > 0)
    throw new RoleRefused(missing[0] ? `its user may not ${missing[0]}` : 'its user may not set it');
}

const DEPENDS_OR_DENIED = ['2BP01', '42501'];

/**
 * Drops a role and its rights, if it exists.
 * @returns the reason why it could not be dropped, such as rights in a copy of the database; undefined where it is gone
 */
export async function dropRole(
  uow: UnitOfWork,
  name: string,
  readable: RoleRights['readable'],
): Promise<string | undefined> {
  await uow.query(LOCK, [ROLES_LOCK]);
  const [found] = await uow.query({ name: 'role-exists', text: 'select from pg_roles where rolname = $1' }, [name]);
  if (!found) return undefined;
  const role = pg.escapeIdentifier(name);
  const run = async (text: string): Promise<unknown> => await uow.query({ name: undefined, text });
  try {
    return await uow.savepoint(async () => {
      // Revoked by name first: otherwise `drop owned` also replaces the empty list of rights of the table by the default one.
      for (const [table, columns] of Object.entries(readable))
        await run(
          `revoke select (${columns.map((c) => pg.escapeIdentifier(c)).join(', ')}) on ${pg.escapeIdentifier(table)} from ${role}`,
        );
      await run(`drop owned by ${role}`);
      await run(`drop role ${role}`);
      return undefined;
    });
  } catch (error) {
    if (!DEPENDS_OR_DENIED.includes((error as { code?: string }).code ?? '')) throw error;
    return (error as Error).message;
  }
}
