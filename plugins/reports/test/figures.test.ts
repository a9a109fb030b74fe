/** Figures of reports against an independent computation over the lists, for callers with different rights. */
import t from 'tap';
import { registerAdmin, testApp, until, type Session } from '../../../test/support/app.js';
import { fill } from './landscape.js';
import { allCards, allRelations, counted, wrongLinks, type Card } from './support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const world = await fill(admin);
const callers: [string, Session][] = (['admin', 'member', 'viewer', 'narrow', 'owner'] as const).map((name) => [
  name,
  world[name],
]);

interface Counted {
  key: string | null;
  type?: string;
  count: number;
  sum?: number | null;
  children?: Counted[];
}
interface TypeRow extends Counted {
  complete: number;
  partial: number;
  minimal: number;
  average: number;
}
interface RoleRow extends Counted {
  role: string;
  vacant: Counted;
}
interface Bucket extends Counted {
  x: string | null;
  y: string | null;
  group: string | null;
  colors: Counted[];
}
/** Members of the reports; each report has some of them. */
interface Report {
  total: number;
  count: number;
  trend: unknown;
  by_type: TypeRow[];
  by_approval: Counted[];
  by_quality: Counted[];
  by_lifecycle: Counted[];
  by_role: RoleRow[];
  by_user: { user: { id: string }; count: number; roles: RoleRow[] }[];
  recent: { id: string }[];
  worst: { data_quality: number }[];
  missing: (Counted & { field: string })[];
  orphans: Counted;
  without: Counted;
  buckets: Bucket[];
  groups: Counted[];
}
const by = (rows: readonly Counted[]): Map<string | null, number> =>
  new Map(rows.filter(({ count }) => count > 0).map((row) => [row.type ?? row.key, row.count]));
const sorted = (map: ReadonlyMap<string | null, number>) =>
  [...map].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
const band = ({ data_quality: score }: Card): string =>
  score >= 80 ? 'complete' : score >= 40 ? 'partial' : 'minimal';
const cents = (values: readonly unknown[]): number | null =>
  values.length === 0 ? null : values.reduce<number>((sum, value) => sum + Math.round(Number(value) * 100), 0) / 100;
const costOf = (card: Card): unknown => card.attributes['costTotalAnnual'];

