import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { makeUser, registerAdmin, sql, testApp, until } from '../../../test/support/app.js';
import { configure, Initiative } from './amount-support.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [architect, viewer] = await Promise.all([makeUser(admin, 'architect'), makeUser(admin, 'viewer')]);
const RATES = [
  { currency: 'USD', date: '2025-01-01', rate: '0.95' },
  { currency: 'USD', date: '2026-01-01', rate: '0.9123456789' },
  { currency: 'USD', date: '2026-02-15', rate: '0.87' },
  { currency: 'JPY', date: '2025-06-01', rate: '0.0061728395' },
];
const unpriced = await Initiative.make(architect, 'Without exchange rates');
await unpriced.budget(architect, 12.5);
const withoutRates = await unpriced.figures(architect);
await configure(admin, { exchange_rates: RATES });

t.test('a module without exchange rates', async (t) => {
  t.match(withoutRates, { budget: 12.5, actual: 0, missing_rates: [] });
  await unpriced.rolledUp(architect, { costBudget: 12.5 });
});

t.test('sums in three currencies equal integer arithmetic done apart', async (t) => {
  const shop = await Initiative.make(architect, 'Sums');
  const wanted = { budget: 0n, planned: 0n, actual: 0n, forecast: 0n };
  // Rates as integers of 10⁻¹⁰ on a day, written down apart from the code under test.
  const rateOn = (currency: string, date: string): bigint =>
    currency === 'EUR'
      ? 10_000_000_000n
      : currency === 'JPY'
        ? 61_728_395n
        : date < '2026-01-01'
          ? 9_500_000_000n
          : date < '2026-02-15'
            ? 9_123_456_789n
            : 8_700_000_000n;
  const converted = (cents: bigint, currency: string, date: string): bigint => {
    const exact = cents * rateOn(currency, date);
    const [whole, rest] = [exact / 10_000_000_000n, exact % 10_000_000_000n];
    if (rest >= 5_000_000_000n) return whole + 1n;
    return rest <= -5_000_000_000n ? whole - 1n : whole;
  };
  let seed = 20_260_105;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;
  const lines = Array.from({ length: 500 }, () => {
    const currency = pick(['EUR', 'USD', 'JPY'] as const);
    const date = `${pick(['2025', '2026'])}-${String(random(7) + 6).padStart(2, '0')}-${String(random(28) + 1).padStart(2, '0')}`;
    const planned = random(100_000_000);
    return { currency, date, planned, actual: pick([0, random(100_000_000), -random(1_000)]) };
  });
  const [budgets, costs]: [string[], string[]] = [[], []];
  for (const [i, { currency, date, planned, actual }] of lines.entries()) {
    const [year, isBudget] = [Number(date.slice(0, 4)) + (currency === 'JPY' ? 1 : 0), i % 5 === 0];
    const at = isBudget ? `${year}-01-01` : date;
    const of = (cents: number): bigint => converted(BigInt(cents), currency, at);
    if (isBudget) {
      wanted.budget += of(planned);
      budgets.push(
        `('${randomUUID()}', now(), now(), '${shop.id}', ${year}, 'capex', ${planned / 100}, '${currency}')`,
      );
    } else {
      wanted.planned += of(planned);
      wanted.actual += of(actual);
      wanted.forecast += actual === 0 ? of(planned) : of(actual);
      costs.push(
        `('${randomUUID()}', now(), now(), '${shop.id}', 'opex', ${planned / 100}, ${actual / 100}, '${currency}', '${date}')`,
      );
    }
  }
  await sql(
    database,
    `insert into ppm_budgets (id, created_at, updated_at, card_id, fiscal_year, category, amount, currency) values ${budgets.join()}`,
  );
  await sql(
    database,
    `insert into ppm_costs (id, created_at, updated_at, card_id, category, planned, actual, currency, date) values ${costs.join()}`,
  );
  // One line over HTTP, so that the card is written.
  wanted.planned += 101n;
  wanted.forecast += 101n;
  t.match(await shop.cost(architect, { planned: 1.01 }), {
    status: 201,
    body: { planned: 1.01, actual: 0, currency: 'EUR' },
  });
  const figures = await shop.figures(architect);
  for (const [key, cents] of Object.entries(wanted))
    t.equal(BigInt(Math.round((figures[key] as number) * 100)), cents, key);
  t.match(figures, { currency: 'EUR', missing_rates: [], amounts_withheld: false });
  const card = await shop.rolledUp(architect, {
    costBudget: Number(wanted.budget) / 100,
    costActual: Number(wanted.actual) / 100,
  });
  t.equal(card.approval_status, 'DRAFT');
  const { body: report } = await architect.api.get<{ totals: Record<string, number> }>(
    '/ppm/reports/budget-vs-actual',
    { query: { search: 'Sums' } },
  );
  for (const [key, cents] of Object.entries(wanted))
    t.equal(BigInt(Math.round(report.totals[key]! * 100)), cents, `report: ${key}`);
});

