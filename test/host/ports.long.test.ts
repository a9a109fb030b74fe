import type { CardOperation, EventInput, ModuleServices, RequestContext } from '@lintel/sdk';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { Problem } from '../../core/foundation/errors.js';
import { boundKnex } from '../../core/foundation/db/bound-knex.js';
import * as migration from '../../migrations/0010_module_ports.js';
import { createDatabase, makeUser, registerAdmin, sql, testApp, until, type Session } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const folder = await mkdtemp(join(tmpdir(), 'lintel-ports-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
await mkdir(join(folder, 'node_modules/@lintel'), { recursive: true });
await symlink(join(root, 'core/sdk'), join(folder, 'node_modules/@lintel/sdk'));
for (const id of ['ports', 'ports_other'])
  await symlink(join(root, 'test/fixtures/modules/ports', id), join(folder, 'node_modules', id));

const watch = watchStatements();
const a = await testApp({
  config: {
    pluginsDir: join(root, 'test/fixtures/modules/ports'),
    logLevel: (process.env.TEST_LOG_LEVEL ?? 'silent') as 'silent',
  },
});
t.teardown(a.close);
const { rbac, modules } = a.app.services;
const admin = await registerAdmin(a.origin);
const { api } = admin;
const viewer = await makeUser(admin, 'viewer');
const member = await makeUser(admin, 'member');
const hostOf = (id: string): ModuleServices => modules.get(id)!.host;
const [host, other] = [hostOf('ports'), hostOf('ports_other')];

/** The context of a request of the user. */
function as({ user }: Session): RequestContext {
  const actor = { id: user.id, displayName: user.display_name, email: user.email, role: user.role, sessionId: user.id };
  return { ...systemContext('api'), actor, permissions: rbac.permissionsOf(user.role) };
}
const system = (): RequestContext => systemContext('job');

/** The problem that a failing call throws. @throws if the call succeeds */
async function refusal(work: Promise<unknown>): Promise<Partial<Problem>> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, code, errors, extensions } = error;
    return { status, code, errors, extensions };
  }
  throw new Error('it was not refused');
}

