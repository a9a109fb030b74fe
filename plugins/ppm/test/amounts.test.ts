/**
 * A viewer who may not see costs finds no amount in any answer of the module, and no answer differs when amounts change. The routes
 * are those of the OpenAPI document, so that a new route is covered, or fails here for want of parameters.
 */
import t from 'tap';
import { expectStatus, makeUser, registerAdmin, sql, testApp, until, type Session } from '../../../test/support/app.js';
import { configure, Initiative } from './amount-support.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [architect, viewer] = await Promise.all([makeUser(admin, 'architect'), makeUser(admin, 'viewer')]);
await configure(admin, { exchange_rates: [{ currency: 'USD', date: '2020-01-01', rate: '0.5' }] });

const plan = await Initiative.make(architect, 'Secret');
const post = async (path: string, body: object): Promise<string> =>
  expectStatus(await architect.api.post(`${plan.path}/${path}`, body), 201, path).body.id;
const phase = await post('wbs', { title: 'Phase' });
const dated = { parent_id: phase, start_date: '2026-03-02', end_date: '2026-03-27' };
const build = await post('wbs', { ...dated, title: 'Build', completion: 40, planned_cost: 7_654_321.09 });
const check = await post('wbs', { ...dated, title: 'Check', planned_cost: 7_654_322.09, planned_currency: 'USD' });
const ids: Record<string, string> = {
  wbs: build,
  tasks: await post('tasks', { title: 'Task', wbs_id: build }),
  dependencies: await post('dependencies', { predecessor_id: build, successor_id: check, type: 'FS' }),
  'status-reports': await post('status-reports', {
    report_date: '2026-03-10',
    schedule_health: 'on_track',
    cost_health: 'at_risk',
    scope_health: 'on_track',
  }),
  budgets: await post('budgets', {
    fiscal_year: 2026,
    category: 'capex',
    amount: 7_654_323.09,
    description: 'Secret text',
  }),
  costs: await post('costs', {
    category: 'opex',
    date: '2026-03-05',
    planned: 7_654_324.09,
    actual: 7_654_325.09,
    wbs_id: build,
    description: 'Secret text',
  }),
  risks: await post('risks', { title: 'Risk', probability: 4, impact: 4 }),
  baselines: await post('baselines', { name: 'First' }),
};
await post('costs', { category: 'capex', date: '2026-03-06', planned: 7_654_326.09, currency: 'USD' });
ids['comments'] = await post(`tasks/${ids['tasks']}/comments`, { text: 'Seen' });
ids['holidays'] = (await admin.api.post('/ppm/holidays', { date: '2026-12-25', name: 'Christmas' })).body.id;
await plan.rolledUp(architect, { costBudget: 7_654_323.09, costActual: 7_654_325.09, endDate: '2026-03-27' });

/** The amounts, their sums and conversions, and texts that only readers of costs may see; digits as in every format. */
const SECRET = /765.?432|382.?716|1530.?8643|1148.?148|Secret text|"?costBudget"?:|"?costActual"?:/;

interface Operation {
  parameters?: { name: string; in: string; schema?: { enum?: string[] } }[];
}
const { paths } = (await admin.api.get<{ paths: Record<string, Record<string, Operation>> }>('/api/openapi.json')).body;
/** Places at which the answers for a viewer are compared: every GET of the module, in every format. */
const PLACES = Object.entries(paths).flatMap(([path, { get }]) => {
  if (!get || !/\/ppm(\/|\.|$)/.test(path)) return [];
  const at = path
    .replace('{card_id}', plan.id)
    .replace(
      /([^/]+)\/\{(\w+)\}/g,
      (_match, parent: string, name: string) => `${parent}/${ids[parent] ?? `{${name}}`}`,
    );
  if (at.includes('{')) throw new Error(`this test has no value for the parameters of ${path}`);
  const formats = get.parameters?.find(({ name }) => name === 'format')?.schema?.enum ?? [undefined];
  return formats.map((format) => (format === undefined ? at : `${at}?format=${format}`));
});
const catalogue = (await admin.api.get('/reports', { query: { page_size: 200 } })).body.items as unknown as {
  id: string;
  formats: string[];
}[];
for (const { id, formats } of catalogue)
  if (id.startsWith('ppm.')) PLACES.push(...formats.map((format) => `/reports/${id}?format=${format}`));
/** Answers of the core about the initiative; not compared, because a roll-up gives the card a version. */
const CORE = [
  `/cards/${plan.id}`,
  `/cards/${plan.id}/history`,
  `/cards/${plan.id}/sections`,
  `/cards?type=Initiative&search=Secret`,
  '/cards/export?format=csv&type=Initiative',
  '/cards/export?format=json&type=Initiative',
  '/notifications',
];

/** The answers at places, as bytes with their status and ETag. */
async function answers(by: Session, places: readonly string[]): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const place of places) {
    const url = new URL(place.startsWith('/api/') ? place : `/api/v1${place}`, origin);
    const answer = await fetch(url, { headers: { authorization: `Bearer ${by.token}` } });
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    // The id of a request is part of every problem.
    const body = text.replace(/"request_id":"[^"]*"/, '');
    all.set(place, `${answer.status} ${answer.headers.get('etag') ?? ''}\n${body}`);
  }
  return all;
}
const statusOf = (answer: string): string => answer.slice(0, 3);

