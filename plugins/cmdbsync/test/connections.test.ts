import t from 'tap';
import { resourceContract, testApp, until } from '@lintel/sdk/testing';
import module from '../index.js';
import { behaviour, opened, source, tables } from './support/source.js';

const app = await testApp({ modules: [module, source] });
t.teardown(app.close);
const { admin } = app;
await admin.post('/roles', {
  key: 'cmdb',
  label: 'CMDB',
  permissions: ['cards.view', 'relations.view', 'cmdbsync.view', 'cmdbsync.manage'],
});
await admin.post('/roles', { key: 'reader', label: 'Reader', permissions: ['cmdbsync.view'] });
const manager = await app.asUser('cmdb');
const path = `${app.prefix}/connections`;

let count = 0;
const input = (more: Record<string, unknown> = {}) => ({
  name: `Source ${++count}`,
  connector: 'acme_source',
  config: { url: 'https://one.example.com' },
  secrets: { token: 'first' },
  ...more,
});
type Errors = { field: string }[];
const fieldsOf = (body: unknown): string[] =>
  ((body as { errors?: Errors }).errors ?? []).map(({ field }) => field).sort();

for (const { name, run } of resourceContract({
  app,
  path,
  kind: 'cmdbsync_connection',
  writer: 'cmdb',
  reader: 'reader',
  create: (n) => input({ name: `Contract ${n}` }),
  update: { max_requests_per_second: 20 },
  invalid: [
    {
      body: { name: '', connector: 'acme_source', config: 3, max_requests_per_second: 0 },
      fields: ['/name', '/config', '/max_requests_per_second'],
    },
  ],
}))
  t.test(name, run);

t.test('settings and secrets are checked by the connector', async (t) => {
  const wrong = await manager.post(
    path,
    input({ config: { url: 'no', mode: 'x', other: 1 }, secrets: { secret: 'x' } }),
  );
  t.equal(wrong.status, 422);
  t.same(fieldsOf(wrong.body), ['/config/mode', '/config/other', '/config/url', '/secrets/secret', '/secrets/token']);
  t.match(await manager.post(path, input({ name: 'two\nlines' })), {
    status: 422,
    body: { errors: [{ field: '/name' }] },
  });
  const unknown = await manager.post(path, input({ connector: 'none' }));
  t.same([unknown.status, fieldsOf(unknown.body)], [422, ['/connector']]);
  const { status, body } = await manager.post(path, input());
  t.equal(status, 201);
  t.match(body, { config: { timeout: 10 }, secrets: { token: true }, last_test: null });
  t.strictSame(body['stored_secrets'], { extra: { is_set: false }, token: { is_set: true } }, 'as settings show them');
  t.equal((await manager.post(path, input({ name: String(body['name']).toUpperCase() }))).status, 409);
  const known = await manager.get<{ items: { key: string }[] }>(`${app.prefix}/connectors`);
  t.match(
    known.body.items.find(({ key }) => key === 'acme_source'),
    { module: 'acme_source', secrets: [{ name: 'token', is_required: true }, {}] },
  );
});

t.test('secrets are written, kept, removed, and never returned', async (t) => {
  const { body } = await manager.post(path, input({ secrets: { token: 'very-secret-1', extra: 'very-secret-2' } }));
  const one = `${path}/${body.id}`;
  const sent = async (): Promise<unknown> => {
    t.equal((await manager.post(`${one}/test`)).status, 200);
    return opened.at(-1)!.secrets;
  };
  t.same(await sent(), { token: 'very-secret-1', extra: 'very-secret-2' });
  const kept = await manager.patch(one, { name: 'Renamed', secrets: body['secrets'] });
  t.same(kept.body['secrets'], { token: true, extra: true });
  const changed = await manager.patch(one, { secrets: { token: 'very-secret-3', extra: null } });
  t.same(changed.body['secrets'], { token: true });
  t.same(kept.body['stored_secrets'], { extra: { is_set: true }, token: { is_set: true } });
  t.same(changed.body['stored_secrets'], { extra: { is_set: false }, token: { is_set: true } });
  t.ok((changed.body['version'] as number) > (kept.body['version'] as number));
  t.same(await sent(), { token: 'very-secret-3' });
  t.match(await manager.patch(one, { secrets: { token: null } }), {
    status: 422,
    body: { errors: [{ field: '/secrets/token' }] },
  });
  const logged = JSON.stringify([
    await manager.get(`${one}/history`),
    await manager.get(one),
    await app.query('select data from events'),
    await app.query('select config, secrets from cmdbsync_connections'),
  ]);
  t.notMatch(logged, 'very-secret');
  t.equal((await manager.delete(one)).status, 204);
  const left = await app.query("select name from secrets where name like 'module.cmdbsync.c.%' || $1 || '%'", [
    body.id.replaceAll('-', ''),
  ]);
  t.same(left, []);
});

