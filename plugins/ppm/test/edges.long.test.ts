/** Cases at the edges of plans: changes from outside, many requests at once, extreme values, and files against the rules of plans. */
import t from 'tap';
import { expectStatus, makeUser, registerAdmin, testApp, until } from '../../../test/support/app.js';
import { configure, Initiative } from './amount-support.js';
import { Plan, type Item } from './plan-support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [architect, viewer] = await Promise.all([makeUser(admin, 'architect'), makeUser(admin, 'viewer')]);

t.test('a changed exchange rate reaches the cards', async (t) => {
  const rate = (value: string) =>
    configure(admin, { exchange_rates: [{ currency: 'USD', date: '2020-01-01', rate: value }] });
  await rate('0.5');
  const initiative = await Initiative.make(architect, 'In dollars');
  expectStatus(await initiative.budget(architect, 100, 'USD'), 201, 'a budget');
  await initiative.rolledUp(architect, { costBudget: 50 });
  await rate('0.8');
  t.ok(await initiative.rolledUp(architect, { costBudget: 80 }));
});

t.test('many baselines at once', async (t) => {
  const plan = await Plan.make(architect, 'Frozen');
  await plan.item(architect, 'Without dates');
  const made = await Promise.all(
    Array.from({ length: 40 }, (_, i) => architect.api.post(`${plan.path}/baselines`, { name: `Baseline ${i}` })),
  );
  t.strictSame([...new Set(made.map(({ status }) => status))], [201]);
  expectStatus(await architect.api.post(`/cards/${plan.id}/archive`, {}), 200, 'archiving');
  const path = `${plan.path}/baselines/${made[0]!.body.id}`;
  t.equal((await architect.api.post(`${plan.path}/baselines`, { name: 'Late' })).status, 409);
  t.equal((await architect.api.patch(path, { name: 'Late' })).status, 409);
  t.equal((await architect.api.del(path)).status, 409);
});

t.test('the same calendar makes no version', async (t) => {
  const plan = await Plan.make(architect, 'Calendar');
  const calendar = { working_days: [1, 2, 3], exceptions: [{ date: '2026-01-01', working: false, name: 'New Year' }] };
  const set = async () => expectStatus(await architect.api.patch(`${plan.path}/plan`, { calendar }), 200, 'a calendar');
  const { version } = (await set()).body;
  t.equal((await set()).body.version, version);
});

t.test('durations follow holidays, also if another one is renamed meanwhile', async (t) => {
  const plan = await Plan.make(architect, 'Holidays');
  const { id } = await plan.item(architect, 'Week', { start_date: '2026-06-01', end_date: '2026-06-05' });
  const holiday = async (date: string, name: string) =>
    expectStatus(await admin.api.post('/ppm/holidays', { date, name }), 201, name).body.id;
  const other = await holiday('2031-06-03', 'Other');
  const read = (headers = {}) => architect.api.get<Item>(`${plan.path}/wbs/${id}`, { headers });
  const before = await read();
  await holiday('2026-06-03', 'Holiday');
  expectStatus(await admin.api.patch(`/ppm/holidays/${other}`, { name: 'Renamed' }), 200, 'renaming');
  t.equal(before.body.duration_days, 5);
  t.ok(await until(async () => (await read()).body.duration_days === 4, 30_000));
  t.equal((await read({ 'if-none-match': before.headers.get('etag')! })).status, 200, 'a new entity tag');
});

t.test('cost lines of deleted items have a new version', async (t) => {
  const plan = await Plan.make(architect, 'Cost lines');
  const [phase, build] = [await plan.item(architect, 'Phase'), await plan.item(architect, 'Build')];
  const cost = async (wbs_id: string) => {
    const body = { category: 'opex', date: '2026-01-31', planned: 10, wbs_id };
    return expectStatus(await architect.api.post(`${plan.path}/costs`, body), 201, 'a cost line').body.id;
  };
  const ids = [await cost(phase.id), await cost(build.id)];
  expectStatus(await architect.api.del(`${plan.path}/wbs/${phase.id}`), 204, 'deleting');
  const headers = { 'content-type': 'text/csv' };
  const file = await architect.api.send('POST', `${plan.path}/plan/import`, 'title\nOther', {
    headers,
    query: { remove_missing: true },
  });
  expectStatus(file, 200, 'an import');
  for (const id of ids) {
    t.match((await architect.api.get(`${plan.path}/costs/${id}`)).body, { wbs_id: null, version: 2 });
    const [last] = (await architect.api.get(`${plan.path}/costs/${id}/history`)).body.items;
    t.match(last, { type: 'ppm_cost.updated', changes: [{ field: 'wbs_id', new: null }] });
  }
});

