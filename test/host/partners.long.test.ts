/**
 * Two packages of partners on two nodes, from `npm pack` to `npm uninstall`: used, updated, broken, rolled back, removed and
 * installed again. After the removal the database differs in the event log only.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { client, makeUser, registerAdmin, sql, testApp, until, type AnyBody, type Session } from '../support/app.js';
import { run } from '../support/docs.js';
import { removeModule } from '../support/http.js';
import { applied, lines, rowsOf, staged } from '../support/imports.js';
import { moduleFolder } from '../support/module-folder.js';
import { catalogueOf } from '../support/schema-state.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const folder = await moduleFolder(t);
const sources = await mkdtemp(join(tmpdir(), 'lintel-partners-'));
t.teardown(() => rm(sources, { recursive: true, force: true }));
const npm = (args: string[], at = folder): Promise<string> =>
  run('npm', args, at, { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' });

/** Packs a version of a package, as its author does. @param change of its index.js @returns the path of the tarball */
async function pack(id: string, version: string, change = (text: string) => text): Promise<string> {
  const place = join(sources, `${id}-${version}`);
  await cp(join(root, 'test/fixtures/partners', id), place, { recursive: true });
  for (const [file, edit] of [
    ['package.json', (text: string) => text],
    ['src/index.js', change],
  ] as const) {
    const path = join(place, file);
    await writeFile(path, edit((await readFile(path, 'utf8')).replaceAll('1.0.0', version)));
  }
  return join(sources, basename((await npm(['pack', '--silent', place], sources)).trim().split('\n').at(-1)!));
}
const NOTE = `'0002_note': { up: (knex) => knex.raw('alter table contracts_contracts add column note text'), down: (knex) => knex.raw('alter table contracts_contracts drop column note') }`;
const packed = {
  contracts: await pack('contracts', '1.0.0'),
  sbom: await pack('sbom', '1.0.0'),
  next: await pack('contracts', '1.1.0', (text) =>
    text.replace(/^ {2}migrations,$/m, `  migrations: { ...migrations, ${NOTE} },`),
  ),
  broken: await pack('contracts', '1.2.0', (text) => `throw new Error('of version 1.2.0');\n${text}`),
};
const PACKAGES = { contracts: '@acme/lintel-contracts', sbom: '@acme/lintel-sbom' } as const;

await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
const config = { pluginsDir: folder, logLevel: 'silent' as const, outboundAllow: ['127.0.0.1'] };
const a = await testApp({ config });
const b = await testApp({ config, database: a.database });
const { database } = a;
t.teardown(() => Promise.all([a.close(), b.close()]));
const admin = await registerAdmin(a.origin);
const { api } = admin;
const [architect, member, viewer] = [
  await makeUser(admin, 'architect'),
  await makeUser(admin, 'member'),
  await makeUser(admin, 'viewer'),
];
const onB = (by: Session) => client(b.origin, by.token);
const card = async (type: string, name: string) => (await api.post('/cards', { type, name })).body.id;
const [shop, other, till] = [
  await card('Application', 'Shop'),
  await card('Application', 'Other'),
  await card('Application', 'Till'),
];
const rescan = async () => (await api.post('/settings/modules/rescan')).body;
const moduleAt = async (id: string, at = api) => (await at.get(`/settings/modules/${id}`)).body;

async function installed(): Promise<void> {
  await npm(['install', packed.contracts, packed.sbom]);
  for (const name of Object.values(PACKAGES)) await api.post('/settings/modules/install', { package: name });
  for (const id of Object.keys(PACKAGES)) {
    const { body } = await api.patch(`/settings/modules/${id}`, { enabled: true });
    if (body['state'] !== 'enabled' || body['reason'] !== null) throw new Error(JSON.stringify(body));
    await until(async () => (await moduleAt(id, onB(admin)))['state'] === 'enabled');
  }
  await until(async () => (await onB(admin).get(`/cards/${shop}/ext/sbom`)).status === 200);
}

async function removed(): Promise<void> {
  for (const id of Object.keys(PACKAGES)) {
    await api.patch(`/settings/modules/${id}`, { enabled: false });
    const { status, body } = await removeModule(api, id);
    if (status !== 204) throw new Error(JSON.stringify(body));
  }
  await npm(['uninstall', ...Object.values(PACKAGES)]);
  await rescan();
  for (const id of Object.keys(PACKAGES))
    await until(async () => (await onB(admin).get(`/settings/modules/${id}`)).status === 404);
}

