import t from 'tap';
import { makeUser, registerAdmin, sql, testApp } from '../../../test/support/app.js';
import { Flow, flow } from './support.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, member, architect] = await Promise.all([
  makeUser(admin, 'viewer'),
  makeUser(admin, 'member'),
  makeUser(admin, 'architect'),
]);
const card = async (type: string, name: string): Promise<string> =>
  (await admin.api.post('/cards', { type, name })).body.id;
const process = async (name: string) => new Flow(await card('BusinessProcess', name));
const [shop, ledger, crm] = [
  await card('Application', 'Shop'),
  await card('Application', 'Ledger'),
  await card('Application', 'CRM'),
];
const [orders, server, sales] = [
  await card('DataObject', 'Order'),
  await card('ITComponent', 'Server'),
  await card('Organization', 'Sales'),
];
const ORDER = flow({ Check: 'Check', Ship: 'Ship' });
const settings = (changes: object) => admin.api.patch('/settings/modules/bpm', { settings: changes });

interface Relation {
  id: string;
  type: string;
  source_id: string;
  target_id: string;
  version: number;
}
/** The relations of a process: type and other end. */
const relations = async (p: Flow): Promise<string[]> =>
  (
    await admin.api.get<{ items: Relation[] }>('/relations', { query: { card_id: p.cardId, page_size: 200 } })
  ).body.items
    .map((r) => `${r.type} ${r.source_id === p.cardId ? r.target_id : r.source_id}`)
    .sort();
const APPLICATION = 'businessProcessToApplication';
const linksOf = async (p: Flow, id: string, version?: string) =>
  (await p.element(admin, id, version)).links.map((l) => l.card_id).sort();

t.test('links of all types make relations when the flow is published, and only then', async (t) => {
  const p = await process('All types');
  const draft = (await p.upload(member, ORDER)).body.id;
  const answer = await p.link(member, await p.element(member, 'Check'), [shop, orders, server, sales]);
  t.match(answer, { status: 200, body: { version: 2, links_set: true } });
  t.strictSame(
    answer.body.links.map(({ type }) => type),
    ['Application', 'DataObject', 'ITComponent', 'Organization'],
  );
  t.strictSame(await relations(p), []);
  await p.release(member, architect, draft);
  t.strictSame(
    await relations(p),
    [
      `${APPLICATION} ${shop}`,
      `businessProcessToDataObject ${orders}`,
      `businessProcessToITComponent ${server}`,
      `businessProcessToOrganization ${sales}`,
    ].sort(),
  );
  const made = (
    await admin.api.get('/events', { query: { type: 'relation.created', page_size: 200 } })
  ).body.items.filter((e) => JSON.stringify(e).includes(p.cardId));
  t.ok(
    made.length === 4 && made.every((e) => (e['actor'] as { id: string }).id === architect.user.id),
    'the publisher is the actor',
  );
  const whole = await viewer.api.get<{ relations: { card: { id: string } }[] }>(p.path);
  t.strictSame(whole.body.relations.map((r) => r.card.id).sort(), [shop, orders, server, sales].sort());
});

t.test('what can be linked with what', async (t) => {
  const p = await process('Checked');
  const other = await process('Called');
  await p.upload(member, flow({ Check: 'Check', CallIt: 'Call' }));
  const [task, call] = [await p.element(member, 'Check'), await p.element(member, 'CallIt')];
  const provider = await card('Provider', 'Oak');
  const refused = await p.link(member, task, [
    provider,
    other.cardId,
    shop,
    shop,
    '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b',
  ]);
  t.match(refused, { status: 422, body: { errors: [0, 1, 3, 4].map((i) => ({ field: `/links/${i}/card_id` })) } });
  t.match(await p.link(member, call, [p.cardId]), {
    status: 422,
    body: { errors: [{ reason: 'is the process itself' }] },
  });
  t.equal((await p.link(member, call, [other.cardId, shop])).status, 200);
  t.equal((await p.link(viewer, call, [])).status, 403);
  t.match(
    await member.api.put(`${p.path}/elements/${task.id}/links`, { links: [] }, { headers: { 'if-match': '"9"' } }),
    { status: 412 },
  );
  t.match(await viewer.api.get(`${p.path}/elements`, { query: { card_id: shop } }), {
    body: { total: 1, items: [{ bpmn_id: 'CallIt' }] },
  });
  t.match(await viewer.api.get(`${p.path}/elements`, { query: { linked: false, kind: 'task' } }), {
    body: { total: 1 },
  });
  t.match(await viewer.api.get(`${p.path}/elements`, { query: { search: 'CHECK' } }), {
    body: { total: 1, items: [{ bpmn_id: 'Check' }] },
  });
  t.match(await viewer.api.get(`${p.path}/elements`, { query: { version_id: other.cardId } }), { status: 422 });
});