t.test('the largest amounts at the largest rate', async (t) => {
  await configure(admin, { exchange_rates: [{ currency: 'USD', date: '2020-01-01', rate: '99999999.9999999999' }] });
  const initiative = await Initiative.make(architect, 'Large');
  const amount = 999_999_999_999.99;
  expectStatus(await initiative.budget(architect, amount, 'USD'), 201, 'a budget');
  const spent = { planned: amount, actual: amount };
  for (let i = 0; i < 3; i++)
    expectStatus(await initiative.cost(architect, spent, { currency: 'USD' }), 201, 'a cost line');
  const places = [initiative.path, `${initiative.path}/earned-value`, '/ppm/initiatives?sort_by=actual'];
  for (const format of ['json', 'svg', 'xlsx', 'csv'])
    places.push(`/reports/ppm.dashboard?format=${format}`, `/reports/ppm.budget-vs-actual?format=${format}`);
  for (const place of places) t.equal((await architect.api.get(place)).status, 200, place);
  const value = (await architect.api.get(`${initiative.path}/earned-value`)).body;
  t.equal(value['ac'], 3 * 99_999_999_999_999_000_000);
});

t.test('a plan does not tell a viewer without costs that the card has amounts from it', async (t) => {
  const initiative = await Initiative.make(architect, 'Budgeted');
  expectStatus(await initiative.budget(architect, 100), 201, 'a budget');
  const body = { title: 'Week', start_date: '2026-03-02', end_date: '2026-03-06' };
  expectStatus(await architect.api.post(`${initiative.path}/wbs`, body), 201, 'an item');
  await initiative.rolledUp(architect, { costBudget: 100, endDate: '2026-03-06' });
  const fields = async (by: typeof viewer) => (await by.api.get(`${initiative.path}/plan`)).body['rolled_up_fields'];
  t.strictSame(await fields(architect), ['costBudget', 'endDate', 'startDate']);
  t.strictSame(await fields(viewer), ['endDate', 'startDate']);
});

interface Imported {
  items: Record<string, number>;
  calendar_changed: boolean;
  changes: unknown[];
  problems: { line: number; reason: string }[];
}
const upload = (plan: Plan, file: string, query: Record<string, boolean> = {}, type = 'text/csv') =>
  architect.api.send<Imported>('POST', `${plan.path}/plan/import`, file, { headers: { 'content-type': type }, query });

t.test('imports change external ids, and name those of other items', async (t) => {
  const plan = await Plan.make(architect, 'External ids');
  const a = await plan.item(architect, 'A', { external_id: 'a' });
  const b = await plan.item(architect, 'B', { external_id: 'b' });
  const taken = await upload(plan, `id,title,external_id\n${a.id},A,b`);
  t.match(taken, { status: 422, body: { problems: [{ line: 2, reason: /external_id/ }] } });
  const cut = await upload(plan, 'title,external_id\nC,"c\0"\nD,c');
  t.match(cut, { status: 422, body: { problems: [{ line: 3, reason: /external_id/ }] } });
  const swapped = await upload(plan, `id,title,external_id\n${a.id},A,b\n${b.id},B,a`);
  t.match(swapped, { status: 200, body: { items: { updated: 2 } } });
  const inherited = await upload(plan, `id,title,external_id\n${a.id},A,a`, { remove_missing: true });
  t.match(inherited.body, { items: { updated: 1, removed: 1 } }, 'that of an item that is removed');
  t.match(await plan.items(architect), [{ title: 'A', external_id: 'a' }]);
});

