/** The SQL of modules that are not part of Lintel runs as a database role with rights to its own tables only. */
import type { ModuleServices, UnitOfWork } from '@lintel/sdk';
import { Model } from 'objection';
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { visibleSql } from '../../core/inventory/access/index.js';
import { LOG_OUTPUT } from '../../core/foundation/log-output.js';
import { client, registerAdmin, sql, testApp, until } from '../support/app.js';
import { removeModule } from '../support/http.js';
import { moduleFolder, writeModule } from '../support/module-folder.js';

const folder = await moduleFolder(t);
const PACKAGES = ['@acme/lintel-leases', '@acme/lintel-leases-more', '@acme/lintel-other'];
const table = (name: string, more = '') =>
  `'0001_first': { up: (knex) => knex.raw('create table ${name} (id serial primary key, amount int${more})'), down: (knex) => knex.raw('drop table ${name}') },`;
const ROWS = table(
  'leases_rows',
  ', card_id uuid references cards(id) on delete cascade, user_id uuid references users(id) on delete set null',
);

async function write(id: string, version: string, migrations: string, more = ''): Promise<void> {
  await writeModule(
    folder,
    `
import { Type, defineModule, Strict } from '@lintel/sdk';
export default defineModule({
  id: '${id}', version: '${version}', title: '${id}', description: 'Leases of applications.', host: '^0.1.0',
  permissions: [{ key: '${id}.view', description: 'See leases.', roles: ['member'] }],
  events: [{ kind: '${id}', permission: '${id}.view' }],
  migrations: { ${migrations} },
  ${more}
  services: (host) => host,
  routes: async (app, { host }) => {
    const config = { access: { permission: '${id}.view' } };
    const response = { 200: Type.Object({ rows: Type.Array(Type.Object({}, { additionalProperties: true })) }) };
    const Body = Strict({ text: Type.String({ maxLength: 1000 }) }, { examples: [{ text: 'select 1' }] });
    const statement = (request) => ({ name: '', text: request.body.text });
    app.post('/read', { config, schema: { operationId: 'read_${id}', summary: 'Read', tags: ['${id}'], body: Body, response } },
      async (request) => ({ rows: await host.db.query(statement(request)) }));
    app.post('/write', { config, schema: { operationId: 'write_${id}', summary: 'Write', tags: ['${id}'], body: Body, response } },
      async (request) => ({ rows: await host.transactions.run(request.ctx, (unit) => unit.query(statement(request))) }));
    app.post('/knex', { config, schema: { operationId: 'knex_${id}', summary: 'Knex', tags: ['${id}'], body: Body, response } },
      async (request) => ({ rows: (await host.db.knex.raw(request.body.text)).rows }));
  },
  openapi: { tags: [{ name: '${id}', description: 'Leases.' }] },
  enabledByDefault: true,
});`,
    { package: `@acme/lintel-${id.replaceAll('_', '-')}`, version },
  );
}
await write('leases', '1.0.0', ROWS);
await write('leases_more', '1.0.0', table('leases_more_rows'));
await write('other', '1.0.0', table('other_rows'));

const config = { pluginsDir: folder, modules: PACKAGES, logLevel: 'warn' as const };
const lines: string[] = [];
const { write: print } = LOG_OUTPUT;
LOG_OUTPUT.write = (line) => void lines.push(line);
t.teardown(() => {
  LOG_OUTPUT.write = print;
});
const a = await testApp({ config });
const b = await testApp({ config, database: a.database });
t.teardown(() => Promise.all([a.close(), b.close()]));
const { database, app } = a;
const { api, token } = await registerAdmin(a.origin);

const moduleOf = (id: string, of = app) => of.services.modules.get(id)!;
const hostOf = (id: string): ModuleServices => moduleOf(id).host;
const host = hostOf('leases');
const ctx = systemContext('test');
const ROLE = `lintel_${(await sql<{ oid: string }>(database, 'select oid::text from pg_database where datname = current_database()'))[0]!.oid}_leases`;
const [USER] = await sql<{ name: string }>(database, 'select current_user as name');
const WHO = { name: '', text: 'select current_user::text as name' };
const text = (sqlText: string) => ({ name: '', text: sqlText });
const roles = async () =>
  (
    await sql<{ name: string }>(
      database,
      `select rolname::text as name from pg_roles where starts_with(rolname, $1) order by length(rolname)`,
      [ROLE],
    )
  ).map(({ name }) => name);