t.test('a relation of a person is neither taken over nor removed', async (t) => {
  const p = await process('Persons');
  const own = (
    await member.api.post<Relation>('/relations', { type: APPLICATION, source_id: p.cardId, target_id: shop })
  ).body;
  const first = (await p.upload(member, ORDER)).body.id;
  await p.link(member, await p.element(member, 'Check'), [shop, ledger, crm]);
  await p.release(member, architect, first);
  const changed = (
    await admin.api.get<{ items: Relation[] }>('/relations', { query: { card_id: p.cardId } })
  ).body.items.find((r) => r.target_id === crm)!;
  await member.api.patch(`/relations/${changed.id}`, { description: 'Written by a person' });
  const second = (await p.upload(member, ORDER)).body.id;
  t.equal((await p.link(member, await p.element(member, 'Check', second), [])).status, 200);
  await p.release(member, architect, second);
  t.strictSame(
    await relations(p),
    [`${APPLICATION} ${crm}`, `${APPLICATION} ${shop}`].sort(),
    'the unchanged one of the module is gone',
  );
  t.match((await admin.api.get(`/relations/${own.id}`)).body, { version: 1 });
  t.equal(
    (
      await sql<{ n: number }>(
        database,
        `select count(*)::int as n from bpm_relations where process_id = '${p.cardId}'`,
      )
    )[0]!.n,
    0,
  );
});

t.test('a relation that the published flow implies is deleted with the links only', async (t) => {
  const p = await process('Implied');
  await member.api.post('/relations', { type: APPLICATION, source_id: p.cardId, target_id: crm });
  const draft = (await p.upload(member, ORDER)).body.id;
  const [check, ship] = [await p.element(member, 'Check', draft), await p.element(member, 'Ship', draft)];
  await p.link(member, check, [shop, crm, orders]);
  await p.link(member, ship, [shop]);
  await p.release(member, architect, draft);
  const idOf = async (target: string): Promise<string> =>
    (await admin.api.get<{ items: Relation[] }>('/relations', { query: { card_id: p.cardId } })).body.items.find(
      ({ target_id }) => target_id === target,
    )!.id;
  const reason = /published flow/;
  const made = await idOf(shop);
  t.match(await member.api.del(`/relations/${made}`), { status: 422, body: { errors: [{ field: '', reason }] } });
  const operations = [made, await idOf(crm)].map((id) => ({ op: 'delete', id }));
  t.match(await member.api.post('/relations/bulk', { mode: 'per_row', operations }), {
    body: {
      results: [{ outcome: 'failed', errors: [{ field: '/operations/0', reason }] }, { outcome: 'deleted' }],
    },
  });
  t.equal((await p.link(member, await p.element(member, 'Check'), [orders])).status, 200);
  t.equal((await member.api.del(`/relations/${made}`)).status, 422, 'the other element implies it');
  t.equal((await settings({ relation_types: { DataObject: '' } })).status, 200);
  t.equal((await member.api.del(`/relations/${await idOf(orders)}`)).status, 204, 'it would not be made again');
  await settings({ relation_types: null });
  t.equal((await p.link(member, await p.element(member, 'Ship'), [])).status, 200);
  t.strictSame(await relations(p), []);
});

t.test('a relation of a type that now other cards imply is replaced, and may be deleted', async (t) => {
  const p = await process('Common type');
  const common = { Application: 'related', DataObject: 'related' };
  t.equal((await settings({ relation_types: common })).status, 200);
  const first = (await p.upload(member, ORDER)).body.id;
  const check = await p.element(member, 'Check', first);
  await p.link(member, check, [shop, crm, orders]);
  await p.release(member, architect, first);
  t.strictSame(await relations(p), [`related ${shop}`, `related ${crm}`, `related ${orders}`].sort());
  t.equal((await settings({ relation_types: { Application: APPLICATION, DataObject: 'related' } })).status, 200);
  const { items } = (await admin.api.get<{ items: Relation[] }>('/relations', { query: { card_id: p.cardId } })).body;
  const idOf = (target: string): string => items.find(({ target_id }) => target_id === target)!.id;
  t.equal((await member.api.del(`/relations/${idOf(crm)}`)).status, 204, 'it would not be made again');
  t.equal((await member.api.del(`/relations/${idOf(orders)}`)).status, 422);
  await p.publish(member, architect, ORDER);
  t.strictSame(await relations(p), [`${APPLICATION} ${shop}`, `${APPLICATION} ${crm}`, `related ${orders}`].sort());
  await settings({ relation_types: null });
});