const bom = (count: number, more: object[] = []) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    components: [
      ...Array.from({ length: count }, (_, i) => ({
        name: `component-${i}`,
        version: `1.${i}`,
        purl: `pkg:npm/component-${i}@1.${i}`,
      })),
      ...more,
    ],
  });

async function upload(by: Session, id: string, text: string, origin = a.origin): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([text], { type: 'application/json' }), 'bom.json');
  const answer = await fetch(`${origin}/api/v1/cards/${id}/ext/sbom`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${by.token}` },
  });
  const body = (await answer.json()) as AnyBody & { job_id: string };
  if (answer.status !== 202) throw new Error(JSON.stringify(body));
  return body.job_id;
}
const ended = (by: Session, job: string) =>
  until(async () => {
    const { body } = await by.api.get(`/jobs/${job}`);
    return ['done', 'failed', 'cancelled'].includes(body['state'] as string) && body;
  }, 60_000);

/** Changes the settings of the module sbom, and waits until they are current on both nodes. */
async function configure(settings: Record<string, unknown>): Promise<void> {
  const { status, body } = await api.patch('/settings/modules/sbom', { settings });
  if (status !== 200) throw new Error(JSON.stringify(body));
  for (const node of [a, b]) {
    const told = () =>
      (node.app.services.modules.get('sbom')!.services as { settings: Record<string, unknown> }).settings;
    await until(() => Object.entries(settings).every(([key, value]) => told()[key] === value));
  }
}
const linksOf = async (id: string) =>
  await sql<{ id: string; description: string | null }>(
    database,
    `select id, description from relations where type = 'applicationToITComponent' and source_id = $1`,
    [id],
  );

/** The log, and what is refreshed whatever the requests of the test do. */
const LOG = /^(events.*|event_.*|changes|revisions|sessions|subscriptions)$/;

/** All rows of all tables without versions and times of changes, the values of sequences, and the catalogues of the database. */
async function dump(): Promise<Record<string, unknown[]>> {
  const names = await sql<{ name: string }>(
    database,
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const rows: Record<string, unknown[]> = await catalogueOf(database);
  for (const { name } of names.filter(({ name: table }) => !LOG.test(table)))
    rows[name] = (
      await sql<{ row: string }>(
        database,
        `select (to_jsonb(t) - '{version,updated_at,last_login_at,last_seen_at}'::text[])::text as row from "${name}" t order by 1`,
      )
    ).map(({ row }) => row);
  for (const name of ['jobs', 'cron_slots'])
    rows[name] = rows[name]!.filter((row) => /contracts|sbom/.test(String(row)));
  rows['sequences'] = await sql(
    database,
    `select schemaname, sequencename, last_value from pg_sequences where sequencename !~ '^event_' order by 1, 2`,
  );
  return rows;
}

await t.test('installed into a running service, and used on both nodes', async (t) => {
  await installed();
  t.match(await moduleAt('sbom'), { database_role: { state: 'own' } });

  const job = await upload(
    member,
    shop,
    bom(3_000, [
      { name: 'db', version: '9', purl: 'pkg:generic/db@9', licenses: [{ license: { name: 'Commercial' } }] },
    ]),
  );
  t.match(await ended(member, job), {
    state: 'done',
    attempt: 1,
    progress: { found: 3_001 },
    result: { components: 3_001, created: 3_001, linked: 3_001, drafts: 1 },
  });
  t.equal((await viewer.api.get(`/jobs/${job}`)).status, 404, 'the status is for the user who queued it');
  const { items } = (await onB(viewer).get(`/cards/${shop}/ext/sbom/components`)).body;
  t.equal(items.length, 3_001);
  const [described] = await sql<{ id: string; description: string }>(
    database,
    `select id, description from card_rows where external_id = 'pkg:npm/component-7'`,
  );
  t.equal(described!.description, 'The package pkg:npm/component-7.', 'a rule completed the card');
  const events = (await api.get('/events', { query: { subject_id: described!.id } })).body.items;
  t.match(events, [{ type: 'card.created', actor: { id: member.user.id } }], 'written as the user who sent the file');
  const links = await linksOf(shop);
  t.equal(links.length, 3_001, 'the application is related to its components');
  t.ok(
    links.every(({ description }) => /^Uses pkg:/.test(description ?? '')),
    'a rule completed the relations',
  );
  t.match((await api.get('/events', { query: { subject_id: links[0]!.id } })).body.items, [
    { type: 'relation.created', actor: { id: member.user.id } },
  ]);
  const drafts = (await architect.api.get('/ext/contracts', { query: { search: 'licence of db' } })).body;
  t.match(drafts.items, [{ title: 'Licence of db', card_id: shop, created_by: member.user.id }]);
  const told = async (by: Session) =>
    (await by.api.get('/notifications', { query: { kind: 'sbom.was_read' } })).body.items.length;
  t.ok(await until(async () => (await told(viewer)) === 1));
  t.equal(await told(member), 0, 'nobody is notified of the own upload');

  t.test('files that cannot be read fail finally, and the module is told', async (t) => {
    const bad = await upload(member, other, '{"bomFormat":"none"}', b.origin);
    t.match(await ended(member, bad), { state: 'failed', error: { code: 'sbom_unreadable' } });
    t.ok(
      await until(async () => (await viewer.api.get(`/cards/${other}/ext/sbom`)).body.items[0]?.['state'] === 'failed'),
    );
    await configure({ most_components: 2 });
    t.match(await ended(member, await upload(member, other, bom(3))), { error: { code: 'sbom_too_large' } });
  });

  await t.test('cards, relations and rows of an upload are stored together, or not at all', async (t) => {
    await configure({ most_components: 10, forbidden: 'pkg:npm/forbidden' });
    const wanted = ['brand-new', 'forbidden'].map((name) => ({ name, version: '1', purl: `pkg:npm/${name}@1` }));
    const refused = await ended(member, await upload(member, till, bom(2, wanted), b.origin));
    t.match(refused, { state: 'failed', error: { code: 'validation_failed' } });
    t.strictSame(await linksOf(till), []);
    t.strictSame(await sql(database, 'select purl from sbom_components where card_id = $1', [till]), []);
    const made = () => sql(database, `select id from cards where external_id like 'pkg:npm/brand-new%'`);
    t.strictSame(await made(), [], 'the cards were created before the relations were refused');
    await configure({ forbidden: '' });
    t.match(await ended(member, await upload(member, till, bom(2, wanted), b.origin)), {
      result: { components: 4, created: 2, linked: 4 },
    });
    t.equal((await linksOf(till)).length, 4);
    t.equal((await made()).length, 1);
  });

  await t.test('rules refuse cards wherever they are written', async (t) => {
    const component = (name: string, external_id: string) => ({ type: 'ITComponent', name, external_id });
    t.match(await onB(member).post('/cards', component('Odd', 'pkg:odd')), {
      status: 422,
      body: { code: 'sbom_no_package' },
    });
    const bulk = await member.api.post('/cards/bulk', {
      mode: 'per_row',
      operations: [
        { op: 'create', card: component('Odd', 'pkg:odd') },
        { op: 'create', card: component('Even', 'pkg:npm/even') },
      ],
    });
    t.match(bulk.body['results'], [{ outcome: 'failed' }, { outcome: 'created' }]);
  });

  await t.test('the preview of an import shows what rules set', async (t) => {
    const external_id = 'pkg:npm/imported';
    const file = lines([
      { type: 'ITComponent', name: 'Imported', external_id },
      { type: 'ITComponent', name: 'By hand', external_id: 'pkg:npm/by-hand', description: 'Sent.' },
      {
        relation: {
          type: 'applicationToITComponent',
          source: { id: other },
          target: { type: 'ITComponent', external_id: 'pkg:npm/component-7' },
        },
      },
    ]);
    const preview = await staged(architect.api, 'ndjson', file);
    const rows = await rowsOf(architect.api, preview.id);
    const set = rows.map(({ diff }) => diff.filter((change) => 'set_by' in change));
    const by = (description: string) => ({ field: 'description', old: null, new: description, set_by: 'sbom' });
    t.strictSame(set, [[by(`The package ${external_id}.`)], [], [by('Uses pkg:npm/component-7.')]]);
    t.match(await applied(client(b.origin, architect.token), preview.id), {
      counts: { card: { create: 2 }, relation: { create: 1 } },
    });
    const [imported] = await sql<{ description: string }>(
      database,
      'select description from card_rows where external_id = $1',
      [external_id],
    );
    t.equal(imported!.description, `The package ${external_id}.`);
    t.match(await linksOf(other), [{ description: 'Uses pkg:npm/component-7.' }]);
    t.equal((await architect.api.del(`/imports/${preview.id}`)).status, 204);
  });

  await t.test('a schedule is run at once, and waits for a system that asks for it', async (t) => {
    const sweep = async () => {
      const { status, body } = await api.post('/settings/jobs/schedules/sbom.sweep/run');
      t.equal(status, 202, JSON.stringify(body));
      return await ended(admin, body.id ?? (body['job_id'] as string));
    };
    t.match(await sweep(), { state: 'done', result: { deleted: 0, status: null } });
    const at: number[] = [];
    const advisories = createServer((_request, response) => {
      at.push(performance.now());
      if (at.length === 1) response.writeHead(503, { 'retry-after': '1' }).end();
      else response.end('[]');
    });
    await new Promise<void>((resolve) => {
      advisories.listen(0, '127.0.0.1', resolve);
    });
    t.teardown(() => {
      advisories.closeAllConnections();
      advisories.close();
    });
    await configure({ advisories: `http://127.0.0.1:${(advisories.address() as AddressInfo).port}/list` });
    t.match(await sweep(), { state: 'done', result: { deleted: 0, status: 200 } });
    t.equal(at.length, 2, 'the refused request was sent again once');
    t.ok(at[1]! - at[0]! >= 995, `after ${at[1]! - at[0]!} ms`);
    await configure({ advisories: '' });
  });
});