/** The users of all connections of the pool, outside of transactions. */
const usersOfPool = async (): Promise<string[]> => {
  const { pool } = app.services.db;
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  try {
    const names = await Promise.all(
      clients.map(async (one) => (await one.query<{ name: string }>(WHO.text)).rows[0]!.name),
    );
    return [...new Set(names)];
  } finally {
    for (const one of clients) one.release();
  }
};
const insert = (amount: number) => text(`insert into leases_rows (amount) values (${amount})`);
const amounts = async () =>
  (await sql<{ amount: number }>(database, 'select amount from leases_rows order by amount')).map(
    ({ amount }) => amount,
  );
const names = (rows: Record<string, unknown>[]) => rows.map(({ name }) => name);

/** Objection wraps the error of PostgreSQL, and its types do not tell. */
const DENIED = { nativeError: { code: '42501' } } as unknown as Error;

/** What a module must not read or write, and the object that PostgreSQL names. */
const FOREIGN: Readonly<Record<string, string>> = {
  'select * from users': 'table users',
  'select id from users': 'table users',
  'select * from secrets': 'table secrets',
  'select * from sessions': 'table sessions',
  'select * from events': 'table events',
  'select * from cards': 'table cards',
  'select description from cards': 'table cards',
  'select * from card_contents': 'table card_contents',
  'select * from card_rows': 'view card_rows',
  'select edited_by from card_rows': 'view card_rows',
  'select description from card_rows': 'view card_rows',
  'select * from relations': 'table relations',
  'select description from relations': 'table relations',
  'select * from card_stakeholders': 'table card_stakeholders',
  'select * from card_todos': 'table card_todos',
  "update relations set attributes = '{}'": 'table relations',
  'delete from card_tags': 'table card_tags',
  'select * from other_rows': 'table other_rows',
  'select * from leases_more_rows': 'table leases_more_rows',
  'select * from leases_migrations': 'table leases_migrations',
  "update cards set name = 'x'": 'table cards',
  'delete from other_rows': 'table other_rows',
  'alter table leases_rows add column n int': 'must be owner of table leases_rows',
  'create table leases_own (id int)': 'schema public',
};

await t.test('a module can use its own tables and sequences, as a role', async (t) => {
  t.match((await api.get('/settings/modules/leases')).body, {
    state: 'enabled',
    reason: null,
    database_role: { state: 'own', reason: null },
  });
  t.match((await api.get('/settings/modules/risks')).body, {
    database_role: { state: 'shared', reason: 'It is part of Lintel.' },
  });
  for (const way of ['read', 'write', 'knex'])
    t.match(
      await api.post(`/ext/leases/${way}`, { text: WHO.text }),
      { status: 200, body: { rows: [{ name: ROLE }] } },
      way,
    );
  await host.transactions.run(ctx, async (unit) => {
    await unit.query(insert(1));
    await unit.query(text('update leases_rows set amount = amount + 1'));
  });
  t.strictSame(await amounts(), [2]);
  await host.transactions.run(ctx, (unit) => unit.query(text('delete from leases_rows')));
  await host.transactions.run(ctx, (unit) => unit.query(text('truncate leases_rows')));
  t.strictSame(await usersOfPool(), [USER!.name]);
});

await t.test(
  'SQL on anything else fails with a 500 that is traced to the module, and the service goes on',
  async (t) => {
    for (const [statement, object] of Object.entries(FOREIGN))
      for (const way of ['read', 'write', 'knex']) {
        lines.length = 0;
        t.match(
          await api.post(`/ext/leases/${way}`, { text: statement }),
          { status: 500, body: { code: 'internal_error' } },
          `${way}: ${statement}`,
        );
        const line = lines.find((one) => one.includes('the database role of the module lacks a right')) ?? '{}';
        t.match(JSON.parse(line), { module: 'leases', role: ROLE }, statement);
        t.ok(line.includes(object), `${object}: ${line}`);
      }
    t.match(await api.post('/ext/leases/read', { text: WHO.text }), { status: 200, body: { rows: [{ name: ROLE }] } });
    t.match(await api.post('/ext/other/read', { text: 'select count(*)::int as n from other_rows' }), { status: 200 });
    t.equal((await api.post('/cards', { type: 'Application', name: 'Still' })).status, 201);
    t.strictSame(await usersOfPool(), [USER!.name]);
  },
);

