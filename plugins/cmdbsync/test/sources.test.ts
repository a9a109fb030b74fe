/** Runs that read the connectors `rest` and `files` in a service, with settings as users write them. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { expectStatus, registerAdmin, testApp } from '../../../test/support/app.js';
import { RestServer } from './simulators/rest.js';
import { recordsOf, serviceAccount, sync } from './support/runs.js';

const importDir = await mkdtemp(join(tmpdir(), 'lintel-import-'));
const server = await RestServer.start();
const { origin, close } = await testApp({ config: { outboundAllow: ['127.0.0.1'], importDir } });
t.teardown(async () => {
  await close();
  await server.close();
  await rm(importDir, { recursive: true, force: true });
});
const admin = await registerAdmin(origin);
const { api } = admin;
const runs_as = await serviceAccount(admin, 'architect');

async function connect(connector: string, config: object, secrets: object = {}): Promise<string> {
  const body = { name: connector, connector, config, secrets, max_requests_per_second: 1_000 };
  return expectStatus(await api.post('/cmdbsync/connections', body), 201, 'a connection').body.id;
}
const direct = (source: string, target: string) => ({ source, target, owner: 'cmdb', transform: { kind: 'direct' } });
async function mapping(connection_id: string, table: string): Promise<string> {
  const body = {
    name: table,
    connection_id,
    card_type: 'ITComponent',
    table,
    fields: [direct('name', 'name'), direct('site.name', 'description')],
    runs_as,
    auto_apply: true,
    delete_policy: 'archive',
    delete_ratio: 1,
  };
  return expectStatus(await api.post('/cmdbsync/mappings', body), 201, 'a mapping').body.id;
}
const active = async (): Promise<number> =>
  (await api.get('/cards', { query: { type: 'ITComponent', status: 'ACTIVE', page_size: 1 } })).body.total;

t.test('settings are checked, and defaults are added', async (t) => {
  const path = '/cmdbsync/connections';
  const wrong = {
    url: 'ftp://x',
    auth: 'none',
    tables: [{ key: 'a b', path: 'x', paging: { kind: 'other', size: 1 } }],
  };
  const { status, body } = await api.post(path, { name: 'x', connector: 'rest', config: wrong });
  t.equal(status, 422);
  t.strictSame(body.errors.map(({ field }) => field).sort(), [
    '/config/tables/0/key',
    '/config/tables/0/paging/kind',
    '/config/tables/0/paging/size',
    '/config/tables/0/path',
    '/config/url',
  ]);
  const id = await connect('files', {});
  t.match((await api.get(`${path}/${id}`)).body, { config: { id: 'id', separator: 'auto', settle_seconds: 5 } });
  t.equal((await api.del(`${path}/${id}`)).status, 204);
});

t.test('lists of JSON objects', async (t) => {
  server.fill(250);
  server.accepts = ({ headers }) => headers.authorization === 'Bearer token-of-rest';
  const table = { list: 'data', total: 'meta.total', since: { param: 'updated_since' } };
  const connection = await connect(
    'rest',
    {
      url: `${server.origin}/api`,
      auth: 'bearer',
      tables: [
        { ...table, key: 'items', label: 'Items', path: '/page', paging: { kind: 'page' } },
        { ...table, key: 'others', path: '/offset', paging: { kind: 'offset' } },
      ],
    },
    { token: 'token-of-rest' },
  );
  const one = `/cmdbsync/connections/${connection}`;
  t.match((await api.post(`${one}/test`)).body, { ok: true });
  t.match((await api.get(`${one}/tables`)).body, { items: [{ key: 'items', label: 'Items' }, { key: 'others' }] });
  t.match((await api.get(`${one}/tables/items/fields?search=site`)).body, { total: 3 });
  const items = await mapping(connection, 'items');
  const preview = expectStatus(await api.post(`/cmdbsync/mappings/${items}/preview`, { limit: 3 }), 200, 'a preview');
  t.match(preview.body, { items: [{ values: { name: 'Item 1', description: 'Site 1' } }, {}, {}] });
  t.match(await sync(admin, items), { state: 'done', counts: { create: 250, applied: 250 } });
  t.match(await sync(admin, items, { full: true }), { state: 'done', counts: { unchanged: 250 } });
  server.put({ name: 'Other name' }, server.items[5]!.id);
  server.remove(String(server.items[0]!.id));
  t.match(await sync(admin, items), { is_full: false, counts: { update: 1, applied: 1 } });

  server.items = server.items.slice(0, 100);
  server.before = (url, response) => {
    if (url.searchParams.get('page') === '1') return false;
    server.send(response, 200, { data: [], meta: { total: 249 } });
    return true;
  };
  const before = await active();
  t.match(await sync(admin, items, { full: true }), { state: 'failed', error: { code: 'invalid_answer' } });
  server.before = (_url, response) => {
    response.end(`{"data":[],"meta":{"total":0},"more":"${'x'.repeat(21 * 1024 * 1024)}"}`);
    return true;
  };
  t.match(await sync(admin, items, { full: true }), {
    state: 'failed',
    error: { code: 'unreachable', detail: /more than 20971520 bytes/ },
  });
  t.equal(await active(), before, 'a failed run archives nothing');
  server.before = () => false;
  t.match(await sync(admin, items, { full: true }), { state: 'done', counts: { archive: 150 } });
  for (const text of ['a\0b', 'a\ud800b']) {
    const id = server.put({ name: 'Odd', site: { name: text } });
    const run = await sync(admin, items);
    t.match(run, { state: 'done', counts: { error: 1 } }, 'a text that cannot be stored is an error of its record');
    const [record] = await recordsOf(admin, run.id, { action: 'error' });
    t.match(record, { external_id: id, reason: /^description: has the character U\+0000/ });
    server.remove(id);
  }
  server.before = (url, response) => {
    const deep = `${'['.repeat(50)}${']'.repeat(50)}`;
    const item = `{"id":1,"name":${deep},"site":{"name":"a\\u0000b"}}`;
    response.end(`{"data":[${url.searchParams.get('page') === '1' ? item : ''}],"meta":{"total":1}}`);
    return true;
  };
  const odd = await api.post(`/cmdbsync/mappings/${items}/preview`, { limit: 1 });
  t.match(odd, { status: 200, body: { items: [{ errors: [{ field: 'name' }, { field: 'description' }] }] } });
  t.match(await sync(admin, items), { state: 'done', counts: { error: 1 } });
  server.before = (_url, response) => {
    server.send(response, 200, { data: [{ id: 'a\0b' }], meta: { total: 1 } });
    return true;
  };
  t.match(await sync(admin, items), { state: 'failed', error: { detail: 'A record has no valid id.' } });
});

t.test('files', async (t) => {
  const put = async (text: string): Promise<void> => {
    await writeFile(join(importDir, 'servers.csv.part'), text);
    await rename(join(importDir, 'servers.csv.part'), join(importDir, 'servers.csv'));
  };
  const rows = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, i) => `${from + i};Server ${from + i};Hall\r\n`).join('');
  await put(`key;name;site.name\r\n${rows(0, 40)}`);
  const connection = await connect('files', { id: 'key', settle_seconds: 0 });
  t.match((await api.post(`/cmdbsync/connections/${connection}/test`)).body, {
    ok: true,
    detail: 'The folder has 1 tables.',
  });
  const servers = await mapping(connection, 'servers');
  const before = await active();
  t.match(await sync(admin, servers), { state: 'done', counts: { create: 40, applied: 40 } });
  t.match(await sync(admin, servers), { is_full: true, state: 'done', counts: { unchanged: 40 } });
  await put(`key;name;site.name\r\n${rows(10, 30)}31;x\r\n`);
  t.match(await sync(admin, servers), { state: 'failed', error: { detail: /servers\.csv: line 22 has 2 cells/ } });
  await put('');
  t.match(await sync(admin, servers), { state: 'failed', error: { detail: /is empty/ } });
  t.equal((await active()) - before, 40, 'a broken file archives nothing');
  await put(`key;name;site.name\r\n${rows(10, 50)}`);
  t.match(await sync(admin, servers), { state: 'done', counts: { create: 10, archive: 10, unchanged: 30 } });
  t.equal((await active()) - before, 40);
});
