/**
 * The event stream while all parts of a plan change: a viewer without costs gets no amount, and a user from whom the card of the
 * initiative is hidden nothing of the plan.
 */
import t from 'tap';
import { expectStatus, makeUser, openStream, registerAdmin, testApp, type Session } from '../../../test/support/app.js';
import { configure, Initiative } from './amount-support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
await configure(admin, { exchange_rates: [{ currency: 'USD', date: '2020-01-01', rate: '0.5' }] });
const permissions = ['cards.view', 'relations.view', 'stakeholders.view', 'risks.view', 'ppm.view', 'costs.view'];
const role = async (key: string, rules: object): Promise<Session> => {
  const body = { key, label: key, permissions, types: { Initiative: rules } };
  expectStatus(await admin.api.post('/roles', body), 201, key);
  return await makeUser(admin, key);
};
const [writer, viewer, without, hidden] = [
  await makeUser(admin, 'architect'),
  await makeUser(admin, 'viewer'),
  await role('without_costs', { 'costs.view': false }),
  await role('without_initiatives', { 'cards.view': false }),
];

/** Amounts of lines and items, their sums and conversions at 0.5, and texts that only readers of costs may see. */
const AMOUNT = /765.?432|382.?716|1530.?8643|1148.?148|Secret text|costBudget|costActual|planned_cost/;
const MARKER = 'Marker of the test';