await t.test('names of cards can be joined, and are filtered by what the caller may see', async (t) => {
  const cards: string[] = [];
  for (const type of ['Application', 'Provider'])
    cards.push((await api.post('/cards', { type, name: `A ${type}` })).body['id'] as string);
  await host.transactions.run(ctx, async (unit) => {
    for (const id of cards)
      await unit.query({ name: '', text: 'insert into leases_rows (amount, card_id) values (10, $1)' }, [id]);
  });
  const seen: unknown[] = [];
  for (const hidden of [[], ['Provider']]) {
    const bindings = host.db.bindings();
    const condition = visibleSql(hidden, 'l.card_id', (value) => bindings.add(value));
    const page = await host.db.readPage<{ name: string; status: string }>({
      spec: {
        table: 'leases_rows l',
        id: 'l.id',
        idType: 'integer',
        sorts: { id: { sql: 'l.id', type: 'integer' } },
        defaultSort: 'id',
      },
      params: {},
      where: [condition],
      bindings,
      scope: `test ${hidden.length}`,
      columns: 'c.name, c.status, c.type',
      joins: 'left join cards c on c.id = l.card_id',
    });
    seen.push([page.total, names(page.items)]);
  }
  t.strictSame(seen, [
    [2, ['A Application', 'A Provider']],
    [1, ['A Application']],
  ]);
  await sql(database, 'delete from leases_rows');
});

await t.test('the platform writes in the same transaction as its own user', async (t) => {
  const id = await host.transactions.run(ctx, async (unit) => {
    await unit.query(insert(5));
    await host.secrets.set('token', 'value', unit);
    const job = await host.jobs.enqueue(unit, 'leases.none', {});
    unit.emit({ type: 'leases.added', subject: { kind: 'leases', id: 'one' }, data: {} });
    t.strictSame(names(await unit.query(WHO)), [ROLE]);
    return job;
  });
  t.ok(id);
  t.equal(await host.secrets.get('token'), 'value');
  t.match(await sql(database, `select type from jobs where type = 'leases.none'`), [{ type: 'leases.none' }]);
  t.equal((await api.get('/events?type=leases.added')).body.total, 1);
  await sql(database, 'delete from leases_rows');
});

await t.test('a failed statement and the end of a savepoint restore the role that was set before', async (t) => {
  await host.transactions.run(ctx, async (unit) => {
    await unit.query(insert(1));
    for (const failing of [
      'select * from users',
      'select 1 / 0',
      'insert into leases_rows (id) select id from leases_rows',
    ]) {
      const inner = unit.savepoint(async () => {
        await unit.query(insert(2));
        await unit.savepoint(async () => unit.query(text(failing))).catch(() => undefined);
        t.strictSame(names(await unit.query(WHO)), [ROLE]);
        await host.secrets.set('second', 'value', unit);
        await unit.query(text(failing));
      });
      await t.rejects(inner);
      // The platform, then the module: each as itself.
      await host.secrets.set('third', failing, unit);
      t.strictSame(names(await unit.query(WHO)), [ROLE]);
    }
    unit.emit({ type: 'leases.added', subject: { kind: 'leases', id: 'two' }, data: {} });
  });
  t.strictSame(await amounts(), [1]);
  await host.transactions.run(ctx, (unit) =>
    unit.savepoint(async () => {
      await unit.query(WHO);
      // The savepoint of the platform, to which the module returns by itself.
      await unit.query(text('rollback to savepoint s'));
      t.strictSame(names(await unit.query(WHO)), [ROLE]);
    }),
  );
  t.equal(await host.secrets.get('second'), undefined);
  t.ok(await host.secrets.get('third'));
  const whole = host.transactions.run(ctx, async (unit) => {
    await unit.query(insert(3));
    await unit.query(text('select * from users')).catch(() => undefined);
    await unit.query(insert(4));
  });
  await t.rejects(whole, { code: '25P02' });
  t.strictSame(await amounts(), [1]);
  t.strictSame(await usersOfPool(), [USER!.name]);
  await sql(database, 'delete from leases_rows');
});

