/**
 * A package of a partner: a resource with fields for few readers, files on its rows, rows that end with their card, and a rule
 * that completes relations.
 */
import { createHash } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import pg from 'pg';
import {
  lockWaiters,
  makeUser,
  openStream,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type Session,
} from '../support/app.js';
import { urlOf } from '../support/database.js';
import { applied, lines, rowsOf, staged } from '../support/imports.js';
import { moduleFolder } from '../support/module-folder.js';
import { startReceiver } from '../support/receiver.js';
import { makeRoleUser } from '../support/roles.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const folder = await moduleFolder(t);
const PACKAGE = '@acme/lintel-contracts';
await cp(join(root, 'test/fixtures/partners/contracts'), join(folder, 'node_modules', PACKAGE), { recursive: true });
const service = await testApp({ config: { pluginsDir: folder, modules: [PACKAGE], outboundAllow: ['127.0.0.1'] } });
const { origin, database } = service;
t.teardown(service.close);
const admin = await registerAdmin(origin);
await admin.api.patch('/settings/modules/contracts', { enabled: true });
const [architect, member, viewer] = [
  await makeUser(admin, 'architect'),
  await makeUser(admin, 'member'),
  await makeUser(admin, 'viewer'),
];
const auditor = await makeRoleUser(service, admin, 'auditor', { like: 'viewer' });
await admin.api.patch('/roles/auditor', {
  permissions: ['cards.view', 'relations.view', 'events.audit', 'contracts.view'],
});
const blind = await makeRoleUser(service, admin, 'blind', {
  like: 'architect',
  types: { Provider: { 'cards.view': false } },
});
const card = async (name: string, type = 'Application') => (await admin.api.post('/cards', { type, name })).body.id;
const [shop, oak] = [await card('Shop'), await card('Oak', 'Provider')];

const CONTRACTS = '/ext/contracts';
const SECRET = 777123.45;
const hides = (body: unknown) => !/777123|"amount"|"discount"|"yearly"/.test(JSON.stringify(body));
const make = async (more: object = {}, by: Session = architect) =>
  (await by.api.post(CONTRACTS, { title: 'Hosting', card_id: shop, amount: SECRET, discount: 10, ...more })).body;
