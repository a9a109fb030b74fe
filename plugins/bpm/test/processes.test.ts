import t from 'tap';
import { columnsOf, drawnOf, englishOnly, makeUser, registerAdmin, testApp } from '../../../test/support/app.js';
import { textsOf } from '../reports/words/index.js';
import { Flow, flow } from './support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, member, architect] = await Promise.all([
  makeUser(admin, 'viewer'),
  makeUser(admin, 'member'),
  makeUser(admin, 'architect'),
]);
const card = async (type: string, name: string, more: object = {}): Promise<string> =>
  (await admin.api.post('/cards', { type, name, ...more })).body.id;
const process = async (name: string, parent_id?: string) =>
  new Flow(await card('BusinessProcess', name, parent_id === undefined ? {} : { parent_id }));

const sell = await process('Sell');
const orders = await process('Orders', sell.cardId);
const returns = await process('Returns', sell.cardId);
const bill = await process('Bill');
const [shop, ledger] = [await card('Application', 'Shop'), await card('Application', 'Ledger')];
const capability = await card('BusinessCapability', 'Order management');
await admin.api.post('/relations', {
  type: 'businessProcessToBusinessCapability',
  source_id: orders.cardId,
  target_id: capability,
});
await bill.publish(member, architect, flow({ Post: 'Post' }, { processId: 'Billing' }));
const draft = (
  await orders.upload(
    member,
    flow({ Check: 'Check', Ship: 'Ship', CallBill: 'Bill' }, { processId: 'Ordering', calls: 'Billing' }),
  )
).body.id;
await orders.link(member, await orders.element(member, 'Check'), [shop, ledger]);
await orders.link(member, await orders.element(member, 'Ship'), [shop]);
await orders.release(member, architect, draft);
const pending = (await returns.upload(member, flow({ Take: 'Take back' }))).body.id;
await returns.move(member, pending, 'submit');
const assess = (p: Flow, assessed_on: string, overall: number, more: object = {}) =>
  member.api.post(`${p.path}/assessments`, { assessed_on, overall, ...more });
await assess(orders, '2026-01-10', 2, { efficiency: 2, compliance: 4 });
await assess(orders, '2026-03-10', 4, { efficiency: 3, action_items: [{ title: 'Train' }] });
await assess(bill, '2026-02-01', 5);

interface Item {
  id: string;
  name: string;
  depth: number;
  parent_id: string | null;
  path: { id: string; name: string }[];
  child_count: number;
  flow: { published: { element_count: number } | null; pending_id: string | null; draft_count: number };
  assessment: { overall: number } | null;
}
const list = async (query: Record<string, string | number | boolean> = {}, by = viewer) =>
  (await by.api.get<{ items: Item[]; total: number; next_cursor: string | null }>('/bpm/processes', { query })).body;
const names = async (query: Record<string, string | number | boolean>) =>
  (await list(query)).items.map(({ name }) => name);

t.test('the tree of processes', async (t) => {
  const { items, total } = await list();
  t.equal(total, 4);
  t.strictSame(
    items.map(({ name, depth, child_count }) => [name, depth, child_count]),
    [
      ['Bill', 0, 0],
      ['Orders', 1, 0],
      ['Returns', 1, 0],
      ['Sell', 0, 2],
    ],
  );
  t.match(items[1], {
    parent_id: sell.cardId,
    path: [{ id: sell.cardId, name: 'Sell' }],
    flow: { published: { element_count: 5 }, pending_id: null, draft_count: 0 },
    assessment: { overall: 4, assessed_on: '2026-03-10' },
  });
  t.match(items[2], { flow: { published: null, pending_id: pending }, assessment: null });
  t.strictSame(await names({ parent_id: sell.cardId }), ['Orders', 'Returns']);
  t.strictSame(await names({ parent_id: 'none' }), ['Bill', 'Sell']);
  t.strictSame(await names({ state: 'pending,none' }), ['Returns', 'Sell']);
  t.strictSame(await names({ assessed: false }), ['Returns', 'Sell']);
  t.strictSame(await names({ search: 'order' }), ['Orders']);
  t.strictSame(await names({ sort_by: 'overall', sort_dir: 'asc', assessed: true }), ['Orders', 'Bill']);
  t.equal((await viewer.api.get('/bpm/processes', { query: { parent_id: 'x', bogus: 1 } })).status, 422);
  const first = await list({ page_size: 3 });
  t.strictSame(
    (await list({ page_size: 3, cursor: first.next_cursor! })).items.map(({ name }) => name),
    ['Sell'],
  );
});

