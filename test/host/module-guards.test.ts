/** What the platform guarantees however a module is written: export columns, secrets of settings, jobs after the end, ETags. */
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';
import { moduleFolder, writeModule } from '../support/module-folder.js';

const folder = await moduleFolder(t);

const write = (version: string, shown: string) =>
  writeModule(
    folder,
    `
import { Secret, Type, Uuid, Strict, defineModule } from '@lintel/sdk';
export default defineModule({
  id: 'leases', version: '${version}', title: 'Leases', description: 'Leases of applications.', host: '^0.1.0',
  permissions: [{ key: 'leases.view', description: 'See leases.', roles: ['member'] }],
  settings: Type.Object({ url: Type.String({ default: 'https://one.example', maxLength: 200 }), token: Secret({ boundTo: 'url' }) }),
  migrations: { '0001_first': {
    up: (knex) => knex.raw('create table leases_rows (id serial primary key, card_id uuid references cards(id), amount int)'),
    down: (knex) => knex.raw('drop table leases_rows') } },
  exportColumns: [{ key: 'amount', title: 'Amount', permission: 'leases.view', type: 'number',
    sql: (card) => \`select sum(c.amount) from leases_rows c where c.card_id = \${card}\` }],
  services: (host) => host,
  routes: async (app, { services, host }) => {
    const config = { access: { permission: 'leases.view' } };
    app.get('/one', { config, schema: { operationId: 'getLease', summary: 'One', tags: ['leases'], response: { 200: Type.Object({ shown: Type.String() }) } } },
      async (request, reply) => host.http.sendResource(request, reply, { version: 1, body: { shown: '${shown}' } }));
    app.get('/workspace', { config, schema: { operationId: 'getLeasesWorkspace', summary: 'Workspace', tags: ['leases'], response: { 200: Type.Object({}, { additionalProperties: true }) } } }, async () => host.workspace());
    app.post('/find', { config, schema: { operationId: 'findLeases', summary: 'Find', tags: ['leases'], body: Strict({ ids: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 10000 }) }), response: { 200: Type.Object({ found: Type.Array(Type.String()) }) } } },
      async (request) => ({ found: [...await host.cards.findByExternalId(request.ctx, 'Application', request.body.ids)].map(([id, card]) => id + ' ' + card.name).sort() }));
    app.post('/work', { config, schema: { operationId: 'startLeases', summary: 'Start', tags: ['leases'], response: { 200: Type.Object({}) } } },
      async (request) => { await services.transactions.run(request.ctx, (unit) => services.jobs.enqueue(unit, 'leases.work', {})); return {}; });
  },
  activate(module) {
    const { host } = module;
    const seen = (globalThis[Symbol.for('lintel.test.leases')] ??= { events: [], settings: [] });
    module.subscribe({ name: 'cards', pattern: ['card.created', 'relation.#', 'card.archived'], handler: async (event) => { seen.events.push(event.type + ' ' + event.position); } });
    module.onSettings((before) => { seen.settings.push([before.url, host.settings().url]); throw new Error('logged'); });
    const write = (ctx) => host.transactions.run(ctx, (unit) => unit.query({ name: 'leases-write', text: 'insert into leases_rows (amount) values (1)' }));
    module.job('leases.work', { handler: async ({ ctx }) => {
      await write(ctx);
      // Ignores its signal.
      while (!globalThis[Symbol.for('lintel.test.over')]) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        await write(ctx).catch((error) => { globalThis[Symbol.for('lintel.test.refused')] = String(error); });
      }
    } });
  },
  openapi: { tags: [{ name: 'leases', description: 'Leases.' }] },
  enabledByDefault: true,
});`,
    { id: 'leases' },
  );
await write('1.0.0', 'in one way');
const { app, origin, database, close } = await testApp({
  config: { pluginsDir: folder, logLevel: 'silent', publicUrl: 'https://example.com/lintel' },
});
t.teardown(close);
const admin = await registerAdmin(origin);
const { api, token } = admin;
const PATH = '/settings/modules/leases';