const names = (body: AnyBody) => body.items.map(({ title }) => title as string);
const upload = async (by: Session, id: string, files: [string, string | Buffer, string][], headers = {}) => {
  const form = new FormData();
  for (const [name, content, type] of files) form.append('files', new Blob([content], { type }), name);
  const answer = await fetch(`${origin}/api/v1${CONTRACTS}/${id}/files`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${by.token}`, ...headers },
  });
  return { status: answer.status, body: (await answer.json()) as AnyBody, headers: answer.headers };
};
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(200_000, 7)]);

await t.test('a field with a permission does not exist for others', async (t) => {
  const created = await make();
  t.match(created, { amount: SECRET, discount: 10, yearly: 699411.11, version: 1 });
  await make({ title: 'Cheap', amount: 1 });
  const path = `${CONTRACTS}/${created.id}`;

  await t.test('in views, lists, filters, sorts and totals', async (t) => {
    const [open, closed] = [await architect.api.get(path), await viewer.api.get(path)];
    t.ok(hides(closed.body), JSON.stringify(closed.body));
    t.match(closed.body, { title: 'Hosting', state: 'draft' });
    t.not(open.headers.get('etag'), closed.headers.get('etag'));
    t.equal(
      (await viewer.api.get(path, { headers: { 'if-none-match': open.headers.get('etag')! } })).status,
      200,
      'the tag of a reader who sees more is not current',
    );
    t.ok(hides((await viewer.api.get(CONTRACTS)).body));
    t.ok(hides((await viewer.api.get(`/cards/${shop}/ext/contracts`)).body));
    const queries: Record<string, string>[] = [
      { amount_from: '1' },
      { amount_to: '10' },
      { discount: '10' },
      { discount: '99' },
    ];
    for (const query of queries) {
      t.match(await viewer.api.get(CONTRACTS, { query }), { status: 200, body: { items: [], total: 0 } });
      if ('amount_to' in query) t.match(await architect.api.get(CONTRACTS, { query }), { body: { total: 1 } });
    }
    const sorted = async (by: Session, sort_dir: string) =>
      names((await by.api.get(CONTRACTS, { query: { sort_by: 'amount', sort_dir } })).body);
    t.strictSame(await sorted(architect, 'asc'), ['Cheap', 'Hosting']);
    t.strictSame(await sorted(viewer, 'asc'), ['Hosting', 'Cheap'], 'in the default order, by creation');
    t.match((await architect.api.get(`${CONTRACTS}/by-card`)).body.items, [{ name: 'Shop', amount: SECRET + 1 }]);
    t.ok(hides((await viewer.api.get(`${CONTRACTS}/by-card`)).body));
  });

  await t.test('in writes: only who sees it sets it, and nothing else changes', async (t) => {
    const refused = await member.api.patch(path, { title: 'Mine', amount: 5, discount: 1 });
    t.match(refused, {
      status: 403,
      body: {
        code: 'forbidden',
        required_permission: 'contracts.money',
        errors: [{ field: '/amount', reason: 'requires contracts.money', in: 'body' }, { field: '/discount' }],
      },
    });
    t.match(await member.api.post(CONTRACTS, { title: 'New', card_id: shop, amount: null }), { status: 403 });
    const bulk = await member.api.post(`${CONTRACTS}/bulk`, {
      mode: 'per_row',
      operations: [
        { op: 'create', contract: { title: 'A', card_id: shop, amount: 5 } },
        { op: 'create', contract: { title: 'B', card_id: shop } },
        { op: 'update', id: created.id, contract: { discount: 50 } },
      ],
    });
    t.match((bulk.body as unknown as { results: object[] }).results, [
      { outcome: 'failed', code: 'forbidden', errors: [{ field: '/operations/0/contract/amount' }] },
      { outcome: 'created' },
      { outcome: 'failed', errors: [{ field: '/operations/2/contract/discount' }] },
    ]);
    const changed = await member.api.patch(path, { title: 'Hosting, renewed' });
    t.match(changed, { status: 200, body: { version: 2 } });
    t.ok(hides(changed.body));
    t.match((await architect.api.get(path)).body, { amount: SECRET, discount: 10 }, 'the hidden values are kept');
    t.match(await architect.api.patch(path, { amount: SECRET + 0.01 }), { status: 200, body: { version: 3 } });
    const stale = await member.api.patch(path, { title: 'Again' }, { headers: { 'if-match': '"1"' } });
    t.match(stale, { status: 412 });
    t.ok(hides(stale.body));
  });

  await t.test('in the history and in events, by list, stream and resumption, also for auditors', async (t) => {
    const streams = await Promise.all(
      [architect, viewer, auditor].map((by) => openStream(origin, by.token, { lastEventId: 1 })),
    );
    t.teardown(() => streams.forEach((stream) => stream.close()));
    const last = await architect.api.patch(path, { amount: SECRET, ends_on: '2031-01-01' });
    for (const stream of streams)
      await stream.waitFor(
        ({ data }) =>
          (data as { type: string; data: { version: number } }).type === 'contracts.updated' &&
          (data as { data: { version: number } }).data.version === last.body.version,
      );
    const [all, some, audited] = streams.map((stream) =>
      stream.events.filter(({ event }) => event.startsWith('contracts')),
    );
    t.notOk(hides(all));
    t.equal(some!.length, all!.length, 'the change itself is no secret');
    t.ok(hides(some), JSON.stringify(some));
    t.ok(hides(audited), 'audit is no permission to see amounts');
    const history = async (by: Session) => (await by.api.get(`${path}/history`)).body;
    t.match((await history(architect)).items[0], {
      changes: [{ field: 'amount', permission: 'contracts.money' }, { field: 'ends_on' }],
    });
    t.ok(hides(await history(viewer)));
    const listed = await auditor.api.get('/events', { query: { type: 'contracts.' } });
    t.ok(listed.body.items.length > 3);
    t.ok(hides(listed.body));
    t.match(await member.api.post(`${path}/transition`, { to: 'signed' }), { status: 200, body: { state: 'signed' } });
    t.match(await admin.api.post(`${CONTRACTS}/${(await make({ amount: null })).id}/transition`, { to: 'signed' }), {
      status: 409,
      body: { code: 'contracts_no_amount' },
    });
  });

  await t.test('in webhooks, whose owner receives what the owner may see, and cannot filter by the rest', async (t) => {
    const clerk = await makeRoleUser(service, admin, 'clerk', { like: 'viewer' });
    await admin.api.patch('/roles/clerk', { permissions: ['cards.view', 'contracts.view', 'webhooks.manage'] });
    const receiver = await startReceiver();
    t.teardown(() => receiver.close());
    const hook = (by: Session, more = {}) =>
      by.api.post('/webhooks', { url: receiver.url, types: ['contracts.'], ...more });
    t.equal((await hook(clerk)).status, 201);
    t.equal((await hook(clerk, { conditions: [{ field: 'amount', op: 'changed' }] })).status < 500, true);
    t.match(await architect.api.patch(path, { amount: SECRET + 1 }), { status: 200 });
    t.match(await architect.api.patch(path, { title: 'Hosting at last' }), { status: 200 });
    const sent = await receiver.untilAccepted(2);
    t.equal(sent.length, 2);
    t.ok(hides(receiver.requests.map(({ body }) => body)));
  });

  await t.test('and its events remain without it when the module is not installed any more', async (t) => {
    // Without the rule of the kind, the stored permission of each change decides.
    const undo = service.app.services.modules.get('contracts')!.declared.splice(0);
    for (const one of undo) one();
    const listed = await auditor.api.get('/events', { query: { type: 'contracts.' } });
    t.ok(listed.body.items.length > 3);
    t.ok(hides(listed.body));
    service.app.services.visibility.register('contracts', { permission: 'contracts.view', cards: ['card_id'] });
  });
  t.match((await architect.api.get('/cards/export', { query: { format: 'csv' } })).body, /contracts\.amount/);
  t.notMatch((await viewer.api.get('/cards/export', { query: { format: 'csv' } })).body, /contracts\.amount/);
});

await t.test('files belong to a row: added with it, changed with its version, removed with it', async (t) => {
  const { id } = await make({ title: 'With files' });
  const bytes = async () =>
    (await sql<{ n: number }>(database, 'select count(*)::int as n from files where module = $1', ['contracts']))[0]!.n;
  const before = await bytes();
  const added = await upload(member, id, [
    ['Vertrag Übersicht.pdf', PDF, 'application/pdf'],
    ['b.pdf', 'x', 'application/pdf'],
  ]);
  t.match(added, {
    status: 201,
    body: {
      items: [
        { name: 'Vertrag Übersicht.pdf', type: 'application/pdf', size: PDF.length, created_by: member.user.id },
        { name: 'b.pdf', size: 1 },
      ],
    },
  });
  t.equal(added.body.items[0]!['sha256'], createHash('sha256').update(PDF).digest('hex'));
  t.match((await member.api.get(`${CONTRACTS}/${id}`)).body, { version: 2 });
  t.match((await member.api.get(`${CONTRACTS}/${id}/history`)).body.items[0], {
    type: 'contracts.updated',
    changes: [{ field: 'files', old: null, new: { name: 'Vertrag Übersicht.pdf' } }, { new: { name: 'b.pdf' } }],
  });
  const [first, second] = added.body.items as [AnyBody, AnyBody];
  const got = await fetch(`${origin}/api/v1${CONTRACTS}/${id}/files/${first.id}`, {
    headers: { authorization: `Bearer ${viewer.token}` },
  });
  t.ok(Buffer.from(await got.arrayBuffer()).equals(PDF));
  t.equal(got.headers.get('content-type'), 'application/pdf');
  t.equal(
    got.headers.get('content-disposition'),
    `attachment; filename="Vertrag _bersicht.pdf"; filename*=UTF-8''Vertrag%20%C3%9Cbersicht.pdf`,
  );
  t.match((await viewer.api.get(`${CONTRACTS}/${id}/files`)).body, {
    total: 2,
    items: [{ id: first.id }, { id: second.id }],
  });

  await t.test('the OpenAPI document describes the form and the types of files', async (t) => {
    const { paths } = (await (await fetch(`${origin}/api/openapi.json`)).json()) as { paths: Record<string, AnyBody> };
    const { post } = paths[`/api/v1${CONTRACTS}/{id}/files`] as unknown as {
      post: { requestBody: { content: object } };
    };
    t.strictSame(Object.keys(post.requestBody.content), ['multipart/form-data']);
    const { get } = paths[`/api/v1${CONTRACTS}/{id}/files/{file_id}`] as unknown as {
      get: { responses: { 200: { content: object } } };
    };
    t.strictSame(Object.keys(get.responses[200].content), ['application/pdf']);
  });

  await t.test('all or none, and only by who may change the row', async (t) => {
    for (const [answer, status] of [
      [await upload(viewer, id, [['c.pdf', 'x', 'application/pdf']]), 403],
      [
        await upload(member, id, [
          ['c.pdf', 'x', 'application/pdf'],
          ['d.exe', 'x', 'application/x-msdownload'],
        ]),
        422,
      ],
      [
        await upload(member, id, [
          ['c.pdf', 'x', 'application/pdf'],
          ['d.pdf', 'x', 'application/pdf'],
        ]),
        422,
      ],
      [await upload(member, id, [['c.pdf', Buffer.alloc(2_100_000), 'application/pdf']]), 413],
      [await upload(member, shop, [['c.pdf', 'x', 'application/pdf']]), 404],
      [await upload(blind, (await make({ card_id: oak })).id, [['c.pdf', 'x', 'application/pdf']]), 404],
    ] as const)
      t.equal(answer.status, status, JSON.stringify(answer.body));
    t.equal(await bytes(), before + 2, 'the bytes of refused files are not kept');
    t.match((await member.api.get(`${CONTRACTS}/${id}`)).body, { version: 2 });
  });

  await t.test('a repeated request adds once', async (t) => {
    const key = { 'idempotency-key': 'files-1' };
    const once = await upload(member, id, [['e.pdf', 'e', 'application/pdf']], key);
    const again = await upload(member, id, [['e.pdf', 'e', 'application/pdf']], key);
    t.strictSame([once.status, again.status, again.body], [201, 201, once.body]);
    t.equal(again.headers.get('idempotent-replayed'), 'true');
    t.match(await upload(member, id, [['e.pdf', 'other', 'application/pdf']], key), { status: 422 });
    t.match(await upload(member, id, [['f.pdf', 'f', 'application/pdf']]), {
      status: 422,
      body: { errors: [{ field: '/files', reason: /more than 3 files/ }] },
    });
    t.equal((await member.api.del(`${CONTRACTS}/${id}/files/${once.body.items[0]!.id}`)).status, 204);
    t.equal((await member.api.del(`${CONTRACTS}/${id}/files/${once.body.items[0]!.id}`)).status, 404);
  });

  await t.test('two requests at once do not exceed the limit', async (t) => {
    const answers = await Promise.all(
      ['g', 'h', 'i'].map((name) => upload(member, id, [[`${name}.pdf`, name, 'application/pdf']])),
    );
    t.strictSame(answers.map(({ status }) => status).sort(), [201, 422, 422]);
    t.match((await viewer.api.get(`${CONTRACTS}/${id}/files`)).body, { total: 3 });
  });

  t.equal((await member.api.del(`${CONTRACTS}/${id}`)).status, 204);
  t.equal((await sql(database, 'select id from contracts_files where owner_id = $1', [id])).length, 0);
  const left = await sql(
    database,
    `select id from files f where module = 'contracts' and expires_at = 'infinity' and not exists (select from contracts_files c where c.file_id = f.id)`,
  );
  t.strictSame(left, [], 'the bytes are deleted with the row');
});

await t.test('rows end with their card, each with its event and its files', async (t) => {
  const doomed = await card('Doomed');
  const made = [await make({ card_id: doomed, title: 'One' }), await make({ card_id: doomed, title: 'Two' })];
  await upload(member, made[0]!.id, [['one.pdf', PDF, 'application/pdf']]);
  const files = await sql(database, `select file_id from contracts_files where owner_id = $1`, [made[0]!.id]);
  t.equal(files.length, 1);
  const remove = await admin.api.post('/cards/bulk', {
    operations: [
      { op: 'archive', id: doomed },
      { op: 'delete', id: doomed },
    ],
  });
  t.equal(remove.status, 200, JSON.stringify(remove.body));
  const { items } = (await admin.api.get('/events', { query: { type: 'contracts.deleted' } })).body;
  t.match(items.slice(0, 2), [
    { subject: { name: 'Two' }, actor: { id: admin.user.id }, data: { card_id: doomed } },
    { subject: { name: 'One' }, data: { version: 2 } },
  ]);
  t.equal(items[0]!['change_id'], (remove.body as unknown as { change_id: string }).change_id);
  t.strictSame(await sql(database, 'select id from contracts_contracts where card_id = $1', [doomed]), []);
  t.strictSame(await sql(database, 'select id from files where id = $1', [files[0]!['file_id']]), []);

  await t.test('while the module is disabled, the rows and files end too', async (t) => {
    const other = await card('Other');
    const { id } = await make({ card_id: other });
    await upload(member, id, [['one.pdf', PDF, 'application/pdf']]);
    await admin.api.patch('/settings/modules/contracts', { enabled: false });
    await admin.api.post(`/cards/${other}/archive`);
    t.equal((await admin.api.del(`/cards/${other}`)).status, 204);
    t.strictSame(await sql(database, 'select id from contracts_contracts where id = $1', [id]), []);
    t.strictSame(
      await sql(
        database,
        `select id from files where module = 'contracts' and expires_at = 'infinity'
        and not exists (select from contracts_files c where c.file_id = files.id)`,
      ),
      [],
    );
    await admin.api.patch('/settings/modules/contracts', { enabled: true });
  });
});

await t.test('rows that leave a card while it is deleted are spared, and do not prevent it', async (t) => {
  for (const [change, isKept] of [
    ['update contracts_contracts set card_id = $1 where id = $2', true],
    ['delete from contracts_contracts where card_id <> $1 and id = $2', false],
  ] as const) {
    const leaving = await card(`Leaving ${isKept}`);
    await admin.api.post(`/cards/${leaving}/archive`);
    const { id } = await make({ card_id: leaving, title: 'Mobile' });
    const other = new pg.Client({ connectionString: urlOf(database) });
    await other.connect();
    await other.query('begin');
    await other.query(change, [shop, id]);
    const removed = admin.api.del(`/cards/${leaving}`);
    await until(async () => (await lockWaiters(database)) > 0);
    await other.query('commit');
    await other.end();
    t.equal((await removed).status, 204);
    t.equal((await architect.api.get(`${CONTRACTS}/${id}`)).status, isKept ? 200 : 404);
  }
});

await t.test('statements of the module see the cards that the caller sees', async (t) => {
  await make({ card_id: oak, title: 'Of Oak' });
  const items = async (by: Session) => (await by.api.get(`${CONTRACTS}/by-card`)).body.items.map(({ name }) => name);
  t.ok((await items(architect)).includes('Oak'));
  t.notOk((await items(blind)).includes('Oak'));
});

await t.test('a rule sets the end of relations, and the preview of an import shows it', async (t) => {
  const [desk, chair] = [await card('Desk'), await card('Chair')];
  for (const card_id of [desk, chair]) await make({ card_id, ends_on: '2031-12-31' });
  await make({ card_id: desk, ends_on: '2033-06-30' });
  const supply = (target_id: string, more = {}) => ({
    type: 'providerToApplication',
    source_id: oak,
    target_id,
    ...more,
  });
  const preview = await staged(
    architect.api,
    'ndjson',
    lines([{ relation: supply(desk) }, { relation: supply(chair, { valid_to: '2030-01-01' }) }]),
  );
  t.strictSame(
    (await rowsOf(architect.api, preview.id)).map(({ diff }) => diff),
    [
      [{ field: 'valid_to', old: null, new: '2033-06-30', set_by: 'contracts' }],
      [{ field: 'valid_to', old: null, new: '2030-01-01' }],
    ],
  );
  t.match((await applied(architect.api, preview.id)).counts.relation, { create: 2 });
  const end = async (target_id: string) =>
    (await member.api.get('/relations', { query: { target_id } })).body.items.map(({ valid_to }) => valid_to);
  t.strictSame(await end(desk), ['2033-06-30']);
  t.strictSame(await end(chair), ['2030-01-01'], 'the value of the file is kept');
  const other = await card('Lamp');
  t.match(await member.api.post('/relations', supply(other)), { status: 201, body: { valid_to: null } });
  await make({ card_id: other, ends_on: '2032-02-29' });
  const [relation] = (await member.api.get('/relations', { query: { target_id: other } })).body.items;
  t.match(await member.api.patch(`/relations/${relation!.id}`, { description: 'Renewed.' }), {
    status: 200,
    body: { valid_to: '2032-02-29', version: 2 },
  });
});
