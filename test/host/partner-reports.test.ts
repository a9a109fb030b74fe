/** A report of a package that is installed while the service runs: over its own table joined to cards, with the rights of the caller. */
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { makeUser, registerAdmin, testApp, type AnyBody, type Session } from '../support/app.js';
import { removeModule } from '../support/http.js';
import { moduleFolder } from '../support/module-folder.js';
import { makeRoleUser } from '../support/roles.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const folder = await moduleFolder(t);
const PACKAGE = '@acme/lintel-contracts';
const PATH = '/reports/contracts.by-type';
/** Formats, with the type and the beginning of each. */
const FORMATS: readonly (readonly [format: string, type: string, begins: string])[] = [
  ['json', 'application/json', '{'],
  ['csv', 'text/csv', 'Type,Contracts,Cards,Amount'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK'],
  ['svg', 'image/svg+xml', '<svg'],
  ['png', 'image/png', '\u{fffd}PNG'],
];

const service = await testApp({ config: { pluginsDir: folder } });
const { origin } = service;
t.teardown(service.close);
const admin = await registerAdmin(origin);
const [architect, viewer] = [await makeUser(admin, 'architect'), await makeUser(admin, 'viewer')];
const card = async (type: string, name: string) => (await admin.api.post('/cards', { type, name })).body.id;
const isListed = async ({ api }: Session) =>
  (await api.get('/reports', { query: { page_size: 200 } })).body.items.some(({ id }) => id === 'contracts.by-type');

interface Report extends AnyBody {
  types: { key: string; contracts: number; cards: number; amount?: number }[];
}
const read = async ({ api }: Session, query: Record<string, string> = {}) => api.get<Report>(PATH, { query });
const figures = async (by: Session, query: Record<string, string> = {}) =>
  (await read(by, query)).body.types.map(({ key, contracts, cards, amount }) => [key, contracts, cards, amount]);

await t.test('it appears when the package is installed', async (t) => {
  t.equal((await read(admin)).status, 404);
  await cp(join(root, 'test/fixtures/partners/contracts'), join(folder, 'node_modules', PACKAGE), { recursive: true });
  t.equal((await admin.api.post('/settings/modules/install', { package: PACKAGE })).status, 200);
  t.equal(await isListed(admin), false, 'the module is not yet enabled');
  t.equal((await admin.api.patch('/settings/modules/contracts', { enabled: true })).status, 200);
  t.equal(await isListed(viewer), true);
});

await t.test('it counts what the caller may see', async (t) => {
  // With the permissions of the module, which architects have now.
  const blind = await makeRoleUser(service, admin, 'blind', {
    like: 'architect',
    types: { Provider: { 'cards.view': false } },
  });
  const [shop, ledger, oak] = [
    await card('Application', 'Shop'),
    await card('Application', 'Ledger'),
    await card('Provider', 'Oak'),
  ];
  for (const [card_id, amount] of [
    [shop, 100.5],
    [shop, 50],
    [ledger, null],
    [oak, 700],
  ])
    t.equal((await architect.api.post('/ext/contracts', { title: 'Hosting', card_id, amount })).status, 201);
  t.same(await figures(architect), [
    ['Application', 3, 2, 150.5],
    ['Provider', 1, 1, 700],
  ]);
  t.same(await figures(viewer, { type: 'Application' }), [['Application', 3, 2, undefined]], 'without money');
  t.same(await figures(blind), [['Application', 3, 2, 150.5]], 'a hidden type is not counted');
  t.equal((await read(blind)).body.total, 3);
  t.same(await figures(architect, { state: 'signed' }), []);
  t.same(await figures(architect, { search: 'ledger' }), [['Application', 1, 1, 0]]);
  const { status, body } = await read(architect, { state: 'open', nothing: '1', status: 'x' });
  t.equal(status, 422);
  t.same(body.errors.map(({ field }) => field).sort(), ['nothing', 'state']);
});

await t.test('it answers in all formats', async (t) => {
  for (const [format, type, begins] of FORMATS) {
    const answer = await fetch(`${origin}/api/v1${PATH}?format=${format}`, {
      headers: { authorization: `Bearer ${architect.token}` },
    });
    t.equal(answer.status, 200, format);
    t.ok(answer.headers.get('content-type')!.startsWith(type), format);
    t.ok((await answer.text()).startsWith(begins), format);
  }
});

await t.test('a saved one remains when the package is removed, and says why it has no result', async (t) => {
  const { body } = await architect.api.post('/reports/saved', {
    name: 'Contracts',
    report: 'contracts.by-type',
    parameters: { type: 'Application' },
  });
  const result = `/reports/saved/${body.id}/result`;
  t.equal((await architect.api.get(result)).body.total, 3);
  t.equal((await admin.api.patch('/settings/modules/contracts', { enabled: false })).status, 200);
  t.match(await architect.api.get(result), { status: 409, body: { code: 'reports_saved_invalid' } });
  t.equal((await removeModule(admin.api, 'contracts')).status, 204);
  t.equal(await isListed(admin), false);
  t.equal((await architect.api.get(`/reports/saved/${body.id}`)).status, 200);
});