for (const [name, { api }] of callers) {
  t.test(`the dashboard of ${name}`, async (t) => {
    const { status, body } = await api.get<Report>('/reports/dashboard');
    t.equal(status, 200);
    const cards = await allCards(api);
    t.equal(body.total, cards.length);
    t.same(sorted(by(body.by_type)), sorted(counted(cards, ({ type }) => [type])));
    t.same(sorted(by(body.by_approval)), sorted(counted(cards, (card) => [card.approval_status])));
    t.same(sorted(by(body.by_quality)), sorted(counted(cards, (card) => [band(card)])));
    t.same(sorted(by(body.by_lifecycle)), sorted(counted(cards, (card) => [card.lifecycle_phase])));
    const recent = body.recent.map(({ id }) => id);
    const latest = [...cards].sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1)).slice(0, 10);
    t.same([...recent].sort(), latest.map(({ id }) => id).sort());
    t.same(await wrongLinks(api, body), []);
    const filtered = await api.get<Report>('/reports/dashboard', {
      query: { type: 'Application', 'attributes.timeModel': 'invest' },
    });
    const some = cards.filter((card) => card.type === 'Application' && card.attributes['timeModel'] === 'invest');
    t.equal(filtered.body.total, some.length);
    t.equal(filtered.body.trend, null);
    t.same(await wrongLinks(api, filtered.body), []);
  });

  t.test(`data quality for ${name}`, async (t) => {
    const { body } = await api.get<Report>('/reports/data-quality');
    const cards = await allCards(api);
    const relations = await allRelations(api);
    const related = new Set(relations.flatMap(({ source_id, target_id }) => [source_id, target_id]));
    t.equal(body.orphans.count, cards.filter(({ id }) => !related.has(id)).length);
    for (const row of body.by_type) {
      const own = cards.filter(({ type }) => type === row.type);
      t.equal(row.count, own.length);
      const bands = counted(own, (card) => [band(card)]);
      for (const key of ['complete', 'partial', 'minimal'] as const) t.equal(row[key], bands.get(key) ?? 0, key);
      const mean = own.reduce((sum, card) => sum + card.data_quality, 0) / own.length;
      t.ok(Math.abs(row.average - mean) < 0.051, `${row.average} is ${mean}`);
    }
    const scores = body.worst.map((card) => card.data_quality);
    t.same(
      scores,
      cards
        .map((card) => card.data_quality)
        .sort((a, b) => a - b)
        .slice(0, 20),
    );
    t.same(await wrongLinks(api, body), []);
    const one = await api.get<Report>('/reports/data-quality', { query: { type: 'Application' } });
    const missing = one.body.missing;
    const applications = cards.filter(({ type }) => type === 'Application');
    for (const { field, count } of missing) {
      const key = field.replace('attributes.', '');
      t.equal(count, applications.filter(({ attributes }) => attributes[key] == null).length, field);
      if (name !== 'admin' && name !== 'member') t.not(key, 'costTotalAnnual');
    }
    t.ok(missing.some(({ field }) => field === 'attributes.timeModel'));
    t.same(await wrongLinks(api, one.body), []);
  });

  t.test(`the portfolio of ${name}`, async (t) => {
    const query = {
      type: 'Application',
      x: 'businessCriticality',
      y: 'attributes.timeModel',
      color: 'lifecycle_phase',
    };
    const seesCosts = name !== 'viewer' && name !== 'narrow';
    const { status, body } = await api.get<Report>('/reports/portfolio', {
      query: { ...query, ...(seesCosts && { size: 'costTotalAnnual' }), group_by: 'subtype' },
    });
    t.equal(status, 200, JSON.stringify(body));
    const cards = await allCards(api, { type: 'Application' });
    t.equal(body.total, cards.length);
    const places = new Map<string, Card[]>();
    for (const card of cards) {
      const place = JSON.stringify([
        card.attributes['businessCriticality'] ?? null,
        card.attributes['timeModel'] ?? null,
        card.subtype,
      ]);
      places.set(place, [...(places.get(place) ?? []), card]);
    }
    const buckets = body.buckets;
    t.equal(buckets.length, places.size);
    for (const { x, y, group, count, sum, colors } of buckets) {
      const own = places.get(JSON.stringify([x, y, group])) ?? [];
      t.equal(count, own.length);
      if (seesCosts) t.equal(sum, cents(own.map(costOf).filter((cost) => cost !== undefined)));
      t.same(sorted(by(colors)), sorted(counted(own, (card) => [card.lifecycle_phase])));
    }
    t.same(await wrongLinks(api, body, 60), []);
    for (const axis of ['data_quality', 'numberOfUsers', 'commercial', ...(seesCosts ? ['costTotalAnnual'] : [])]) {
      const other = await api.get<Report>('/reports/portfolio', {
        query: { type: 'Application', x: axis, y: 'subtype' },
      });
      t.equal(other.status, 200, axis);
      const sums = other.body.buckets.reduce((all, { count }) => all + count, 0);
      t.equal(sums, cards.length, axis);
      t.same(await wrongLinks(api, other.body, 40), [], axis);
    }
  });

  t.test(`costs for ${name}`, async (t) => {
    for (const group_by of [
      'type',
      'businessCriticality',
      'parent',
      'applicationToBusinessCapability',
      'lifecycle_phase',
    ]) {
      const { status, body } = await api.get<Report>('/reports/cost', {
        query: { field: 'costTotalAnnual', group_by },
      });
      if (name === 'viewer' || name === 'narrow') {
        t.equal(status, 403, group_by);
        t.notMatch(JSON.stringify(body), /"sum"/);
        continue;
      }
      t.equal(status, 200, JSON.stringify(body));
      const all = (await allCards(api)).filter((card) => costOf(card) !== undefined);
      const cards = group_by.startsWith('application') ? all.filter(({ type }) => type === 'Application') : all;
      t.equal(body.count, cards.length, group_by);
      t.equal(body.total, cents(cards.map(costOf)), group_by);
      t.same(await wrongLinks(api, body, 60), [], group_by);
      const flat = (groups: readonly Counted[]): Counted[] => groups.flatMap((g) => [g, ...flat(g.children ?? [])]);
      const groups = flat(body.groups);
      const above = new Map((await allCards(api)).map((card) => [card.id, card.parent_id]));
      const line = (id: string | null | undefined): string[] => (id ? [id, ...line(above.get(id))] : []);
      const relations = await allRelations(api, { type: 'applicationToBusinessCapability' });
      const of = (card: Card): (string | null)[] => {
        switch (group_by) {
          case 'type':
            return [card.type];
          case 'lifecycle_phase':
            return [card.lifecycle_phase];
          case 'parent':
            return line(card.id);
          case 'businessCriticality':
            return [(card.attributes['businessCriticality'] as string | undefined) ?? null];
          default: {
            const targets = relations.filter((r) => r.source_id === card.id).flatMap((r) => line(r.target_id));
            return targets.length === 0 ? [null] : [...new Set(targets)];
          }
        }
      };
      const expected = new Map<string | null, Card[]>();
      for (const card of cards) for (const key of of(card)) expected.set(key, [...(expected.get(key) ?? []), card]);
      t.same(new Set(groups.map(({ key }) => key)), new Set(expected.keys()), group_by);
      for (const { key, count, sum } of groups) {
        const own = expected.get(key) ?? [];
        t.equal(count, own.length, `${group_by} ${key}`);
        t.equal(sum, cents(own.map(costOf)), `${group_by} ${key}`);
      }
    }
  });

  t.test(`stakeholders for ${name}`, async (t) => {
    const { status, body } = await api.get<Report>('/reports/stakeholders');
    t.equal(status, 200);
    const cards = await allCards(api);
    const of = (card: Card, role?: string, user?: string) =>
      (card.stakeholders ?? []).some(
        (s) => (role === undefined || s.role === role) && (user === undefined || s.user_id === user),
      );
    t.equal(body.total, cards.length);
    t.equal(body.without.count, cards.filter((card) => !of(card)).length);
    for (const row of body.by_role) {
      const own = cards.filter(({ type }) => type === row.type);
      const held = own.filter((card) => of(card, row.role)).length;
      t.same([row.count, row.vacant.count], [held, own.length - held], `${row.type} ${row.role}`);
    }
    const users = body.by_user;
    for (const { user, count, roles } of users) {
      t.equal(count, cards.filter((card) => of(card, undefined, user.id)).length);
      for (const { role, count: n } of roles) t.equal(n, cards.filter((card) => of(card, role, user.id)).length);
    }
    t.same(await wrongLinks(api, body), []);
  });
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
