import { get as httpGet } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { client, makeUser, registerAdmin, sql, testApp, until, type Answer, type Client } from '../support/app.js';

interface Trace {
  activated: number;
  ended: string[];
  heard: string[];
  counted: string[];
  ticks: number;
  waiting: (() => void)[];
  held: number;
}
interface Module {
  id: string;
  version: number;
  state: string;
  enabled: boolean;
  reason: string | null;
  settings: Record<string, unknown>;
  routes: { method: string; path: string }[];
}
interface Document {
  paths: Record<string, unknown>;
  tags: { name: string; description: string }[];
}

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const config = { pluginsDir: join(root, 'test/fixtures/modules/dummy') };
/** Longest time until all nodes apply a change, in ms. */
const SECOND = 1_000;

const a = await testApp({ config });
const b = await testApp({ config, database: a.database });
const solo = await testApp({ config });
t.teardown(() => Promise.all([a.close(), b.close(), solo.close()]));
const admin = await registerAdmin(a.origin);
const soloAdmin = await registerAdmin(solo.origin);
const viewer = await makeUser(admin, 'viewer');
const onB = client(b.origin, admin.token);
const trace = (globalThis as unknown as Record<symbol, Trace>)[Symbol.for('lintel.test.dummy')]!;

const set = (enabled: boolean, api = admin.api, id = 'dummy') =>
  api.patch<Module>(`/settings/modules/${id}`, { enabled });
const find = async (api: Client, id: string) => (await api.get<Module>(`/settings/modules/${id}`)).body;
/** An answer without the members that differ between requests. */
const shape = ({ status, headers, body }: Answer): unknown => {
  const { instance: _instance, request_id: _id, ...rest } = (body ?? {}) as Record<string, unknown>;
  return {
    status,
    rest,
    headers: [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name)),
  };
};
const document = async (origin: string): Promise<Document> =>
  (await (await fetch(`${origin}/api/openapi.json`)).json()) as Document;
const get = async (origin: string, path: string, token = admin.token) =>
  (await fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })).status;

t.test('modules are listed with their state', async (t) => {
  const list = await admin.api.get<{ items: Module[]; total: number }>('/settings/modules');
  t.equal(list.status, 200);
  t.strictSame(
    list.body.items.map((m) => [m.id, m.state]),
    [
      ['adr', 'enabled'],
      ['bpm', 'enabled'],
      ['cmdbsync', 'enabled'],
      ['diagrams', 'enabled'],
      ['dummy', 'enabled'],
      ['dummy_addon', 'discovered'],
      ['insightlens', 'enabled'],
      ['portals', 'enabled'],
      ['ppm', 'enabled'],
      ['reports', 'enabled'],
      ['risks', 'enabled'],
      ['soaw', 'enabled'],
    ],
  );
  t.strictSame(
    (
      await admin.api.get<{ items: Module[] }>('/settings/modules', {
        query: { state: 'discovered', sort_by: 'title' },
      })
    ).body.items.map((m) => m.id),
    ['dummy_addon'],
  );
  const paged = await admin.api.get<{ items: Module[]; next_cursor: string; total: number }>('/settings/modules', {
    query: { page_size: 3 },
  });
  t.match(paged.body, { total: 12, items: [{ id: 'adr' }, { id: 'bpm' }, { id: 'cmdbsync' }] });
  t.match((await admin.api.get('/settings/modules', { query: { cursor: paged.body.next_cursor } })).body, {
    items: [{ id: 'diagrams' }, { id: 'dummy' }, { id: 'dummy_addon' }],
  });
  const one = await admin.api.get<Module>('/settings/modules/dummy');
  t.match(one.body, {
    id: 'dummy',
    module_version: '1.0.0',
    title: 'Dummy',
    reason: null,
    reason_code: null,
    external: false,
    required_by: ['dummy_addon'],
    permissions: [{ key: 'dummy.view' }, { key: 'dummy.manage' }],
    settings: { greeting: 'Hello', limits: { most: 3 } },
    settings_schema: { properties: { greeting: { default: 'Hello' } } },
  });
  t.strictSame(one.body.routes.map((r) => `${r.method} ${r.path}`).sort(), [
    'GET /api/v1/cards/{id}/dummies',
    'GET /api/v1/dummy',
    'GET /api/v1/dummy/core',
    'GET /api/v1/dummy/slow',
    'POST /api/v1/dummy',
  ]);
  t.equal(
    (await admin.api.get('/settings/modules/dummy', { headers: { 'if-none-match': one.headers.get('etag')! } })).status,
    304,
  );
  t.equal((await admin.api.get('/settings/modules/nothing')).status, 404);
  for (const answer of [
    await viewer.api.get('/settings/modules'),
    await viewer.api.get('/settings/modules/dummy'),
    await viewer.api.patch('/settings/modules/dummy', { enabled: false }),
  ])
    t.equal(answer.status, 403);
});