/** Sees the events, and no costs. */
expectStatus(
  await admin.api.post('/roles', {
    key: 'auditor',
    label: 'Auditor',
    permissions: ['cards.view', 'ppm.view', 'events.audit'],
  }),
  201,
  'a role',
);
const auditor = await makeUser(admin, 'auditor');
const before = await answers(viewer, PLACES);
const ofArchitect = await answers(architect, PLACES);

t.test('no amount is in any answer', async (t) => {
  t.comment(`${PLACES.length} places`);
  for (const [place, answer] of before) {
    t.match(statusOf(answer), /200|403/, place);
    t.notMatch(answer, SECRET, place);
  }
  for (const [place, answer] of await answers(viewer, CORE)) {
    t.equal(statusOf(answer), '200', place);
    t.notMatch(answer, SECRET, place);
  }
  const events = (await answers(auditor, ['/events?page_size=200'])).get('/events?page_size=200')!;
  t.match(events, /"ppm_budget\.created".*"ppm_budget"|"ppm_budget".*"ppm_budget\.created"/s);
  t.notMatch(events, SECRET, 'events');
  const forbidden = [...before].filter(([, answer]) => statusOf(answer) === '403').map(([place]) => place);
  for (const place of forbidden)
    t.match(place, /budgets|costs|earned-value|budget-vs-actual/, `${place} is about amounts alone`);
});

t.test('the same answers have amounts for an architect', async (t) => {
  const shown = [...ofArchitect].filter(([, answer]) => SECRET.test(answer)).map(([place]) => place);
  for (const part of [
    '/budgets',
    '/costs',
    '/wbs',
    '/earned-value',
    '/ppm/initiatives',
    'dashboard',
    'budget-vs-actual',
    'plan.csv',
    'plan.xml',
  ])
    t.ok(
      shown.some((place) => place.includes(part)),
      part,
    );
  for (const [place, answer] of ofArchitect) t.equal(statusOf(answer), '200', place);
});

t.test('no answer differs when amounts change', async (t) => {
  // In the database, because a change over HTTP has a version and an event, which the viewer may see.
  for (const statement of [
    'update ppm_budgets set amount = amount * 3, description = null',
    'update ppm_costs set planned = planned * 5 + 1, actual = actual * 7, description = null',
    'update ppm_wbs set planned_cost = planned_cost * 11',
    'update ppm_baseline_items set planned_cost = planned_cost * 13',
  ])
    await sql(database, statement);
  const after = await answers(viewer, PLACES);
  for (const [place, answer] of before) if (!/format=(xlsx|png)/.test(place)) t.equal(after.get(place), answer, place);
  const architectAfter = await answers(architect, PLACES);
  const differing = [...ofArchitect].filter(([place, answer]) => architectAfter.get(place) !== answer);
  t.ok(differing.length > 8, `${differing.length} answers differ for an architect`);
  t.match(before.get(PLACES.find((place) => place.endsWith('/plan'))!), /"rolled_up_fields":\["endDate","startDate"\]/);
  // Without any amount the viewer also gets the same.
  for (const table of ['ppm_budgets', 'ppm_costs']) await sql(database, `delete from ${table}`);
  for (const place of PLACES.filter((one) =>
    /\/initiatives(\/[^/]*)?$|dashboard$|dashboard.format=(json|csv|svg)/.test(one),
  )) {
    const [answer] = (await answers(viewer, [place])).values();
    t.equal(answer, before.get(place), `${place} without any amount`);
  }
});

t.test('amounts of one initiative by a stakeholder role', async (t) => {
  const other = await Initiative.make(architect, 'Own');
  await Promise.all([other.budget(architect, 111), other.cost(architect, { planned: 50, actual: 222 })]);
  const body = { user_id: viewer.user.id, role: 'responsible' };
  expectStatus(await admin.api.post(`/cards/${other.id}/stakeholders`, body), 201, 'a stakeholder');
  await until(async () => (await other.figures(viewer))['budget'] === 111);
  t.equal((await viewer.api.get(`${other.path}/budgets`)).body.total, 1);
  t.equal((await viewer.api.get(`${plan.path}/budgets`)).status, 403);
  t.match(await plan.figures(viewer), { budget: null, amounts_withheld: true });
  const { body: dashboard } = await viewer.api.get('/ppm/reports/dashboard');
  t.match(dashboard, { amounts: { initiatives: 1, budget: 111, actual: 222, variance: -111, amounts_withheld: true } });
  const reasons = (dashboard['attention'] as { name: string; reasons: { text: string }[] }[]).find(
    ({ name }) => name === 'Own',
  );
  t.strictSame(
    reasons?.reasons.map(({ text }) => text),
    ['actual 200 % of budget'],
  );
  const { body: report } = await viewer.api.get('/ppm/reports/budget-vs-actual');
  t.match(report, { totals: { budget: 111, actual: 222 }, initiatives: 1, amounts_withheld: true });
  t.equal((await viewer.api.get('/ppm/initiatives', { query: { sort_by: 'budget' } })).status, 403, 'not of all');
  t.equal((await architect.api.get('/ppm/initiatives', { query: { sort_by: 'budget' } })).status, 200);
});
