import t, { type Test } from 'tap';
import {
  columnsOf,
  drawnOf,
  englishOnly,
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  type Session,
  until,
} from '../../../test/support/app.js';
import { Initiative } from './amount-support.js';
import { textsOf } from '../reports/words/index.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [architect, viewer] = await Promise.all([makeUser(admin, 'architect'), makeUser(admin, 'viewer')]);
const DAY = 86_400_000;
const today = new Date().toISOString().slice(0, 10);
/** A day some days from today. */
const day = (offset: number): string => new Date(Date.parse(today) + offset * DAY).toISOString().slice(0, 10);
/** Weekdays after a day up to another one. */
function weekdays(from: string, to: string): number {
  let count = 0;
  for (let at = Date.parse(from) + DAY; at <= Date.parse(to); at += DAY)
    if (![0, 6].includes(new Date(at).getUTCDay())) count++;
  return count;
}
const item = async (plan: Initiative, body: object): Promise<string> =>
  expectStatus(await architect.api.post(`${plan.path}/wbs`, body), 201, 'an item').body.id;
const report = (plan: Initiative, report_date: string, schedule_health: string) =>
  architect.api.post(`${plan.path}/status-reports`, {
    report_date,
    schedule_health,
    cost_health: 'on_track',
    scope_health: 'on_track',
  });
const names = async (query: Record<string, string | number | boolean>, by: Session = viewer): Promise<string[]> =>
  (await by.api.get('/ppm/initiatives', { query })).body.items.map(({ name }) => name);

const program = await Initiative.make(architect, 'Program');
const shop = await Initiative.make(architect, 'Shop', { parent_id: program.id });
const depot = await Initiative.make(architect, 'Depot', { parent_id: program.id });
const build = await item(shop, { title: 'Build', start_date: day(-40), end_date: day(-10), completion: 50 });
const open = await item(shop, { title: 'Open', is_milestone: true, start_date: day(30) });
await item(shop, { title: 'Close', is_milestone: true, start_date: day(-2), completion: 100 });
await report(shop, day(-30), 'off_track');
await report(shop, day(-3), 'at_risk');
await item(depot, { title: 'Move', duration_days: 30, completion: 100 });
await item(depot, { title: 'Clean', duration_days: 10 });

t.test('the roll-up of a plan', async (t) => {
  const { body } = await viewer.api.get(shop.path);
  t.match(body, {
    start_date: day(-40),
    end_date: day(30),
    completion: 50,
    items: 3,
    late_items: 1,
    health: { schedule: 'at_risk', overall: 'at_risk', report_date: day(-3) },
    open_risks: { count: 0, highest_score: null },
    next_milestones: [{ id: open, title: 'Open', date: day(30) }],
    counts: { wbs: 3, status_reports: 2, tasks: 0 },
    children: [],
  });
  t.match((await viewer.api.get(depot.path)).body, {
    completion: 75,
    items: 2,
    late_items: 0,
    start_date: null,
    health: null,
  });
  t.match((await viewer.api.get(program.path)).body, {
    completion: null,
    items: 0,
    children: [
      { name: 'Depot', completion: 75 },
      { name: 'Shop', completion: 50 },
    ],
  });
  // An item with others below it counts by these alone.
  await item(shop, { title: 'Walls', parent_id: build, start_date: day(-40), end_date: day(-10), completion: 80 });
  t.match((await viewer.api.get(shop.path)).body, { completion: 80, items: 3 });
  await shop.rolledUp(architect, { startDate: day(-40), endDate: day(30) });
  t.match(await architect.api.patch(`/cards/${shop.id}`, { attributes: { endDate: day(5) } }), {
    status: 422,
    body: { errors: [{ field: '/attributes/endDate' }] },
  });
});

