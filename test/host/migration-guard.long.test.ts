/** Migrations of modules that are not part of Lintel use and change only what belongs to them: all else is refused, and nothing of it stays. */
import type { Knex } from 'knex';
import pg from 'pg';
import t from 'tap';
import { boundKnex } from '../../core/foundation/db/bound-knex.js';
import { migrate, type History, type Migration } from '../../core/foundation/db/migrate.js';
import { guarded } from '../../core/foundation/db/migration-guard.js';
import { READABLE, rightsOf } from '../../core/modules/install/rights.js';
import { registerAdmin, sql, testApp, until } from '../support/app.js';
import { removeModule } from '../support/http.js';
import { moduleFolder, writeModule } from '../support/module-folder.js';
import { catalogueOf, schemaOf } from '../support/schema-state.js';

const folder = await moduleFolder(t);
const PACKAGES = ['@acme/lintel-leases', '@acme/lintel-leases-more'];

async function write(
  id: string,
  version: string,
  migrations: Record<string, [up: string, down: string]>,
): Promise<void> {
  const raw = (text: string) => `(knex) => knex.raw(${JSON.stringify(text)})`;
  const all = Object.entries(migrations).map(
    ([name, [up, down]]) => `'${name}': { up: ${raw(up)}, down: ${raw(down)} }`,
  );
  await writeModule(
    folder,
    `
import { defineModule } from '@lintel/sdk';
export default defineModule({
  id: '${id}', version: '${version}', title: '${id}', description: 'Leases of applications.', host: '^0.1.0', permissions: [],
  migrations: { ${all.join(', ')} },
  services: () => ({}), routes: async () => {}, enabledByDefault: false,
});`,
    { package: `@acme/lintel-${id.replaceAll('_', '-')}`, version },
  );
}
/** The rows of catalogues that are not in both. */
const differing = (a: Record<string, string[]>, b: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(
    Object.keys(a).flatMap((name) => {
      const [before, after] = [new Set(a[name]), new Set(b[name])];
      const rows = [
        ...(a[name] ?? []).filter((row) => !after.has(row)),
        ...(b[name] ?? []).filter((row) => !before.has(row)),
      ];
      return rows.length > 0 ? [[name, rows]] : [];
    }),
  );
const MORE: [string, string] = ['create table leases_more_rows (id int primary key)', 'drop table leases_more_rows'];
await write('leases', '1.0.0', {});
await write('leases_more', '1.0.0', { '0001_first': MORE });

const instance = await testApp({
  config: { pluginsDir: folder, modules: PACKAGES, logLevel: 'silent' },
});
const { origin, database, close } = instance;
t.teardown(close);
const { api } = await registerAdmin(origin);
const PATH = '/settings/modules/leases';
const leases = (migrations: Record<string, Migration>): History => ({
  table: 'leases_migrations',
  migrations,
  release: { name: 'leases', version: '1.0.0' },
});
const owns = (name: string) => name.startsWith('leases_') && !name.startsWith('leases_more_');
const inOrder = (up: string, down = 'select 1') => ({ '0001_first': [up, down] as [string, string] });

const { app } = instance;
const rights = await rightsOf(app.services.db, 'leases');

/**
 * Applies migrations as those of the module.
 * @param way as a role, or as the user of the service, who is compared only
 * @returns why they were refused, or null
 */
async function refusal(
  migrations: Record<string, [string, string]>,
  way: 'role' | 'user' = 'user',
): Promise<string | null> {
  const made = Object.entries(migrations).map(([name, [up, down]]) => {
    const run = (text: string) => async (knex: Knex) => void (await knex.raw(text.replaceAll('?', '\\?')));
    return [name, { up: run(up), down: run(down) }] as const;
  });
  try {
    await migrate(database, leases(guarded(Object.fromEntries(made), owns, way === 'role' ? rights : undefined)));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const OWN: [string, string] = [
  `create type leases_state as enum ('open', 'ended');
    create table leases_rows (id serial primary key, card_id uuid references cards(id) on delete cascade, user_id uuid references users(id), state leases_state, amount int not null default 0 check (amount >= 0), unique (card_id, state));
    create index on leases_rows (amount);
    create view leases_open as select id from leases_rows where state = 'open';
    create function leases_touch() returns trigger language plpgsql as 'begin return new; end';
    create trigger touched before update on leases_rows for each row execute function leases_touch();
    insert into leases_rows (amount) values (1)`,
  'drop view leases_open; drop table leases_rows; drop function leases_touch(); drop type leases_state',
];

await api.patch('/settings/modules/leases_more', { enabled: true });

await t.test('each change of what is not its own is refused with the reason, and rolled back', async (t) => {
  const before = await schemaOf(database);
  const own = 'create table leases_rows (id serial primary key);';
  const cases: [what: string, up: string, reason: RegExp][] = [
    ['a column of users', 'alter table users add column admin boolean', /column admin of users/],
    ['the owner of a table', 'grant select on users to public', /relation users/],
    ['a trigger of the core', 'drop trigger events_no_change on events', /trigger events_no_change of events/],
    ['a trigger switched off', 'alter table users disable trigger all', /trigger .* of /],
    [
      'a trigger of its own on a table of the core',
      `${own} create function leases_f() returns trigger language plpgsql as 'begin return new; end';
      create trigger leases_t before insert on cards for each row execute function leases_f()`,
      /trigger leases_t of cards/,
    ],
    [
      'a constraint of the core',
      'alter table users add constraint leases_c check (true)',
      /constraint leases_c of users/,
    ],
    ['an index of a table of the core', 'create index leases_i on cards (name)', /relation leases_i of cards/],
    ['a rule', 'create rule leases_r as on delete to users do instead nothing', /rule leases_r of users/],
    ['a table with another name', 'create table users_more (id int)', /relation users_more/],
    [
      'a table of the module with the longer id',
      'create table leases_more_of_mine (id int)',
      /relation leases_more_of_mine/,
    ],
    ['a table of another module', 'drop table leases_more_rows', /relation leases_more_rows/],
    [
      'a table of the core renamed to its own name',
      'alter table card_comments rename to leases_card_comments',
      /relation card_comments/,
    ],
    ['its own table renamed', `${own} alter table leases_rows rename to rows_of_leases`, /relation leases_rows/],
    ['a schema', 'create schema leases_s', /schema leases_s/],
    ['a collation', 'create collation sorted from "C"', /collation sorted/],
    ['a search configuration', 'create text search configuration w (copy = simple)', /text search configuration w$/],
    [
      'a function of the core',
      "create or replace function refuse_change() returns trigger language plpgsql as 'begin return null; end'",
      /function/,
    ],
    [
      'a function security definer',
      `create function leases_f() returns text language sql security definer as 'select password_hash from users limit 1'`,
      /makes what runs with the rights of the service .*function leases_f/,
    ],
    ['rows of the core', `update roles set permissions = '["*"]'`, /writes rows of roles/],
    [
      'rows in a savepoint',
      `do $$ begin begin create table other_rows (id int); exception when others then null; end; end $$`,
      /relation other_rows/,
    ],
    ['an heir of a table of the core', 'create table leases_heir () inherits (settings)', /of settings/],
    ['all rows of a table', 'truncate login_addresses', /relation login_addresses/],
    [
      'a view of users',
      'create view leases_v as select * from users',
      /reads with the rights of the service users in view leases_v/,
    ],
    [
      'a view of a view of users',
      'create view leases_v as select 1 as n; create or replace view leases_v as select 1 as n from card_rows where edited_by is not null',
      /card_rows in view leases_v/,
    ],
    [
      'a rule of its own table that reads users',
      `${own} create rule leases_r as on insert to leases_rows do also insert into leases_rows select length(email) from users`,
      /users in rule leases_r of leases_rows/,
    ],
  ];
  for (const [what, up, reason] of cases) {
    t.match(await refusal(inOrder(up)), reason, what);
  }
  t.match(
    await refusal({
      '0001_first': ['create table leases_rows (id int)', 'select 1'],
      '0002_more': ['drop table card_comments cascade', 'select 1'],
    }),
    /0002_more changes what does not belong to it: .* and \d+ more/,
  );
  t.strictSame(await schemaOf(database), before);
});

await t.test('a migration that reads or writes the rows of other tables is refused with their name', async (t) => {
  const before = await catalogueOf(database);
  const own = 'create table leases_rows (id uuid, text text, user_id uuid references users(id));';
  const cases: [what: string, up: string, table: string][] = [
    ['rows of users', `${own} insert into leases_rows select id, email from users`, 'table users'],
    ['a column, beside a foreign key', `${own} insert into leases_rows (user_id) select id from users`, 'table users'],
    ['a copy of secrets', 'create table leases_copy as select * from secrets', 'table secrets'],
    ['a materialized view', 'create materialized view leases_m as select * from users', 'table users'],
    ['another module', 'create table leases_copy as select * from leases_more_rows', 'table leases_more_rows'],
    ['its own history', `delete from leases_migrations`, 'table leases_migrations'],
    [
      'columns of cards that no module reads',
      'create table leases_copy as select description from cards',
      'table cards',
    ],
    ['a count', `do $$ begin perform count(*) from sessions; end $$`, 'table sessions'],
    ['an update', `update roles set permissions = '["*"]'`, 'table roles'],
    [
      'a foreign key to another module',
      'create table leases_key (id int references leases_more_rows(id))',
      'table leases_more_rows',
    ],
    ['a table of the core', 'alter table users add column admin boolean', 'table users'],
    [
      'a trigger of its own on a table of the core',
      `create function leases_f() returns trigger language plpgsql as 'begin return new; end';
      create trigger leases_t before insert on cards for each row execute function leases_f()`,
      'table cards',
    ],
  ];
  for (const [what, up, table] of cases)
    t.match(
      await refusal(inOrder(up), 'role'),
      new RegExp(`^0001_first uses what does not belong to it: .* ${table}$`),
      what,
    );
  t.match(
    await refusal({ '0001_first': [own, 'drop table leases_rows'], '0002_more': ['select * from users', ''] }, 'role'),
    /^0002_more uses what does not belong to it: permission denied for table users$/,
  );
  t.match(
    await refusal(inOrder('create view leases_v as select id, email from users'), 'role'),
    /reads with the rights of the service users in view leases_v/,
  );
  t.equal(
    await refusal(inOrder('create view leases_v as select c.id, c.name from cards c; drop view leases_v'), 'role'),
    null,
  );
  await sql(database, 'drop table leases_migrations');
  t.strictSame(differing(before, await catalogueOf(database)), {}, 'nothing remains, no role and no right');
});

await t.test('a role owns what a migration finds and makes, and the user of the service afterwards', async (t) => {
  const [first, second] = [
    `${OWN[0]}; create sequence leases_numbers; create domain leases_name as text check (value <> '');
      create procedure leases_p() language sql as 'select 1'; create statistics leases_s on card_id, state from leases_rows;
      create materialized view leases_m as select count(*) from leases_rows; create table "leases_""a? $1" (id int);
      create collation leases_order (provider = icu, locale = 'en-u-kn-true'); create text search dictionary leases_words (template = simple);
      create text search configuration leases_search (copy = simple);
      create table leases_later (id int primary key, other int references leases_later(id) deferrable initially deferred); insert into leases_later values (1, 2), (2, 1)`,
    `alter table leases_rows add column note leases_name, add column relation_id uuid references relations(id) on delete cascade; alter sequence leases_numbers restart 5; alter domain leases_name add check (length(value) < 100);
      alter table "leases_""a? $1" add column note text; alter collation leases_order refresh version; alter text search dictionary leases_words (accept = false);
      alter text search configuration leases_search alter mapping for word with leases_words; drop procedure leases_p(); drop statistics leases_s; refresh materialized view leases_m; alter type leases_state add value 'more';
      create or replace function leases_touch() returns trigger language plpgsql as 'begin return null; end'; create index on leases_later (other); delete from leases_later;
      create or replace view leases_open as select id, 1 as one from leases_rows where state = 'open'; insert into leases_rows (user_id, card_id) select null, id from cards limit 1`,
  ];
  const down = `drop materialized view leases_m; drop table leases_later; drop sequence leases_numbers; ${OWN[1]}; drop domain leases_name;
    drop table "leases_""a? $1"; drop collation leases_order; drop text search configuration leases_search; drop text search dictionary leases_words`;
  const owners = async () =>
    await sql(
      database,
      `select relname from pg_class where starts_with(relname, 'leases_') and relowner <> (select relowner from pg_class where oid = 'users'::regclass)
        union all select typname from pg_type where starts_with(typname, 'leases_') and typowner <> (select relowner from pg_class where oid = 'users'::regclass)
        union all select proname from pg_proc where starts_with(proname, 'leases_') and proowner <> (select relowner from pg_class where oid = 'users'::regclass)
        union all select rolname from pg_roles where starts_with(rolname, 'lintel_migrations_')`,
    );
  const before = await catalogueOf(database);
  t.equal(await refusal({ '0001_first': [first!, ''] }, 'role'), null);
  t.strictSame(await owners(), []);
  t.equal(await refusal({ '0001_first': [first!, ''], '0002_more': [second!, ''] }, 'role'), null);
  t.strictSame(await owners(), []);
  const client = new pg.Client(database);
  await client.connect();
  t.teardown(() => client.end());
  const knex = await boundKnex(client);
  const raw = (text: string) => async (k: Knex) => void (await k.raw(text.replaceAll('?', '\\?')));
  const made = guarded({ '0001_first': { up: raw(''), down: raw(down) } }, owns, rights);
  await knex.transaction(async (trx) => made['0001_first']!.down(trx));
  await client.query('drop table leases_migrations');
  t.strictSame(differing(before, await catalogueOf(database)), {});
});

await t.test('a temporary table with the name of one of the core changes no right to it', async (t) => {
  const columns = READABLE['cards']!.join(', ');
  const own = `select relacl, attacl from pg_class c join pg_attribute on attrelid = c.oid where relname = 'cards'`;
  const before = await sql(database, own);
  t.equal(await refusal(inOrder(`create temp table cards as select ${columns} from cards`), 'role'), null);
  t.strictSame(await sql(database, `${own} and relnamespace = 'public'::regnamespace`), before);
  await sql(database, 'drop table leases_migrations');
});

await t.test('a migration waits for requests that use the tables of the module, and gives way to them', async (t) => {
  const two = 'create table leases_a (id int); create table leases_b (id int)';
  t.equal(await refusal(inOrder(two), 'role'), null);
  const request = new pg.Client(database);
  await request.connect();
  t.teardown(() => request.end());
  await request.query('begin; insert into leases_b values (1)');
  const update = refusal({ ...inOrder(two), '0002_more': ['alter table leases_a add column note text', ''] }, 'role');
  const waits = async () =>
    (
      await sql(
        database,
        `select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.application_name = 'lintel-migrate'`,
      )
    ).length > 0;
  await until(waits);
  await request.query('insert into leases_a values (1); commit');
  t.equal(await update, null);
  t.strictSame(await sql(database, 'select a.note, b.id from leases_a a, leases_b b'), [{ note: null, id: 1 }]);
  await sql(database, 'drop table leases_a, leases_b, leases_migrations');
});

await t.test('a migration that ends the transaction is refused', async (t) => {
  for (const way of ['user', 'role'] as const) {
    t.match(
      await refusal(inOrder('commit; create table leases_rows (id int); begin'), way),
      /0001_first ends the transaction/,
    );
    await sql(database, 'drop table if exists leases_rows, leases_migrations');
  }
  // What it committed includes its role, which the next migration drops.
  const roles = async () =>
    (await sql(database, `select from pg_roles where starts_with(rolname, 'lintel_migrations_')`)).length;
  t.equal(await roles(), 1);
  t.equal(await refusal(inOrder('create table leases_rows (id int)'), 'role'), null);
  t.equal(await roles(), 0);
  await sql(database, 'drop table leases_rows, leases_migrations');
});

await t.test('changes that other sessions commit meanwhile do not count', async (t) => {
  const busy = new pg.Client(database);
  await busy.connect();
  t.teardown(() => busy.end());
  await busy.query('create table other_session (id int)');
  const made = guarded(
    {
      '0001_first': {
        up: async (knex) => {
          await knex.raw(OWN[0]);
          // As the platform makes and drops partitions of the log.
          await busy.query(
            'drop table other_session; create table other_later (id int); alter table card_comments set (fillfactor = 90)',
          );
        },
        down: async (knex) => void (await knex.raw(OWN[1])),
      },
    },
    owns,
  );
  await migrate(database, leases(made));
  await busy.query('drop table other_later; alter table card_comments reset (fillfactor)');
  t.equal((await sql(database, 'select from leases_rows')).length, 1);
  const app = await boundKnex(busy);
  await app.transaction(async (trx) => made['0001_first']!.down(trx));
  await busy.query('drop table leases_migrations');
});

await t.test('a module is told the reason, and its removal is refused if it would drop more', async (t) => {
  const reasonOf = async (version: string, migrations: Record<string, [string, string]>) => {
    await write('leases', version, migrations);
    await api.post('/settings/modules/rescan');
    await api.patch(PATH, { enabled: true });
    const { body } = await api.get(PATH);
    return body['reason'] ?? body['update_reason'];
  };
  t.match(
    await reasonOf('1.0.1', inOrder('alter table users add column admin boolean')),
    /its migrations fail: 0001_first uses what does not belong to it: must be owner of table users/,
  );
  t.strictSame(
    await sql(database, `select attname from pg_attribute where attrelid = 'users'::regclass and attname = 'admin'`),
    [],
  );
  t.equal(await reasonOf('1.0.2', { '0001_first': [OWN[0], `${OWN[1]}; drop table card_comments cascade`] }), null);
  await api.patch(PATH, { enabled: false });
  const { status, body } = await removeModule(api, 'leases');
  t.match(
    { status, body },
    {
      status: 409,
      body: {
        code: 'invalid_state',
        detail: /0001_first uses what does not belong to it: must be owner of table card_comments/,
      },
    },
  );
  t.equal((await sql(database, 'select from leases_rows')).length, 1, 'nothing is deleted');
  t.equal(await reasonOf('1.0.3', { '0001_first': OWN }), null);
  await api.patch(PATH, { enabled: false });
  t.equal((await removeModule(api, 'leases')).status, 204);
  t.strictSame(
    await sql(
      database,
      `select relname from pg_class where relname like 'leases\\_%' and relname not like 'leases\\_more%'`,
    ),
    [],
  );
});
