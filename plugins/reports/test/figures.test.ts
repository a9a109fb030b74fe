/** Figures of reports against an independent computation over the lists, for callers with different rights. */
import t from 'tap';
import { expectStatus, registerAdmin, testApp, until, type Session } from '../../../test/support/app.js';
import { fill } from './landscape.js';
import {
  checkCosts,
  checkDashboard,
  checkPortfolio,
  checkQuality,
  checkRanges,
  checkStakeholders,
  cents,
  costOf,
  type Known,
  type Report,
} from './card-oracles.js';
import { allCards, allRelations, type Card } from './support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const world = await fill(admin);
const callers: [string, Session][] = (['admin', 'member', 'viewer', 'narrow', 'owner'] as const).map((name) => [
  name,
  world[name],
]);

for (const [name, { api }] of callers) {
  const seesCosts = name !== 'viewer' && name !== 'narrow';
  const knownTo = async (): Promise<Known> => ({ api, cards: await allCards(api), relations: await allRelations(api) });

  t.test(`the dashboard of ${name}`, async (t) => {
    const known = await knownTo();
    await checkDashboard(t, known);
    const query = { type: 'Application', 'attributes.timeModel': 'invest' };
    await checkDashboard(
      t,
      known,
      query,
      (card) => card.type === 'Application' && card.attributes['timeModel'] === 'invest',
    );
    t.equal((await api.get<Report>('/reports/dashboard', { query })).body.trend, null);
  });

  t.test(`data quality for ${name}`, async (t) => {
    const { missing } = await checkQuality(t, await knownTo(), 'Application');
    if (!seesCosts || name === 'owner') t.notOk(missing.some(({ field }) => field === 'attributes.costTotalAnnual'));
    t.ok(missing.some(({ field }) => field === 'attributes.timeModel'));
  });

  t.test(`the portfolio of ${name}`, async (t) => {
    const known = await knownTo();
    await checkPortfolio(t, known, {
      type: 'Application',
      x: 'businessCriticality',
      y: 'attributes.timeModel',
      color: 'lifecycle_phase',
      group_by: 'subtype',
      size: seesCosts ? 'costTotalAnnual' : undefined,
    });
    const fields = ['data_quality', 'numberOfUsers', 'commercial', ...(seesCosts ? ['costTotalAnnual'] : [])];
    await checkRanges(t, known, 'Application', fields);
  });

  t.test(`costs for ${name}`, async (t) => {
    const known = await knownTo();
    for (const group_by of [
      'type',
      'businessCriticality',
      'parent',
      'applicationToBusinessCapability',
      'lifecycle_phase',
    ]) {
      if (seesCosts) {
        await checkCosts(t, known, group_by);
        continue;
      }
      const { status, body } = await api.get('/reports/cost', { query: { field: 'costTotalAnnual', group_by } });
      t.equal(status, 403, group_by);
      t.notMatch(JSON.stringify(body), /"sum"/);
    }
  });

  t.test(`stakeholders for ${name}`, async (t) => checkStakeholders(t, await knownTo()));
}

t.test('hidden types appear in no report', async (t) => {
  for (const report of ['dashboard', 'data-quality', 'stakeholders', 'data-quality?type=Application'])
    for (const format of ['json', 'csv']) {
      const { status, body } = await world.narrow.api.get<unknown>(
        `/reports/${report}${report.includes('?') ? '&' : '?'}format=${format}`,
      );
      t.equal(status, 200);
      t.notMatch(typeof body === 'string' ? body : JSON.stringify(body), /capability/i, `${report} ${format}`);
    }
  const { status, body } = await world.narrow.api.get('/reports/portfolio', {
    query: { type: 'BusinessCapability', x: 'subtype', y: 'type' },
  });
  t.equal(status, 422);
  t.match(body.errors, [{ field: 'type', in: 'query' }]);
});

t.test('all invalid parameters are told at once', async (t) => {
  const { status, body } = await admin.api.get('/reports/portfolio', {
    query: { type: 'Application', x: 'nothing', y: 'description', size: 'timeModel', color: 'x'.repeat(80) },
  });
  t.equal(status, 422);
  t.same(body.errors.map(({ field }) => field).sort(), ['color', 'size', 'x', 'y']);
  const strange = await admin.api.get('/reports/dashboard', { query: { type: 'Nope', nothing: '1', format: 'pdf' } });
  t.same(strange.body.errors.map(({ field }) => field).sort(), ['format', 'nothing']);
  const past = await admin.api.get('/reports/dashboard', { query: { as_of: '2020-01-01T00:00:00.000Z' } });
  t.same([past.status, past.body.errors[0]?.field], [422, 'as_of']);
});

