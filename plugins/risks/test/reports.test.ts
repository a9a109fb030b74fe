import { SaxesParser } from 'saxes';
import t from 'tap';
import { makeUser, registerAdmin, testApp, type Session } from '../../../test/support/app.js';
import type { RiskView } from '../register/schemas.js';
import type { MatrixView, MetricsView, PropagationView } from '../reports/schemas.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, member, architect] = [
  await makeUser(admin, 'viewer'),
  await makeUser(admin, 'member'),
  await makeUser(admin, 'architect'),
];
const card = async (type: string, name: string) => (await admin.api.post('/cards', { type, name })).body.id;
const [shop, app, base, far] = [
  await card('Application', 'Shop'),
  await card('Application', 'Ledger'),
  await card('ITComponent', 'Base'),
  await card('Application', 'Far'),
];
const relate = async (type: string, source_id: string, target_id: string) =>
  (await admin.api.post('/relations', { type, source_id, target_id })).body.id;
const [shopBase, appBase, farApp] = [
  await relate('related', shop, base),
  await relate('related', app, base),
  await relate('related', far, app),
];
const scales = { p: ['very_high', 'high', 'medium', 'low'], i: ['critical', 'high', 'medium', 'low'] };
const made: RiskView[] = [];
for (let n = 0; n < 24; n++) {
  const body = {
    title: `Risk ${n} <&"'>`,
    category: ['security', 'compliance', 'financial'][n % 3],
    owner_id: [null, viewer.user.id, member.user.id][n % 3],
    target_date: n % 4 === 0 ? '2020-01-01' : null,
    ...(n % 5 > 0 && { initial_probability: scales.p[n % 4], initial_impact: scales.i[n % 3] }),
    ...(n % 2 && { residual_probability: scales.p[n % 3], residual_impact: 'low' }),
    cards:
      n === 0
        ? [
            { card_id: shop, role: 'affected' },
            { card_id: far, role: 'control_owner' },
          ]
        : n === 1
          ? [
              { card_id: shop, role: 'affected' },
              { card_id: far, role: 'contributing' },
            ]
          : [],
  };
  made.push((await member.api.post<RiskView>('/risks', body)).body);
}
for (const [n, ways] of [
  [1, ['accepted']],
  [2, ['accepted', 'closed']],
  [3, ['analysed']],
] as const) {
  for (const to of ways)
    await architect.api.post(`/risks/${made[n]!.id}/transition`, {
      to,
      ...(to === 'accepted' && { rationale: 'x', expires_on: '2999-01-01' }),
    });
}
const total = async (href: string, by: Session = viewer) => (await by.api.get(href.replace('/api/v1', ''))).body.total;

t.test('each figure is the total of the list it names', async (t) => {
  for (const query of [
    '',
    '?category=security,financial&months=3',
    '?owner=me',
    `?card_id=${shop}`,
    '?search=risk%201',
    '?owner=none&category=compliance',
  ]) {
    const { status, body } = await viewer.api.get<MetricsView>(`/risks/metrics${query}`);
    t.equal(status, 200);
    const groups = [
      body.total,
      body.open,
      body.overdue,
      ...body.by_status,
      ...body.by_level,
      ...body.by_category,
      ...body.by_owner,
      ...body.trend.flatMap(({ opened, closed }) => [opened, closed]),
    ];
    for (const { count, href } of groups) t.equal(await total(href), count, href);
    for (const list of [body.by_status, body.by_level, body.by_category, body.by_owner])
      t.equal(
        list.reduce((sum, { count }) => sum + count, 0),
        body.total.count,
        query,
      );
  }
  const { body } = await viewer.api.get<MetricsView>('/risks/metrics');
  t.match(body, { total: { count: 24 }, open: { count: 23 }, owners: 2, overdue: { count: 6 } });
  t.equal(body.trend.length, 12);
  t.match(body.trend.at(-1), {
    month: new Date().toISOString().slice(0, 7),
    opened: { count: 24 },
    closed: { count: 1 },
  });
  t.strictSame(
    body.by_owner.map(({ count }) => count),
    [8, 8, 8],
  );
  for (const query of ['?months=0', '?months=61', '?status=closed', '?nothing=1'])
    t.equal((await viewer.api.get(`/risks/metrics${query}`)).status, 422, query);
});

