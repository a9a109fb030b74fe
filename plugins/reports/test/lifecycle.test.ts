/** The roadmap against an independent computation over the list of cards, for callers with different rights. */
import t from 'tap';
import { registerAdmin, testApp } from '../../../test/support/app.js';
import { axisOf } from '../reports/lifecycle-axis.js';
import type { Answer } from '../reports/lifecycle-schemas.js';
import { phaseRanges } from '../reports/phases.js';
import { fill } from './landscape.js';
import { checkLifecycle } from './card-oracles.js';
import { refusedParameters, allCards, type Card } from './support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const world = await fill(admin);
for (const [name, lifecycle] of [
  ['Old', { active: '0999-01-01' }],
  ['Same day', { plan: '2020-01-01', active: '2020-01-01', endOfLife: '2020-01-01' }],
  ['Far', { plan: '2060-02-29' }],
] as const)
  await admin.api.post('/cards', { type: 'Interface', name, lifecycle });

type Query = Record<string, string | number | boolean>;
for (const name of ['admin', 'viewer', 'narrow', 'owner'] as const) {
  const { api } = world[name];
  t.test(`figures of ${name}`, async (t) => {
    const cards = await allCards(api);
    for (const [query, isListed] of [
      [{ type: 'Application' }, () => true],
      [{ type: 'Application', group_by: 'businessCriticality', from: '2014', to: '2050' }, () => true],
      [{ type: 'Application', group_by: 'costTotalAnnual' }, () => true],
      [
        { type: 'Application', group_by: 'lifecycle_phase', 'lifecycle.endOfLife[lt]': '2030-01-01' },
        ({ lifecycle }: Card) => (lifecycle['endOfLife'] ?? '9') < '2030',
      ],
      [{ type: 'ITComponent', subtype: 'saas' }, ({ subtype }: Card) => subtype === 'saas'],
      [
        { type: 'ITComponent', 'lifecycle[empty]': 'true' },
        ({ lifecycle }: Card) => Object.keys(lifecycle).length === 0,
      ],
    ] as [Query & { type: string }, (card: Card) => boolean][]) {
      if (query['group_by'] === 'costTotalAnnual' && (name === 'viewer' || name === 'narrow'))
        t.equal((await api.get('/reports/lifecycle', { query })).status, 422, JSON.stringify(query));
      else await checkLifecycle(t, { api, cards, relations: [] }, query, isListed);
    }
  });
}

t.test('phases are half-open, and one without a day of its own is omitted', async (t) => {
  t.same(phaseRanges({}), []);
  t.same(phaseRanges({ plan: '2020-01-01', active: '2021-01-01' }), [
    { phase: 'plan', from: '2020-01-01', to: '2021-01-01' },
    { phase: 'active', from: '2021-01-01', to: null },
  ]);
  t.same(phaseRanges({ plan: '2020-01-01', active: '2020-01-01', endOfLife: '2020-01-01' }), [
    { phase: 'endOfLife', from: '2020-01-01', to: null },
  ]);
  t.same(phaseRanges({ plan: '2023-01-01', phaseIn: '2020-01-01', phaseOut: '2022-01-01' }), [
    { phase: 'phaseIn', from: '2020-01-01', to: '2022-01-01' },
    { phase: 'phaseOut', from: '2022-01-01', to: null },
  ]);
});

t.test('the axis has all dates, or five years before and after today', async (t) => {
  const none = { from: undefined, to: undefined };
  const axis = (first: string | null, last: string | null, given = {}) =>
    Object.values(axisOf({ ...none, ...given }, { first, last }, '2026-02-28')).join(' ');
  t.equal(axis(null, null), '2026-01-01 2026-12-31');
  t.equal(axis('2024-03-01', '2028-05-01'), '2024-01-01 2028-12-31');
  t.equal(axis('1999-03-01', '2060-05-01'), '2021-02-28 2031-02-28');
  t.equal(axis('1999-03-01', '2002-05-01'), '2021-02-28 2026-12-31');
  t.equal(axis('1999-03-01', '2060-05-01', { from: '2000-01-01' }), '2000-01-01 2031-02-28');
  t.equal(axis('2024-03-01', '2028-05-01', { from: '2040-01-01' }), '2040-01-01 2045-01-01');
  t.equal(axis('2024-03-01', '2028-05-01', { to: '2010-12-31' }), '2005-12-31 2010-12-31');
});

t.test('bounds are days or years, and dates of any year are read', async (t) => {
  const of = async (query: Query) => (await admin.api.get<Answer>('/reports/lifecycle', { query })).body;
  const wide = await of({ type: 'Interface', from: '2020-02-29', to: '2061' });
  t.match(wide, { from: '2020-02-29', to: '2061-12-31', total: 3 });
  t.same(
    wide.items.map(({ name, phases }) => [name, ...phases.map(({ phase }) => phase)]),
    [
      ['Far', 'plan'],
      ['Old', 'active'],
      ['Same day', 'endOfLife'],
    ],
  );
  const narrow = await of({ type: 'Interface', from: '2019', to: '2019' });
  t.same(
    narrow.items.map(({ phases }) => phases.length),
    [0, 1, 0],
  );
  const wrong = (query: Query) => refusedParameters(admin.api, 'lifecycle', query);
  t.equal(await wrong({}), 'type');
  t.equal(await wrong({ type: 'X', from: '2026-02-30', to: 'later' }), 'from,to,type');
  t.equal(await wrong({ type: 'Application', from: '0000', to: '2026-1' }), 'from,to');
  t.equal(await wrong({ type: 'Application', from: '2026', to: '2025', group_by: 'nothing' }), 'group_by,to');
  t.equal(await wrong({ type: 'Application', from: '1900', to: '2026' }), 'to');
});

t.test('as CSV: one line per phase', async (t) => {
  const { body } = await admin.api.get<string>('/reports/lifecycle', {
    query: { type: 'Interface', from: '2020', to: '2061', format: 'csv' },
  });
  t.same(body.trimEnd().split('\r\n'), [
    'Interface,Phase,From,To (excluded)',
    'Far,Plan,2060-02-29,',
    'Old,Active,0999-01-01,',
    'Same day,End of life,2020-01-01,',
  ]);
});
