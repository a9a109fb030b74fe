/** Old events are dropped with whole partitions, one per month; the log and its readers continue. */
import t from 'tap';
import { createDatabase, makeUser, openStream, registerAdmin, sql, testApp, until } from '../support/app.js';
import { from, head, ids, logged, logOf, partitions, put, retention } from '../support/partitions.js';

await t.test('a partition is closed with its month, including its triggers', async (t) => {
  const at = await logOf([70, 40]);
  t.strictSame(await partitions(at), [
    'events_p0 0..1001',
    'events_from_1001 1001..2001',
    'events_from_2001 2001..1000000',
  ]);
  t.strictSame(await logged(at), from(1, 2_000));
  for (const name of ['events_p0', 'events_from_1001', 'events_from_2001']) {
    const triggers = await sql<{ name: string; mode: string }>(
      at,
      `select tgname as name, tgenabled::text as mode from pg_trigger where tgrelid = $1::regclass order by 1`,
      [name],
    );
    t.strictSame(
      triggers,
      [
        { name: 'events_no_change', mode: 'A' },
        { name: 'events_no_truncate', mode: 'A' },
      ],
      name,
    );
    const indexes = await sql(
      at,
      `select from pg_index i join pg_inherits h on h.inhrelid = i.indexrelid where i.indrelid = $1::regclass`,
      [name],
    );
    t.equal(indexes.length, 6, `${name} has all indexes of the log`);
  }
  await t.rejects(
    sql(
      at,
      `insert into events_p0 select 1001, type, occurred_at, actor_id, actor_name, origin, request_id, change_id, subject_kind, subject_id, subject_type, subject_name, data from events limit 1`,
    ),
    { code: '23514' },
  );
});

await t.test('expired events are dropped with an event, and readers are notified', async (t) => {
  const at = await logOf([70, 40]);
  const [one, two] = [await testApp({ database: at }), await testApp({ database: at })];
  t.teardown(() => Promise.all([one.close(), two.close()]));
  const admin = await registerAdmin(one.origin);
  const viewer = await makeUser(admin, 'viewer');
  t.strictSame(await retention(one), { events: 0 }, 'nothing is dropped if events are kept forever');
  t.equal((await partitions(at)).length, 3, 'and this month is not over');
  const live = await openStream(one.origin, admin.token);
  const early = await openStream(two.origin, admin.token, { lastEventId: 5 });
  t.teardown(() => {
    live.close();
    early.close();
  });
  await until(() => ids(early).includes(2_000), 10_000);
  t.strictSame(ids(early).slice(0, 1_995), from(6, 1_995), 'all of it is there to be read');

  t.equal((await admin.api.patch('/settings', { event_retention_days: 60 })).status, 200);
  t.equal((await admin.api.patch('/settings', { event_retention_days: -1 })).status, 422);
  t.strictSame(await retention(two), { events: 1_000 });
  const told = await live.waitFor((e) => e.event === 'events.expired');
  t.match(told.data, {
    subject: '1-1000',
    data: { from: 1, to: 1_000, events: 1_000, retention_days: 60, origin: 'job' },
  });
  t.strictSame(await partitions(at), ['events_from_1001 1001..2001', 'events_from_2001 2001..1000000']);
  t.strictSame(await retention(one), { events: 0 }, 'remaining events are younger');

  // A subscription and a feed whose position is in the dropped part, and a client at its end.
  const got: Record<string, number[]> = { subscription: [], feed: [] };
  const { subscriptions, feed } = one.app.services;
  for (const [module, name] of [
    ['edge', 'behind'],
    ['core', 'behind'],
  ])
    await sql(at, 'insert into subscriptions (module, name, position) values ($1, $2, 5)', [module, name]);
  const ends = [
    subscriptions.begin('edge', {
      name: 'behind',
      pattern: '#',
      handler: async ({ position }) => {
        got['subscription']!.push(position);
      },
    }),
    feed.begin({
      name: 'behind',
      handle: async (_uow, events) => {
        got['feed']!.push(...events.map(({ position }) => position));
      },
    }),
  ];
  t.teardown(async () => {
    for (const end of ends) await end();
  });
  const edge = await openStream(two.origin, admin.token, { lastEventId: 1_000 });
  t.teardown(edge.close);
  await until(() => [got['subscription']!, got['feed']!, ids(edge)].every((all) => all.includes(2_001)), 20_000);
  for (const all of [got['subscription']!, got['feed']!, ids(edge)])
    t.strictSame(all.slice(0, 1_001), from(1_001, 1_001));

  t.equal((await admin.api.patch('/settings', { event_retention_days: 30 })).status, 200);
  t.strictSame(await retention(one), { events: 1_000 });
  const end = await until(async () => {
    const position = await head(at);
    return one.app.services.events.head === position && two.app.services.events.head === position && position;
  });
  for (const { origin } of [one, two]) {
    for (const lastEventId of [0, 5, 1_500, 1_999]) {
      const stream = await openStream(origin, admin.token, { lastEventId });
      t.match(
        await stream.waitFor((e) => e.event === 'reset'),
        { data: { oldest: 2_001 } },
        `${lastEventId} is too old, also for events in memory`,
      );
      stream.close();
    }
    const kept = await openStream(origin, admin.token, { lastEventId: 2_000 });
    await until(() => ids(kept).includes(end));
    t.strictSame(ids(kept).slice(0, end - 2_000), from(2_001, end - 2_000));
    kept.close();
  }
  const { body } = await admin.api.get('/events');
  t.equal(body.total, (await head(at)) - 2_000, 'the audit trail counts the remaining events');
  t.equal((await admin.api.get('/events', { query: { type: 'metamodel.noticed' } })).body.total, 0);
  t.strictSame(
    [(await admin.api.get('/events/2000')).status, (await admin.api.get('/events/2001')).status],
    [404, 200],
  );
  t.equal((await admin.api.get('/events', { query: { type: 'events.expired' } })).body.total, 2);

  const seen = await openStream(one.origin, viewer.token, { lastEventId: 2_000 });
  await put(at, 0);
  await seen.waitFor((e) => e.event === 'metamodel.noticed');
  t.notOk(
    seen.events.some((e) => e.event === 'events.expired'),
    'which is for auditors',
  );
  seen.close();
});