await t.test('an update migrates, a broken version does not replace it, and it is rolled back', async (t) => {
  await npm(['install', packed.next]);
  t.match(await rescan(), { updated: ['contracts'], failed: [] });
  t.match(await moduleAt('contracts'), { module_version: '1.1.0', reason: null });
  t.ok(await until(async () => (await moduleAt('contracts', onB(admin)))['module_version'] === '1.1.0'));
  t.match((await onB(architect).get('/ext/contracts')).body, { total: 1 }, 'the data is kept');

  await npm(['install', packed.broken]);
  t.match(await rescan(), { updated: [], failed: [{ id: 'contracts', reason: /of version 1\.2\.0/ }] });
  for (const node of [architect.api, onB(architect)]) {
    t.equal((await node.get('/ext/contracts')).status, 200, 'the former version continues');
    t.equal((await node.get('/cards')).status, 200);
  }
  t.match(await moduleAt('contracts'), { module_version: '1.1.0', update_reason: /of version 1\.2\.0/ });

  await npm(['install', packed.contracts]);
  t.match(await rescan(), { failed: [{ id: 'contracts', reason: /does not contain the migrations 0002_note/ }] });
  await npm(['install', packed.next]);
  await rescan();
  t.match(await moduleAt('contracts'), { module_version: '1.1.0', reason: null, update_reason: null });
});

