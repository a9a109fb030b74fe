import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until } from '../../../test/support/app.js';
import type { RiskView } from '../register/schemas.js';

const { app, origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const architect = await makeUser(admin, 'architect');
const create = async (body: object = {}) =>
  (
    await architect.api.post<RiskView>('/risks', {
      title: 'A risk',
      category: 'operational',
      owner_id: architect.user.id,
      ...body,
    })
  ).body;
const get = async (id: string) => (await architect.api.get<RiskView>(`/risks/${id}`)).body;
const finished = (type: string, than: number) =>
  until(async () => {
    const rows = await sql<{
      id: string;
      state: string;
      result: Record<string, number>;
      progress: Record<string, number>;
    }>(database, `select id, state, result, progress from jobs where type = $1 and state = 'done' order by id`, [type]);
    return rows.length > than && rows.at(-1);
  });
const done = async (type: string) =>
  (
    await sql<{ n: number }>(database, `select count(*)::int as n from jobs where type = $1 and state = 'done'`, [type])
  )[0]!.n;
async function run(type: string) {
  const before = await done(type);
  const { host } = app.services.modules.get('risks')!;
  await host.transactions.run(host.systemContext('test'), (uow) => host.jobs.enqueue(uow, type, {}));
  return await finished(type, before);
}
const settings = async (values: object | null) =>
  (await admin.api.patch('/settings/modules/risks', { settings: values })).status;

t.test('an acceptance ends on its day: the risk returns to in_progress, with an event for its owner', async (t) => {
  const accept = async () => {
    const { id } = await create();
    await architect.api.post(`/risks/${id}/transition`, {
      to: 'accepted',
      rationale: 'Bearable',
      expires_on: '2999-01-01',
    });
    return id;
  };
  const [due, past, later, closed] = [await accept(), await accept(), await accept(), await accept()];
  await architect.api.post(`/risks/${closed}/transition`, { to: 'closed' });
  await sql(
    database,
    `update risks_register set acceptance_expires_on = (now() at time zone 'UTC')::date where id = $1`,
    [due],
  );
  await sql(database, `update risks_register set acceptance_expires_on = '2020-01-01' where id = $1`, [past]);
  t.match(await run('risks.expire_acceptances'), { result: { expired: 2 } });
  for (const id of [due, past]) t.match(await get(id), { status: 'in_progress', acceptance: null, version: 3 });
  t.match(await get(later), { status: 'accepted', version: 2 });
  t.match(await get(closed), { status: 'closed' });
  t.match(await run('risks.expire_acceptances'), { result: { expired: 0 } });
  const events = await until(async () => {
    const { items } = (await admin.api.get('/events', { query: { type: 'risks.acceptance_expired' } })).body;
    return items.length === 2 && items;
  }, 2_000);
  t.match(
    events.find((e) => (e['subject'] as { id: string }).id === past),
    {
      actor: null,
      subject: { kind: 'risks', name: 'A risk' },
      data: {
        owner_id: architect.user.id,
        accepted_by: architect.user.id,
        rationale: 'Bearable',
        expires_on: '2020-01-01',
        version: 3,
      },
    },
  );
});

t.test('the clock has it done daily: a day that was missed is made up at the next start', async (t) => {
  const { id } = await create();
  await architect.api.post(`/risks/${id}/transition`, { to: 'accepted', rationale: 'x', expires_on: '2999-01-01' });
  await sql(database, `update risks_register set acceptance_expires_on = '2020-01-01' where id = $1`, [id]);
  // As if it had been known, and up, three days ago and never since.
  await sql(database, `delete from cron_slots where job = 'risks.expire_acceptances'`);
  await sql(
    database,
    `insert into cron_slots (job, slot) values ('risks.expire_acceptances', date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '3 days' + interval '5 minutes')`,
  );
  const before = await done('risks.expire_acceptances');
  const second = await testApp({ database });
  t.teardown(second.close);
  t.match(await finished('risks.expire_acceptances', before), { result: { expired: 1 } });
  t.match(await get(id), { status: 'in_progress' });
  const [{ slot }] = (await sql<{ slot: string }>(
    database,
    `select to_char(max(slot) at time zone 'UTC', 'HH24:MI') as slot from cron_slots where job = 'risks.expire_acceptances'`,
  )) as [{ slot: string }];
  t.equal(slot, '00:05');
});

t.test('another matrix has stored levels follow it, and no version moves', async (t) => {
  const [first, second, plain] = [
    await create({ initial_probability: 'low', initial_impact: 'low' }),
    await create({
      initial_probability: 'high',
      initial_impact: 'high',
      residual_probability: 'low',
      residual_impact: 'low',
    }),
    await create(),
  ];
  const before = await done('risks.recompute_levels');
  t.equal(await settings({ matrix: { low: { low: 'critical' } } }), 200);
  t.match(await finished('risks.recompute_levels', before), {
    result: { changed: 2 },
    progress: { done: 2, total: 2 },
  });
  t.match(await get(first.id), {
    initial_level: 'critical',
    level: 'critical',
    version: 1,
    updated_at: first.updated_at,
  });
  t.match(await get(second.id), { initial_level: 'high', residual_level: 'critical', level: 'critical', version: 1 });
  t.match(await get(plain.id), { level: null });
  t.match(
    await create({ initial_probability: 'low', initial_impact: 'low' }),
    { initial_level: 'critical' },
    'new ones are judged by it',
  );
  t.match((await architect.api.get('/risks/matrix')).body, {
    rows: [{}, {}, {}, { probability: 'low', cells: [{}, {}, {}, { impact: 'low', level: 'critical' }] }],
  });
  t.equal((await admin.api.get('/events', { query: { type: 'risks.updated' } })).body.total, 0);
  t.equal(await settings({ matrix: null }), 200);
  await finished('risks.recompute_levels', before + 1);
  t.match(await get(first.id), { initial_level: 'low' });
});

t.test('concurrent writes during a change of the matrix leave no outdated level', async (t) => {
  const before = await done('risks.recompute_levels');
  const matrix = { medium: { medium: 'low' } };
  const writes = Array.from({ length: 30 }, (_, i) =>
    create({ title: `W${i}`, initial_probability: 'medium', initial_impact: 'medium' }),
  );
  const [status] = await Promise.all([settings({ matrix }), ...writes]);
  t.equal(status, 200);
  await finished('risks.recompute_levels', before);
  t.strictSame(
    await sql(
      database,
      `select initial_level, count(*)::int as n from risks_register where title like 'W%' group by 1`,
    ),
    [{ initial_level: 'low', n: 30 }],
  );
});

t.test('a matrix of what is no level is refused', async (t) => {
  for (const [field, values] of [
    ['/settings/matrix/low/low', { matrix: { low: { low: 'none' } } }],
    ['/settings/matrix/low/huge', { matrix: { low: { huge: 'low' } } }],
    ['/settings/matrix/never', { matrix: { never: {} } }],
    ['/settings/levels/low/color', { levels: { low: { color: 'red' } } }],
    ['/settings/impacts/low/label', { impacts: { low: { label: '' } } }],
  ] as const) {
    const answer = await admin.api.patch('/settings/modules/risks', { settings: values });
    t.match(answer, { status: 422, body: { errors: [{ field }] } }, field);
  }
  t.match((await admin.api.get('/settings/modules/risks')).body, {
    settings: { levels: { low: { color: '#6fbf73', label: 'Low' } }, matrix: { very_high: { critical: 'critical' } } },
  });
});
