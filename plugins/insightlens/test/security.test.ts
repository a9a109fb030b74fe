/** Rules, compliance and products of cards: what is found, what each reader sees, and what people have decided stays. */
import t from 'tap';
import {
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type Session,
} from '../../../test/support/app.js';
import { fillLandscape } from './support/risky-landscape.js';
import { all, analyse } from './support/uploads.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const viewer = await makeUser(admin, 'viewer');
const configure = async (settings: object): Promise<void> => {
  expectStatus(await api.patch('/settings/modules/insightlens', { settings }), 200, 'settings');
};
const found = async (rule: string, who: Session = viewer): Promise<AnyBody[]> =>
  await all(who.api, '/insightlens/findings', { rule, kind: 'security' });
const names = async (rule: string, who: Session = viewer): Promise<string[]> =>
  (await found(rule, who)).map(({ cards }) => (cards as { name: string }[]).map(({ name }) => name).join(' + ')).sort();

const { people, windows, kafka, apps } = await fillLandscape(api);
await analyse(api);

t.test('each rule finds the cards that meet its condition', async (t) => {
  t.strictSame(await names('end-of-life'), ['CRM']);
  t.match(await found('end-of-life'), [{ severity: 'high', evidence: { ends_on: '2020-01-01', is_past: true } }]);
  t.strictSame(await names('criticality-missing'), [...apps.map((_, i) => `Client ${i}`), 'Shop']);
  t.strictSame(await names('personal-data-unclassified'), ['People']);
  t.strictSame(await names('unclassified-personal-data-used'), ['People + Shop']);
  t.strictSame(await names('retention-missing'), ['People']);
  t.strictSame(await names('exposed-interface'), ['Orders + Order file']);
  t.strictSame(await names('interface-protocol-unstated'), ['Orders + Order queue']);
  t.strictSame(await names('ai-personal-data'), ['Orders + Shop', 'People + Shop']);
  t.strictSame(await names('ai-criticality-missing'), ['Shop']);
  t.match(
    (await found('single-point')).map(({ cards, evidence }) => [
      (cards as AnyBody[]).at(-1)!['name'],
      (cards as unknown[]).length,
      evidence,
    ]),
    [['PostgreSQL 13', 6, { at_least: 5 }]],
  );
});

t.test('products are found by names, versions and suppliers, and what is not certain is listed', async (t) => {
  t.strictSame(await names('release-ended'), ['PostgreSQL 13', 'Windows Server 2012 R2']);
  t.strictSame(await names('patch-missing'), ['Kafka + Apache']);
  t.strictSame(await names('known-exploited'), ['Kafka + Apache', 'Kong Gateway']);
  const unmatched = await all(viewer.api, '/insightlens/feeds/unmatched', {
    reason: 'imprecise_version,odd_version,supplier_unknown,no_version',
  });
  t.strictSame(
    unmatched.map(({ name, reasons, candidates }) => [name, reasons, candidates]),
    [
      ['Kong Gateway', ['imprecise_version'], []],
      ['Splunk', ['supplier_unknown', 'odd_version'], ['Other: Splunk']],
    ],
  );
  t.strictSame(
    (await all(viewer.api, '/insightlens/feeds/matched', { slug: 'windows-server' })).map(({ name, cycles }) => [
      name,
      cycles,
    ]),
    [['Windows Server 2012 R2', ['2012-R2']]],
  );
  t.ok(
    (await all(viewer.api, '/insightlens/feeds/unmatched', { reason: 'no_product' })).some(
      ({ name }) => name === 'Apple Watch Ultra',
    ),
  );
});

t.test('people decide which product a card is, and that stays', async (t) => {
  const path = `/insightlens/card-products/${windows}`;
  t.equal((await api.get(path)).status, 404);
  t.equal((await viewer.api.put(path, {})).status, 403);
  t.match((await api.put(path, { vendor: 'Microsoft' })).body.errors, [{ field: '/product' }]);
  const decision = { slug: 'windows-server', vendor: 'Microsoft', product: 'Windows', release: '2012' };
  const { body } = expectStatus(await api.put(path, decision), 200, 'a decision');
  t.match(body, { ...decision, version: 1, updated_by: admin.user.id });
  t.equal((await api.put(path, {}, { headers: { 'if-match': '"9"' } })).status, 412);
  expectStatus(await api.put(`/insightlens/card-products/${kafka}`, {}), 200, 'no product');
  await api.patch(`/cards/${windows}`, { name: 'Old servers' });
  await analyse(api);
  t.strictSame(await names('release-ended'), ['Old servers', 'PostgreSQL 13']);
  t.strictSame(await names('known-exploited'), ['Kong Gateway', 'Old servers']);
  t.match((await all(viewer.api, '/insightlens/feeds/matched', { slug: 'windows-server' }))[0], { cycles: ['2012'] });
  expectStatus(await api.del(`/insightlens/card-products/${kafka}`), 204, 'found by name again');
  t.equal((await api.del(`/insightlens/card-products/${kafka}`)).status, 404);
  await api.patch(`/cards/${windows}`, { name: 'Windows Server 2012 R2' });
});