t.test('a module has access only to the SDK, and its hooks affect only its routes', async (t) => {
  t.strictSame((await admin.api.get('/dummy/core')).body, { services: 'undefined' });
  t.equal((await admin.api.get('/dummy')).headers.get('x-dummy'), '1');
  t.equal((await admin.api.get('/cards')).headers.get('x-dummy'), null);
  const { body: card } = await admin.api.post('/cards', { type: 'Application', name: 'Dummy of a card' });
  t.strictSame((await viewer.api.get(`/cards/${card.id}/dummies`)).body, { name: 'Dummy of a card' });
  t.equal((await admin.api.get('/cards/0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b/dummies')).status, 404);
  t.equal((await viewer.api.post('/dummy', { name: 'x' })).status, 403);
  t.equal((await fetch(`${a.origin}/api/v1/dummy`)).status, 401);
});

t.test('writes, jobs and events of a module are one transaction, with its own error codes', async (t) => {
  const made = await admin.api.post('/dummy', { name: 'first' }, { headers: { 'idempotency-key': 'dummy-1' } });
  t.equal(made.status, 201);
  const again = await admin.api.post('/dummy', { name: 'first' }, { headers: { 'idempotency-key': 'dummy-1' } });
  t.match(again, { status: 201, body: { name: 'first' } });
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.match(await admin.api.post('/dummy', { name: 'first' }), {
    status: 409,
    body: { code: 'dummy_taken', title: 'Dummy taken' },
  });
  await until(() => trace.counted.includes('first'));
  t.strictSame(trace.counted, ['first'], 'its job ran once on two nodes');
  await until(() => trace.heard.length >= 2);
  t.strictSame(trace.heard, ['first', 'first'], 'each node received the event once');
  const { body } = await admin.api.get('/events', { query: { type: 'dummy.' } });
  t.match(body.items, [{ type: 'dummy.created', subject: { kind: 'dummy', id: 'first' } }]);
});

t.test('a disabled module is unknown on all nodes within a second', async (t) => {
  t.hasProp((await document(b.origin)).paths, '/api/v1/dummy');
  t.match(
    (await document(b.origin)).tags.find((tag) => tag.name === 'dummy'),
    { description: 'Dummies.' },
  );
  const ended = trace.ended.length;
  const off = await set(false);
  const began = performance.now();
  t.match(off, { status: 200, body: { state: 'disabled', enabled: false } });
  t.equal(await get(a.origin, '/dummy'), 404, 'immediately on the node of the request');
  await until(async () => (await get(b.origin, '/dummy')) === 404, SECOND);
  await until(() => trace.ended.length === ended + 4, SECOND - (performance.now() - began));
  for (const origin of [a.origin, b.origin]) {
    const { paths, tags } = await document(origin);
    t.strictSame(
      Object.keys(paths).filter((path) => /dumm/.test(path)),
      [],
    );
    t.notOk(tags.some((tag) => tag.name === 'dummy'));
    t.hasProp(paths, '/api/v1/adr');
  }
  const api = admin.api;
  const both = async (ask: (path: string) => Promise<Answer>) =>
    t.strictSame(shape(await ask('/dummy')), shape(await ask('/no_such')));
  await both((path) => api.get(path));
  await both((path) => api.send('HEAD', path));
  await both((path) => api.post(path, { name: 'x' }));
  await both((path) => api.post(path, '{ no JSON', { headers: { 'content-type': 'application/json' } }));
  await both((path) => api.post(path, 'text', { headers: { 'content-type': 'text/plain' } }));
  await both((path) => api.del(path));
  await both((path) => api.get(path, { headers: { authorization: 'Bearer nonsense' } }));
  await both((path) => viewer.api.get(path, { query: { page: 'x' } }));
  t.equal((await api.get('/cards/0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b/dummies')).body.code, 'not_found');
  t.equal((await api.get('/cards')).status, 200);
});

