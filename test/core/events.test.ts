import pg from 'pg';
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { FLUSH } from '../../core/foundation/db/flush.js';
import {
  createDatabase,
  makeUser,
  openStream,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type EventStream,
} from '../support/app.js';

const { app, origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);

interface Card {
  id: string;
  version: number;
}
const create = async (name: string, attributes = {}): Promise<Card> =>
  (await admin.api.post<Card>('/cards', { type: 'Application', name, attributes })).body;

/** Opens a connection for a transaction that stays open. */
async function session(at: DatabaseConnection): Promise<pg.Client> {
  const client = new pg.Client({ ...at, application_name: 'lintel test' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const OUTBOX = `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id, subject_type, subject_name, data)
  values ($1, clock_timestamp(), 'test', 'card', $2, 'Application', $3, $4)`;
const eventOf = (subject: string, version: number, type = 'card.updated') => [
  type,
  subject,
  `Card ${version}`,
  JSON.stringify({ version }),
];

interface Data {
  subject: { id: string };
  version: number;
}
const dataOf = (event: { data: unknown }): Data => (event.data as { data: Data }).data;
const ofCard = (stream: EventStream, id: string) =>
  stream.events.filter((e) => e.event.startsWith('card.') && dataOf(e).subject.id === id);
const positions = (stream: EventStream) => stream.events.map((e) => Number(e.id));
const head = async (at = database): Promise<number> =>
  Number((await sql<{ position: string }>(at, 'select position from event_head'))[0]!.position);

/** The pid of the session that numbers the events of a database. */
async function holder(at: DatabaseConnection): Promise<number> {
  const [row] = await sql<{ pid: number }>(
    at,
    `select pid from pg_locks where locktype = 'advisory' and granted and objid = 7315010
    and database = (select oid from pg_database where datname = current_database())`,
  );
  return row?.pid ?? 0;
}

await t.test('a late commit loses no event and delays no other one', async (t) => {
  const stream = await openStream(origin, admin.token, { query: { types: 'card.' } });
  t.teardown(stream.close);
  const cards = await Promise.all(Array.from({ length: 10 }, (_, i) => create(`Late ${i}`)));
  const contended = await create('Contended');

  const late = await session(database);
  await late.query('begin');
  await late.query('update card_contents set version = version + 1 where id = $1', [contended.id]);
  await late.query(OUTBOX, eventOf(contended.id, 2));
  const waiting = admin.api.patch(`/cards/${contended.id}`, { description: 'after the late one' });
  await Promise.all(
    cards.map(async ({ id }) => {
      for (let i = 0; i < 20; i++)
        t.equal((await admin.api.patch(`/cards/${id}`, { description: `change ${i}` })).status, 200);
    }),
  );
  await until(() => cards.every(({ id }) => ofCard(stream, id).length === 21), 10_000);
  t.equal(ofCard(stream, contended.id).length, 1, 'the open transaction is not seen, everybody else is');

  const { rows } = await late.query<{ open: boolean }>(
    `select clock_timestamp() < now() + interval '5 seconds' as open`,
  );
  if (rows[0]!.open)
    await late.query(`select pg_sleep(extract(epoch from now() + interval '5 seconds' - clock_timestamp()))`);
  await late.query('commit');
  await late.end();
  t.equal((await waiting).body.version, 3);
  await stream.waitFor((e) => dataOf(e).subject.id === contended.id && dataOf(e).version === 3, 10_000);

  t.strictSame(
    ofCard(stream, contended.id).map((e) => dataOf(e).version),
    [1, 2, 3],
    'versions of one card are in order',
  );
  for (const { id } of cards)
    t.strictSame(
      ofCard(stream, id).map((e) => dataOf(e).version),
      Array.from({ length: 21 }, (_, i) => i + 1),
    );
  t.strictSame(
    positions(stream),
    [...positions(stream)].sort((a, b) => a - b),
    'positions only grow',
  );
  t.equal(new Set(positions(stream)).size, stream.events.length, 'nothing is doubled');
});

await t.test('an open transaction in another database of the cluster delays nothing', async (t) => {
  const other = await session(await createDatabase());
  await other.query('begin');
  await other.query('select pg_current_xact_id()');
  const stream = await openStream(origin, admin.token);
  t.teardown(async () => {
    stream.close();
    await other.end();
  });
  const { id } = await create('Not stalled');
  t.equal((await stream.waitFor((e) => e.event === 'card.created', 5_000)).event, 'card.created');
  t.equal(ofCard(stream, id).length, 1);
});

await t.test('positions are dense and the log cannot be changed', async (t) => {
  const rows = await sql<{ position: string }>(database, 'select position from events order by position');
  t.strictSame(
    rows.map((r) => Number(r.position)),
    Array.from({ length: await head() }, (_, i) => i + 1),
  );
  for (const statement of [
    `update events set type = 'x'`,
    'delete from events',
    'truncate events',
    `update events_p0 set type = 'x'`,
    'delete from events_p0',
    'truncate events_p0',
  ])
    await t.rejects(sql(database, statement), { code: '42501' }, statement);
  t.equal((await sql(database, 'select from events')).length, rows.length);
});

await t.test('two nodes return the same log', async (t) => {
  const second = await testApp({ database });
  t.teardown(second.close);
  const streams = await Promise.all([openStream(origin, admin.token), openStream(second.origin, admin.token)]);
  t.teardown(() => streams.forEach((s) => s.close()));
  for (let i = 0; i < 10; i++) await create(`On two nodes ${i}`);
  const last = await create('The last on two nodes');
  await Promise.all(streams.map((s) => s.waitFor((e) => dataOf(e).subject.id === last.id)));
  const [a, b] = streams.map((s) => s.events.map((e) => ({ ...e })));
  t.ok(a!.length >= 11);
  t.strictSame(a, b);
});

await t.test('another node assigns positions when the session of the first is ended', async (t) => {
  const second = await testApp({ database });
  t.teardown(second.close);
  const stream = await openStream(second.origin, admin.token);
  t.teardown(stream.close);
  for (let i = 0; i < 3; i++) {
    const before = await until(() => holder(database));
    await sql(database, 'select pg_terminate_backend($1)', [before]);
    const { id } = await create(`After takeover ${i}`);
    await stream.waitFor((e) => dataOf(e).subject.id === id);
    t.not(await until(() => holder(database)), before);
  }
  t.strictSame(
    positions(stream),
    positions(stream).map((_, i) => positions(stream)[0]! + i),
    'no position is missing or doubled',
  );
});

await t.test('a holder that hangs is replaced', async (t) => {
  const at = await createDatabase();
  // Like a suspended process: its session holds the lock, and no positions are assigned.
  const hung = await session(at);
  await hung.query('select pg_advisory_lock(7315010)');
  const node = await testApp({ database: at });
  t.teardown(node.close);
  const user = await registerAdmin(node.origin);
  t.equal(await head(at), 0);
  await until(async () => (await head(at)) > 0, 15_000);
  const stream = await openStream(node.origin, user.token, { lastEventId: 0 });
  t.teardown(stream.close);
  await stream.waitFor((e) => e.event === 'user.registered');
  await t.rejects(hung.query('select 1'), 'its session was ended');
});

await t.test(
  'a sequencer that was replaced without noticing moves nothing; the log continues in the next partition',
  async (t) => {
    const at = await createDatabase();
    const node = await testApp({ database: at });
    t.teardown(node.close);
    const user = await registerAdmin(node.origin);
    await until(async () => (await sql(at, 'select from event_outbox')).length === 0);
    const before = await head(at);
    // Another session assigns positions, as if the lock of this one had been lost unnoticed, while rows are waiting.
    const waiting = await session(at);
    await waiting.query('begin');
    await waiting.query('update event_head set position = 999989');
    await waiting.query(OUTBOX, eventOf('waiting', 1));
    await waiting.query('commit');
    await waiting.end();
    await until(async () => (await head(at)) === 999_990);
    const cards: string[] = [];
    for (let i = 0; i < 20; i++)
      cards.push((await user.api.post('/cards', { type: 'Application', name: `Over the edge ${i}` })).body.id);
    await until(async () => (await head(at)) >= 1_000_010, 10_000);
    const rows = await sql<{ position: string; subject_id: string; part: string }>(
      at,
      'select position, subject_id, tableoid::regclass::text as part from events where position > $1 order by position',
      [before],
    );
    t.match(rows[0], { position: '999990', subject_id: 'waiting' }, 'it continued from the current head');
    t.strictSame(
      rows.filter((r) => cards.includes(r.subject_id)).map((r) => r.subject_id),
      cards,
    );
    t.strictSame([...new Set(rows.map((r) => r.part))], ['events_p0', 'events_from_1000000']);
    await t.rejects(sql(at, 'truncate events_from_1000000'), { code: '42501' }, 'the new partition is append-only');
    await t.rejects(sql(at, 'delete from events_from_1000000'), { code: '42501' });

    await sql(at, 'drop table events_p0');
    const stream = await openStream(node.origin, user.token, { lastEventId: 5 });
    t.teardown(stream.close);
    const reset = await stream.waitFor((e) => e.event === 'reset');
    t.strictSame(reset.data, { position: await head(at), oldest: 1_000_000, reason: 'expired' });
    t.equal((await node.app.services.events.bounds(0)).oldest, 1_000_000);
    t.equal(
      (await user.api.get('/events')).body.total,
      (await head(at)) - 999_999,
      'the audit trail counts the retained events',
    );
  },
);

await t.test('after a short outage of the database the log continues without a gap', async (t) => {
  const stream = await openStream(origin, admin.token);
  t.teardown(stream.close);
  await create('Before the break');
  await sql(
    database,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  const { id } = await until(async () => {
    const answer = await admin.api.post<Card>('/cards', { type: 'Application', name: 'After the break' });
    return answer.status === 201 && answer.body;
  }, 10_000);
  await stream.waitFor((e) => dataOf(e).subject.id === id, 10_000);
  t.strictSame(
    positions(stream),
    positions(stream).map((_, i) => positions(stream)[0]! + i),
  );
});

await t.test('subscribers on a node get the matching events, and a failing one does not affect others', async (t) => {
  const { events } = app.services;
  const seen: Record<string, number[]> = { all: [], cards: [], created: [], stopped: [] };
  const offs = [
    events.subscribe('card.#', () => {
      throw new Error('a failing subscriber');
    }),
    events.subscribe('#', (e) => {
      seen['all']!.push(e.position);
    }),
    events.subscribe('card.#', (e) => {
      seen['cards']!.push(e.position);
    }),
    events.subscribe('card.created', (e) => {
      seen['created']!.push(e.position);
    }),
  ];
  const stop = events.subscribe('#', (e) => {
    seen['stopped']!.push(e.position);
  });
  t.teardown(() => offs.forEach((off) => off()));
  const from = events.head;
  const { id } = await create('Subscribed');
  await until(() => seen['cards']!.length === 1);
  stop();
  await admin.api.patch(`/cards/${id}`, { description: 'changed' });
  await until(() => seen['cards']!.length === 2);
  t.strictSame(seen, {
    all: [from + 1, from + 2],
    cards: [from + 1, from + 2],
    created: [from + 1],
    stopped: [from + 1],
  });
  t.strictSame(
    (await events.read(from, 10)).events.map((e) => e.position),
    [from + 1, from + 2],
  );
  t.strictSame(
    (await events.read(from, 10)).events,
    events.recent(from, 10),
    'memory and database have the same events',
  );
});

await t.test('the audit trail: filters, order, pages, rights', async (t) => {
  const { id } = await create('Audited');
  await admin.api.patch(`/cards/${id}`, { description: 'twice' });
  const trail = await until(async () => {
    const { body } = await admin.api.get('/events', { query: { subject_id: id } });
    return body.total === 2 && body;
  });
  t.strictSame(
    trail.items.map((e) => e.type),
    ['card.updated', 'card.created'],
    'latest first',
  );
  const [updated] = trail.items;
  t.match(updated, {
    origin: 'api',
    actor: { id: admin.user.id, display_name: 'Ada Admin' },
    subject: { kind: 'card', id, type: 'Application', name: 'Audited' },
    data: { version: 2, changes: [{ field: 'description' }] },
  });
  t.strictSame((await admin.api.get(`/events/${updated!.id}`)).body, updated);

  const count = async (query: Record<string, string>) => (await admin.api.get('/events', { query })).body.total;
  t.equal(await count({ subject_id: id, type: 'card.' }), 2);
  t.equal(await count({ subject_id: id, type: 'card.created,relation.' }), 1);
  t.equal(await count({ subject_id: id, type: 'card' }), 0, 'a type is exact unless it ends in a dot');
  t.equal(await count({ subject_id: id, actor_id: admin.user.id, origin: 'api' }), 2);
  t.equal(await count({ subject_id: id, origin: 'cron' }), 0);
  t.equal(await count({ subject_id: id, since: updated!['occurred_at'] as string }), 1);
  t.equal(await count({ subject_id: id, until: updated!['occurred_at'] as string }), 1);

  const all: number[] = [];
  let cursor: string | null = null;
  const total = await head();
  do {
    const { body }: { body: AnyBody } = await admin.api.get('/events', {
      query: cursor === null ? { page_size: 200 } : { page_size: 200, cursor },
    });
    all.push(...body.items.map((e) => Number(e.id)));
    cursor = body.next_cursor;
  } while (cursor);
  t.ok(all.length >= total);
  t.strictSame(
    all,
    Array.from({ length: all.length }, (_, i) => all.length - i),
    'the cursor returns everything once',
  );

  for (const [path, status] of [
    ['/events/0', 404],
    ['/events/abc', 404],
    ['/events/999999999', 404],
    ['/events?type=%2A', 422],
    ['/events?since=yesterday', 422],
    ['/events?types=card.', 422],
    ['/events?sort_by=type', 422],
  ] as const) {
    t.equal((await admin.api.get(path)).status, status, path);
  }
  const member = await makeUser(admin, 'member');
  t.equal((await member.api.get('/events')).status, 403);
  t.equal((await member.api.get('/events/1')).status, 403);
});

t.test('a savepoint that is rolled back keeps the events emitted before it', async (t) => {
  const event = (id: string) => ({
    type: 'card.updated',
    subject: { kind: 'card', id, type: 'Application', name: id },
  });
  const [before, within, after] = ['before', 'within', 'after'].map((name) => `savepoint ${name}`);
  await app.services.transactions.run(systemContext('test'), async (uow) => {
    uow.emit(event(before!));
    const failure = uow.savepoint(async () => {
      uow.emit(event(within!));
      // Writes what was emitted so far, as every write of a card does.
      await uow.last({ name: undefined, text: `with ${FLUSH} select 1` }, [uow.flushed()]);
      throw new Error('the work in the savepoint failed');
    });
    await t.rejects(failure, { message: 'the work in the savepoint failed' });
    uow.emit(event(after!));
  });
  const written = await until(async () => {
    const rows = await sql<{ subject_id: string }>(
      database,
      `select subject_id from events where subject_id like 'savepoint %' order by position`,
    );
    return rows.some(({ subject_id }) => subject_id === after) && rows;
  });
  t.strictSame(
    written.map(({ subject_id }) => subject_id),
    [before, after],
  );
});