await t.test('concurrent statements of one transaction each run as the module or as the platform', async (t) => {
  await host.transactions.run(ctx, async (unit) => {
    const knex = await unit.knex();
    const all = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        if (n % 3 === 0) return names(await unit.query(WHO));
        if (n % 3 === 1) return names(((await knex.raw(WHO.text)) as { rows: { name: string }[] }).rows);
        await host.secrets.set(`of-${n}`, 'value', unit);
        return [ROLE];
      }),
    );
    t.strictSame([...new Set(all.flat())], [ROLE]);
  });
  t.equal(await host.secrets.get('of-59'), 'value');
  const reads = await Promise.all(
    Array.from({ length: 60 }, (_, n) => (n % 2 ? host.db.query(WHO) : app.services.db.query(WHO))),
  );
  t.strictSame(
    reads.map(([row]) => (row as { name: string }).name),
    reads.map((_, n) => (n % 2 ? ROLE : USER!.name)),
  );
});

await t.test('Knex and Objection run as the role, in and outside of units of work', async (t) => {
  class Row extends Model {
    static override tableName = 'leases_rows';
    id!: number;
    amount!: number;
  }
  class User extends Model {
    static override tableName = 'users';
  }
  const { knex } = host.db;
  t.equal(host.db.knex, knex);
  await Row.query(knex).insert({ amount: 1 });
  await knex.transaction(async (trx) => {
    await Row.query(trx).insert({ amount: 2 });
    await t.rejects(
      trx.transaction(async (inner) => {
        await Row.query(inner).insert({ amount: 3 });
        await User.query(inner);
      }),
      DENIED,
    );
    t.match(((await trx.raw(WHO.text)) as { rows: unknown }).rows, [{ name: ROLE }]);
  });
  await t.rejects(
    knex.transaction(async (trx) => User.query(trx)),
    DENIED,
  );
  await t.rejects(async () => User.query(knex), DENIED);
  await host.transactions.run(ctx, async (unit) => {
    const bound = await unit.knex();
    await Row.query(bound).insert({ amount: 4 });
    await t.rejects(
      bound.transaction(async (trx) => {
        await Row.query(trx).insert({ amount: 5 });
        await User.query(trx);
      }),
      DENIED,
    );
    await bound.transaction(async (trx) => Row.query(trx).insert({ amount: 6 }));
    await host.secrets.set('with-knex', 'value', unit);
    t.match(((await bound.raw(WHO.text)) as { rows: unknown }).rows, [{ name: ROLE }]);
  });
  t.strictSame(await amounts(), [1, 2, 4, 6]);
  t.strictSame(await usersOfPool(), [USER!.name]);
  await sql(database, 'delete from leases_rows');
});

await t.test('an error at the commit of a statement outside of a unit of work is not lost', async (t) => {
  await sql(
    database,
    'alter table leases_rows add constraint leases_later unique (amount) deferrable initially deferred',
  );
  await host.db.knex('leases_rows').insert({ amount: 1 });
  await t.rejects(async () => host.db.knex('leases_rows').insert({ amount: 1 }), { code: '23505' });
  await t.rejects(host.db.query(insert(1)), { code: '23505' });
  t.strictSame(await amounts(), [1]);
  await sql(database, 'alter table leases_rows drop constraint leases_later; delete from leases_rows');
});

await t.test('an export column that reads other tables is refused when the module is enabled', async (t) => {
  const column = (body: string) =>
    `exportColumns: [{ key: 'mail', title: 'Mail', permission: 'leases.view', type: 'text', sql: (card) => \`${body}\` }],`;
  await write('leases', '1.1.0', ROWS, column('select max(email) from users where ${card} is not null'));
  t.match((await api.post('/settings/modules/rescan')).body, {
    failed: [{ id: 'leases', reason: /export column mail: permission denied for table users/ }],
  });
  t.match((await api.get('/settings/modules/leases')).body, { module_version: '1.0.0', state: 'enabled' });
  await write(
    'leases',
    '1.2.0',
    ROWS,
    column(
      "select c.name || ' ' || sum(l.amount) from leases_rows l join cards c on c.id = l.card_id where l.card_id = ${card} group by c.name",
    ),
  );
  t.match((await api.post('/settings/modules/rescan')).body, { updated: ['leases'], failed: [] });
  t.match((await api.get('/settings/modules/leases')).body, { module_version: '1.2.0', state: 'enabled' });
});

