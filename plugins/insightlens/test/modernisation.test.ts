/** Candidates for modernisation: reasons, order by dependencies, effort, and what each reader sees. */
import t from 'tap';
import {
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  type AnyBody,
  type Session,
} from '../../../test/support/app.js';
import { orderByDependencies } from '../modernisation/order.js';
import { all, analyse } from './support/uploads.js';

t.test('each group comes after what it depends on, and circles are one group', async (t) => {
  const edge = (pair: string): { source: string; target: string } => ({ source: pair[0]!, target: pair[1]! });
  const order = (ids: string, ...pairs: string[]): unknown =>
    orderByDependencies([...ids], pairs.map(edge))
      .map(({ members, wave }) => `${members.join('')}${wave}`)
      .sort();
  t.strictSame(order('abc', 'ab', 'bc'), ['a3', 'b2', 'c1']);
  t.strictSame(order('abcd', 'ab', 'ba', 'bc', 'dc'), ['ab2', 'c1', 'd2']);
  t.strictSame(order('abcde', 'ab', 'bc', 'ca', 'de', 'ed', 'cd'), ['abc2', 'de1']);
  t.strictSame(order('aa'.slice(0, 1), 'aa'), ['a1']);
  // Random graphs, compared with reachability by Warshall's algorithm.
  let seed = 7;
  const random = (n: number): number => (seed = (seed * 48_271) % 2_147_483_647) % n;
  for (let round = 0; round < 50; round++) {
    const ids = [...'abcdefghij'];
    const pairs = Array.from({ length: 3 + random(20) }, () => `${ids[random(10)]!}${ids[random(10)]!}`);
    const reach = new Set(pairs);
    for (const k of ids)
      for (const i of ids) for (const j of ids) if (reach.has(i + k) && reach.has(k + j)) reach.add(i + j);
    const groups = orderByDependencies(ids, pairs.map(edge));
    const of = new Map(groups.flatMap((group) => group.members.map((id) => [id, group] as const)));
    t.equal(of.size, 10);
    for (const i of ids)
      for (const j of ids) {
        if (i === j) continue;
        const together = reach.has(i + j) && reach.has(j + i);
        if ((of.get(i) === of.get(j)) !== together) t.fail(`${i} and ${j} of ${pairs.join(' ')}`);
        if (reach.has(i + j) && !together && of.get(i)!.wave <= of.get(j)!.wave)
          t.fail(`${i} before ${j} of ${pairs.join(' ')}`);
      }
  }
  // A chain of 50,000 took 1.5 s of processor time when each search began at its other end, and 0.1 s from this one.
  const chain = Array.from({ length: 50_000 }, (_, i) => String(i));
  const began = process.cpuUsage();
  const long = orderByDependencies(
    chain,
    chain.slice(1).map((target, i) => ({ source: chain[i]!, target })),
  );
  const { user } = process.cpuUsage(began);
  t.equal(long.at(-1)!.wave, chain.length);
  t.ok(user < 700_000, `${user} µs`);
});

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const card = async (type: string, name: string, attributes = {}, more = {}): Promise<string> =>
  expectStatus(await api.post('/cards', { type, name, attributes, ...more }), 201, name).body.id;
const relate = async (type: string, source: string, target: string, attributes = {}): Promise<void> => {
  expectStatus(await api.post('/relations', { type, source_id: source, target_id: target, attributes }), 201, type);
};
const candidates = async (who: Session = admin): Promise<AnyBody[]> => await all(who.api, '/insightlens/modernisation');
const candidate = async (name: string, who?: Session): Promise<AnyBody | undefined> =>
  (await candidates(who)).find((one) => one['name'] === name);
const rules = (one: AnyBody | undefined): string[] =>
  ((one?.['reasons'] ?? []) as { rule: string }[]).map(({ rule }) => rule);
const soon = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
const described = { description: 'So that its quality is not the reason.', lifecycle: { active: '2020-01-01' } };

const [shop, crm, database1] = [
  await card(
    'Application',
    'Shop',
    { technicalSuitability: 'unreasonable', businessCriticality: 'missionCritical', costTotalAnnual: 100 },
    described,
  ),
  await card('Application', 'CRM', { timeModel: 'migrate' }, described),
  await card(
    'ITComponent',
    'Old database',
    { technicalSuitability: 'inappropriate', resourceClassification: 'phaseOut', costTotalAnnual: 900 },
    { ...described, lifecycle: { active: '2010-01-01', endOfLife: soon } },
  ),
];
await card('Application', 'Fine', { technicalSuitability: 'fullyAppropriate', timeModel: 'invest' }, described);
const [orders, customers] = [await card('Interface', 'Orders'), await card('Interface', 'Customers')];
await relate('applicationToITComponent', shop, database1);
for (const [app, line, flowDirection] of [
  [shop, orders, 'provides'],
  [crm, orders, 'consumes'],
  [crm, customers, 'provides'],
  [shop, customers, 'consumes'],
] as const)
  await relate('applicationToInterface', app, line, { flowDirection });
