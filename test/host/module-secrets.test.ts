import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { client, makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';
import { removeModule } from '../support/http.js';

interface Module {
  id: string;
  version: number;
  settings: Record<string, unknown>;
  settings_schema: { properties: Record<string, unknown> };
}
type Settings = Record<string, unknown>;

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const config = { pluginsDir: join(root, 'test/fixtures/modules/ports') };
const SECOND = 1_000;
const KEY = 'sk-1234567890-very-secret';
const PATH = '/settings/modules/ports';

const a = await testApp({ config });
const b = await testApp({ config, database: a.database });
t.teardown(() => Promise.all([a.close(), b.close()]));
const admin = await registerAdmin(a.origin);
const viewer = await makeUser(admin, 'viewer');
const onB = client(b.origin, admin.token);
const { api } = admin;

const set = (settings: Settings, headers: Record<string, string> = {}) =>
  api.patch<Module>(PATH, { settings }, { headers });
const seen = async (at = api): Promise<Settings> => (await at.get<Settings>('/ports/settings')).body;

/** The content of all tables as text. */
async function stored(): Promise<string> {
  const tables = await sql<{ name: string }>(
    a.database,
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const texts = await Promise.all(
    tables.map(({ name }) =>
      sql<{ text: string | null }>(a.database, `select string_agg(x::text, ' ') as text from ${name} x`),
    ),
  );
  return texts.map(([row]) => row?.text ?? '').join(' ');
}

t.test('a secret setting is written and never shown', async (t) => {
  const before = (await api.get<Module>(PATH)).body;
  t.same(before.settings, { url: 'https://example.org', api_key: { is_set: false }, password: { is_set: false } });
  t.match(before.settings_schema.properties['api_key'], { secret: true });
  t.same(await seen(), { url: 'https://example.org', api_key: '', password: '' });
  const done = await set({ api_key: KEY, url: 'https://cmdb.example' });
  t.equal(done.status, 200);
  t.same(done.body.settings, { url: 'https://cmdb.example', api_key: { is_set: true }, password: { is_set: false } });
  t.equal(done.body.version, before.version + 1);
  t.notMatch(JSON.stringify([done.body, (await api.get(PATH)).body, (await api.get('/settings/modules')).body]), KEY);
  t.equal((await seen())['api_key'], KEY, 'immediately on the node of the request');
  await until(async () => (await seen(onB))['api_key'] === KEY, SECOND);
  t.same((await onB.get<Module>(PATH)).body.settings['api_key'], { is_set: true });
  const events = (await api.get('/events', { query: { type: 'module.updated' } })).body.items;
  t.match(events[0], {
    data: {
      changes: [
        { field: 'settings.url', old: 'https://example.org', new: 'https://cmdb.example' },
        { field: 'settings.api_key', old: { is_set: false }, new: { is_set: true } },
      ],
    },
  });
  const text = await stored();
  t.notMatch(text, KEY, 'the secret is not stored in plain text');
  t.notMatch(text, Buffer.from(KEY).toString('hex'));
  t.match(text, 'https://cmdb.example', 'other settings are');
});

t.test('a secret is kept until it is replaced or removed', async (t) => {
  await set({ url: 'https://other.example' });
  t.equal((await seen())['api_key'], KEY);
  const again = await set({ api_key: 'another-key' });
  t.same(again.body.settings['api_key'], { is_set: true });
  await until(async () => (await seen(onB))['api_key'] === 'another-key', SECOND);
  const same = await set({ api_key: 'another-key' });
  t.equal(same.body.version, again.body.version + 1, 'an equal value is not revealed by an unchanged version');
  for (const removal of [null, '']) {
    await set({ password: 'p' });
    t.equal((await seen())['password'], 'p');
    t.same((await set({ password: removal })).body.settings['password'], { is_set: false });
    t.equal((await seen())['password'], '');
  }
  await until(async () => (await seen(onB))['password'] === '', SECOND);
  const { version } = (await api.get<Module>(PATH)).body;
  t.equal((await set({ password: null })).body.version, version, 'removing an absent secret changes nothing');
  t.match((await api.get('/events', { query: { type: 'module.updated' } })).body.items[0], {
    data: { changes: [{ field: 'settings.password', old: { is_set: true }, new: { is_set: false } }] },
  });
});

t.test('it is validated like all settings, and a refused change has no effect', async (t) => {
  const { version } = (await api.get<Module>(PATH)).body;
  for (const api_key of ['short', 'x'.repeat(10_001), 5, true, [], {}, { is_set: true }]) {
    t.match(
      await set({ api_key, url: 'https://no.example' }),
      { status: 422, body: { code: 'validation_failed', errors: [{ field: '/settings/api_key', in: 'body' }] } },
      JSON.stringify(api_key).slice(0, 20),
    );
  }
  t.match(await set({ api_key: 'a\u0000b-12345678' }), { status: 422 });
  t.match(
    await set({ api_key: 5, nothing: 1, url: 5 }),
    { status: 422, body: { errors: { length: 3 } } },
    'all faults at once',
  );
  t.equal((await set({ api_key: 'long-enough' }, { 'if-match': '"99999"' })).status, 412);
  t.equal((await viewer.api.patch(PATH, { settings: { api_key: 'long-enough' } })).status, 403);
  const { body } = await api.get<Module>(PATH);
  t.same(
    [body.version, body.settings['url'], (await seen())['api_key']],
    [version, 'https://other.example', 'another-key'],
  );
  const key = { 'idempotency-key': 'set-once' };
  const [one, two] = [await set({ api_key: 'set-only-once' }, key), await set({ api_key: 'set-only-once' }, key)];
  t.equal(two.headers.get('idempotent-replayed'), 'true');
  t.equal(two.body.version, one.body.version);
});

t.test('a module has no access to secrets of another one', async (t) => {
  await api.patch('/settings/modules/ports_other', { settings: { api_key: 'of the other' } });
  t.equal((await seen())['api_key'], 'set-only-once');
  t.equal(a.app.services.modules.get('ports_other')!.host.settings()['api_key'], 'of the other');
  await api.patch('/settings/modules/ports_other', { settings: { api_key: null } });
  t.equal((await seen())['api_key'], 'set-only-once');
});

t.test('stored secrets survive their node, and those of an older version of the module cause no error', async (t) => {
  await sql(
    a.database,
    `update modules set settings = settings || '{"gone": 1, "api_key": "in plain text"}' where id = 'ports'`,
  );
  const c = await testApp({ config, database: a.database });
  t.teardown(c.close);
  const onC = client(c.origin, admin.token);
  t.same(await seen(onC), { url: 'https://other.example', api_key: 'set-only-once', password: '' });
  t.notMatch(JSON.stringify((await onC.get(PATH)).body), 'in plain text');
  t.equal((await onC.patch(PATH, { settings: { url: 'https://c.example' } })).status, 200);
  t.same(await sql(a.database, `select settings from modules where id = 'ports'`), [
    { settings: { url: 'https://c.example' } },
  ]);
});

t.test('removing a module removes only its secrets and files', async (t) => {
  // Matches `module.ports_other.%` in LIKE, where an underscore is any character.
  await sql(
    a.database,
    `insert into secrets (name, ciphertext) select 'module.portsxother.x', ciphertext from secrets where name = 'module.ports.settings/api_key'`,
  );
  t.teardown(() => sql(a.database, `delete from secrets where name = 'module.portsxother.x'`));
  const other = a.app.services.modules.get('ports_other')!.host;
  await api.patch('/settings/modules/ports_other', { settings: { api_key: 'of the other' } });
  await other.secrets.set('token', 'x');
  await other.files.write(
    other.systemContext('job'),
    (async function* () {
      yield Buffer.from('x');
    })(),
    { maxBytes: 10 },
  );
  const left = async () =>
    (
      await sql<{ name: string }>(
        a.database,
        `select name from secrets where name like 'module.%' union all select module from files order by 1`,
      )
    ).map(({ name }) => name);
  t.same(await left(), [
    'module.ports.settings/api_key',
    'module.ports_other.settings/api_key',
    'module.ports_other.token',
    'module.portsxother.x',
    'ports_other',
  ]);
  await api.patch('/settings/modules/ports_other', { enabled: false });
  t.equal((await removeModule(api, 'ports_other')).status, 204);
  t.same(await left(), ['module.ports.settings/api_key', 'module.portsxother.x']);
  t.same((await api.get<Module>('/settings/modules/ports_other')).body.settings, { api_key: { is_set: false } });
});