t.test('while it is disabled its cron does not run; when enabled again it continues', async (t) => {
  // The number of ticks is no proof: other services count as well, and a job of a slot before it was disabled runs now.
  const [{ last } = { last: new Date(0) }] = await sql<{ last: Date }>(
    a.database,
    `select max(slot) as last from cron_slots where job = 'dummy.tick'`,
  );
  const activated = trace.activated;
  t.match(await set(true), { status: 200, body: { state: 'enabled', enabled: true } });
  t.equal(await get(a.origin, '/dummy'), 200, 'immediately on the node of the request');
  await until(async () => (await get(b.origin, '/dummy')) === 200, SECOND);
  t.equal(trace.activated, activated + 2);
  const next = await until(
    async () =>
      (
        await sql<{ slot: Date }>(
          a.database,
          `select slot from cron_slots where job = 'dummy.tick' and slot > $1 order by slot limit 1`,
          [last],
        )
      )[0],
    10_000,
  );
  await until(
    async () =>
      (
        await sql(a.database, `select from jobs where type = 'dummy.tick' and state = 'done' and run_at >= $1`, [
          next.slot,
        ])
      ).length > 0,
    10_000,
  );
  t.ok(next.slot > last, 'there is a new slot');
  const [kept] = await sql<{ names: string }>(a.database, 'select count(*) as names from dummy_names');
  t.equal(kept!.names, '1', 'its data is kept');
  t.hasProp((await document(b.origin)).paths, '/api/v1/dummy');
  const types = (await admin.api.get('/events', { query: { type: 'module.' } })).body.items.map((e) => e.type);
  for (const type of ['module.discovered', 'module.migrated', 'module.disabled', 'module.enabled'])
    t.ok(types.includes(type), type);
});

t.test('no slot is used for the cron of a disabled module', async (t) => {
  await until(() => trace.ticks > 0);
  await set(false);
  await until(async () => (await get(b.origin, '/dummy')) === 404, SECOND);
  const count = async () =>
    (await sql<{ n: string }>(a.database, `select count(*) as n from cron_slots where job = 'dummy.tick'`))[0]!.n;
  const before = await count();
  const then = Date.now();
  await until(() => Date.now() - then > 2_200);
  t.equal(await count(), before);
  await set(true);
  await until(async () => (await get(b.origin, '/dummy')) === 200, SECOND);
});

t.test('running requests finish before the module is deactivated', async (t) => {
  const api = soloAdmin.api;
  const ended = trace.ended.length;
  const slow = api.get<{ greeting: string }>('/dummy/slow');
  await until(() => trace.waiting.length === 1);
  t.equal((await set(false, api)).status, 200);
  t.equal((await api.get('/dummy')).status, 404);
  trace.waiting.pop()!();
  const answer = await slow;
  t.match(answer, { status: 200, body: { greeting: `Hello at last, ${ended} ended` } });
  await until(() => trace.ended.length === ended + 2);
  t.strictSame(trace.ended.slice(-2), ['second', 'first'], 'resources are released in reverse order');
  t.equal((await set(true, api)).status, 200);
  t.equal((await api.get('/dummy')).status, 200);
});

t.test('a client that disconnects is not waited for', async (t) => {
  const request = httpGet(`${solo.origin}/api/v1/dummy/slow`, {
    headers: { authorization: `Bearer ${soloAdmin.token}` },
    agent: false,
  });
  const broken = new Promise((resolve) => request.once('error', resolve));
  await until(() => trace.waiting.length === 1);
  const { running } = solo.app.services.modules.get('dummy')!;
  t.equal(running.size, 1);
  request.destroy();
  await broken;
  await until(() => running.size === 0);
  trace.waiting.pop()!();
});

t.test('enabled and disabled under load on two nodes, no request fails', async (t) => {
  let stop = false;
  const seen = new Map<number, number>();
  const ask = async (origin: string, token: string) => {
    while (!stop) {
      const status = await get(origin, '/dummy', token);
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
  };
  const clients = Array.from({ length: 16 }, (_, i) =>
    ask(i % 2 ? a.origin : b.origin, i % 3 ? admin.token : viewer.token),
  );
  for (let i = 0; i < 10; i++) {
    t.equal((await set(false)).status, 200);
    await until(async () => (await get(b.origin, '/dummy')) === 404, SECOND);
    t.equal((await set(true)).status, 200);
    await until(async () => (await get(b.origin, '/dummy')) === 200, SECOND);
  }
  stop = true;
  await Promise.all(clients);
  t.strictSame([...seen.keys()].sort(), [200, 404]);
  t.ok(seen.get(200)! > 50 && seen.get(404)! > 5, `${JSON.stringify([...seen])}`);
});

t.test('concurrent changes leave one state, the same on all nodes', async (t) => {
  // More requests than the node has connections to the database.
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => set(i % 2 === 0)));
  t.strictSame([...new Set(answers.map((r) => r.status))], [200]);
  const { enabled } = await find(admin.api, 'dummy');
  const expected = enabled ? 200 : 404;
  await until(
    async () => (await get(a.origin, '/dummy')) === expected && (await get(b.origin, '/dummy')) === expected,
    2 * SECOND,
  );
  await set(true);
  await until(async () => (await get(b.origin, '/dummy')) === 200, SECOND);
  t.pass('it can be enabled again');
});

