import type { Knex } from 'knex';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { nativeError } from './native-error.js';
import { REFUSED, ROLES_LOCK, RoleRefused, type RoleRights } from './role-rights.js';

/** What the migrations of a module may use. */
export interface MigrationRights extends RoleRights {
  /** Columns of other tables to which foreign keys may refer. */
  referable: Readonly<Record<string, readonly string[]>>;
}

/** Migrations run one at a time in a database; the names of the roles of modules continue with a number after `lintel_`. */
const NAME = `select 'lintel_migrations_' || oid as name from pg_database where datname = current_database()`;

/**
 * What changes the owner of the objects of a module. Indexes, sequences of columns, and types of rows and arrays follow their table.
 */
const TRANSFERS = `select format('alter %s %s owner to %I', kind, object, cast(? as text)) as text from (
    select case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' when 'S' then 'sequence' when 'c' then 'type' else 'table' end as kind,
        oid::regclass::text as object, relname::text as name
      from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S', 'c')
        and not (relkind = 'S' and exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i')))
    union all
    select 'type', oid::regtype::text, typname from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
    union all
    select 'routine', oid::regprocedure::text, proname from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select 'collation', oid::regcollation::text, collname from pg_collation where collnamespace = 'public'::regnamespace
    union all
    select 'text search configuration', oid::regconfig::text, cfgname from pg_ts_config where cfgnamespace = 'public'::regnamespace
    union all
    select 'text search dictionary', oid::regdictionary::text, dictname from pg_ts_dict where dictnamespace = 'public'::regnamespace
    union all
    select 'statistics', format('%I.%I', stxnamespace::regnamespace, stxname), relname from pg_statistic_ext join pg_class c on c.oid = stxrelid
      where relnamespace = 'public'::regnamespace
  ) o where starts_with(name, cast(? as text)) and name <> all(cast(? as text[]))
    and not exists (select from unnest(cast(? as text[])) other where starts_with(name, other))
  order by object`;

/**
 * Milliseconds to wait for the lock of an object: less than PostgreSQL waits before it looks for deadlocks, so that the migration, which
 * can release its locks and begin again, gives way to requests.
 */
const LOCK_MS = 500;
const ATTEMPTS = 20;
const PAUSE_MS = 250;
const IN_USE = ['55P03', '40P01'];

const quoted = (name: string): string => pg.escapeIdentifier(name);
const codeOf = (error: unknown): string => nativeError(error).code ?? '';

/** A role that exists, and owns the objects of a module, within the transaction of one migration. */
export class MigrationRole {
  private constructor(
    private readonly knex: Knex,
    private readonly role: string,
    private readonly rights: MigrationRights,
  ) {}

  /**
   * Lets the transaction run as a role that owns the objects of the module, may create others, and has no right to other tables besides those given.
   * The objects are locked until the transaction ends.
   * @returns undefined where the user of the service may not do that: nothing is changed
   * @throws if the objects remain in use by other transactions
   */
  static async begin(knex: Knex, rights: MigrationRights): Promise<MigrationRole | undefined> {
    const { rows } = (await knex.raw(NAME)) as { rows: { name: string }[] };
    const role = new MigrationRole(knex, rows[0]!.name, rights);
    await knex.raw('select pg_advisory_xact_lock(?)', [ROLES_LOCK]);
    try {
      await role.savepoint(() => role.make());
    } catch (error) {
      if (error instanceof RoleRefused || REFUSED.includes(codeOf(error))) return undefined;
      throw error;
    }
    await role.transfer();
    await knex.raw(`set local role ${quoted(role.role)}`);
    return role;
  }

  /** Returns all that the role owns to the user of the service, and drops it. Deferred constraints are checked before. */
  async end(): Promise<void> {
    // A table cannot change its owner while checks of its rows are pending.
    await this.knex.raw('set constraints all immediate');
    await this.knex.raw('reset role');
    await this.drop();
  }