await t.test('no alias in the SQL of an export column hides the card', async (t) => {
  const ids: string[] = [];
  for (const name of ['A', 'B'])
    ids.push((await api.post('/cards', { type: 'Application', name })).body['id'] as string);
  await sql(database, 'insert into leases_rows (card_id, amount) values ($1, 3), ($1, 4), ($2, 5)', ids);
  const answer = await fetch(`${origin}/api/v1/cards/export?format=csv`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await answer.text();
  const [head, ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  const column = head!.indexOf('leases.amount');
  t.strictSame(rows.map((row) => row[column]).sort(), ['5', '7']);
});

await t.test('a module reads the settings of the workspace', async (t) => {
  t.match((await api.get('/leases/workspace')).body, {
    currency: 'EUR',
    fiscalYearStart: 1,
    publicUrl: 'https://example.com/lintel',
  });
  t.equal((await api.patch('/settings', { currency: 'CHF', locales: ['de-CH'] })).status, 200);
  t.match((await api.get('/leases/workspace')).body, { currency: 'CHF', locales: ['de-CH'] });
});

const trace = (globalThis as unknown as Record<symbol, { events: string[]; settings: unknown[] }>)[
  Symbol.for('lintel.test.leases')
]!;

await t.test('a subscription to several patterns gets each event once, in one order', async (t) => {
  const { id } = (await api.post('/cards', { type: 'Application', name: 'To archive' })).body as { id: string };
  await api.post('/settings/modules/rescan');
  await api.post(`/cards/${id}/archive`, {});
  const expected = async () =>
    (
      await sql<{ at: string }>(
        database,
        `select type || ' ' || position as at from events where type in ('card.created', 'card.archived') order by position`,
      )
    ).map(({ at }) => at);
  t.ok(await until(async () => (await expected()).length === 4 && trace.events.length >= 4));
  t.strictSame(trace.events, await expected());
});

await t.test('cards are found by thousands of external ids, as far as the caller may see them', async (t) => {
  await api.post('/cards', { type: 'Application', name: 'Known', external_id: 'a-1' });
  await api.post('/cards', { type: 'Provider', name: 'Other', external_id: 'a-2' });
  const ids = Array.from({ length: 10_000 }, (_, n) => `a-${n}`);
  t.strictSame((await api.post('/leases/find', { ids })).body, { found: ['a-1 Known'] });
  await api.post('/roles', { key: 'narrow', label: 'Narrow', permissions: ['leases.view'] });
  const narrow = await makeUser(admin, 'narrow');
  t.strictSame((await narrow.api.post('/leases/find', { ids })).body, { found: [] });
});

await t.test('a secret is not kept when the setting that it is bound to changes', async (t) => {
  t.equal((await api.patch(PATH, { settings: { token: 'of one' } })).status, 200);
  t.match(await api.patch(PATH, { settings: { url: 'https://two.example' } }), {
    status: 422,
    body: { errors: [{ field: '/settings/token', reason: /must be sent again, or as null/ }] },
  });
  t.match((await api.get(PATH)).body.settings, { url: 'https://one.example', token: { is_set: true } });
  t.equal((await api.patch(PATH, { settings: { url: 'https://one.example' } })).status, 200, 'the same value');
  t.equal((await api.patch(PATH, { settings: { url: 'https://two.example', token: 'of two' } })).status, 200);
  t.equal((await api.patch(PATH, { settings: { url: 'https://three.example', token: null } })).status, 200);
  t.match((await api.get(PATH)).body.settings, { url: 'https://three.example', token: { is_set: false } });
  t.equal((await api.patch(PATH, { settings: { url: 'https://four.example' } })).status, 200, 'no secret is stored');
  t.ok(await until(() => trace.settings.length >= 4));
  t.strictSame(
    trace.settings.filter((pair) => (pair as string[])[0] !== (pair as string[])[1]),
    [
      ['https://one.example', 'https://two.example'],
      ['https://two.example', 'https://three.example'],
      ['https://three.example', 'https://four.example'],
    ],
    'the handler was called with the settings before',
  );
});

await t.test('an update changes the ETag of what the module shows', async (t) => {
  const first = await api.get('/leases/one');
  const ask = () => api.get('/leases/one', { headers: { 'if-none-match': first.headers.get('etag')! } });
  t.equal((await ask()).status, 304);
  await write('1.0.1', 'in another way');
  t.match(await api.post('/settings/modules/rescan'), { status: 200, body: { updated: ['leases'] } });
  t.match(await ask(), { status: 200, body: { shown: 'in another way' } });
});

await t.test('a job that ignores its signal cannot write after the module was switched off', async (t) => {
  const rows = async () =>
    (await sql<{ n: number }>(database, 'select count(*)::int as n from leases_rows where card_id is null'))[0]!.n;
  await api.post('/leases/work');
  t.ok(await until(async () => (await rows()) > 1));
  t.equal((await api.patch(PATH, { enabled: false })).status, 200);
  const refused = () =>
    (globalThis as unknown as Record<symbol, string | undefined>)[Symbol.for('lintel.test.refused')];
  t.match(await until(refused), /being disabled|switched off/);
  const left = await rows();
  (globalThis as unknown as Record<symbol, unknown>)[Symbol.for('lintel.test.refused')] = undefined;
  t.ok(await until(refused), 'it tried again');
  t.equal(await rows(), left);
  (globalThis as unknown as Record<symbol, unknown>)[Symbol.for('lintel.test.over')] = true;
});

await t.test('what the job started of the platform goes on for the others', async (t) => {
  await api.post('/cards', { type: 'Application', name: 'Afterwards' });
  const behind = async () =>
    (await api.get<{ items: { behind: number; parked: number }[] }>('/settings/modules/risks/subscriptions')).body
      .items;
  t.ok(await until(async () => (await behind()).every((subscription) => subscription.behind === 0)));
  t.ok((await behind()).length > 0);
  t.ok((await behind()).every(({ parked }) => parked === 0));
});

await t.test('a transaction of Knex within a unit of work is a part of it', async (t) => {
  const { transactions } = app.services;
  const add = (n: number) => ({ name: undefined, text: `insert into leases_rows (amount) values (${n})` });
  const amounts = async () =>
    (await sql<{ amount: number }>(database, 'select amount from leases_rows where amount > 100 order by 1')).map(
      ({ amount }) => amount,
    );
  await transactions.run(systemContext('test'), async (uow) => {
    const knex = await uow.knex();
    await uow.query(add(101));
    await knex.transaction(async (trx) => {
      await trx.raw(add(102).text);
    });
    const failing = knex.transaction(async (trx) => {
      await trx.raw(add(103).text);
      throw new Error('taken back');
    });
    await t.rejects(failing, /taken back/);
    await uow.query(add(104));
  });
  t.strictSame(await amounts(), [101, 102, 104]);
  const whole = transactions.run(systemContext('test'), async (uow) => {
    await (await uow.knex()).transaction(async (trx) => {
      await trx.raw(add(105).text);
    });
    throw new Error('all of it');
  });
  await t.rejects(whole, /all of it/);
  t.strictSame(await amounts(), [101, 102, 104], 'what Knex committed within it is taken back with it');
});