t.test('links are carried over by BPMN id', async (t) => {
  const p = await process('Carried');
  const first = (await p.upload(member, ORDER)).body.id;
  await p.link(member, await p.element(member, 'Check'), [shop]);
  await p.link(member, await p.element(member, 'Ship'), [ledger]);
  await p.release(member, architect, first);
  const second = (await p.upload(member, flow({ Check: 'Check all', Pay: 'Pay' }))).body;
  t.equal(second['based_on'], first);
  t.strictSame([await linksOf(p, 'Check', second.id), await linksOf(p, 'Pay', second.id)], [[shop], []]);
  await p.link(member, await p.element(member, 'Pay', second.id), [crm]);
  const replaced = await p.replace(member, second.id, flow({ Pay: 'Pay now', Check: 'Check all', Bill: 'Bill' }));
  t.match(replaced, { status: 200, body: { version: 2, element_count: 5 } });
  t.strictSame(
    [await linksOf(p, 'Check', second.id), await linksOf(p, 'Pay', second.id)],
    [[shop], [crm]],
    'with another file as well',
  );
  // The published version is linked differently before the draft replaces it.
  t.equal((await p.link(member, await p.element(member, 'Check', first), [server])).status, 200);
  const it = `businessProcessToITComponent ${server}`;
  t.strictSame(
    await relations(p),
    [`${APPLICATION} ${ledger}`, it].sort(),
    'its links make and remove relations at once',
  );
  await p.release(member, architect, second.id);
  t.strictSame([await linksOf(p, 'Check'), await linksOf(p, 'Pay')], [[server], [crm]]);
  t.strictSame(await relations(p), [`${APPLICATION} ${crm}`, it].sort());
});

t.test('links of a published version need the rights of the caller on relations', async (t) => {
  const p = await process('Rights');
  await p.publish(member, architect, ORDER);
  await admin.api.post('/roles', {
    key: 'modeller',
    label: 'Modeller',
    permissions: ['cards.view', 'relations.view', 'bpm.view', 'bpm.edit', 'bpm.approve'],
  });
  const modeller = await makeUser(admin, 'modeller');
  const element = await p.element(modeller, 'Check');
  t.match(await p.link(modeller, element, [shop]), { status: 403, body: { required_permission: 'relations.manage' } });
  t.strictSame(await linksOf(p, 'Check'), []);
  t.equal((await p.link(member, element, [shop])).status, 200);
  t.strictSame(await relations(p), [`${APPLICATION} ${shop}`]);
  t.equal((await p.link(modeller, await p.element(modeller, 'Check'), [])).status, 403);
  t.equal((await p.link(member, await p.element(member, 'Check'), [])).status, 200);
  t.strictSame(await relations(p), []);
  const draft = (await p.upload(modeller, ORDER)).body.id;
  t.equal((await p.link(modeller, await p.element(modeller, 'Check', draft), [ledger])).status, 200);
  t.equal((await p.move(modeller, draft, 'submit')).status, 200);
  t.match(await p.link(member, await p.element(member, 'Ship', draft), [ledger]), {
    status: 409,
    body: { code: 'invalid_state', state: 'pending' },
  });
  const another = await makeUser(admin, 'modeller');
  t.equal((await p.move(another, draft, 'approve')).status, 200, 'publishing is the grant');
  t.strictSame(await relations(p), [`${APPLICATION} ${ledger}`]);
});

t.test('relation types of the settings', async (t) => {
  const p = await process('Settings');
  const id = (await p.upload(member, ORDER)).body.id;
  await p.link(member, await p.element(member, 'Check'), [shop, orders]);
  await p.move(member, id, 'submit');
  for (const [key, reason] of [
    ['gone', /gone.*does not exist/],
    ['applicationToDataObject', /does not relate BusinessProcess and Application/],
  ] as const) {
    await settings({ relation_types: { Application: key } });
    t.match(await p.move(architect, id, 'approve'), {
      status: 409,
      body: { code: 'bpm_relation_type', relation_type: key, setting: 'relation_types.Application', detail: reason },
    });
    t.strictSame(
      [await relations(p), (await viewer.api.get(`${p.versions}/${id}`)).body['state']],
      [[], 'pending'],
      'nothing is half stored',
    );
  }
  await settings({ relation_types: { Application: 'related', DataObject: '' } });
  t.equal((await p.move(architect, id, 'approve')).status, 200);
  t.strictSame(await relations(p), [`related ${shop}`]);
  await settings({ relation_types: { Application: APPLICATION, DataObject: 'businessProcessToDataObject' } });
  await p.publish(member, architect, ORDER);
  t.strictSame(await relations(p), [`${APPLICATION} ${shop}`, `businessProcessToDataObject ${orders}`].sort());
});