t.test('one process with flows, elements and assessments', async (t) => {
  const { body } = await viewer.api.get(orders.path);
  t.match(body, {
    name: 'Orders',
    children: [],
    version_count: 1,
    versions: [{ revision: 1, state: 'published' }],
    element_count: 5,
    assessment_count: 2,
    assessments: [{ overall: 4 }, { overall: 2 }],
    trend: {
      points: [{ assessed_on: '2026-01-10' }, { assessed_on: '2026-03-10' }],
      change: { overall: 2, efficiency: 1, compliance: null, automation: null },
    },
  });
  t.strictSame(
    (body['elements'] as { bpmn_id: string }[]).map((e) => e.bpmn_id),
    ['Start', 'Check', 'Ship', 'CallBill', 'End'],
  );
  t.strictSame(
    (body['relations'] as { card: { name: string } }[]).map((r) => r.card.name),
    ['Ledger', 'Shop', 'Bill'],
  );
  t.match((await viewer.api.get(sell.path)).body, {
    children: [{ name: 'Orders' }, { name: 'Returns' }],
    elements: [],
    version_count: 0,
  });
});

t.test('assessments are for processes, by assessors', async (t) => {
  const path = `${sell.path}/assessments`;
  t.equal((await viewer.api.post(path, { assessed_on: '2026-01-01', overall: 3 })).status, 403);
  const refused = await member.api.post(path, { assessed_on: '2026-13-01', overall: 6, efficiency: 0, bogus: 1 });
  t.equal(refused.status, 422);
  t.strictSame(refused.body.errors.map(({ field }) => field).sort(), [
    '/assessed_on',
    '/bogus',
    '/efficiency',
    '/overall',
  ]);
  t.equal(
    (await member.api.post(`/bpm/processes/${shop}/assessments`, { assessed_on: '2026-01-01', overall: 3 })).status,
    404,
  );
  const keeper = await makeUser(admin, 'viewer');
  t.equal((await keeper.api.post(path, { assessed_on: '2026-01-01', overall: 3 })).status, 403);
  const { stakeholder_roles } = (await admin.api.get('/metamodel/types/BusinessProcess')).body as unknown as {
    stakeholder_roles: { key: string }[];
  };
  const assessor = { key: 'assessor', label: 'Assessor', permissions: { 'card.bpm_assess': true } };
  const patched = await admin.api.patch('/metamodel/types/BusinessProcess', {
    stakeholder_roles: [...stakeholder_roles, assessor],
  });
  t.equal(patched.status, 200, JSON.stringify(patched.body));
  await admin.api.post(`/cards/${sell.cardId}/stakeholders`, { user_id: keeper.user.id, role: 'assessor' });
  const made = await keeper.api.post(path, { assessed_on: '2026-01-01', overall: 3 });
  t.equal(made.status, 201, 'by a role on the card');
  t.equal((await keeper.api.post(`${bill.path}/assessments`, { assessed_on: '2026-01-01', overall: 3 })).status, 403);
  t.equal((await keeper.api.del(`${path}/${made.body.id}`)).status, 204);
});

interface Report {
  [member: string]: unknown;
}
const report = async (id: string, query: Record<string, string | number> = {}, by = viewer) =>
  (await by.api.get<Report>(`/bpm/reports/${id}`, { query })).body;
const IDS = [
  'dashboard',
  'process-map',
  'capability-process-matrix',
  'process-application-matrix',
  'dependencies',
  'element-application-map',
  'heatmap',
];

t.test('figures, each with the list that it counts', async (t) => {
  const body = (await report('dashboard')) as unknown as {
    processes: { count: number; href: string };
    assessed: { count: number; href: string };
    flows: { key: string; count: number; href: string }[];
    elements: object;
    averages: object;
  };
  t.strictSame(
    body.flows.map(({ key, count }) => [key, count]),
    [
      ['published', 2],
      ['pending', 1],
      ['draft', 0],
      ['none', 1],
    ],
  );
  for (const { count, href } of [body.processes, body.assessed, ...body.flows])
    t.equal((await viewer.api.get(href.replace('/api/v1', ''))).body.total, count, href);
  t.strictSame(body.elements, { total: 8, linked: 3 });
  t.match(body, {
    averages: { overall: 4.5, efficiency: 3, automation: null },
    awaiting: [{ id: pending, process: { name: 'Returns' } }],
    with_problems: 0,
  });
});