t.test('addresses, accounts and results of tests are shown to those who manage connections', async (t) => {
  await admin.post('/roles', { key: 'auditor', label: 'Auditor', permissions: ['cmdbsync.view', 'events.audit'] });
  const reader = await app.asUser('auditor');
  const { id } = (await manager.post<{ id: string }>(path, input())).body;
  await manager.post(`${path}/${id}/test`);
  const changed = await manager.patch(`${path}/${id}`, {
    config: { url: 'https://two.example.com' },
    secrets: { token: 'second' },
  });
  t.equal(changed.status, 200);
  const withheld = ['config', 'last_test', 'secrets', 'stored_secrets'];
  for (const [client, shown] of [
    [manager, withheld],
    [reader, []],
  ] as const) {
    const { body } = await client.get<Record<string, unknown>>(`${path}/${id}`);
    t.same(
      Object.keys(body)
        .filter((key) => withheld.includes(key))
        .sort(),
      shown,
    );
    for (const place of [path, `${path}/${id}/history`])
      t.equal(JSON.stringify((await client.get(place)).body).includes('example.com'), client === manager, place);
  }
  // With the change, so that it is known to be in the log.
  const told = await until(async () => {
    const { body } = await reader.get(`/events?subject_id=${id}`);
    return JSON.stringify(body).includes('cmdbsync_connection.updated') && JSON.stringify(body);
  });
  t.notOk(told.includes('example.com'));
});

t.test('a secret is not sent to another address than the one it was entered for', async (t) => {
  const { body } = await manager.post(path, input());
  const one = `${path}/${body.id}`;
  const moved = await manager.patch(one, { config: { url: 'https://two.example.com' } });
  t.same([moved.status, fieldsOf(moved.body)], [422, ['/secrets/token']]);
  const asked = await manager.patch(one, { config: { url: 'https://two.example.com' }, secrets: { token: true } });
  t.same([asked.status, fieldsOf(asked.body)], [422, ['/secrets/token']]);
  t.equal((await manager.patch(one, { config: { timeout: 20, mode: 'slow' } })).status, 200);
  const again = await manager.patch(one, { config: { url: 'https://two.example.com' }, secrets: { token: 'second' } });
  t.equal(again.status, 200, JSON.stringify(again.body));
  t.match(again.body, { config: { url: 'https://two.example.com', timeout: 20, mode: 'slow' } });
});

t.test('tests, tables and fields', async (t) => {
  const { body } = await manager.post(path, input());
  const one = `${path}/${body.id}`;
  tables.set('servers', [{ id: '1', values: { name: 'a' } }]);
  tables.set('sites', []);
  t.match(await manager.post(`${one}/test`), { status: 200, body: { ok: true, detail: 'Source 1.0' } });
  const before = await manager.get(one);
  t.match(before.body, { last_test: { ok: true, detail: 'Source 1.0' } });
  const mapping = await manager.post(`${app.prefix}/mappings`, {
    name: 'Servers',
    connection_id: body.id,
    card_type: 'ITComponent',
    table: 'servers',
    fields: [{ source: 'name', target: 'name', owner: 'cmdb', transform: { kind: 'direct' } }],
    relations: [
      {
        key: 'site',
        source: 'site',
        target_table: 'sites',
        relation_type: 'organizationToITComponent',
        card_end: 'target',
      },
    ],
  });
  t.equal(mapping.status, 201, JSON.stringify(mapping.body));
  t.match(await manager.get(`${one}/tables`), {
    body: {
      total: 2,
      items: [
        { key: 'servers', label: 'Table servers', records: 1, mapped_by: [mapping.body.id] },
        { key: 'sites', records: 0, mapped_by: [] },
      ],
    },
  });
  t.match(await manager.get(`${one}/tables?search=SITES`), { body: { total: 1, items: [{ key: 'sites' }] } });
  t.match(await manager.get(`${one}/tables/servers/fields?mapping_id=${mapping.body.id}`), {
    body: {
      items: [
        { key: 'name', type: 'text', mapped_to: ['name'], is_writable: true, references: null },
        { key: 'site', references: 'sites', mapped_to: ['organizationToITComponent'] },
      ],
    },
  });
  t.match(await manager.get(`${one}/tables/sites/fields?mapping_id=${mapping.body.id}`), { status: 422 });
  t.match(await manager.get(`${one}/tables/none/fields`), {
    status: 422,
    body: { code: 'cmdbsync_source_failed', detail: 'There is no table none.', fault: 'not_found' },
  });
  behaviour.is = 'failing';
  t.teardown(() => (behaviour.is = 'fine'));
  t.match(await manager.post(`${one}/test`), {
    status: 200,
    body: { ok: false, detail: 'The token is not accepted.' },
  });
  const after = await manager.get(one);
  t.match(after.body, { last_test: { ok: false } });
  t.not(before.headers.get('etag'), after.headers.get('etag'), 'the result of a test is part of the tag');
  t.match(await manager.get(`${one}/tables`), { status: 422, body: { fault: 'authentication' } });
  t.match(await manager.delete(one), { status: 409, body: { code: 'cmdbsync_connection_used' } });
  t.match(await (await app.asUser('reader')).post(`${one}/test`), { status: 403 });
});