t.test('the list: filters, sorts and pages', async (t) => {
  t.strictSame(await names({}), ['Depot', 'Program', 'Shop']);
  t.strictSame(await names({ parent_id: program.id }), ['Depot', 'Shop']);
  t.strictSame(await names({ health: 'at_risk,off_track' }), ['Shop']);
  t.strictSame(await names({ health: 'none' }), ['Depot', 'Program']);
  t.strictSame(await names({ late: true }), ['Shop']);
  t.strictSame(await names({ late: false, health: 'none', search: 'Depot' }), ['Depot']);
  t.strictSame(await names({ sort_by: 'completion', sort_dir: 'desc', parent_id: program.id }), ['Shop', 'Depot']);
  t.strictSame(await names({ sort_by: 'late_items', sort_dir: 'desc' }).then(([first]) => first), 'Shop');
  t.strictSame(await names({ sort_by: 'health', sort_dir: 'desc' }).then(([first]) => first), 'Shop');
  t.strictSame(await names({ sort_by: 'end_date', late: true }), ['Shop']);
  const { body: first } = await viewer.api.get('/ppm/initiatives', { query: { page_size: 2, sort_by: 'open_risks' } });
  t.equal(first.total, 3);
  const { body: rest } = await viewer.api.get('/ppm/initiatives', {
    query: { page_size: 2, sort_by: 'open_risks', cursor: first.next_cursor! },
  });
  t.strictSame([...first.items, ...rest.items].map(({ name }) => name).sort(), ['Depot', 'Program', 'Shop']);
  const wrong: Record<string, string | number>[] = [
    { bogus: 1 },
    { type: 'Application' },
    { health: 'bad' },
    { parent_id: 'x' },
    { sort_by: 'x' },
  ];
  for (const query of wrong)
    t.equal((await viewer.api.get('/ppm/initiatives', { query })).status, 422, JSON.stringify(query));
  const application = (await architect.api.post('/cards', { type: 'Application', name: 'No plan' })).body.id;
  for (const id of [application, program.id.replace(/.$/, (c) => (c === '0' ? '1' : '0')), 'x'])
    for (const path of ['', '/budgets', '/risks'])
      t.equal((await architect.api.get(`/ppm/initiatives/${id}${path}`)).status, 404);
});

t.test('the dashboard says what needs attention and why', async (t) => {
  const { body } = await viewer.api.get('/ppm/reports/dashboard');
  const late = weekdays(day(-10), today);
  t.match(body, {
    initiatives: { count: 3 },
    late: { count: 1, items: 1 },
    completion: { none: 1, in_progress: 2, not_started: 0, complete: 0 },
    attention: [
      {
        name: 'Shop',
        health: 'at_risk',
        reasons: [
          { area: 'health', text: 'schedule reported as at risk' },
          { area: 'items', text: `1 item late, by up to ${late} working days` },
        ],
        amounts_withheld: true,
      },
    ],
    milestones: [{ title: 'Open', is_late: false, initiative: { name: 'Shop' } }],
  });
  for (const { count, href } of [body['initiatives'], body['late'], ...(body['health'] as object[])] as {
    count: number;
    href: string;
  }[])
    t.equal((await viewer.api.get(href)).body.total, count, href);
  const ended = await Initiative.make(architect, 'Ended');
  await item(ended, { title: 'All', start_date: day(-30), end_date: day(-20), completion: 90 });
  expectStatus(await architect.api.post(`${ended.path}/baselines`, { name: 'Approved' }), 201, 'a baseline');
  const { body: items } = await architect.api.get(`${ended.path}/wbs`);
  await architect.api.patch(`${ended.path}/wbs/${items.items[0]!.id}`, { end_date: day(-6) });
  await ended.budget(architect, 1_000);
  await ended.cost(architect, { actual: 1_150 });
  const { body: again } = await architect.api.get<{ attention: { name: string; reasons: { text: string }[] }[] }>(
    '/ppm/reports/dashboard',
  );
  const [overrun] = again.attention.filter(({ name }) => name === 'Ended');
  t.strictSame(
    overrun?.reasons.map(({ text }) => text),
    [
      `${weekdays(day(-6), today)} working days after the planned end, 90 % complete`,
      `finish ${weekdays(day(-20), day(-6))} working days after that of the baseline “Approved”`,
      `1 item late, by up to ${weekdays(day(-6), today)} working days`,
      'actual 115 % of budget',
    ],
  );
  type Dashboard = { health: { label: string }[]; attention: typeof again.attention };
  const { body: german } = await architect.api.get<Dashboard>('/ppm/reports/dashboard', { query: { lang: 'de-CH' } });
  t.strictSame(
    german.attention.find(({ name }) => name === 'Ended')?.reasons.map(({ text }) => text),
    [
      `${weekdays(day(-6), today)} Arbeitstage nach dem geplanten Ende, 90 % fertig`,
      `Ende ${weekdays(day(-20), day(-6))} Arbeitstage später als im Basisplan „Approved“`,
      `1 Vorgang verspätet, um bis zu ${weekdays(day(-6), today)} Arbeitstage`,
      'Istkosten 115 % des Budgets',
    ],
  );
  t.match(german.health, [{ label: 'Im Plan' }, { label: 'Gefährdet' }]);
  const english = new Set(again.attention.flatMap(({ reasons }) => reasons.map(({ text }) => text)));
  for (const lang of ['de', 'fr', 'es', 'it']) {
    const { body } = await architect.api.get<Dashboard>('/ppm/reports/dashboard', { query: { lang } });
    const texts = body.attention.flatMap(({ reasons }) => reasons.map(({ text }) => text));
    t.equal(texts.length, again.attention.flatMap(({ reasons }) => reasons).length, lang);
    t.notOk(
      texts.some((text) => english.has(text)),
      `${lang}: ${texts.join('; ')}`,
    );
    const csv = await architect.api.get<string>('/reports/ppm.dashboard', { query: { lang, format: 'csv' } });
    t.notMatch(csv.body, /Completion|Reasons|working day|of budget/, `${lang}: the table`);
  }
  for (const lang of ['de', 'fr', 'es', 'it']) {
    const [texts, fixed] = [textsOf(lang), englishOnly(textsOf('en'), textsOf(lang))];
    t.ok(fixed.size > 50, `${lang}: ${fixed.size} texts that differ`);
    for (const [id, title] of [
      ['dashboard', texts.picture.title],
      ['budget-vs-actual', texts.budget.title],
      ['gantt', texts.gantt.title],
      ['resource-load', texts.load.title],
    ] as const) {
      const of = async (format: string): Promise<string> =>
        (await architect.api.get<string>(`/reports/ppm.${id}`, { query: { format, lang } })).body;
      const drawn = await of('svg');
      t.strictSame(drawnOf(drawn, fixed), [], `${id} in ${lang}`);
      t.ok(drawn.includes(`>${title}</title>`), `${id} has a title in ${lang}`);
      t.strictSame(columnsOf(await of('csv'), fixed), [], `columns of ${id} in ${lang}`);
    }
  }
  await architect.api.post(`/cards/${ended.id}/archive`);
});