type Query = Record<string, string | number>;
const NOBODY = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const card = (name: string, rest: object = {}): CardOperation => ({
  op: 'create',
  card: { type: 'Application', name, ...rest },
});
const made = await host.cards.bulk(system(), [
  ...Array.from({ length: 120 }, (_, i) => card(`Card ${i}`)),
  card('Dear', { attributes: { costTotalAnnual: 500, businessCriticality: 'missionCritical' } }),
]);
const ids = made.results.map((row) => row.id!);
const dear = ids.at(-1)!;
const [first, second] = ids as [string, string];
await api.post(`/cards/${second}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });

t.test('cards are read as by the REST API, without costs that the caller may not see', async (t) => {
  for (const session of [admin, viewer]) {
    const queries: Query[] = [
      { page_size: 5 },
      { search: 'card', sort_by: 'name', sort_dir: 'desc', page: 2, page_size: 7 },
      { 'attributes.businessCriticality': 'missionCritical' },
      { fields: 'name,type', page_size: 3 },
      { status: 'ARCHIVED' },
    ];
    for (const query of queries) {
      const { body } = await session.api.get('/cards', { query });
      t.same(await host.cards.list(as(session), query), body, JSON.stringify(query));
    }
    t.same(await host.cards.read(as(session), [dear, first, dear, NOBODY, 'x']), [
      (await session.api.get(`/cards/${dear}`)).body,
      (await session.api.get(`/cards/${first}`)).body,
    ]);
  }
  t.match(await host.cards.read(system(), [dear]), [{ attributes: { costTotalAnnual: 500 } }]);
  t.notMatch(JSON.stringify(await host.cards.read(as(viewer), [dear])), 'costTotalAnnual');
  const wrong: Query[] = [
    { page: 0 },
    { page_size: 1e21, nothing: 1 },
    { sort_by: 'nothing' },
    { status: 'x' },
    { 'attributes.nothing': '1' },
    { search: 'a\0b' },
    { cursor: 'x' },
    { parent_id: 'x' },
    { search: 'x'.repeat(201), type: 'x'.repeat(3_000) },
  ];
  for (const query of wrong) {
    const { status, body } = await viewer.api.get('/cards', { query });
    t.match(
      await refusal(host.cards.list(as(viewer), query)),
      { status, code: body.code, errors: body.errors },
      JSON.stringify(query).slice(0, 60),
    );
  }
  t.equal((await host.cards.get(as(viewer), first)).name, 'Card 0');
  t.match(await refusal(host.cards.get(as(viewer), NOBODY)), { status: 404 });
  t.same([...(await host.cards.find(as(viewer), [first.toUpperCase(), NOBODY, 'x'])).keys()], [first]);
  t.match(await refusal(host.cards.ensureVisible(as(viewer), [first, 'x', NOBODY], '/card_ids')), {
    errors: [{ field: '/card_ids/1' }, { field: '/card_ids/2' }],
  });
  const blind = { ...as(viewer), permissions: { has: () => false, list: () => [] } };
  t.match(await refusal(host.cards.list(blind, {})), {
    status: 403,
    extensions: { required_permission: 'cards.view' },
  });
  t.same([await host.cards.read(blind, ids), (await host.cards.find(blind, ids)).size], [[], 0]);
});

t.test('one statement, regardless of the number of cards', async (t) => {
  for (const call of ['find', 'ensureVisible', 'read', 'users']) {
    const ask = () => api.post('/ports/read', { call, ids });
    t.equal((await ask()).status, 200, call);
    t.equal((await watch.during(ask)).statements.length, 1, call);
  }
});

t.test('bulk has the same result as the route', async (t) => {
  const { cards } = host;
  const outcome = await cards.bulk(as(admin), [
    { op: 'upsert', ref: 'x', card: { type: 'Application', external_id: 'port-1', name: 'By port' } },
    { op: 'create', card: { type: 'Application', name: 'Child', parent: { ref: 'x' } } },
  ]);
  t.match(outcome, {
    summary: { created: 2 },
    results: [
      { index: 0, ref: 'x', outcome: 'created', version: 1 },
      { index: 1, outcome: 'created' },
    ],
  });
  t.equal((await api.get(`/cards/${outcome.results[0]!.id}`)).body.name, 'By port');
  t.match((await api.get('/events', { query: { subject_id: outcome.results[0]!.id! } })).body.items, [
    { type: 'card.created', change_id: outcome.change_id },
  ]);
  const dry = await cards.bulk(as(admin), [{ op: 'delete', id: first }], { dryRun: true });
  t.match(dry, { summary: { deleted: 1 } });
  t.equal((await api.get(`/cards/${first}`)).status, 200);
  t.match(await cards.bulk(as(admin), [card('Sound'), card('Card 1')], { mode: 'per_row' }), {
    summary: { created: 1, failed: 1 },
  });
  for (const operations of [
    [],
    [{ op: 'nothing' }],
    [{ op: 'update', id: 'x', colour: 1 }],
    [card('a\0b')],
    [card('\ud800')],
    [JSON.parse('{"op":"create","card":{"__proto__":{}}}')],
    [card('Card 1')],
    Array<CardOperation>(10_001).fill(card('x')),
  ] as unknown as CardOperation[][]) {
    const { status, body } = await api.post('/cards/bulk', { operations });
    t.match(
      await refusal(cards.bulk(as(admin), operations)),
      { status, code: body.code, errors: body.errors },
      JSON.stringify(operations).slice(0, 60),
    );
  }
  t.match(await refusal(cards.bulk(as(viewer), [card('No')])), {
    status: 403,
    extensions: { required_permission: 'cards.bulk' },
  });
});

t.test('permissions on a card', async (t) => {
  const may = (session: Session, id: string) => host.cards.may(as(session), id, 'cards.edit', 'card.edit');
  t.same(
    [
      await may(admin, first),
      await may(viewer, first),
      await may(viewer, second),
      await may(viewer, NOBODY),
      await may(admin, 'x'),
    ],
    [true, false, true, false, false],
  );
  t.equal(
    await host.cards.may(as(viewer), second, 'cards.edit'),
    false,
    'roles on the card only count with a card permission',
  );
  t.equal(await host.cards.may(system(), second, 'cards.edit', 'card.edit'), true);
  const among = async (session: Session, cardPermission?: string) =>
    [
      ...(await host.cards.mayAmong(
        as(session),
        [first, second.toUpperCase(), NOBODY, 'x'],
        'cards.edit',
        cardPermission,
      )),
    ].sort();
  t.same(
    [await among(admin), await among(viewer, 'card.edit'), await among(viewer)],
    [[first, second].sort(), [second], []],
  );
});

t.test('relations are read and written as the REST API does', async (t) => {
  const operation = { op: 'create' as const, type: 'applicationToApplication', source_id: first, target_id: second };
  const [type] = (await api.get('/metamodel/relation-types')).body.items
    .filter((r) => r['source_type'] === 'Application' && r['target_type'] === 'Application')
    .map((r) => r['key'] as string);
  t.ok(type);
  const outcome = await host.relations.bulk(as(admin), [{ ...operation, type: type! }]);
  t.match(outcome, { summary: { created: 1 } });
  const queries: Query[] = [{ card_id: first }, { type: type!, page_size: 1 }];
  for (const query of queries)
    t.same(await host.relations.list(as(viewer), query), (await viewer.api.get('/relations', { query })).body);
  t.match(await refusal(host.relations.list(as(viewer), { card_id: 'x', direction: 'up' })), {
    status: 422,
    errors: [{ field: 'card_id', in: 'query' }, { field: 'direction' }],
  });
  t.match(await refusal(host.relations.bulk(as(admin), [{ op: 'create', type: 5 as unknown as string }])), {
    status: 422,
    errors: [{ field: '/operations/0/type' }],
  });
  const outsider = await makeUser(admin, 'viewer');
  t.match(await refusal(host.relations.bulk(as(outsider), [{ op: 'delete', id: outcome.results[0]!.id! }])), {
    status: 403,
  });
});

t.test('users are found by id and by permission', async (t) => {
  const all = await host.users.find([admin.user.id, viewer.user.id.toUpperCase(), NOBODY, 'x']);
  t.same([...all.keys()].sort(), [admin.user.id, viewer.user.id].sort());
  t.same(all.get(viewer.user.id), { id: viewer.user.id, display_name: viewer.user.display_name, is_active: true });
  const gone = await makeUser(admin, 'member');
  await api.patch(`/users/${gone.user.id}`, { is_active: false });
  await host.users.ensureActive([admin.user.id, viewer.user.id], '/user_ids');
  t.match(await refusal(host.users.ensureActive([admin.user.id, gone.user.id, NOBODY, ''], '/user_ids')), {
    status: 422,
    errors: { length: 3, 0: { field: '/user_ids/1' }, 2: { field: '/user_ids/3' } },
  });
  t.equal((await host.users.find([gone.user.id])).get(gone.user.id)!.is_active, false);
  t.same(
    (await host.users.holding('users.manage')).map(({ id }) => id),
    [admin.user.id],
  );
  const viewing = (await host.users.holding('ports.view')).map(({ id }) => id);
  t.same(
    [viewing.includes(viewer.user.id), viewing.includes(member.user.id), viewing.includes(gone.user.id)],
    [true, true, false],
  );
});

t.test('files belong to their module', async (t) => {
  const bytes = Buffer.alloc(3_000_000, 'ports');
  const chunks = async function* (from = bytes) {
    for (let at = 0; at < from.length; at += 700_001) yield from.subarray(at, at + 700_001);
  };
  const read = async (port: ModuleServices, id: string) => {
    const parts: Buffer[] = [];
    for await (const part of port.files.read(id)) parts.push(part);
    return Buffer.concat(parts);
  };
  const stored = () =>
    sql<{ id: string; forever: boolean; module: string }>(
      a.database,
      `select id, expires_at = 'infinity' as forever, module from files order by id`,
    );
  const file = await host.files.write(as(admin), chunks(), { maxBytes: bytes.length });
  t.match(file, { size: bytes.length, sha256: /^[0-9a-f]{64}$/ });
  t.ok((await read(host, file.id)).equals(bytes));
  t.equal((await read(other, file.id)).length, 0, 'another module has no such file');
  const core: Buffer[] = [];
  for await (const part of a.app.services.files.read(file.id)) core.push(part);
  t.equal(core.length, 0, 'the core has no such file');
  await other.files.remove(file.id);
  t.ok((await read(host, file.id)).equals(bytes), 'another module cannot remove it');
  const short = await host.files.write(system(), chunks(), { maxBytes: 1e9, keepHours: 1 });
  t.same(await stored(), [
    { id: file.id, forever: true, module: 'ports' },
    { id: short.id, forever: false, module: 'ports' },
  ]);
  await a.app.services.files.clean();
  t.match(await refusal(host.files.write(as(admin), chunks(), { maxBytes: bytes.length - 1 })), {
    status: 413,
    code: 'payload_too_large',
  });
  const breaking = async function* () {
    yield bytes;
    throw new Error('the sender is gone');
  };
  await t.rejects(host.files.write(as(admin), breaking(), { maxBytes: 1e9 }), /the sender is gone/);
  t.equal((await stored()).length, 2, 'failed writes leave no file');
  await t.rejects(
    host.transactions.run(system(), async (uow) => {
      await host.files.remove(file.id, uow);
      throw new Error('undone');
    }),
    /undone/,
  );
  t.equal((await read(host, file.id)).length, bytes.length);
  await host.transactions.run(system(), (uow) => host.files.remove(file.id, uow));
  for (const id of [file.id, 'x', NOBODY]) t.equal((await read(host, id)).length, 0);
  await host.files.remove('x');
});

t.test('secrets belong to their module', async (t) => {
  await host.secrets.set('token', 'grüße');
  t.same(
    [await host.secrets.get('token'), await other.secrets.get('token'), await host.secrets.get('nothing')],
    ['grüße', undefined, undefined],
  );
  await other.secrets.remove('token');
  t.equal(await host.secrets.get('token'), 'grüße');
  await t.rejects(
    host.transactions.run(system(), async (uow) => {
      await host.secrets.set('token', 'new', uow);
      throw new Error('undone');
    }),
    /undone/,
  );
  t.equal(await host.secrets.get('token'), 'grüße');
  await host.transactions.run(system(), async (uow) => {
    await host.secrets.set('token', 'new', uow);
    await host.secrets.set('more', 'x', uow);
  });
  t.same([await host.secrets.get('token'), await host.secrets.get('more')], ['new', 'x']);
  await host.transactions.run(system(), (uow) => host.secrets.remove('token', uow));
  t.equal(await host.secrets.get('token'), undefined);
  for (const name of ['', '.', 'a/b', 'settings/api_key', '../x', 'ä', 'a b', 'x'.repeat(101)])
    await t.rejects(host.secrets.set(name, 'x'), /has a name that is not/, name);
  await t.rejects(host.secrets.set('long', 'x'.repeat(65_537)), /more than 65536 bytes/);
  const [row] = await sql<{ ciphertext: Buffer }>(
    a.database,
    `select ciphertext from secrets where name = 'module.ports.more'`,
  );
  t.ok(row);
});

t.test('outbound requests have the restrictions of the core', async (t) => {
  const server = createServer((_request, response) => response.end('inside'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  t.match(await refusal(host.outbound.request(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)), {
    status: 422,
    code: 'outbound_refused',
  });
});

const emit = (events: EventInput[], rest: object = {}) => api.post('/ports/emit', { events, ...rest });
const opened = (data: unknown = { at: '2026-01-15T10:00:00.000Z' }): EventInput => ({
  type: 'ports.opened',
  subject: { kind: 'ports', id: 'p' },
  data,
});

t.test('a module emits what its manifest declares, and nothing else', async (t) => {
  t.equal(
    (
      await emit([
        opened(),
        { type: 'ports_plain.changed', subject: { kind: 'ports_plain', id: 'q' }, data: { anything: [1] } },
      ])
    ).status,
    200,
  );
  const count = async () =>
    (await api.get('/events', { query: { type: 'ports.,ports_plain.,card.deleted' } })).body.total;
  t.equal(await count(), 2);
  const wrong: [EventInput, RegExp][] = [
    [
      { ...opened(), subject: { kind: 'card', id: first } },
      /ports emits ports\.opened of the kind card, which its manifest does not declare/,
    ],
    [{ ...opened(), type: 'card.deleted' }, /ports emits card\.deleted, which is no type of the kind ports/],
    [{ ...opened(), type: 'ports.closed' }, /ports emits ports\.closed, which is no type of the kind ports/],
    [
      { type: 'card.deleted', subject: { kind: 'ports_plain', id: 'q' } },
      /card\.deleted, which is no type of the kind ports_plain/,
    ],
    [opened({}), /ports emits ports\.opened with data that its manifest does not declare: data\/at is required/],
    [opened({ at: 'x', more: 1 }), /data\/at must match format.*|data\/more is unknown/],
    [opened(undefined), /./],
  ];
  for (const [event, reason] of wrong.slice(0, -1)) {
    await t.rejects(
      host.transactions.run(system(), async (uow) => uow.emit(event)),
      reason,
    );
    for (const ignoreErrors of [false, true])
      t.match(
        await emit([opened(), event], { ignoreErrors }),
        { status: 500, body: { code: 'internal_error' } },
        reason.source,
      );
  }
  t.equal(await count(), 2, 'a transaction with an undeclared event is rolled back');
  await t.rejects(
    other.transactions.run(system(), async (uow) => uow.emit(opened())),
    /ports_other emits ports\.opened of the kind ports/,
  );
  await host.transactions.run(system(), async (uow) => uow.emit(opened({ at: new Date(0), note: undefined })));
  t.equal(await count(), 3, 'data is validated as it is stored');
  await t.rejects(host.jobs.enqueue({} as Parameters<typeof host.jobs.enqueue>[0], 'ports.x', {}), /no unit of work/);
});

t.test('jobs are queued and guarded within a module’s unit of work', async (t) => {
  await t.rejects(
    host.transactions.run(system(), async (uow) => {
      await host.jobs.enqueue(uow, 'ports.guarded', { name: 'undone' });
      throw new Error('undone');
    }),
    /undone/,
  );
  await host.transactions.run(system(), (uow) => host.jobs.enqueue(uow, 'ports.guarded', { name: 'guarded' }));
  await until(async () => (await host.events.history({ kind: 'ports_plain', id: 'guarded' }, {})).total === 1);
  t.equal((await host.events.history({ kind: 'ports_plain', id: 'undone' }, {})).total, 0);
});

t.test('the history of a resource contains its events', async (t) => {
  const page = await host.events.history({ kind: 'ports', id: 'p' }, { page_size: 1 });
  t.match(page, {
    total: 2,
    items: [{ type: 'ports.opened', subject: { kind: 'ports', id: 'p' }, data: { at: '1970-01-01T00:00:00.000Z' } }],
  });
  t.match(await host.events.history({ kind: 'ports', id: 'p' }, { page_size: 1, cursor: page.next_cursor! }), {
    items: [{ data: { at: '2026-01-15T10:00:00.000Z' } }],
    next_cursor: null,
  });
  t.equal((await host.events.history({ kind: 'ports_plain', id: 'p' }, {})).total, 0);
  await t.rejects(host.events.history({ kind: 'card', id: first }, {}), /does not declare/);
});

t.test('an Idempotency-Key holds over several transactions of one request', async (t) => {
  const body = { operations: [card('Only once')] };
  const key = { 'idempotency-key': 'ports-1' };
  const [one, two] = [
    await api.post('/ports/work', body, { headers: key }),
    await api.post('/ports/work', body, { headers: key }),
  ];
  t.match(one, { status: 200, body: { first: { note: 'first' }, second: { note: 'second' } } });
  t.same(two.body, one.body);
  t.equal(two.headers.get('idempotent-replayed'), 'true');
  t.equal((await api.get('/cards', { query: { search: 'Only once' } })).body.total, 1);
  t.equal((await host.events.history({ kind: 'ports', id: 'second' }, {})).total, 1);
  t.match(await api.post('/ports/work', { operations: [card('Another')] }, { headers: key }), {
    status: 422,
    body: { code: 'idempotency_key_reused' },
  });
});

t.test('metrics of modules', async (t) => {
  const metricsText = async (origin = a.origin) => await (await fetch(`${origin}/api/metrics`)).text();
  const value = (text: string, series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  await api.get('/ports/settings');
  await api.get('/ports/fail');
  const text = await metricsText();
  t.ok(value(text, 'lintel_ports_requests{kind="emit"}') >= 1);
  t.ok(value(text, 'lintel_module_requests_total{module="ports",status="200"}') >= 1);
  t.equal(value(text, 'lintel_module_requests_total{module="ports",status="409"}'), 1);
  t.ok(value(text, 'lintel_module_request_seconds_count{module="ports"}') >= 2);
  t.same(
    [value(text, 'lintel_module_enabled{module="ports"}'), value(text, 'lintel_module_failed{module="ports"}')],
    [1, 0],
  );
  const { metrics } = host;
  metrics.counter('seen', 'Seen.', ['what']).inc({ what: 'a"b\nc' }, 2);
  metrics.counter('seen', 'Seen.', ['what']).inc({ what: 'a"b\nc' });
  metrics.histogram('size', 'Size.', [1, 10], ['of']).observe(5, { of: 'x' });
  metrics.gauge('level', 'Level.', () => 1);
  metrics.gauge('level', 'Level.', () => 2);
  metrics.gauge('broken', 'Broken.', () => {
    throw new Error('no figure');
  });
  const more = await metricsText();
  t.equal(value(more, 'lintel_ports_level'), 2);
  t.ok(more.includes('lintel_ports_seen{what="a\\"b\\nc"} 3\n'));
  t.equal(value(more, 'lintel_ports_size_bucket{le="10",of="x"}'), 1);
  t.match(more, /^lintel_ports_broken Nan$/im);
  for (const name of ['', 'A', '1', 'a-b', 'a b'])
    t.throws(() => metrics.counter(name, 'x'), /must be lower case/, name);
  t.throws(
    () => hostOf('ports_other').metrics.gauge('x', 'x', () => 1) ?? host.metrics.gauge('other_x', 'x', () => 1),
    /belongs to ports_other/,
  );
  await api.patch('/settings/modules/ports', { enabled: false });
  t.equal(value(await metricsText(), 'lintel_module_enabled{module="ports"}'), 0);
  await api.patch('/settings/modules/ports', { enabled: true });
});

t.test('metrics are kept when a module is updated', async (t) => {
  const place = join(folder, 'counting');
  const write = async (version: string) => {
    await mkdir(place, { recursive: true });
    await writeFile(
      join(place, 'index.js'),
      `import { Type, defineModule } from '@lintel/sdk';
      export default defineModule({ id: 'counting', version: '${version}', title: 'Counting', description: 'Counts.', host: '^0.1.0', permissions: [{ key: 'counting.view', description: 'See it.', roles: ['viewer'] }],
        services: (host) => ({ asked: host.metrics.counter('asked', 'Asked.', ['version']) }), enabledByDefault: true,
        routes: async (app, { services }) => { app.get('', { config: { access: { permission: 'counting.view' } }, schema: { operationId: 'getCounting', summary: 'Count', tags: ['counting'], response: { 200: Type.Object({ version: Type.String() }) } } },
          async () => { services.asked.inc({ version: '${version}' }); return { version: '${version}' }; }); },
        openapi: { tags: [{ name: 'counting', description: 'Counting.' }] } });`,
    );
  };
  await write('1.0.0');
  const b = await testApp({ config: { pluginsDir: folder } });
  t.teardown(b.close);
  const on = (await registerAdmin(b.origin)).api;
  t.same((await on.get('/counting')).body, { version: '1.0.0' });
  await write('1.1.0');
  t.match(await on.post('/settings/modules/rescan'), { status: 200, body: { updated: ['counting'] } });
  t.same((await on.get('/counting')).body, { version: '1.1.0' });
  const text = await (await fetch(`${b.origin}/api/metrics`)).text();
  for (const line of [
    'lintel_counting_asked{version="1.0.0"} 1',
    'lintel_counting_asked{version="1.1.0"} 1',
    'lintel_module_requests_total{module="counting",status="200"} 2',
    'http_requests_total{method="GET",route="/api/v1/counting",status="200"} 2',
  ])
    t.ok(text.includes(`\n${line}\n`), line);
});

t.test('the migration can be reverted and run again', async (t) => {
  const database = await createDatabase();
  const client = new pg.Client({ ...database });
  await client.connect();
  t.teardown(() => client.end());
  await client.query(
    `insert into files (id, expires_at, module) values ('${NOBODY}', 'infinity', 'ports'), (gen_random_uuid(), 'infinity', null)`,
  );
  await migration.down(await boundKnex(client));
  t.same(
    (await client.query<{ n: string }>('select count(*) as n from files')).rows,
    [{ n: '1' }],
    'files of the core remain',
  );
  await t.rejects(client.query('select module from files'), { code: '42703' });
  await migration.up(await boundKnex(client));
  t.same((await client.query('select module from files')).rows, [{ module: null }]);
});
