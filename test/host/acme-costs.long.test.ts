import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';
import { removeModule } from '../support/http.js';
import { run } from '../support/docs.js';
import { settled } from '../support/imports.js';

interface Rescan {
  loaded: string[];
  removed: string[];
  failed: unknown[];
}
interface Status {
  heard: number;
  ticks: number;
  closed: string[];
}

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const NAME = '@acme/lintel-costs';
const folder = await mkdtemp(join(tmpdir(), 'lintel-acme-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));

const npm = (args: string[]): Promise<string> =>
  run('npm', args, folder, { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' });

// The other system, which records the key of each request.
const keys: (string | undefined)[] = [];
const rates = createServer((request, response) => {
  keys.push(request.headers.authorization);
  response.setHeader('content-type', 'application/json').end('{"EUR":1.08}');
});
await new Promise<void>((resolve) => rates.listen(0, '127.0.0.1', resolve));
t.teardown(() => rates.close());
const rates_url = `http://127.0.0.1:${(rates.address() as AddressInfo).port}/latest`;

// The folder of modules: a local module beside the packages, and a link to the SDK of the platform.
await cp(join(root, 'test/fixtures/acme-budget'), folder, { recursive: true });
await writeFile(
  join(folder, 'package.json'),
  JSON.stringify({ private: true, dependencies: { '@lintel/sdk': `file:${join(root, 'core/sdk')}` } }),
);
await npm(['install']);
const tarball = (await npm(['pack', '--silent', join(root, 'test/fixtures/acme-costs')])).trim().split('\n').at(-1)!;

const { origin, database, close } = await testApp({
  config: { pluginsDir: folder, modules: [NAME], outboundAllow: ['127.0.0.1'] },
});
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const [architect, member, viewer] = [
  await makeUser(admin, 'architect'),
  await makeUser(admin, 'member'),
  await makeUser(admin, 'viewer'),
];
const make = async (type: string, name: string): Promise<string> => (await api.post('/cards', { type, name })).body.id;
const [shop, ledger, server] = [
  await make('Application', 'Shop'),
  await make('Application', 'Ledger'),
  await make('ITComponent', 'Server'),
];
const ITEMS = '/ext/acme_costs/items';
const item = (card_id: string, title: string, amount: number) =>
  architect.api.post(ITEMS, { card_id, title, amount, year: 2026 });
const rescan = async (): Promise<Rescan> => (await api.post<Rescan>('/settings/modules/rescan')).body;

t.test('a tarball is installed beside a running platform, found by a rescan and enabled', async (t) => {
  t.match(await api.get(`/settings/modules/${encodeURIComponent(NAME)}`), {
    body: { state: 'failed', reason_code: 'not_installed' },
  });
  await npm(['install', `./${tarball}`]);
  t.match(await rescan(), { loaded: ['acme_costs'], failed: [] });
  t.match(
    await api.patch('/settings/modules/acme_costs', { enabled: true, settings: { rates_url, api_key: 'sesame-open' } }),
    {
      status: 200,
      body: {
        state: 'enabled',
        reason: null,
        external: true,
        module_version: '2.1.0',
        settings: { rates_url, api_key: { is_set: true } },
      },
    },
  );
});

t.test('its resource satisfies the contract, and its constraint has its error code', async (t) => {
  const made = await item(shop, 'Licences', 1200.5);
  t.match(made, { status: 201, body: { amount: 1200.5, version: 1 } });
  t.equal(made.headers.get('location'), `/api/v1${ITEMS}/${made.body.id}`);
  t.match(await item(shop, 'Licences', 1), { status: 409, body: { code: 'acme_costs_taken' } });
  t.match(await member.api.post(ITEMS, {}), { status: 403, body: { required_permission: 'acme_costs.manage' } });
  t.match(await architect.api.post(`/cards/${shop}/ext/acme_costs`, { title: 'Support', amount: 99.5, year: 2026 }), {
    status: 201,
  });
  t.match(await member.api.get(`/cards/${shop}/ext/acme_costs`, { query: { sort_by: 'amount' } }), {
    status: 200,
    body: { total: 2, items: [{ title: 'Support' }, { title: 'Licences' }] },
  });
  t.equal((await api.get('/acme_costs/items')).status, 404);
});

t.test('a card permission of its own lets a stakeholder write', async (t) => {
  await api.post('/metamodel/types/Application/stakeholder-roles', {
    key: 'payer',
    label: 'Payer',
    permissions: { 'card.acme_costs_manage': true },
  });
  t.equal(
    (await viewer.api.post(`/cards/${ledger}/ext/acme_costs`, { title: 'x', amount: 1, year: 2026 })).status,
    403,
  );
  await api.post(`/cards/${ledger}/stakeholders`, { user_id: viewer.user.id, role: 'payer' });
  t.equal(
    (await viewer.api.post(`/cards/${ledger}/ext/acme_costs`, { title: 'Hosting', amount: 10, year: 2026 })).status,
    201,
  );
});

t.test('its documents are signed', async (t) => {
  const { body: contract } = await architect.api.post('/ext/acme_costs/contracts', { title: 'Frame' });
  t.match(contract, { number: 1, status: 'draft', revision: 1 });
  const path = `/ext/acme_costs/contracts/${contract.id}`;
  t.match(await architect.api.post(`${path}/request-signatures`, { user_ids: [member.user.id] }), {
    status: 200,
    body: { status: 'in_review' },
  });
  t.match(await architect.api.patch(path, { title: 'Other' }), { status: 409 });
  t.match(await member.api.post(`${path}/sign`, {}), { status: 200, body: { status: 'signed' } });
});

t.test('it adds to cards, exports and imports of the core', async (t) => {
  const sections = async (id: string) =>
    (await member.api.get<{ items: { id: string; value: unknown }[] }>(`/cards/${id}/sections`)).body.items.filter(
      (s) => s.id.startsWith('acme_costs'),
    );
  t.match(await sections(shop), [{ id: 'acme_costs.total', value: { total: 1300 } }]);
  t.strictSame(await sections(server), [], 'only cards of applications have the section');
  const csv = await api.get<string>('/cards/export', { query: { format: 'csv', search: 'Shop' } });
  const [headings, row] = csv.body
    .trim()
    .split('\n')
    .map((line) => line.split(',')) as [string[], string[]];
  t.equal(Number(row[headings.findIndex((heading) => heading.startsWith('acme_costs.total'))]), 1300);
  const upload = await api.send('POST', '/imports', 'Application;Till;50\nApplication;Wrong;1;2\n', {
    headers: { 'content-type': 'application/x-acme-costs' },
  });
  t.equal(upload.status, 202);
  t.match(await settled(api, upload.body.id), { format: 'acme_costs', counts: { card: { create: 1, invalid: 1 } } });
});

t.test('its job calls the other system with its secret, and stores the answer', async (t) => {
  t.equal((await member.api.get('/ext/acme_costs/rates')).status, 404);
  const first = await architect.api.post('/ext/acme_costs/rates/fetch', undefined, {
    headers: { 'idempotency-key': 'rates-1' },
  });
  const again = await architect.api.post('/ext/acme_costs/rates/fetch', undefined, {
    headers: { 'idempotency-key': 'rates-1' },
  });
  t.match([first.status, again.body], [202, first.body]);
  t.match(
    await until(async () => {
      const { body } = await api.get(`/settings/jobs/${String(first.body['job_id'])}`);
      return body['state'] === 'done' && body;
    }),
    { result: { size: 12 } },
  );
  t.strictSame(keys, ['Key sesame-open']);
  t.match(await member.api.get('/ext/acme_costs/rates'), { status: 200, body: { EUR: 1.08 } });
  t.match(
    await until(async () => (await api.get('/events', { query: { type: 'acme_costs_rates.fetched' } })).body.items[0]),
    { data: { size: 12 } },
  );
  const metrics = await (await fetch(`${origin}/api/metrics`)).text();
  t.match(metrics, /lintel_acme_costs_rates_fetched_total\{outcome="200"\} 1/);
});

t.test('it accepts files, and uses users, cards and relations', async (t) => {
  const form = new FormData();
  form.append('receipt', new Blob(['100 EUR']), 'july.txt');
  const answer = await fetch(`${origin}/api/v1/ext/acme_costs/receipts`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${architect.token}` },
  });
  t.match([answer.status, await answer.json()], [201, { receipts: [{ name: 'july.txt', size: 7 }] }]);
  const status = (await member.api.get('/ext/acme_costs/status')).body;
  t.match(status, {
    signers: [admin, architect, member].map((one) => one.user.display_name).sort(),
    relations: 0,
    last_key: 'ses',
  });
  t.equal(status['cards'], (await member.api.get('/cards')).body.total);
});

t.test('it receives events on each node, each archived card once, and its cron runs', async (t) => {
  const status = async (): Promise<Status> => (await member.api.get<Status>('/ext/acme_costs/status')).body;
  await api.patch(`/cards/${ledger}`, { description: 'Changed.' });
  t.ok(await until(async () => (await status()).heard > 0));
  await api.post(`/cards/${ledger}/archive`);
  t.strictSame(
    await until(async () => {
      const { closed } = await status();
      return closed.length > 0 && closed;
    }),
    [ledger],
  );
  t.equal((await member.api.get(ITEMS, { query: { card_id: ledger } })).body.total, 0);
  t.ok(await until(async () => (await status()).ticks > 0));
});

t.test('another module uses its capability while it is enabled', async (t) => {
  const spent = async () => (await viewer.api.get<{ spent: number | null }>(`/cards/${shop}/budget`)).body.spent;
  t.equal(await spent(), 1300);
  await api.patch('/settings/modules/acme_costs', { enabled: false });
  t.equal(await spent(), null);
  t.equal((await api.get(ITEMS)).status, 404);
  await api.patch('/settings/modules/acme_costs', { enabled: true });
  t.equal(await spent(), 1300);
});

t.test('it can be uninstalled without leftovers', async (t) => {
  const traces = async () =>
    await sql(
      database,
      `
    select tablename::text as trace from pg_tables where tablename like 'acme\\_costs%' union all select sequencename::text from pg_sequences where sequencename like 'acme\\_costs%'
    union all select key from permission_keys where owner = 'acme_costs' union all select name from secrets where name like 'module.acme_costs.%'
    union all select id::text from files where module = 'acme_costs' union all select name from subscriptions where module = 'acme_costs'`,
    );
  t.ok((await traces()).length > 8);
  await api.patch('/settings/modules/acme_costs', { enabled: false });
  t.equal((await removeModule(api, 'acme_costs')).status, 204);
  const left = await traces();
  t.strictSame(
    left.filter(({ trace }) => !/^acme_costs\.\w+$/.test(String(trace))),
    [],
    'its permissions remain declared as long as it is installed',
  );
  await npm(['uninstall', NAME]);
  t.match(await rescan(), { removed: ['acme_costs'] });
  t.equal((await api.get('/settings/modules/acme_costs')).status, 404);
  t.match(await api.get(`/settings/modules/${encodeURIComponent(NAME)}`), { body: { reason_code: 'not_installed' } });
  const { paths } = (await (await fetch(`${origin}/api/openapi.json`)).json()) as { paths: Record<string, unknown> };
  t.notOk(Object.keys(paths).some((path) => path.includes('acme_costs')));
  const { body } = await api.get<AnyBody>(`/cards/${shop}/sections`);
  t.notOk(body.items.some(({ id }) => id.startsWith('acme_costs')));
  t.equal((await viewer.api.get(`/cards/${shop}/budget`)).status, 200, 'the module that used it still runs');
});