await t.test('removed and installed again, nothing of them is left but the log', async (t) => {
  await removed();
  const before = await dump();
  for (const [table, rows] of Object.entries(before))
    if (!/^(card.*|relation.*|idempotency.*)$/.test(table))
      t.notMatch(rows.map((row) => JSON.stringify(row)).join('\n'), /contracts|sbom/, table);
  await installed();
  t.match((await architect.api.get('/ext/contracts')).body, { total: 0 });
  const contract = await architect.api.post('/ext/contracts', { title: 'Again', card_id: shop, amount: 5 });
  t.equal(contract.status, 201);
  const form = new FormData();
  form.append('files', new Blob(['%PDF'], { type: 'application/pdf' }), 'again.pdf');
  const file = await fetch(`${b.origin}/api/v1/ext/contracts/${contract.body.id}/files`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${architect.token}` },
  });
  t.equal(file.status, 201);
  t.match(await ended(member, await upload(member, shop, bom(20))), { result: { components: 20, created: 0 } });
  t.ok(
    await until(
      async () =>
        (await viewer.api.get('/notifications', { query: { kind: 'sbom.was_read' } })).body.items.length === 1,
    ),
  );
  await removed();
  const after = await dump();
  for (const table of Object.keys({ ...before, ...after })) t.strictSame(after[table], before[table], table);
});