/** 20 changes at once: nothing is lost, figures are current, and the card follows with few versions. */
async function parallelChanges(t: Test): Promise<void> {
  const plan = await Initiative.make(architect, 'Parallel');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      i % 2 ? plan.budget(architect, 10) : item(plan, { title: `Item ${i}`, start_date: day(i), end_date: day(i + 1) }),
    ),
  );
  t.equal(answers.length, 20);
  t.match(await plan.figures(architect), { budget: 100, items: 10, start_date: day(0), end_date: day(19) });
  const card = await plan.rolledUp(architect, { costBudget: 100, startDate: day(0), endDate: day(19) }, 10_000);
  t.ok(card.version <= 4, `the card has version ${card.version}`);
}

/** A card without the right to be written is written when it is restored. */
async function archived(t: Test): Promise<void> {
  const plan = await Initiative.make(architect, 'Archived');
  await plan.budget(architect, 10);
  await plan.rolledUp(architect, { costBudget: 10 });
  await plan.budget(architect, 5);
  await architect.api.post(`/cards/${plan.id}/archive`);
  // The write that was queued is over, and the archived card has not been changed.
  await until(
    async () =>
      (await sql(database, 'select from ppm_plans where card_id = $1 and rollup_due_at is null', [plan.id])).length > 0,
  );
  t.equal((await plan.card(architect)).attributes['costBudget'], 10);
  t.equal((await architect.api.post(`/cards/${plan.id}/restore`)).status, 200);
  await plan.rolledUp(architect, { costBudget: 15 });
}

/** A sum that the card refuses is left out; other fields are written. */
async function refused(t: Test): Promise<void> {
  const plan = await Initiative.make(architect, 'Refunds');
  await plan.budget(architect, 10);
  await plan.cost(architect, { actual: -5 });
  await plan.rolledUp(architect, { costBudget: 10, costActual: null });
  t.match(await plan.figures(architect), { actual: -5 });
}