/** A currency without a rate is refused; sums leave out lines that lost their rate. */
async function lostRates(t: Test): Promise<void> {
  const plan = await Initiative.make(architect, 'Rates');
  const early = await plan.cost(architect, { planned: 1 }, { currency: 'USD', date: '2024-12-31' });
  t.match(early, { status: 422, body: { errors: [{ field: '/currency', reason: /USD on or before 2024-12-31/ }] } });
  t.match(await plan.budget(architect, 1, 'EUX'), { status: 422, body: { errors: [{ field: '/currency' }] } });
  t.match(await plan.budget(architect, 1.005), { status: 422, body: { errors: [{ field: '/amount' }] } });
  t.match(await plan.cost(architect, {}, { wbs_id: plan.id, currency: 'CHF' }), {
    status: 422,
    body: { errors: [{ field: '/currency' }, { field: '/wbs_id' }] },
  });
  const own = await plan.budget(architect, 100);
  t.equal(own.body['currency'], 'EUR', 'the currency of the workspace');
  const line = await plan.budget(architect, 100, 'USD');
  t.equal(line.status, 201);
  t.match(await plan.figures(architect), { budget: 191.23, missing_rates: [] });
  await configure(admin, { exchange_rates: RATES.filter(({ currency }) => currency !== 'USD') });
  await until(async () => (await plan.figures(architect))['budget'] === 100);
  t.match(await plan.figures(architect), { missing_rates: ['USD'] });
  const path = `${plan.path}/budgets/${line.body.id}`;
  t.equal((await architect.api.patch(path, { description: 'Kept' })).status, 200, 'other fields can be changed');
  t.equal((await architect.api.patch(path, { fiscal_year: 2027 })).status, 422);
  await plan.rolledUp(architect, { costBudget: 100 });
  await configure(admin, { exchange_rates: RATES });
  await plan.rolledUp(architect, { costBudget: 191.23 });
}

/** Computed fields of the card are read-only, keep the approval, and are free again without a source. */
async function computedFields(t: Test): Promise<void> {
  const plan = await Initiative.make(architect, 'Card', { attributes: { costBudget: 5, costActual: 7 } });
  const path = `/cards/${plan.id}`;
  const card = await plan.card(architect);
  t.equal((await architect.api.patch(path, { attributes: { costBudget: 6 } })).status, 200, 'free without a budget');
  t.equal((await admin.api.post(`${path}/approval`, { action: 'approve' })).status, 200);
  const { body: line } = await plan.budget(architect, 250);
  t.match(await architect.api.patch(path, { attributes: { costBudget: 1 } }), {
    status: 422,
    body: { errors: [{ field: '/attributes/costBudget', reason: 'is computed from the plan' }] },
  });
  const rolled = await plan.rolledUp(architect, { costBudget: 250, costActual: 7 });
  t.match(rolled, { approval_status: 'APPROVED' });
  t.ok(rolled.version > card.version);
  t.equal((await architect.api.patch(path, { attributes: { costBudget: 250, costActual: 8 } })).status, 200);
  const rollUp = async () => (await plan.figures(architect))['card_roll_up'] as { fields: string[]; pending: boolean };
  // `lostRates`, which runs concurrently, changes the exchange rates, which queues a roll-up of every plan.
  const settled = await until(async () => {
    const found = await rollUp();
    return !found.pending && found;
  });
  t.match(settled, { fields: ['costBudget'] });
  const { version } = await plan.card(architect);
  // A change that leaves the sum as it is: the roll-up runs, and the card has no new version.
  await architect.api.patch(`${plan.path}/budgets/${line.id}`, { description: 'Same sum', category: 'opex' });
  await until(async () => !(await rollUp()).pending);
  t.equal((await plan.card(architect)).version, version);
  t.equal((await architect.api.del(`${plan.path}/budgets/${line.id}`)).status, 204);
  await plan.rolledUp(architect, { costBudget: null, costActual: 8 });
  t.equal((await architect.api.patch(path, { attributes: { costBudget: 9 } })).status, 200, 'free again');
}

// Concurrently, because a card is written once in five seconds.
t.test('exchange rates and computed fields', (t) => Promise.all([lostRates(t), computedFields(t)]));

t.test('rights, versions and histories', async (t) => {
  const plan = await Initiative.make(architect, 'Rights');
  const { body: line } = await plan.budget(architect, 100, null, { description: 'Servers' });
  const path = `${plan.path}/budgets/${line.id}`;
  for (const [method, at] of [
    ['GET', `${plan.path}/budgets`],
    ['GET', path],
    ['GET', `${plan.path}/costs`],
    ['PATCH', path],
  ] as const) {
    const answer = await viewer.api.send(method, at, method === 'PATCH' ? { amount: 1 } : undefined);
    t.match(answer, { status: 403, body: { detail: /is required/ } }, `${method} ${at}`);
  }
  t.match(await plan.figures(viewer), {
    budget: null,
    actual: null,
    forecast: null,
    planned: null,
    amounts_withheld: true,
  });
  t.equal((await viewer.api.get('/ppm/initiatives', { query: { sort_by: 'budget' } })).status, 403);
  t.equal((await viewer.api.get('/ppm/reports/budget-vs-actual')).status, 403);
  const changed = await architect.api.patch(path, { amount: 7654321.09 }, { headers: { 'if-match': '"1"' } });
  t.match(changed, { status: 200, body: { version: 2, amount: 7654321.09 } });
  t.equal((await architect.api.patch(path, { amount: 1 }, { headers: { 'if-match': '"1"' } })).status, 412);
  const unchanged = await architect.api.patch(path, { amount: 7654321.09 });
  t.equal(unchanged.body.version, 2);
  const { body: history } = await architect.api.get(`${path}/history`);
  t.strictSame(
    history.items.map(({ version }) => version),
    [2, 1],
  );
  t.notMatch(JSON.stringify(history), /7654321|Servers|"amount"/, 'no amounts in events');
  t.equal((await architect.api.post(`/cards/${plan.id}/archive`)).status, 200);
  t.equal((await architect.api.patch(path, { amount: 1 })).status, 409, 'an archived initiative is read-only');
  t.equal((await plan.budget(architect, 1)).status, 409);
  t.equal((await architect.api.get(path)).status, 200);
});