t.test('rules are switched off and changed in the settings', async (t) => {
  await configure({
    rules: [
      { id: 'hosting-unstated', is_enabled: false },
      { id: 'end-of-life', severity: 'critical' },
      { id: 'single-point', dependants: 6 },
    ],
  });
  await until(
    async () =>
      (await all(viewer.api, '/insightlens/rules')).find(({ id }) => id === 'hosting-unstated')!['is_enabled'] ===
      false,
  );
  t.match(
    (await all(viewer.api, '/insightlens/rules')).find(({ id }) => id === 'exposed-interface'),
    {
      is_applicable: true,
      condition: { relation: 'interfaceToDataObject' },
      references: [
        'gdpr Art. 25',
        'gdpr Art. 32',
        'nis2 Art. 21(2)(h)',
        'dora Art. 9',
        'soc2 CC6.7',
        'iso27001 A.5.14',
      ],
    },
  );
  t.equal((await api.patch('/settings/modules/insightlens', { settings: { rules: [{ id: 'none' }] } })).status, 422);
  await analyse(api);
  t.strictSame(
    await sql(
      database,
      'select distinct r.is_current from insightlens_matches m join insightlens_runs r on r.id = m.run_id order by 1',
    ),
    [{ is_current: false }, { is_current: true }],
    'products of the current run, and of the one before until the next',
  );
  t.strictSame(await names('hosting-unstated'), []);
  t.strictSame(await names('single-point'), []);
  t.match(await found('end-of-life'), [{ severity: 'critical' }]);
  t.strictSame(await names('known-exploited'), ['Kafka + Apache', 'Kong Gateway', 'Windows Server 2012 R2']);
});