t.test('writes of cards', (t) => Promise.all([parallelChanges(t), archived(t), refused(t)]));

t.test('risks and their promotion to the register', async (t) => {
  const risk = { title: ' Late supplier ', probability: 5, impact: 4, mitigation: 'Ask another one' };
  const { body: made } = await architect.api.post(`${shop.path}/risks`, risk);
  t.match(made, { title: 'Late supplier', score: 20, status: 'open', promoted_reference: null });
  await architect.api.post(`${shop.path}/risks`, { ...risk, status: 'closed', impact: 5 });
  t.match((await viewer.api.get(shop.path)).body['open_risks'], { count: 1, highest_score: 20 });
  t.match(
    (await viewer.api.get('/ppm/initiatives', { query: { sort_by: 'open_risks', sort_dir: 'desc' } })).body.items[0],
    { name: 'Shop' },
  );
  const path = `${shop.path}/risks/${made.id}`;
  t.equal((await viewer.api.post(`${path}/promote`, {})).status, 403);
  t.equal((await architect.api.post(`${depot.path}/risks/${made.id}/promote`, {})).status, 404);
  t.equal((await architect.api.post(`${path}/promote`, {}, { headers: { 'if-match': '"7"' } })).status, 412);
  const both = await Promise.all([1, 2].map(() => architect.api.post(`${path}/promote`, { category: 'strategic' })));
  t.strictSame(both.map(({ status }) => status).sort(), [200, 409]);
  const { body: promoted } = await viewer.api.get(path);
  t.match(promoted, { version: 2, promoted_reference: /^R-\d{6}$/ });
  t.match((await architect.api.get(`/risks/${promoted['promoted_risk_id'] as string}`)).body, {
    title: 'Late supplier',
    category: 'strategic',
    description: 'Mitigation: Ask another one',
    initial_probability: 'very_high',
    initial_impact: 'high',
    cards: [{ card_id: shop.id, role: 'affected' }],
  });
  t.equal((await architect.api.get('/risks')).body.total, 1);
  const { body: repeated } = await architect.api.post(`${shop.path}/risks`, risk);
  const keyed = { headers: { 'idempotency-key': 'promotion' } };
  const again = () => architect.api.post(`${shop.path}/risks/${repeated.id}/promote`, {}, keyed);
  const first = await again();
  t.match(first, { status: 200, body: { version: 2, promoted_reference: /^R-/ } });
  t.match(await again(), { status: 200, body: first.body }, 'a repeated request is answered as the first');
  const { body: second } = await architect.api.post(`${shop.path}/risks`, risk);
  expectStatus(await admin.api.patch('/settings/modules/risks', { enabled: false }), 200, 'disabling');
  t.match(await architect.api.post(`${shop.path}/risks/${second.id}/promote`, {}), {
    status: 409,
    body: { code: 'ppm_register_unavailable' },
  });
  for (const body of [{ ...risk, probability: 6, impact: 0 }, { title: '\n' }])
    t.equal((await architect.api.post(`${shop.path}/risks`, body)).status, 422);
});

t.test('hidden initiatives do not exist', async (t) => {
  await admin.api.post('/roles', {
    key: 'blind',
    label: 'Blind',
    permissions: ['cards.view', 'ppm.view', 'ppm.manage', 'costs.view'],
    types: { Initiative: { 'cards.view': false } },
  });
  const blind = await makeUser(admin, 'blind');
  for (const path of [shop.path, `${shop.path}/budgets`, `${shop.path}/costs`, `${shop.path}/risks`])
    t.equal((await blind.api.get(path)).status, 404, path);
  t.equal((await shop.budget(blind, 1)).status, 404);
  t.equal((await blind.api.get('/ppm/initiatives')).body.total, 0);
  t.match((await blind.api.get('/ppm/reports/dashboard')).body, {
    initiatives: { count: 0 },
    attention: [],
    milestones: [],
    amounts: { budget: 0, amounts_withheld: false },
  });
  t.match((await blind.api.get('/ppm/reports/budget-vs-actual')).body, {
    rows: [],
    initiatives: 0,
    amounts_withheld: false,
  });
});