t.test('a report has an ETag by what it shows', async (t) => {
  const first = await admin.api.get('/reports/stakeholders');
  const tag = first.headers.get('etag')!;
  t.equal((await admin.api.get('/reports/stakeholders', { headers: { 'if-none-match': tag } })).status, 304);
  const csv = await admin.api.get('/reports/stakeholders', {
    query: { format: 'csv' },
    headers: { 'if-none-match': tag },
  });
  t.equal(csv.status, 200);
  await admin.api.post(`/cards/${world.applications[30]}/stakeholders`, {
    user_id: world.member.user.id,
    role: 'observer',
  });
  t.equal((await admin.api.get('/reports/stakeholders', { headers: { 'if-none-match': tag } })).status, 200);
});

t.test(
  'the figures of a day are stored by a job, and shown as a trend without what the caller may not see',
  async (t) => {
    const run = await admin.api.post('/settings/jobs/schedules/reports.snapshot/run', {});
    t.equal(run.status, 202, JSON.stringify(run.body));
    const trendOf = async ({ api }: Session, report: string) =>
      (await api.get<{ trend: { date: string; total: number; average_quality: number; sum?: number }[] }>(report)).body
        .trend;
    const [day] = await until(async () => {
      const trend = await trendOf(admin, '/reports/dashboard');
      return trend.length === 1 && trend;
    });
    const today = new Date().toISOString().slice(0, 10);
    const cards = await allCards(admin.api);
    const mean = (of: readonly Card[]) => of.reduce((sum, card) => sum + card.data_quality, 0) / of.length;
    t.match(day, { date: today, total: cards.length });
    t.ok(Math.abs(day!.average_quality - mean(cards)) < 0.051);
    const own = await allCards(world.viewer.api);
    const [seen] = await trendOf(world.viewer, '/reports/dashboard');
    t.ok(Math.abs(seen!.average_quality - mean(own)) < 0.051, 'the score without costs');
    t.not(seen!.average_quality, day!.average_quality);
    const narrow = await allCards(world.narrow.api);
    t.equal((await trendOf(world.narrow, '/reports/dashboard'))[0]!.total, narrow.length);
    const costs = await trendOf(admin, '/reports/cost?field=costTotalAnnual');
    t.equal(costs[0]!.sum, cents(cards.map(costOf).filter((cost) => cost !== undefined)));
    t.equal(await trendOf(world.owner, '/reports/cost?field=costTotalAnnual'), null, 'some costs are hidden');
    await admin.api.post('/settings/jobs/schedules/reports.snapshot/run', {});
    await until(
      async () =>
        (await admin.api.get('/settings/jobs', { query: { type: 'reports.snapshot', state: 'done' } })).body.total ===
        2,
    );
    t.equal((await trendOf(admin, '/reports/dashboard')).length, 1, 'a later run replaces the figures of the day');
  },
);

t.test('a card with several values of a field counts in each of their groups, and once in the total', async (t) => {
  const { api } = admin;
  const option = (key: string) => ({ key, label: key });
  const fields = [
    { key: 'price', label: 'Price', kind: 'cost' },
    { key: 'ports', label: 'Ports', kind: 'multiple_select', options: ['a', 'b', 'c'].map(option) },
  ];
  const type = { key: 'Ship', label: 'Ship', sections: [{ key: 'main', fields }] };
  expectStatus(await api.post('/metamodel/types', type), 201, 'making a type');
  for (const [price, ports] of [
    [1, ['a', 'b']],
    [10, ['b']],
    [100, undefined],
  ] as const)
    expectStatus(
      await api.post('/cards', { type: 'Ship', name: `Ship ${price}`, attributes: { price, ports } }),
      201,
      'a ship',
    );
  const query = { type: 'Ship', field: 'price', group_by: 'ports' };
  const { body } = await api.get<Report>('/reports/cost', { query });
  t.same([body.total, body.count], [111, 3]);
  t.same(
    body.groups.map(({ key, sum, count }) => [key, sum, count]),
    [
      [null, 100, 1],
      ['b', 11, 2],
      ['a', 1, 1],
    ],
  );
});