expectStatus(
  await api.patch('/settings/modules/insightlens', { settings: { modernisation_quality: 100 } }),
  200,
  'quality',
);
await analyse(api, 'modernisation');
await analyse(api, 'security');

t.test('a candidate has reasons of several analyses, an effort and its place', async (t) => {
  const found = await candidates();
  t.strictSame(
    found
      .filter(({ name }) => name !== 'Fine')
      .map(({ name, wave, cycle }) => [name, wave, (cycle as string[]).length]),
    [
      ['Old database', 1, 0],
      ['Shop', 2, 2],
      ['CRM', 2, 2],
    ],
  );
  t.strictSame(rules(await candidate('Old database')), [
    'end-of-life',
    'component-fit',
    'phase-out',
    'high-cost',
    'low-quality',
  ]);
  t.match(await candidate('Shop'), {
    cycle: [shop, crm].sort(),
    // One consumer depends on it, and it depends on the database and the other application.
    dependants: 1,
    dependencies: 2,
    effort: 4.5,
    annual_cost: 100,
  });
  t.equal(
    (await candidate('Shop'))!['score'],
    Number(
      ((await candidate('Shop'))!['reasons'] as { points: number }[]).reduce((sum, { points }) => sum + points, 0),
    ) * 1.5,
  );
});

t.test('costs, relations and cards that a reader does not see are no reasons and no order', async (t) => {
  const seen = ['cards.view', 'insightlens.view', 'relations.view', 'stakeholders.view'];
  const role = async (key: string, permissions: string[], types = {}): Promise<Session> => {
    await api.post('/roles', { key, label: key, permissions, types });
    return await makeUser(admin, key);
  };
  const poor = await role('poor', seen);
  t.strictSame(rules(await candidate('Old database', poor)), [
    'end-of-life',
    'component-fit',
    'phase-out',
    'low-quality',
  ]);
  t.equal((await candidate('Old database', poor))!['annual_cost'], null);
  t.notMatch(JSON.stringify(await candidates(poor)), /high-cost|(?<![\w-])900(?![\w-])/);
  const loose = await role(
    'loose',
    seen.filter((one) => one !== 'relations.view'),
  );
  t.match(await candidate('Shop', loose), { wave: null, effort: null, dependants: null, cycle: [] });
  t.notOk(rules(await candidate('Old database', loose)).includes('low-quality'));
  const narrow = await role('narrow', seen, {
    Interface: { 'cards.view': false },
    ITComponent: { 'cards.view': false },
  });
  t.match(await candidate('Shop', narrow), { wave: 1, cycle: [], dependants: 0, dependencies: 0 });
  t.equal(await candidate('Old database', narrow), undefined);
});

t.test('a reason that people decline is none, and duplicates are one', async (t) => {
  for (const { finding_id, kind } of (await candidate('CRM'))!['reasons'] as { finding_id: string; kind: string }[])
    if (kind === 'modernisation')
      expectStatus(
        await api.post(`/insightlens/findings/${finding_id}/transition`, { to: 'declined', note: 'It stays.' }),
        200,
        'declined',
      );
  t.equal(await candidate('CRM'), undefined);
  await analyse(api, 'modernisation');
  t.equal(await candidate('CRM'), undefined, 'also after the next run');
  const [run, finding] = ['0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c31', '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c32'];
  await sql(database, `update insightlens_runs set is_current = false where kind = 'duplicates'`);
  await sql(
    database,
    `insert into insightlens_runs (id, kind, state, is_current) values ($1, 'duplicates', 'done', true)`,
    [run],
  );
  await sql(
    database,
    `insert into insightlens_findings (id, kind, rule, key, state) values ($1, 'duplicates', 'pair', $2, 'pending')`,
    [finding, `pair:${crm}:${shop}`],
  );
  await sql(
    database,
    `insert into insightlens_results (run_id, finding_id, phase, severity, evidence, needs, card_count) values ($1, $2, 0, 2, '{}', '{}', 2)`,
    [run, finding],
  );
  await sql(
    database,
    `insert into insightlens_result_cards (run_id, finding_id, card_id, role) select $1, $2, c, 'member' from unnest($3::uuid[]) c`,
    [run, finding, [crm, shop]],
  );
  t.strictSame(rules(await candidate('CRM')), ['pair']);
  t.ok(rules(await candidate('Shop')).includes('pair'));
});
