/** The end of life of cards and what depends on them, against an independent computation over the lists. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { DATA_DIR, dataAbsent, registerAdmin, testApp } from '../../../test/support/app.js';
import type { Answer } from '../reports/end-of-life-schemas.js';
import { periodsOf } from '../reports/end-of-life-periods.js';
import { CALLERS, fillWorld, Seen } from './relations-landscape.js';
import { checkEndOfLife, inDays, type Query } from './relation-oracles.js';
import { allCards, refusedParameters, wrongLinks } from './support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const world = await fillWorld(admin);
for (const [n, days] of [
  [0, -1],
  [1, 0],
  [2, 1],
  [3, 365],
  [4, 366],
  [5, 40],
  [6, 800],
] as const)
  await admin.api.patch(`/cards/${world.applications[n]}`, {
    lifecycle: { plan: null, phaseIn: null, active: null, phaseOut: null, endOfLife: inDays(days) },
  });

for (const name of CALLERS) {
  const { api } = world[name];
  t.test(`figures of ${name}`, async (t) => {
    const seen = await Seen.by(world[name], admin);
    for (const query of [
      {},
      { horizon_days: 0, type: 'Application' },
      { horizon_days: 3650, type: 'Application,ITComponent', dependent_type: 'Application' },
      { horizon_days: 30, 'lifecycle.endOfLife[gte]': inDays(-1) },
    ] as Query[]) {
      await checkEndOfLife(t, api, seen, query);
    }
  });
}

t.test('periods are months, quarters or years, and end with the horizon', async (t) => {
  const ranges = (today: string, until: string) =>
    periodsOf(today, until, 'en').map(({ from, to, label }) => `${label}: ${from} ${to}`);
  t.same(ranges('2026-01-30', '2026-03-15'), [
    'Jan 2026: 2026-01-31 2026-01-31',
    'Feb 2026: 2026-02-01 2026-02-28',
    'Mar 2026: 2026-03-01 2026-03-15',
  ]);
  t.same(ranges('2026-01-31', '2026-01-31'), []);
  t.same(ranges('2026-12-31', '2027-01-01'), ['Jan 2027: 2027-01-01 2027-01-01']);
  const quarters = ranges('2026-05-10', '2029-05-10');
  t.same(
    [quarters.length, quarters[0], quarters.at(-1)],
    [13, '2026 Q2: 2026-05-11 2026-06-30', '2029 Q2: 2029-04-01 2029-05-10'],
  );
  t.same(ranges('2026-05-10', '2036-05-07').length, 11);
});

t.test('invalid parameters are named together', async (t) => {
  const wrong = (query: Query, by = admin) => refusedParameters(by.api, 'end-of-life', query);
  t.equal(await wrong({ horizon_days: 3651 }), 'horizon_days');
  t.equal(await wrong({ dependent_type: 'X,Y' }), 'dependent_type,dependent_type');
  t.equal(await wrong({ dependent_type: 'BusinessCapability' }, world.narrow), 'dependent_type');
  t.equal(await wrong({ type: 'X', 'lifecycle.endOfLife[lt]': 'soon' }), 'lifecycle.endOfLife[lt],type');
  t.equal(await wrong({}, world.unrelated), '403');
});

t.test('releases of real products', { skip: dataAbsent }, async (t) => {
  const folder = join(DATA_DIR, 'lifecycles-endoflife');
  const day = (text: string, key: string): string | undefined =>
    new RegExp(`^\\s+${key}: (\\d{4}-\\d\\d-\\d\\d)`, 'm').exec(text)?.[1];
  const releases = readdirSync(folder)
    .filter((name) => name !== 'README.md')
    .flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split(/^\s*- releaseCycle: /m)
        .slice(1)
        .map((text) => {
          const [active, phaseOut, endOfLife] = ['releaseDate', 'eoas', 'eol'].map((key) => day(text, key));
          const isOrdered = [active, phaseOut, endOfLife]
            .filter(Boolean)
            .every((one, n, all) => n === 0 || all[n - 1]! <= one!);
          const dates = isOrdered ? { active, phaseOut, endOfLife } : { endOfLife };
          return { name: `${name.replace('.md', '')} ${text.split('\n')[0]!.replaceAll('"', '').trim()}`, dates };
        }),
    );
  t.ok(releases.length > 2_000, `${releases.length} releases`);
  const operations = releases.map(({ name, dates: lifecycle }) => ({
    op: 'create',
    card: {
      type: 'ITComponent',
      subtype: 'software',
      name,
      lifecycle: JSON.parse(JSON.stringify(lifecycle)) as object,
    },
  }));
  const made = await admin.api.post<{ summary: Record<string, number> }>('/cards/bulk', {
    mode: 'per_row',
    operations: operations.slice(0, 3_000),
  });
  t.equal(made.status, 200, JSON.stringify(made.body).slice(0, 300));
  const query = { type: 'ITComponent', subtype: 'software' };
  const cards = await allCards(admin.api, query);
  const { body } = await admin.api.get<Answer>('/reports/end-of-life', { query });
  const ending = cards.filter(({ lifecycle: { endOfLife } }) => endOfLife !== undefined && endOfLife <= body.until);
  t.ok(ending.length > 1_000);
  t.equal(body.past.count + body.soon.count, ending.length);
  t.same([body.items.length, body.truncated], [500, true]);
  const farthest = Math.max(...body.items.map(({ days }) => Math.abs(days)));
  const nearer = ending.filter(
    ({ lifecycle: { endOfLife } }) => endOfLife! > inDays(-farthest) && endOfLife! < inDays(farthest),
  );
  t.ok(nearer.length <= 500, 'those nearest to today are shown');
  t.same((await wrongLinks(admin.api, body, 60)).slice(0, 3), []);
  const roadmap = await admin.api.get<{ total: number; items: unknown[]; without: { count: number } }>(
    '/reports/lifecycle',
    { query },
  );
  t.equal(roadmap.status, 200);
  t.equal(roadmap.body.total + roadmap.body.without.count, cards.length);
  t.same((await wrongLinks(admin.api, roadmap.body, 20)).slice(0, 3), []);
  const csv = await admin.api.get<string>('/reports/end-of-life', { query: { ...query, format: 'csv' } });
  t.equal(csv.body.trimEnd().split('\r\n').length, 501);
});