t.test('requirements and capabilities', async (t) => {
  t.match(await set(true, admin.api, 'dummy_addon'), { status: 200, body: { state: 'enabled', requires: ['dummy'] } });
  t.strictSame((await viewer.api.get('/dummy_addon')).body, { greeting: 'Hello add-on', absent: true });
  t.match(await set(false), { status: 409, body: { code: 'module_in_use', required_by: ['dummy_addon'] } });
  t.equal((await viewer.api.get('/dummy')).status, 200);
  t.equal((await set(false, admin.api, 'dummy_addon')).status, 200);
  t.equal((await set(false)).status, 200);
  t.match(await set(true, admin.api, 'dummy_addon'), {
    status: 409,
    body: { code: 'module_in_use', requires: ['dummy'] },
  });
  t.equal((await set(true)).status, 200);
});

t.test('disabling a module and concurrently enabling another that requires it: one is refused', async (t) => {
  for (let i = 0; i < 10; i++) {
    const [off, on] = await Promise.all([set(false), set(true, admin.api, 'dummy_addon')]);
    t.strictSame([off.status, on.status].sort(), [200, 409]);
    await set(false, admin.api, 'dummy_addon');
    await set(true);
  }
});

t.test('settings: validated, merged, versioned and effective on all nodes', async (t) => {
  const patch = (body: object, headers = {}) => admin.api.patch<Module>('/settings/modules/dummy', body, { headers });
  const before = await find(admin.api, 'dummy');
  const changed = await patch(
    { settings: { greeting: 'Ahoy', limits: { most: 5 } } },
    { 'if-match': `"${before.version}"` },
  );
  t.match(changed, {
    status: 200,
    body: { version: before.version + 1, settings: { greeting: 'Ahoy', limits: { most: 5 } } },
  });
  t.strictSame((await admin.api.get('/dummy')).body, { greeting: 'Ahoy world' });
  await until(
    async () =>
      (
        (await (
          await fetch(`${b.origin}/api/v1/dummy`, { headers: { authorization: `Bearer ${viewer.token}` } })
        ).json()) as { greeting: string }
      ).greeting === 'Ahoy world',
    SECOND,
  );
  t.match(await patch({ settings: { greeting: 'No' }, enabled: false }, { 'if-match': `"${before.version}"` }), {
    status: 412,
    body: { current_version: before.version + 1, changed_fields: ['enabled', 'settings.greeting'] },
  });
  const wrong = await patch({ settings: { greeting: '', limits: { most: 'many', least: 1 }, other: true } });
  t.equal(wrong.status, 422);
  t.strictSame((wrong.body as unknown as { errors: { field: string }[] }).errors.map((e) => e.field).sort(), [
    '/settings/greeting',
    '/settings/limits/least',
    '/settings/limits/most',
    '/settings/other',
  ]);
  t.match(await patch({ settings: { greeting: null } }), {
    body: { settings: { greeting: 'Hello', limits: { most: 5 } }, version: before.version + 2 },
  });
  t.match(
    await patch({ settings: { greeting: 'Hello' } }),
    { body: { version: before.version + 2 } },
    'nothing changes',
  );
  for (const body of [{}, { enabled: null }, { state: 'enabled' }, { settings: [] }, { enabled: 'yes' }])
    t.equal((await patch(body)).status, 422, JSON.stringify(body));
  const events = (await admin.api.get('/events', { query: { type: 'module.updated' } })).body.items;
  t.strictSame(
    events.map((e) => (e['data'] as { changes: unknown }).changes),
    [
      [{ field: 'settings.greeting', old: 'Ahoy', new: 'Hello' }],
      [
        { field: 'settings.greeting', old: 'Hello', new: 'Ahoy' },
        { field: 'settings.limits', old: { most: 3 }, new: { most: 5 } },
      ],
    ],
  );
});

t.test('a disabled module is disabled after a restart', async (t) => {
  await set(false);
  const c = await testApp({ config, database: a.database });
  t.teardown(c.close);
  t.equal(await get(c.origin, '/dummy'), 404);
  t.equal(await get(c.origin, '/adr'), 200);
  t.match(await find(onB, 'dummy'), { state: 'disabled' });
});
