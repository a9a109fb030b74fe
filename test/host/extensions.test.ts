import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { client, makeUser, registerAdmin, sql, testApp, until, type Client, type Session } from '../support/app.js';

interface Section {
  id: string;
  module: string;
  title: string;
  value: unknown;
  error: string | null;
}
interface Module {
  id: string;
  state: string;
  reason: string | null;
  reason_code: string | null;
}

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const config = {
  pluginsDir: join(root, 'test/fixtures/modules/extensions'),
  logLevel: (process.env.TEST_LOG_LEVEL ?? 'silent') as 'silent',
};
/** Longest time until all nodes apply a change, in ms. */
const SECOND = 1_000;

const a = await testApp({ config });
const b = await testApp({ config, database: a.database });
t.teardown(() => Promise.all([a.close(), b.close()]));
const admin = await registerAdmin(a.origin);
const { api } = admin;
const viewer = await makeUser(admin, 'viewer');
const keeper = await makeUser(admin, 'viewer');
const onB = client(b.origin, admin.token);

const make = async (path: string, body: unknown): Promise<string> => {
  const answer = await api.post(path, body);
  if (answer.status !== 201) throw new Error(`POST ${path} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};
const [first, second, plain] = [
  await make('/cards', { type: 'Application', name: 'First' }),
  await make('/cards', { type: 'Application', name: 'Second' }),
  await make('/cards', { type: 'Application', name: 'Third' }),
];
const component = await make('/cards', { type: 'ITComponent', name: 'Component' });
const provider = await make('/cards', { type: 'Provider', name: 'Provider' });
await api.post('/metamodel/types/Application/stakeholder-roles', {
  key: 'keeper',
  label: 'Keeper',
  permissions: { 'card.extensions_view': true },
});
await make(`/cards/${first}/stakeholders`, { user_id: keeper.user.id, role: 'keeper' });
await sql(
  a.database,
  `insert into extensions_facts (card_id, note, amount, share, flag, day, at) values
  ('${first}', '=1+1', -12.50, 0.1, true, '2024-02-29', '2024-02-29 12:00:00.123456+02'),
  ('${second}', '"a", b' || chr(10) || 'ß 🚀', 12345678901234567890, 'infinity', false, '0001-01-01', 'infinity'),
  ('${component}', '''@sum', 0, -1, null, null, '1999-12-31 23:59:59.9999+00')`,
);

const set = (enabled: boolean) => api.patch<Module>('/settings/modules/extensions', { enabled });
const sections = async (of: Client, id: string) =>
  (await of.get<{ items: Section[] }>(`/cards/${id}/sections`)).body.items;
const ids = async (of: Client, id: string) => (await sections(of, id)).map((s) => s.id);
const exported = async (format: string, { token }: Session = admin, origin = a.origin): Promise<string> => {
  const answer = await fetch(`${origin}/api/v1/cards/export?format=${format}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status !== 200) throw new Error(`the export gave ${answer.status}: ${await answer.text()}`);
  return await answer.text();
};
const ADDED = ['note', 'amount', 'share', 'flag', 'day', 'at'].map((key) => `extensions.${key}`);
const headings = (csv: string): string[] => csv.split('\n', 1)[0]!.split(',');
const added = (text: string): string[] => headings(text).filter((heading) => heading.startsWith('extensions'));

t.test('sections of a card: by type, by permission, by a role on the card', async (t) => {
  t.strictSame(await ids(api, first), ['extensions.about', 'extensions.kept']);
  t.strictSame(await ids(api, provider), ['extensions.about', 'extensions.kept', 'extensions.provided']);
  t.strictSame((await sections(api, first))[0], {
    id: 'extensions.about',
    module: 'extensions',
    title: 'Section about',
    value: { name: 'First' },
    error: null,
  });
  t.strictSame((await sections(api, first))[1]?.value, null);
  t.strictSame(await ids(viewer.api, first), ['extensions.about']);
  t.strictSame(
    await ids(keeper.api, first),
    ['extensions.about', 'extensions.kept'],
    'a role on the card shows the section',
  );
  t.strictSame(await ids(keeper.api, second), ['extensions.about'], 'not on other cards');
  t.strictSame(await ids(onB, first), ['extensions.about', 'extensions.kept']);
  t.equal((await api.get('/cards/0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b/sections')).status, 404);
  t.equal((await api.get('/cards/nonsense/sections')).status, 404);
  t.equal((await api.get(`/cards/${first}/sections`, { query: { colour: 'red' } })).status, 422);
  const page = await api.get<{ items: Section[]; total: number; next_cursor: string }>(`/cards/${first}/sections`, {
    query: { page_size: 1, sort_by: 'title', sort_dir: 'desc' },
  });
  t.match(page.body, { total: 2, items: [{ id: 'extensions.kept' }] });
  t.match(
    (
      await api.get(`/cards/${first}/sections`, {
        query: { page_size: 1, sort_by: 'title', sort_dir: 'desc', cursor: page.body.next_cursor },
      })
    ).body,
    { items: [{ id: 'extensions.about' }], next_cursor: null },
  );
});

t.test('a section that cannot be loaded is unavailable, without details, and does not affect others', async (t) => {
  const began = performance.now();
  const found = await sections(api, component);
  t.ok(performance.now() - began < 4_000, 'the wait for a section is limited');
  const wrong = ['hanging', 'misshaped', 'throwing', 'throwing_at_once', 'unwritable'];
  t.strictSame(
    found.map(({ id, error }) => [id, error]),
    [...['about', 'kept', 'sound'].map((key) => [key, null]), ...wrong.map((key) => [key, 'unavailable'])]
      .map(([key, error]) => [`extensions.${key}`, error])
      .sort((x, y) => (x[0]! < y[0]! ? -1 : 1)),
    'a section that loads undefined is omitted',
  );
  t.notOk(JSON.stringify(found).includes('secret'));
});

t.test('a column with invalid SQL disables its module, and no export fails', async (t) => {
  const of = async (id: string) => (await api.get<Module>(`/settings/modules/${id}`)).body;
  t.match(await of('extensions_broken'), {
    state: 'failed',
    reason_code: 'activation',
    reason: /its export column wrong: column "no_such" does not exist/,
  });
  t.match(await of('extensions_mistyped'), {
    state: 'failed',
    reason_code: 'activation',
    reason: /its export column wrong: its SQL gives text, which is no timestamp/,
  });
  t.strictSame(added(await exported('csv')), ADDED);
});

t.test('columns in CSV', async (t) => {
  const csv = await exported('csv');
  t.strictSame(headings(csv).slice(-ADDED.length), ADDED, 'after the fields');
  const line = (id: string): string => csv.slice(csv.indexOf(`\n${id},`) + 1);
  t.match(
    line(first).split('\n', 1)[0],
    /,'=1\+1,-12\.50,0\.1,true,2024-02-29,2024-02-29T10:00:00\.123Z$/,
    'a formula is guarded, a negative number is not',
  );
  t.match(
    line(second),
    /,"""a"", b\nß 🚀",12345678901234567890,Infinity,false,0001-01-01,\n/,
    'an infinite time is empty',
  );
  t.match(line(plain).split('\n', 1)[0], /,,,,,,$/);
  t.match(line(component).split('\n', 1)[0], /,''@sum,0,-1,,,1999-12-31T23:59:59\.999Z$/);
});

t.test('columns in JSON and NDJSON', async (t) => {
  const array = JSON.parse(await exported('json')) as Record<string, unknown>[];
  const lines = (await exported('ndjson'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  t.strictSame(lines, array);
  const of = (id: string): unknown[] => {
    const card = array.find((c) => c.id === id)!;
    return ADDED.map((name) => card[name]);
  };
  t.strictSame(of(first), ['=1+1', -12.5, 0.1, true, '2024-02-29', '2024-02-29T10:00:00.123Z']);
  t.strictSame(of(second), ['"a", b\nß 🚀', 12345678901234567890, 'Infinity', false, '0001-01-01', null]);
  t.strictSame(of(plain), [null, null, null, null, null, null]);
});

t.test('a reader gets the columns for which the reader has the permission', async (t) => {
  t.strictSame(added(await exported('csv', viewer)), ['extensions.flag']);
  const cards = JSON.parse(await exported('json', viewer)) as Record<string, unknown>[];
  t.strictSame(
    Object.keys(cards[0]!).filter((key) => key.startsWith('extensions')),
    ['extensions.flag'],
  );
});

t.test('disabling removes all of it on every node within a second, and enabling restores it', async (t) => {
  t.equal((await set(false)).status, 200);
  t.strictSame(await sections(api, first), [], 'immediately on the node of the request');
  t.strictSame(added(await exported('csv')), []);
  await until(async () => (await sections(onB, first)).length === 0, SECOND);
  t.strictSame(added(await exported('csv', admin, b.origin)), []);
  t.equal((await set(true)).status, 200);
  t.strictSame(added(await exported('csv')), ADDED);
  await until(async () => added(await exported('csv', admin, b.origin)).length === ADDED.length, SECOND);
  t.strictSame(await ids(onB, first), ['extensions.about', 'extensions.kept']);
});