t.test('maps and matrices', async (t) => {
  t.match(await report('process-map'), {
    truncated: false,
    processes: [
      { name: 'Bill', state: 'published', overall: 5 },
      { name: 'Sell', state: 'none', parent_id: null },
      { name: 'Orders', parent_id: sell.cardId, element_count: 5 },
      { name: 'Returns', state: 'pending' },
    ],
  });
  t.match(await report('process-map', { root_id: orders.cardId }), {
    processes: [{ name: 'Orders', parent_id: null }],
  });
  t.match(await report('process-map', { most: 1 }), { truncated: true });
  t.match(await report('capability-process-matrix'), {
    rows: [{ name: 'Orders' }],
    columns: [{ name: 'Order management' }],
    cells: [{ related: true, elements: 0 }],
  });
  const matrix = (await report('process-application-matrix')) as unknown as {
    cells: { column_id: string; elements: number; related: boolean; href: string }[];
  };
  t.strictSame(
    matrix.cells.map(({ column_id, elements, related }) => [column_id, elements, related]).sort(),
    [
      [ledger, 1, true],
      [shop, 2, true],
    ].sort(),
  );
  for (const { href, elements } of matrix.cells)
    t.equal((await viewer.api.get(href.replace('/api/v1', ''))).body.total, elements);
  t.match(await report('dependencies'), {
    processes: [
      { name: 'Orders', outgoing: 1 },
      { name: 'Bill', incoming: 1 },
    ],
    edges: [{ from_id: orders.cardId, to_id: bill.cardId, calls: 1, related: true }],
  });
  t.match(await report('dependencies', { process_id: sell.cardId }), { processes: [], edges: [] });
  t.match(await report('element-application-map'), {
    cards: [
      { name: 'Ledger', element_count: 1 },
      {
        name: 'Shop',
        element_count: 2,
        processes: [{ name: 'Orders', elements: [{ bpmn_id: 'Check' }, { bpmn_id: 'Ship' }] }],
      },
    ],
  });
  t.match(await report('element-application-map', { type: 'BusinessProcess' }), { cards: [{ name: 'Bill' }] });
  t.match(await report('heatmap'), {
    assessed: { count: 2 },
    processes: [
      { name: 'Orders', overall: 4 },
      { name: 'Bill', overall: 5 },
    ],
  });
});

t.test('the same reports are in the catalogue, in all formats', async (t) => {
  for (const id of IDS) {
    const own = await report(id);
    t.strictSame((await viewer.api.get<Report>(`/reports/bpm.${id}`)).body, own, id);
    for (const format of ['csv', 'svg'])
      t.equal((await viewer.api.get(`/reports/bpm.${id}`, { query: { format } })).status, 200, `${id} ${format}`);
    t.equal((await viewer.api.get(`/bpm/reports/${id}`, { query: { bogus: 1 } })).status, 422);
    t.match(await viewer.api.get(`/bpm/reports/${id}`, { query: { as_of: '2026-01-01T00:00:00Z' } }), {
      status: 422,
      body: { errors: [{ field: 'as_of' }] },
    });
  }
});

type Texts = ReturnType<typeof textsOf>;
const TITLES: Readonly<Record<string, (texts: Texts) => string>> = {
  dashboard: ({ dashboard }) => dashboard.title,
  'process-map': ({ map }) => map.title,
  'capability-process-matrix': ({ matrix }) => matrix.capabilities,
  'process-application-matrix': ({ matrix }) => matrix.applications,
  dependencies: ({ dependencies }) => dependencies.title,
  'element-application-map': ({ links }) => links.title('Application'),
  heatmap: ({ heatmap }) => heatmap.title,
};

t.test('texts of reports are in the language of the request', async (t) => {
  for (const lang of ['de', 'fr', 'es', 'it']) {
    const english = englishOnly(textsOf('en'), textsOf(lang));
    // The label of the card type, which has no translation.
    english.delete('Application');
    t.ok(english.size > 50, `${lang}: ${english.size} texts that differ`);
    for (const id of IDS) {
      const drawn = await viewer.api.get<string>(`/reports/bpm.${id}`, { query: { format: 'svg', lang } });
      t.strictSame(drawnOf(drawn.body, english), [], `${id} in ${lang}`);
      t.ok(drawn.body.includes(`>${TITLES[id]!(textsOf(lang))}</title>`), `${id} has a title in ${lang}`);
      const csv = await viewer.api.get<string>(`/reports/bpm.${id}`, { query: { format: 'csv', lang } });
      t.strictSame(columnsOf(csv.body, english), [], `columns of ${id} in ${lang}`);
    }
  }
});

t.test('reports do not show hidden cards, nor count them', async (t) => {
  const permissions = ['cards.view', 'relations.view', 'bpm.view', 'reports.view'];
  await admin.api.post('/roles', {
    key: 'narrow',
    label: 'Narrow',
    permissions,
    types: { Application: { 'cards.view': false } },
  });
  const narrow = await makeUser(admin, 'narrow');
  for (const id of IDS) t.notMatch(JSON.stringify(await report(id, {}, narrow)), /Shop|Ledger/, id);
  t.strictSame((await report('dashboard', {}, narrow))['elements'], { total: 8, linked: 1 });
  await admin.api.post('/roles', {
    key: 'apart',
    label: 'Apart',
    permissions: permissions.filter((key) => key !== 'relations.view'),
  });
  const apart = await makeUser(admin, 'apart');
  t.match(await report('capability-process-matrix', {}, apart), { cells: [] });
  t.match(await report('dependencies', {}, apart), { edges: [{ calls: 1, related: false }] });
  t.match((await apart.api.get(orders.path)).body, { relations: [] });
});