t.test('imports keep the rules of plans', async (t) => {
  const plan = await Plan.make(architect, 'Rules');
  const upper = await plan.item(architect, 'Upper');
  const lower = await plan.item(architect, 'Lower', { parent_id: upper.id });
  await plan.item(architect, 'Lowest', { parent_id: lower.id });
  const rows = (levels: number) =>
    Array.from({ length: levels }, (_, i) =>
      [
        i === levels - 1 ? upper.id : '',
        Array(i + 1)
          .fill(1)
          .join('.'),
        i === levels - 1 ? 'Upper' : `L${i}`,
      ].join(','),
    );
  const deep = (levels: number) => upload(plan, ['id,outline,title', ...rows(levels)].join('\n'), { dry_run: true });
  t.match(await deep(19), { status: 422, body: { problems: [{ line: 20, reason: /20 levels/ }] } });
  t.equal((await deep(18)).status, 200);
  t.match(await upload(plan, 'title\n"\u0001"'), { status: 422, body: { problems: [{ line: 2, reason: /empty/ }] } });
  // XML cannot have these characters, so that such a title would be empty in an export.
  for (const title of ['\ufffe', 'a\uffff']) {
    t.equal((await architect.api.post(`${plan.path}/wbs`, { title })).status, 422, 'a title of an item');
    t.equal((await architect.api.post(`${plan.path}/tasks`, { title })).status, 422, 'a title of a task');
  }
  t.match(await upload(plan, 'title\n\ufffe'), { status: 422, body: { problems: [{ line: 2, reason: /empty/ }] } });
  const project = (content: string) => upload(plan, `<Project>${content}</Project>`, {}, 'application/xml');
  const named = (name: string) => project(`<Tasks><Task><UID>1</UID><Name>${name}</Name></Task></Tasks>`);
  t.equal((await named('\ufffe')).status, 422);
  t.equal((await named('&#65534;')).status, 422);
  t.equal((await project('<StartDate>0000-01-01T00:00:00</StartDate>')).status, 200);
  const period = '<TimePeriod><FromDate>0000-01-01</FromDate><ToDate>0000-01-03</ToDate></TimePeriod>';
  const calendar = `<Calendar><UID>1</UID><Exceptions><Exception>${period}</Exception></Exceptions></Calendar>`;
  const refused = await project(`<Calendars>${calendar}</Calendars>`);
  t.match(refused, { status: 422, body: { problems: [{ reason: /FromDate/ }] } });
});
t.test('exports of any texts are imported without changes', async (t) => {
  const plan = await Plan.make(architect, 'Texts');
  const texts = ['', 'a\u0001b', '  ', ' x\r\ny\r', '\ufeffx', '=1+1', "'=1", ']]>&<', '😀'.repeat(20_000), '\ufffe'];
  for (const [i, description] of texts.entries()) await plan.item(architect, `Text ${i}`, { description });
  for (const title of [' =1 ', "'=x", ']]>', '\ufeffb', '\u2028x', '😀'.repeat(300)]) await plan.item(architect, title);
  for (const external_id of [' a ', '007', '7', '=1', 'a\nb', '😀'.repeat(100)])
    await plan.item(architect, 'External', { external_id });
  const on = { constraint_type: 'start_no_earlier_than', constraint_date: '2026-03-09' };
  await plan.item(architect, 'Stated start', { ...on, start_date: '2026-03-09' });
  await plan.item(architect, 'Stated default', { constraint_type: 'as_soon_as_possible' });
  const must = { constraint_type: 'must_start_on', constraint_date: '2026-03-09' };
  const summary = await plan.item(architect, 'Summary', { ...must, start_date: '2026-03-09', completion: 50 });
  await plan.item(architect, 'Below', { parent_id: summary.id });
  const exceptions = [' x ', 'a\u0001b', ' ', '\ufeff'].map((name, i) => ({
    date: `2026-01-0${i + 1}`,
    working: i > 2,
    name,
  }));
  const set = await architect.api.patch(`${plan.path}/plan`, { calendar: { exceptions } });
  expectStatus(set, 200, 'a calendar');
  for (const [extension, type] of [
    ['csv', 'text/csv'],
    ['xml', 'application/xml'],
  ] as const) {
    const url = `${origin}/api/v1${plan.path}/plan.${extension}`;
    const file = Buffer.from(
      await (await fetch(url, { headers: { authorization: `Bearer ${architect.token}` } })).arrayBuffer(),
    );
    const { body } = await upload(plan, file as never, {}, type);
    t.match(body, { items: { created: 0, updated: 0, kept: 0 }, calendar_changed: false, changes: [] }, extension);
  }
});

t.test('a sum that the card refuses clears its field', async (t) => {
  const initiative = await Initiative.make(architect, 'Refunds');
  expectStatus(await initiative.cost(architect, { actual: 10 }), 201, 'a cost line');
  expectStatus(await initiative.budget(architect, 5), 201, 'a budget');
  await initiative.rolledUp(architect, { costActual: 10, costBudget: 5 });
  expectStatus(await initiative.cost(architect, { actual: -20 }), 201, 'a refund');
  expectStatus(await initiative.budget(architect, 1), 201, 'a budget');
  t.ok(await initiative.rolledUp(architect, { costActual: null, costBudget: 6 }));
  expectStatus(await initiative.cost(architect, { actual: 30 }), 201, 'a cost line');
  t.ok(await initiative.rolledUp(architect, { costActual: 20 }));
});

t.test('comments of a task of another initiative', async (t) => {
  const [one, other] = [await Plan.make(architect, 'One'), await Plan.make(architect, 'Other')];
  const { id } = await other.task(architect, 'Task');
  t.equal((await architect.api.get(`${other.path}/tasks/${id}/comments`)).status, 200);
  t.equal((await architect.api.get(`${one.path}/tasks/${id}/comments`)).status, 404);
});