/** Changes all parts of a new plan. @returns what tells of it: its ids and titles */
async function change(plan: Initiative): Promise<string[]> {
  const { api } = writer;
  const told = [plan.id, 'Hidden plan'];
  const make = async (path: string, body: object): Promise<string> => {
    const { id } = expectStatus(await api.post(`${plan.path}/${path}`, body), 201, path).body;
    told.push(id);
    return id;
  };
  const write = async (method: 'PATCH' | 'POST' | 'DELETE', path: string, body?: object): Promise<void> => {
    const { status, body: answer } = await api.send(method, `${plan.path}/${path}`, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  };
  const amounts = { planned_cost: 7_654_321.09, planned_currency: 'USD' };
  const dated = { start_date: '2026-03-02', end_date: '2026-03-27', ...amounts };
  const [first, second] = [
    await make('wbs', { title: 'Hidden item', ...dated }),
    await make('wbs', { title: 'Hidden other item', ...dated }),
  ];
  const group = await make('wbs', { title: 'Hidden group' });
  const budget = { fiscal_year: 2026, category: 'capex', amount: 7_654_322.09, description: 'Secret text' };
  const cost = { category: 'opex', date: '2026-03-05', planned: 7_654_323.09, actual: 7_654_324.09, wbs_id: first };
  const health = { schedule_health: 'on_track', cost_health: 'at_risk', scope_health: 'on_track' };
  const parts: [string, object, object][] = [
    ['budgets', budget, { amount: 7_654_325.09, currency: 'USD' }],
    ['costs', { ...cost, description: 'Secret text' }, { planned: 7_654_326.09, actual: 7_654_327.09 }],
    ['status-reports', { report_date: '2026-03-10', ...health }, { cost_health: 'off_track' }],
    ['dependencies', { predecessor_id: first, successor_id: second, type: 'FS' }, { lag_days: 2 }],
    ['tasks', { title: 'Hidden task', wbs_id: first, assignee_id: hidden.user.id }, { assignee_id: viewer.user.id }],
    // Its title is for all readers of the register, in which it is created below.
    ['risks', { title: 'Risk for the register', probability: 4, impact: 4 }, { impact: 5 }],
    ['baselines', { name: 'Hidden baseline' }, { name: 'Hidden baseline, renamed' }],
  ];
  const made: [string, string][] = [];
  for (const [path, body, patch] of parts) {
    const id = await make(path, body);
    await write('PATCH', `${path}/${id}`, patch);
    made.push([path, id]);
  }
  const [, task] = made.find(([path]) => path === 'tasks')!;
  const [, risk] = made.find(([path]) => path === 'risks')!;
  await write('POST', `tasks/${task}/move`, { status: 'in_progress' });
  await make(`tasks/${task}/comments`, { text: 'Hidden comment' });
  await write('POST', `risks/${risk}/promote`, {});
  await write('PATCH', `wbs/${first}`, { planned_cost: 7_654_328.09, completion: 40 });
  await write('POST', `wbs/${second}/move`, { parent_id: group });
  const file = `title,start_date,end_date,planned_cost,planned_currency\nHidden line,2026-03-02,2026-03-06,7654329.09,EUR`;
  const csv = { headers: { 'content-type': 'text/csv' } };
  expectStatus(await api.send('POST', `${plan.path}/plan/import`, file, csv), 200, 'an import');
  await write('PATCH', 'plan', { start_date: '2026-02-02' });
  const rolled = { costBudget: 3_827_162.55, costActual: 7_654_327.09, endDate: '2026-03-27' };
  await plan.rolledUp(writer, rolled);
  for (const [path, id] of made.reverse()) await write('DELETE', `${path}/${id}`);
  await write('DELETE', `wbs/${second}`);
  await plan.rolledUp(writer, { costBudget: null, costActual: null });
  expectStatus(await api.patch(`/cards/${plan.id}`, { description: 'Hidden plan' }), 200, 'the card');
  expectStatus(await api.del(`/cards/${plan.id}`), 204, 'the card');
  return told;
}

t.test('no amount and nothing hidden in any event', async (t) => {
  const readers = { writer, viewer, without, hidden };
  const names = Object.keys(readers) as (keyof typeof readers)[];
  const live = await Promise.all(names.map((name) => openStream(origin, readers[name].token)));
  t.teardown(() => live.forEach((stream) => stream.close()));
  const plan = await Initiative.make(writer, 'Hidden plan');
  const told = await change(plan);
  const marker = expectStatus(
    await admin.api.post('/cards', { type: 'Application', name: MARKER }),
    201,
    'the last change',
  ).body.id;
  // What is sent at once, and what is sent to a client that connects again.
  const later = await Promise.all(names.map((name) => openStream(origin, readers[name].token, { lastEventId: 0 })));
  t.teardown(() => later.forEach((stream) => stream.close()));
  for (const [kind, streams] of [
    ['live', live],
    ['again', later],
  ] as const) {
    const frames = new Map<string, string[]>();
    for (const [i, name] of names.entries()) {
      await streams[i]!.waitFor(({ data }) => JSON.stringify(data).includes(marker));
      frames.set(
        name,
        streams[i]!.events.map((event) => JSON.stringify(event)),
      );
    }
    const types = (name: string) =>
      new Set(frames.get(name)!.flatMap((frame) => /"event":"(\w+)/.exec(frame)?.slice(1) ?? []));
    t.ok(
      frames.get('writer')!.some((frame) => AMOUNT.test(frame)),
      `${kind}: the roll-up to the card has amounts for who may see them`,
    );
    for (const name of ['viewer', 'without']) {
      t.comment(`${kind}, ${name}: ${frames.get(name)!.length} events of ${[...types(name)].join(', ')}`);
      t.ok(types(name).has('ppm_budget') && types(name).has('ppm_cost') && types(name).has('card'), `${kind}, ${name}`);
      for (const frame of frames.get(name)!) t.notMatch(frame, AMOUNT, `${kind}, ${name}: no amount`);
    }
    const leaks = frames
      .get('hidden')!
      .filter((frame) => /Hidden/.test(frame) || told.some((id) => frame.includes(id)));
    t.strictSame(leaks, [], `${kind}: nothing of a hidden initiative`);
    t.strictSame(
      [...types('hidden')].filter((type) => type.startsWith('ppm')),
      [],
      `${kind}: no event of a plan`,
    );
  }
});
