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
  const project = (content: string) => upload(plan, `<Project>${content}</Project>`, {}, 'application/xml');
  t.equal((await project('<StartDate>0000-01-01T00:00:00</StartDate>')).status, 200);
  const period = '<TimePeriod><FromDate>0000-01-01</FromDate><ToDate>0000-01-03</ToDate></TimePeriod>';
  const calendar = `<Calendar><UID>1</UID><Exceptions><Exception>${period}</Exception></Exceptions></Calendar>`;
  const refused = await project(`<Calendars>${calendar}</Calendars>`);
  t.match(refused, { status: 422, body: { problems: [{ reason: /FromDate/ }] } });
});