t.test('findings are transitioned together, all or each by itself', async (t) => {
  const [first, second] = await found('ai-personal-data');
  const operations = [
    { id: first!['id'], to: 'in_review' },
    { id: second!['id'], to: 'accepted' },
    { id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b', to: 'in_review' },
    { id: first!['id'], to: 'in_review' },
  ];
  const path = '/insightlens/findings/bulk-transition';
  const refused = await api.post(path, { operations });
  t.equal(refused.status, 422);
  t.strictSame(
    refused.body.errors.map(({ field }) => field),
    ['/operations/1/note', '/operations/2', '/operations/3/id'],
  );
  t.match(await found('ai-personal-data'), [{ state: 'new' }, { state: 'new' }]);
  t.match((await api.post(path, { mode: 'per_row', operations })).body, {
    summary: { transitioned: 1, failed: 3 },
    results: [
      { outcome: 'transitioned', version: 2 },
      { code: 'validation_failed' },
      { code: 'not_found' },
      { code: 'validation_failed' },
    ],
  });
  t.match((await api.post(path, { operations: [{ id: second!['id'], to: 'in_review', version: 9 }] })).body.errors, [
    { field: '/operations/0/version' },
  ]);
  t.match(
    (await api.post(path, { operations: [{ id: second!['id'], to: 'accepted', note: 'Known.', version: 1 }] })).status,
    200,
  );
  t.equal((await viewer.api.post(path, { operations: operations.slice(0, 1) })).status, 403);
  t.strictSame((await found('ai-personal-data')).map(({ state }) => state).sort(), ['accepted', 'in_review']);
});

t.test('compliance counts the findings that the caller sees', async (t) => {
  const gdpr = async (who: Session = viewer): Promise<AnyBody> =>
    (await who.api.get('/insightlens/compliance/gdpr')).body;
  const regulations = await all(viewer.api, '/insightlens/compliance');
  t.strictSame(regulations.map(({ id }) => id).sort(), ['dora', 'eu-ai-act', 'gdpr', 'iso27001', 'nis2', 'soc2']);
  for (const one of regulations) {
    const requirements = one['requirements'] as { rules: string[] }[];
    const rules = [...new Set(requirements.flatMap((requirement) => requirement.rules))];
    let listed = 0;
    for (const rule of rules) listed += (await found(rule)).length;
    t.equal(one['findings'], listed, String(one['id']));
  }
  t.match((await gdpr())['by_state'], { accepted: 1, in_review: 1 });
  await api.post('/roles', {
    key: 'apps',
    label: 'Applications',
    permissions: ['cards.view', 'insightlens.view', 'relations.view', 'stakeholders.view'],
    types: { DataObject: { 'cards.view': false }, Provider: { 'cards.view': false } },
  });
  const blind = await makeUser(admin, 'apps');
  for (const rule of [
    'personal-data-unclassified',
    'unclassified-personal-data-used',
    'exposed-interface',
    'ai-personal-data',
  ])
    t.strictSame(await names(rule, blind), [], rule);
  t.strictSame(
    await names('known-exploited', blind),
    ['Kong Gateway', 'Windows Server 2012 R2'],
    'without those that a supplier shows',
  );
  t.strictSame(await names('patch-missing', blind), []);
  t.strictSame((await all(blind.api, '/insightlens/feeds/matched')).map(({ name }) => name).includes('Kafka'), false);
  const seen = await gdpr(blind);
  t.strictSame(
    (seen['requirements'] as AnyBody[])
      .filter(({ id }) => id === 'Art. 30' || id === 'Art. 35')
      .map(({ by_state }) => by_state),
    [{}, {}],
  );
  t.ok(Number(seen['findings']) > 0 && Number(seen['findings']) < Number((await gdpr())['findings']));
});

t.test(
  'a finding becomes a risk or a draft decision, once, and it is as if nothing had happened if that is refused',
  async (t) => {
    const [finding] = await found('exposed-interface');
    const path = `/insightlens/findings/${finding!['id']}/promote`;
    expectStatus(await api.patch('/settings/modules/risks', { enabled: false }), 200, 'without risks');
    await until(async () => (await api.get('/risks')).status === 404);
    t.match((await api.post(path, { to: 'risk' })).body, { status: 409, code: 'insightlens_partner_unavailable' });
    expectStatus(await api.patch('/settings/modules/risks', { enabled: true }), 200, 'with risks');
    await until(async () => (await api.get('/risks')).status === 200);
    await api.post('/roles', {
      key: 'decides',
      label: 'Decides',
      permissions: ['cards.view', 'relations.view', 'insightlens.view', 'insightlens.manage'],
    });
    const decider = await makeUser(admin, 'decides');
    t.equal((await decider.api.post(path, { to: 'risk' })).status, 403, 'with the rights of the caller');
    t.match(await found('exposed-interface'), [{ state: 'new', version: 1 }]);
    t.equal((await api.post(path, { to: 'risk' }, { headers: { 'if-match': '"7"' } })).status, 412);
    t.equal((await api.get('/risks')).body.total, 0, 'nothing is left of a refused promotion');
    const again = { headers: { 'idempotency-key': 'promote' } };
    const made = [await api.post(path, { to: 'risk' }, again), await api.post(path, { to: 'risk' }, again)];
    t.match(made, [
      { status: 200, body: { state: 'risk_tracked', promoted_to: { reference: 'R-000001' } } },
      { status: 200 },
    ]);
    t.match((await api.get('/risks')).body, {
      total: 1,
      items: [{ title: 'An interface transfers sensitive data by a protocol without protection' }],
    });
    t.match((await api.post(path, { to: 'decision' })).body, { code: 'invalid_state', reference: 'R-000001' });
    t.match(await found('exposed-interface'), [
      { state: 'risk_tracked', version: 2, promoted_to: { kind: 'risk', reference: 'R-000001' } },
    ]);
    const [other] = await found('end-of-life');
    const decision = await api.post(`/insightlens/findings/${other!['id']}/promote`, {
      to: 'decision',
      title: 'Retire the CRM',
    });
    t.match(decision, {
      status: 200,
      body: { state: 'new', promoted_to: { kind: 'decision', reference: 'ADR-0001' } },
    });
    t.match((await api.get('/adr')).body.items, [{ title: 'Retire the CRM', status: 'draft' }]);
    // Risks and decisions are read by users who do not see the cards.
    const [third] = await found('known-exploited');
    const untitled = await api.post(`/insightlens/findings/${third!['id']}/promote`, { to: 'decision' });
    t.equal(untitled.status, 200, JSON.stringify(untitled.body));
    const promoted = [made[0]!, untitled].map(({ body }) => body['promoted_to'] as unknown as { id: string });
    const named = [finding!, third!].flatMap(
      ({ cards }) => cards as unknown as { id: string; name: string; type: string }[],
    );
    const types = Object.fromEntries(named.map(({ type }) => [type, { 'cards.view': false }]));
    await api.post('/roles', {
      key: 'cardless',
      label: 'Cardless',
      types,
      permissions: ['cards.view', 'risks.view', 'adr.view'],
    });
    const cardless = (await makeUser(admin, 'cardless')).api;
    for (const path of [`/risks/${promoted[0]!.id}`, `/risks/${promoted[0]!.id}/cards`, `/adr/${promoted[1]!.id}`]) {
      const hers = await cardless.get<AnyBody>(path);
      const text = JSON.stringify(hers.body);
      if (hers.status === 200)
        for (const { id, name } of named) t.notOk(text.includes(name) || text.includes(id), `${path} ${name}`);
      t.equal(hers.status, 200, path);
      const full = JSON.stringify((await api.get(path)).body);
      t.ok(
        named.some(({ id }) => full.includes(id)) || path.endsWith(promoted[0]!.id),
        `${path} names the cards to those who see them`,
      );
    }
  },
);

t.test('a finding that vanishes and comes back keeps what was decided', async (t) => {
  const [finding] = await found('personal-data-unclassified');
  await api.post(`/insightlens/findings/${finding!['id']}/transition`, { to: 'accepted', note: 'Until March.' });
  await api.patch(`/cards/${people}`, { attributes: { dataSensitivity: 'restricted' } });
  await analyse(api);
  t.strictSame(await names('personal-data-unclassified'), []);
  t.match((await api.get(`/insightlens/findings/${finding!['id']}`)).body, { is_current: false, state: 'accepted' });
  await api.patch(`/cards/${people}`, { name: 'Persons', attributes: { dataSensitivity: null } });
  await analyse(api);
  t.match(await found('personal-data-unclassified'), [
    { id: finding!['id'], state: 'accepted', note: 'Until March.', cards: [{ name: 'Persons' }] },
  ]);
});

t.test('decisions are kept by ten runs in which names, values and severities change', async (t) => {
  const owner = await makeUser(admin, 'member');
  const [crm] = await found('end-of-life');
  const cards = async (rule: string): Promise<AnyBody[]> => (await found(rule))[0]!['cards'] as unknown as AnyBody[];
  const crmCard = String((await cards('end-of-life'))[0]!['id']);
  const [exploited] = (await found('known-exploited')).filter(({ cards: its }) =>
    (its as { id: string }[]).some(({ id }) => id === kafka),
  );
  const client = apps[0]!;
  const [unowned] = (await found('owner-missing')).filter(({ cards: its }) =>
    (its as { id: string }[]).some(({ id }) => id === client),
  );
  const decided: [AnyBody, string, string | null][] = [
    [crm!, 'accepted', 'It is switched off in spring.'],
    [exploited!, 'in_review', null],
    [unowned!, 'not_applicable', 'A test system.'],
  ];
  for (const [finding, to, note] of decided) {
    const state = (await api.get(`/insightlens/findings/${finding.id}`)).body['state'];
    if (state !== 'new' && state !== 'in_review')
      expectStatus(await api.post(`/insightlens/findings/${finding.id}/transition`, { to: 'in_review' }), 200, 'back');
    if (state !== to)
      expectStatus(
        await api.post(`/insightlens/findings/${finding.id}/transition`, { to, ...(note && { note }) }),
        200,
        to,
      );
  }
  for (let n = 1; n <= 10; n++) {
    for (const [card, name] of [
      [crmCard, `Customers ${n}`],
      [client, `Desk ${'abcdefghij'[n - 1]!}`],
      [kafka, n % 2 ? 'Apache Kafka' : 'Kafka'],
    ] as const)
      expectStatus(await api.patch(`/cards/${card}`, { name }), 200, name);
    expectStatus(
      await api.patch(`/cards/${crmCard}`, { lifecycle: { active: '2015-01-01', endOfLife: `2020-01-${10 + n}` } }),
      200,
      'another end',
    );
    // Every third run does not find it.
    const stakeholders = (await api.get<AnyBody[]>(`/cards/${client}/stakeholders`)).body;
    if (n % 3 === 0)
      expectStatus(
        await api.post(`/cards/${client}/stakeholders`, { user_id: owner.user.id, role: 'responsible' }),
        201,
        'an owner',
      );
    else
      for (const { id } of (stakeholders as unknown as { items: AnyBody[] }).items)
        await api.del(`/cards/${client}/stakeholders/${String(id)}`);
    const severity = n % 2 ? 'low' : 'high';
    await configure({ rules: [{ id: 'end-of-life', severity }] });
    const { id: run } = await analyse(api);
    for (const [finding, state, note] of decided) {
      const { body } = await api.get(`/insightlens/findings/${finding.id}`);
      t.match(body, { id: finding.id, state, ...(note && { note }) }, `run ${n}: ${String(finding['rule'])}`);
      if (finding !== unowned) t.match(body, { run_id: run, is_current: true });
      else t.equal(body['is_current'], n % 3 !== 0, `run ${n}: found unless it has an owner`);
    }
    t.match((await api.get(`/insightlens/findings/${crm!.id}`)).body, {
      severity,
      evidence: { ends_on: `2020-01-${10 + n}` },
      cards: [{ name: `Customers ${n}` }],
    });
  }
});