await t.test('the current partition is kept regardless of its age', async (t) => {
  const at = await createDatabase();
  await put(at, 400, 10);
  const node = await testApp({ database: at });
  t.teardown(node.close);
  const admin = await registerAdmin(node.origin);
  await until(async () => (await sql(at, 'select from event_outbox')).length === 0);
  await admin.api.patch('/settings', { event_retention_days: 1 });
  t.strictSame(await retention(node), { events: 0 });
  const [closed] = await until(async () => {
    const all = await partitions(at);
    return all.length === 2 && all;
  });
  t.strictSame(await retention(node), { events: 0 }, `${closed} has events of today`);
  t.equal((await logged(at))[0], 1);
});

t.test('parts of the log before and after a gap', async (t) => {
  const at = await logOf([90]);
  await sql(at, `update event_source set lineage = 'another', started = 'another'`);
  const node = await testApp({ database: at });
  t.teardown(node.close);
  const admin = await registerAdmin(node.origin);
  await until(async () => (await partitions(at)).length === 3);
  const [gap] = await until(async () => {
    const gaps = await sql<{ ended: string; resumed: string }>(at, 'select ended, resumed from event_gaps');
    return gaps.length > 0 && gaps;
  });
  t.equal(gap!.ended, '1000');
  t.ok((await admin.api.get<{ total: number }>('/events')).body.total < 2_000, 'the gap is not counted');
  t.equal((await admin.api.patch('/settings', { event_retention_days: 60 })).status, 200);
  t.strictSame(await retention(node), { events: 1_000 });
  t.equal((await partitions(at)).length, 1, 'the empty one before the gap is dropped too');
  for (const [lastEventId, isReset] of [
    [1_000, false],
    [999, true],
    [1_001, true],
  ] as const) {
    const stream = await openStream(node.origin, admin.token, { lastEventId });
    t.equal((await stream.waitFor(() => true)).event === 'reset', isReset, String(lastEventId));
    stream.close();
  }
});