await t.test('an update may use the tables of its new migrations, on every node', async (t) => {
  await write(
    'leases',
    '2.0.0',
    `${ROWS} '0002_more': { up: (knex) => knex.raw('create table leases_notes (id bigserial primary key, note text); create view leases_all as select * from leases_notes'), down: (knex) => knex.raw('drop view leases_all; drop table leases_notes') },`,
  );
  t.match((await api.post('/settings/modules/rescan')).body, { updated: ['leases'] });
  t.match(await api.post('/ext/leases/write', { text: "insert into leases_notes (note) values ('a')" }), {
    status: 200,
  });
  t.match(await api.post('/ext/leases/read', { text: 'select note from leases_all' }), {
    status: 200,
    body: { rows: [{ note: 'a' }] },
  });
  const onB = client(b.origin, token);
  await until(async () => (await onB.get('/settings/modules/leases')).body['module_version'] === '2.0.0');
  t.match(await onB.post('/ext/leases/read', { text: 'select note from leases_notes' }), {
    status: 200,
    body: { rows: [{ note: 'a' }] },
  });
});

await t.test('nodes that make the role at the same time make it once', async (t) => {
  for (let round = 0; round < 5; round++) {
    await sql(database, `drop owned by "${ROLE}"; drop role "${ROLE}"`);
    await Promise.all([app, b.app, app, b.app].map((of) => of.services.modules.roles.renew(moduleOf('leases', of))));
    t.strictSame(names(await hostOf('leases').db.query(WHO)), [ROLE]);
  }
  const lost = `drop owned by "${ROLE}"; drop role "${ROLE}"`;
  await sql(database, lost);
  await t.rejects(
    hostOf('leases').db.query(WHO),
    { message: new RegExp(`role "${ROLE}" does not exist`) },
    'not as the user of the service',
  );
  await t.rejects(
    hostOf('leases').transactions.run(ctx, (unit: UnitOfWork) => unit.query(WHO)),
    { message: new RegExp(`role "${ROLE}" does not exist`) },
  );
  const inner = hostOf('leases').db.knex.transaction(async (trx) => trx.raw('select 1'));
  await t.rejects(inner, { message: new RegExp(`role "${ROLE}" does not exist`) });
  t.strictSame(await usersOfPool(), [USER!.name]);
  await app.services.modules.roles.renew(moduleOf('leases'));
});

await t.test('a unit of work cannot be used after its end, when its connection may be in use by others', async (t) => {
  const kept = await hostOf('leases').transactions.run(ctx, async (unit) => {
    await unit.query(WHO);
    return { id: 'kept', unit };
  });
  await t.rejects(kept.unit.query(WHO), /has ended/);
});

await t.test('the removal of a module leaves neither role nor rights, and a failed one leaves both', async (t) => {
  const rights = () =>
    sql(
      database,
      `select 'column' as kind, attname::text as name, attacl::text as acl from pg_attribute where attrelid = 'cards'::regclass and attacl is not null
        union all select 'table', relname, relacl::text from pg_class where relnamespace = 'public'::regnamespace and relacl::text like '%' || $1 || '=%'
        union all select 'schema', nspname, nspacl::text from pg_namespace where nspacl::text like '%' || $1 || '=%'
        union all select 'default', '', (select relacl::text from pg_class where oid = 'cards'::regclass)
        order by 1, 2`,
      [ROLE],
    );
  const before = (await rights()).filter(({ kind }) => kind === 'default');
  t.ok((await rights()).length > before.length);
  t.equal((await api.patch('/settings/modules/leases', { enabled: false })).status, 200);
  await sql(database, 'create table holder (id int references leases_notes)');
  t.equal((await removeModule(api, 'leases')).status, 409);
  t.strictSame(await roles(), [ROLE, `${ROLE}_more`]);
  await sql(database, 'drop table holder');
  t.equal((await removeModule(api, 'leases')).status, 204);
  t.strictSame(await roles(), [`${ROLE}_more`]);
  for (const id of ['leases_more', 'other']) {
    t.equal((await api.patch(`/settings/modules/${id}`, { enabled: false })).status, 200);
    t.equal((await removeModule(api, id)).status, 204);
  }
  t.strictSame(await rights(), before, 'the rights on cards are as before the first module');
  t.strictSame(await roles(), []);
  await t.rejects(
    app.services.modules.roles.renew(moduleOf('leases')),
    /has no data/,
    'a late activation makes no role',
  );
  t.equal((await api.patch('/settings/modules/leases', { enabled: true })).status, 200);
  t.match(await api.post('/ext/leases/read', { text: WHO.text }), { status: 200, body: { rows: [{ name: ROLE }] } });
});