t.test('archived and deleted cards', async (t) => {
  const p = await process('Archived');
  const [old, gone] = [await card('Application', 'Old'), await card('Application', 'Gone')];
  const id = (await p.upload(member, ORDER)).body.id;
  await p.link(member, await p.element(member, 'Check'), [shop, old, gone]);
  await admin.api.post(`/cards/${old}/archive`);
  await admin.api.del(`/cards/${gone}`);
  await p.release(member, architect, id);
  t.strictSame(await relations(p), [`${APPLICATION} ${shop}`]);
  t.strictSame(await linksOf(p, 'Check'), [shop, old].sort());
});

t.test('cards that are archived and restored get and lose relations at the next publication', async (t) => {
  const p = await process('Restored');
  const [added, dropped] = [await card('Application', 'Added'), await card('Application', 'Dropped')];
  const first = (await p.upload(member, ORDER)).body.id;
  await p.link(member, await p.element(member, 'Check'), [added, dropped]);
  await admin.api.post(`/cards/${added}/archive`);
  await p.release(member, architect, first);
  t.strictSame(await relations(p), [`${APPLICATION} ${dropped}`], 'an archived card gets none');

  // The relation of an archived card cannot be removed, and is shown again when the card is restored.
  await admin.api.post(`/cards/${dropped}/archive`);
  const second = (await p.upload(member, ORDER)).body.id;
  await p.link(member, await p.element(member, 'Check', second), [added]);
  await p.release(member, architect, second);
  for (const id of [added, dropped]) t.equal((await admin.api.post(`/cards/${id}/restore`)).status, 200);
  t.strictSame(await relations(p), [`${APPLICATION} ${dropped}`], 'as before the publication');

  await p.publish(member, architect, ORDER);
  t.strictSame(await relations(p), [`${APPLICATION} ${added}`], 'the next publication corrects both');
});

t.test('call activities are linked with the called process, if it is unambiguous', async (t) => {
  const called = await process('Billing');
  const caller = await process('Selling');
  const xml = flow({ CallIt: 'Bill' }, { processId: 'Selling', calls: 'Billing' });
  const before = (await caller.upload(member, xml)).body.id;
  t.strictSame(await linksOf(caller, 'CallIt', before), []);
  await called.publish(member, architect, flow({ Check: 'Check' }, { processId: 'Billing' }));
  const id = (await caller.upload(member, xml)).body.id;
  t.match(await caller.element(member, 'CallIt', id), {
    links: [{ card_id: called.cardId, is_automatic: true }],
    links_set: false,
  });
  const twin = await process('Billing twice');
  await twin.publish(member, architect, flow({ Check: 'Check' }, { processId: 'Billing' }));
  t.strictSame(
    await linksOf(caller, 'CallIt', (await caller.upload(member, xml)).body.id),
    [],
    'two processes with the id',
  );
  await admin.api.post(`/cards/${twin.cardId}/archive`);
  await caller.release(member, architect, id);
  t.strictSame(await relations(caller), [`businessProcessToBusinessProcess ${called.cardId}`]);
});

t.test('hidden cards are in no answer, and are kept', async (t) => {
  const p = await process('Half seen');
  await p.upload(member, ORDER);
  const element = await p.element(member, 'Check');
  await p.link(member, element, [shop, orders]);
  const permissions = ['cards.view', 'relations.view', 'bpm.view', 'bpm.edit', 'relations.manage', 'reports.view'];
  await admin.api.post('/roles', {
    key: 'narrow',
    label: 'Narrow',
    permissions,
    types: { DataObject: { 'cards.view': false } },
  });
  const narrow = await makeUser(admin, 'narrow');
  t.notMatch(JSON.stringify((await narrow.api.get(p.path)).body), orders);
  t.strictSame(
    (await p.element(narrow, 'Check')).links.map((l) => l.card_id),
    [shop],
  );
  t.equal((await narrow.api.get(`${p.path}/elements`, { query: { card_id: orders } })).body.total, 0);
  const draft = (await viewer.api.get(p.versions)).body.items[0]!.id;
  const drawnBy = async (by: typeof narrow) => (await by.api.get<string>(`${p.versions}/${draft}.svg`)).body;
  t.ok((await drawnBy(narrow)).includes(`/api/v1/cards/${shop}"`), 'the only card that is visible');
  t.notMatch(await drawnBy(narrow), /Order\b/);
  t.ok((await drawnBy(member)).includes(`/elements/${element.id}"`), 'an element with two cards');
  t.match(await p.link(narrow, await p.element(narrow, 'Check'), [orders]), { status: 422 });
  const answer = await p.link(narrow, await p.element(narrow, 'Check'), [ledger]);
  t.strictSame(
    answer.body.links.map((l) => l.card_id),
    [ledger],
  );
  t.strictSame(await linksOf(p, 'Check'), [ledger, orders].sort());
});