t.test('each cell of the matrix is the total of the list it names', async (t) => {
  for (const query of [
    '',
    '?kind=initial',
    '?kind=residual&status=accepted,identified',
    '?kind=initial&category=security&overdue=true',
  ]) {
    const { body } = await viewer.api.get<MatrixView>(`/risks/matrix${query}`);
    const cells = body.rows.flatMap((row) => row.cells);
    for (const { count, href } of [body.total, body.not_judged, ...cells]) t.equal(await total(href), count, href);
    t.equal(
      cells.reduce((sum, { count }) => sum + count, body.not_judged.count),
      body.total.count,
    );
    t.equal(
      body.levels.reduce((sum, { count }) => sum + count, 0),
      body.total.count - body.not_judged.count,
    );
  }
  const { body } = await viewer.api.get<MatrixView>('/risks/matrix?kind=initial');
  t.strictSame(
    body.rows.map(({ probability, cells }) => [probability, cells.map(({ level }) => level[0]).join('')]),
    [
      ['very_high', 'cchm'],
      ['high', 'chhm'],
      ['medium', 'hhml'],
      ['low', 'mmll'],
    ],
  );
  t.strictSame(
    body.impacts.map(({ key }) => key),
    scales.i,
  );
  t.equal(body.total.count, 23, 'closed ones are not in it');
  for (const query of ['?kind=both', '?format=png', '?level=high'])
    t.equal((await viewer.api.get(`/risks/matrix${query}`)).status, 422, query);
});

/** What a strict parser of XML finds wrong. */
function unsound(xml: string): string[] {
  const faults: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', ({ message }) => {
    faults.push(message);
  });
  parser.write(xml).close();
  return faults;
}

t.test('the matrix as a picture', async (t) => {
  t.equal(
    (
      await admin.api.patch('/settings/modules/risks', {
        settings: {
          probabilities: { high: { label: 'Often & <more>' } },
          // On this grey, neither white nor the usual ink is readable.
          levels: { critical: { color: '#000000', label: '"Worst"' }, high: { color: '#808080' } },
        },
      })
    ).status,
    200,
  );
  const answer = await viewer.api.get<string>('/risks/matrix', { query: { kind: 'initial', format: 'svg' } });
  t.match(answer.headers.get('content-type'), /^image\/svg\+xml/);
  const svg = typeof answer.body === 'string' ? answer.body : String(answer.body);
  for (const part of [
    '<title id="title">Risk matrix: initial</title>',
    'Probability',
    'Impact',
    'Often &#38; &#60;more&#62;',
    '&#34;Worst&#34;: ',
    'Not judged: ',
    '23 risks',
    'R-0000',
    '#000000',
  ])
    t.ok(svg.includes(part), part);
  t.match(svg, /fill="#808080"[^<]*<text [^>]*fill="#000000"/, 'texts are readable on every colour');
  t.notMatch(svg, /<script|href|NaN|undefined|Often & /);
  t.strictSame(unsound(svg), []);
  t.equal(svg.match(/<rect /g)?.length, 1 + 16 + 4);
  const tag = answer.headers.get('etag')!;
  t.equal(
    (
      await viewer.api.get('/risks/matrix', {
        query: { kind: 'initial', format: 'svg' },
        headers: { 'if-none-match': tag },
      })
    ).status,
    304,
  );
  await admin.api.patch('/settings/modules/risks', { settings: { probabilities: null, levels: null } });
});

t.test('which cards a risk reaches, and how', async (t) => {
  const reach = async (n: number, query = '') =>
    (await viewer.api.get<PropagationView>(`/risks/${made[n]!.id}/propagation${query}`)).body;
  const down = await reach(0);
  t.match(down, { risk_id: made[0]!.id, origins: [{ id: shop, role: 'affected' }], truncated: false });
  t.strictSame(down.origins.length, 1, 'who keeps a risk down is not harmed by it');
  t.strictSame(down.cards, [
    { id: base, type: 'ITComponent', name: 'Base', depth: 1, origin_id: shop, path: [shopBase], via: [] },
  ]);
  const both = await reach(0, '?direction=both');
  t.strictSame(
    both.cards.map((c) => [c.name, c.depth, c.origin_id, c.path, c.via]),
    [
      ['Base', 1, shop, [shopBase], []],
      ['Ledger', 2, shop, [shopBase, appBase], [base]],
      ['Far', 3, shop, [shopBase, appBase, farApp], [base, app]],
    ],
  );
  t.strictSame(both.relations.map((r) => r.id).sort(), [shopBase, appBase, farApp].sort());
  t.strictSame(
    (await reach(0, '?direction=both&depth=1')).cards.map((c) => c.name),
    ['Base'],
  );
  const two = await reach(1, '?direction=both');
  t.strictSame(
    two.cards.map((c) => [c.name, c.depth, c.origin_id]).sort(),
    [
      ['Base', 1, shop],
      ['Ledger', 1, far],
    ].sort(),
    'from the nearest of its cards',
  );
  t.match(await reach(2), { origins: [], cards: [], relations: [], truncated: false });
  t.equal((await viewer.api.get('/risks/0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b/propagation')).status, 404);
  for (const query of ['?depth=7', '?direction=up', '?nothing=1'])
    t.equal((await viewer.api.get(`/risks/${made[0]!.id}/propagation${query}`)).status, 422, query);
});