  private async make(): Promise<void> {
    const { knex, role } = this;
    const name = quoted(role);
    // A migration that committed the transaction by itself left it behind.
    const { rows: left } = (await knex.raw('select from pg_roles where rolname = ?', [role])) as { rows: unknown[] };
    if (left.length > 0) await this.drop();
    await knex.raw(`create role ${name} nologin`);
    const may = async (): Promise<boolean> => {
      const { rows } = (await knex.raw(
        `select pg_has_role(current_user, cast(? as text), 'usage') and pg_has_role(current_user, cast(? as text), case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end) as may`,
        [role, role],
      )) as { rows: { may: boolean }[] };
      return rows[0]!.may;
    };
    if (!(await may())) await knex.raw(`grant ${name} to current_user`);
    if (!(await may())) throw new RoleRefused('its user does not inherit the rights of roles');
    await knex.raw(`grant usage, create on schema public to ${name}`);
    for (const [right, columns] of this.columns()) await knex.raw(`grant ${right} ${columns} to ${name}`);
    const { rows } = (await knex.raw(`select has_schema_privilege(cast(? as text), 'public', 'create') as may`, [
      role,
    ])) as { rows: { may: boolean }[] };
    // PostgreSQL warns, and does not fail, where a user may not pass on a right.
    if (!rows[0]!.may) throw new RoleRefused('its user may not grant create on schema public');
  }

  private async transfer(): Promise<void> {
    const { knex, role, rights } = this;
    const list = (all: readonly string[]): string => `{${all.map((one) => JSON.stringify(one)).join(',')}}`;
    const { rows: setting } = (await knex.raw(`select current_setting('lock_timeout') as before`)) as {
      rows: { before: string }[];
    };
    for (let attempt = 1; ; attempt++) {
      try {
        await this.savepoint(async () => {
          await knex.raw(`set local lock_timeout = ${LOCK_MS}`);
          const { rows } = (await knex.raw(TRANSFERS, [
            role,
            rights.prefix,
            list(rights.without.names),
            list(rights.without.prefixes),
          ])) as { rows: { text: string }[] };
          // Knex would replace a question mark within a name by the number of a value.
          for (const { text } of rows) await knex.raw(text.replaceAll('?', '\\?'));
          await knex.raw(`select set_config('lock_timeout', ?, true)`, [setting[0]!.before]);
        });
        return;
      } catch (error) {
        if (!IN_USE.includes(codeOf(error)) || attempt >= ATTEMPTS) throw error;
        await delay(PAUSE_MS);
      }
    }
  }

  private async drop(): Promise<void> {
    const name = quoted(this.role);
    // Revoked by name first: otherwise `drop owned` also replaces the empty list of rights of a column by the default one.
    for (const [right, columns] of this.columns()) await this.knex.raw(`revoke ${right} ${columns} from ${name}`);
    await this.knex.raw(`reassign owned by ${name} to current_user`);
    await this.knex.raw(`drop owned by ${name}`);
    await this.knex.raw(`drop role ${name}`);
  }

  /** The columns of other tables, as grants name them: rights on columns leave the list of rights of the table as it was. */
  private columns(): [right: string, columns: string][] {
    const { readable, referable } = this.rights;
    const of = (right: string, tables: typeof readable): [string, string][] =>
      Object.entries(tables).map(([table, columns]) => [
        `${right} (${columns.map(quoted).join(', ')})`,
        // A temporary table of the migration may have the same name.
        `on public.${quoted(table)}`,
      ]);
    return [...of('select', readable), ...of('references', referable)];
  }

  private async savepoint(work: () => Promise<void>): Promise<void> {
    await this.knex.raw('savepoint migration_role');
    try {
      await work();
    } catch (error) {
      await this.knex.raw('rollback to savepoint migration_role; release savepoint migration_role');
      throw error;
    }
    await this.knex.raw('release savepoint migration_role');
  }
}
