import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { ChangeNotifier } from '../../core/foundation/db/change-notifier.js';
import { EventLog, StreamHub } from '../../core/messaging/events/index.js';
import {
  createDatabase,
  login,
  makeUser,
  openStream,
  PASSWORD,
  registerAdmin,
  sql,
  testApp,
  until,
  type EventStream,
  type Session,
  type StreamEvent,
} from '../support/app.js';

const ALLOWED = 'https://ea.example.org';
const { app, origin, database, close } = await testApp({ config: { allowedOrigins: [ALLOWED] } });
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const second = await testApp({ database });
t.teardown(second.close);

interface Card {
  id: string;
  version: number;
  name: string;
}
interface CloudEvent {
  id: string;
  type: string;
  subject: string;
  data: {
    subject: { id: string; name: string };
    version: number;
    changes?: { field: string; old: unknown; new: unknown }[];
  };
}
const eventOf = (event: StreamEvent) => event.data as CloudEvent;
const isOf =
  (id: string) =>
  (event: StreamEvent): boolean =>
    eventOf(event).subject === id;
const ids = (stream: EventStream) => stream.events.map((e) => Number(e.id));
const create = async (name: string, attributes = {}): Promise<Card> =>
  (await admin.api.post<Card>('/cards', { type: 'Application', name, attributes })).body;
const head = async (): Promise<number> =>
  Number((await sql<{ position: string }>(database, 'select position from event_head'))[0]!.position);
const OUTBOX = `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id, subject_type, subject_name, data)
  select $1, clock_timestamp(), 'test', $2, $3, 'Application', $4, $5::jsonb from generate_series(1, $6)`;
const put = (type: string, kind: string, id: string, data: unknown = {}, times = 1, name = 'Test') =>
  sql(database, OUTBOX, [type, kind, id, name, JSON.stringify(data), times]);

/** Opens a stream without reading its body. */
async function rawStream(user: Session, headers: Record<string, string> = {}, at = origin): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    const request = get(
      `${at}/api/v1/events/stream`,
      { agent: false, headers: { authorization: `Bearer ${user.token}`, ...headers } },
      resolve,
    );
    request.once('error', reject);
  });
}

await t.test('an event is a CloudEvent; the headers prevent buffering and allow browsers', async (t) => {
  const response = await rawStream(admin, {
    origin: ALLOWED,
    'accept-encoding': 'gzip, br',
    'x-request-id': 'stream-1',
  });
  t.equal(response.statusCode, 200);
  t.match(response.headers, {
    'content-type': /^text\/event-stream/,
    'cache-control': /no-cache/,
    'x-accel-buffering': 'no',
    'access-control-allow-origin': ALLOWED,
    'x-content-type-options': 'nosniff',
    'x-request-id': 'stream-1',
  });
  t.notOk(response.headers['content-encoding']);
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  t.teardown(() => response.destroy());
  await until(() => text.includes('\n\n'));
  t.match(text, /^retry: \d+\n\n/, 'the first line is the retry time');

  const { id } = await create('An event');
  await until(() => text.includes(id));
  const frame = /id: (\d+)\nevent: card\.created\ndata: (\{.*\})\n\n/.exec(text);
  t.match(JSON.parse(frame![2]!), {
    specversion: '1.0',
    id: frame![1],
    source: '/api/v1',
    type: 'card.created',
    time: /^\d{4}-.*\.\d{3}Z$/,
    subject: id,
    datacontenttype: 'application/json',
    data: {
      actor: { id: admin.user.id },
      origin: 'api',
      request_id: String,
      subject: { kind: 'card', id, type: 'Application', name: 'An event' },
      version: 1,
    },
  });

  t.equal((await admin.api.send('HEAD', '/events/stream')).status === 200, false, 'there is no HEAD of a stream');
  for (const query of <Record<string, string>[]>[
    { types: 'card.*' },
    { types: '' },
    { last_event_id: 'abc' },
    { subject_id: '' },
    { type: 'card.' },
  ]) {
    t.equal((await admin.api.get('/events/stream', { query })).status, 422, JSON.stringify(query));
  }
});

await t.test('a stream resumes after any position: nothing lost, duplicated or out of order', async (t) => {
  const live = await openStream(origin, admin.token, { lastEventId: 0 });
  for (let i = 0; i < 30; i++) await create(`Resumed ${i}`);
  const end = await until(async () => {
    const at = await head();
    return ids(live).includes(at) && at;
  });
  t.strictSame(
    ids(live),
    Array.from({ length: end }, (_, i) => i + 1),
    'from 0: the whole log',
  );
  live.close();

  for (const after of [1, Math.floor(end / 2), end - 1]) {
    const [byHeader, byQuery, elsewhere] = await Promise.all([
      openStream(origin, admin.token, { lastEventId: after }),
      openStream(origin, admin.token, { query: { last_event_id: String(after) } }),
      openStream(second.origin, admin.token, { lastEventId: after, query: { last_event_id: '1' } }),
    ]);
    for (const stream of [byHeader, byQuery, elsewhere]) {
      await stream.waitFor((e) => Number(e.id) === end);
      t.strictSame(
        ids(stream).filter((id) => id <= end),
        Array.from({ length: end - after }, (_, i) => after + 1 + i),
      );
      stream.close();
    }
  }
});

await t.test('random disconnections during writes: the parts are consecutive', async (t) => {
  const from = await head();
  let writing = true;
  const writer = (async () => {
    for (let i = 0; i < 150; i++) await create(`Cut ${i}`);
    writing = false;
  })();
  const received: number[] = [];
  while (writing || received.at(-1) !== (await head())) {
    const stream = await openStream(received.length % 2 ? origin : second.origin, admin.token, {
      lastEventId: received.at(-1) ?? from,
    });
    const upTo = stream.events.length + 1 + Math.floor(Math.random() * 20);
    await until(
      async () =>
        stream.events.length >= upTo || (!writing && (ids(stream).at(-1) ?? received.at(-1)) === (await head())),
    );
    received.push(...ids(stream));
    stream.close();
  }
  await writer;
  t.ok(received.length >= 150);
  t.strictSame(
    received,
    received.map((_, i) => from + 1 + i),
  );
});

await t.test('filters: types, prefixes, subject; the resume position advances past filtered events', async (t) => {
  const from = await head();
  const { id } = await create('Filtered');
  await admin.api.patch(`/cards/${id}`, { description: 'changed' });
  const other = await create('Not this one');
  const open = (query: Record<string, string>) => openStream(origin, admin.token, { lastEventId: from, query });
  const streams = await Promise.all([
    open({ subject_id: id }),
    open({ types: 'card.updated' }),
    open({ types: 'card.' }),
    open({ types: 'user.,card.updated', subject_id: id }),
  ]);
  t.teardown(() => streams.forEach((s) => s.close()));
  const expected = [
    ['card.created', 'card.updated', 'card.archived'],
    ['card.updated'],
    ['card.created', 'card.updated', 'card.created', 'card.archived'],
    ['card.updated'],
  ];
  t.equal((await admin.api.post(`/cards/${id}/archive`, {})).status, 200);
  await streams[0]!.waitFor((e) => e.event === 'card.archived');
  await streams[2]!.waitFor((e) => e.event === 'card.archived');
  t.strictSame(
    streams.map((s) => s.events.map((e) => e.event)),
    expected,
  );
  t.equal(streams[2]!.events.filter(isOf(other.id)).length, 1);
});

await t.test('an unknown position gets a reset event', async (t) => {
  const end = await head();
  for (const lastEventId of [String(end + 1_000), '-1', 'abc', '99999999999999999999']) {
    const stream = await openStream(origin, admin.token, { lastEventId });
    const reset = await stream.waitFor((e) => e.event === 'reset');
    t.strictSame(reset.data, { position: await head(), oldest: 1, reason: 'unknown' }, lastEventId);
    t.equal(reset.id, String(await head()), 'and the stream continues from there');
    const { id } = await create(`After reset ${lastEventId}`);
    await stream.waitFor(isOf(id));
    t.equal(stream.events.length, 2);
    stream.close();
  }
});

await t.test('a stream ends when its session, its user or its token does', async (t) => {
  const onBoth = (user: Session) =>
    Promise.all([openStream(origin, user.token), openStream(second.origin, user.token)]);
  const timed = async (streams: EventStream[]): Promise<number> => {
    const began = performance.now();
    await Promise.all(streams.map((s) => s.ended));
    return performance.now() - began;
  };
  const bystander = await openStream(origin, viewer.token);

  const leaver = await makeUser(admin, 'member');
  let streams = await onBoth(leaver);
  t.equal((await leaver.api.post('/auth/logout')).status, 204);
  const logout = await timed(streams);
  t.ok(logout < 1_500, `logout ended both after ${logout} ms`);

  const fired = await makeUser(admin, 'member');
  streams = await onBoth(fired);
  t.equal((await admin.api.patch(`/users/${fired.user.id}`, { is_active: false })).status, 200);
  const deactivation = await timed(streams);
  t.ok(deactivation < 1_500, `deactivation ended both after ${deactivation} ms`);
  t.comment(`ended after ${Math.round(logout)} ms (logout), ${Math.round(deactivation)} ms (deactivation)`);

  const brief = await testApp({ database, config: { accessTokenExpireMinutes: 0.05 } });
  t.teardown(brief.close);
  t.equal(
    (
      await admin.api.post('/users', {
        email: 'brief@example.org',
        password: PASSWORD,
        display_name: 'Brief',
        role: 'viewer',
        kind: 'person',
      })
    ).status,
    201,
  );
  const short = (await login(brief.origin, 'brief@example.org')).token;
  const stream = await openStream(brief.origin, short);
  t.equal(stream.status, 200);
  await stream.ended;
  t.equal((await openStream(brief.origin, short)).status, 401, 'its token has expired');

  const { id } = await create('Still there');
  await bystander.waitFor(isOf(id));
  bystander.close();
});

await t.test('costs are visible only with the permission, live and when resuming', async (t) => {
  const from = await head();
  const live = await openStream(origin, viewer.token);
  const { id } = await create('Costly', { costTotalAnnual: 1_000 });
  const change = async (costTotalAnnual: number) => {
    const answer = await admin.api.patch<Card>(`/cards/${id}`, {
      attributes: { costTotalAnnual, businessCriticality: costTotalAnnual % 2 ? 'missionCritical' : 'administrative' },
    });
    t.equal(answer.status, 200);
    return (e: StreamEvent): boolean =>
      isOf(id)(e) && e.event === 'card.updated' && eventOf(e).data.version === answer.body.version;
  };
  const fields = (event: StreamEvent) =>
    eventOf(event)
      .data.changes!.map((c) => c.field)
      .sort();
  const both = ['attributes.businessCriticality', 'attributes.costTotalAnnual'];

  const first = await change(2_001);
  t.strictSame(fields(await live.waitFor(first)), ['attributes.businessCriticality']);
  t.notMatch(JSON.stringify(live.events), /cost|:2001\b/);
  const replay = await openStream(second.origin, viewer.token, { lastEventId: from });
  t.strictSame(fields(await replay.waitFor(first)), ['attributes.businessCriticality']);
  const privileged = await openStream(origin, admin.token, { lastEventId: from });
  t.strictSame(fields(await privileged.waitFor(first)), both);

  t.equal(
    (await admin.api.post(`/cards/${id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' })).status,
    201,
  );
  const asStakeholder = await change(3_002);
  await Promise.all(
    [live, replay].map(async (s) =>
      t.strictSame(fields(await s.waitFor(asStakeholder)), both, 'a stakeholder who sees the costs of the card'),
    ),
  );
  const other = await create('Another costly one');
  const costly = await admin.api.patch<Card>(`/cards/${other.id}`, { attributes: { costTotalAnnual: 77 } });
  const elsewhere = await live.waitFor((e) => isOf(other.id)(e) && eventOf(e).data.version === costly.body.version);
  t.strictSame(eventOf(elsewhere).data.changes, [], 'but not of other cards');

  const {
    body: { items },
  } = await admin.api.get(`/cards/${id}/stakeholders`);
  t.equal((await admin.api.del(`/cards/${id}/stakeholders/${items[0]!.id}`)).status, 204);
  await new Promise((resolve) => setTimeout(resolve, 600));
  const afterwards = await change(4_003);
  t.strictSame(
    fields(await live.waitFor(afterwards)),
    ['attributes.businessCriticality'],
    'a user who is no stakeholder any more',
  );

  // Data of any shape in the audit trail, for an auditor who may not see costs.
  await put('card.imported', 'card', id, {
    attributes: { costTotalAnnual: 5, timeModel: 'invest', unknownField: 1 },
    before: [{ attributes: { costTotalAnnual: 6 } }],
    changes: [{ field: 'attributes', old: { costTotalAnnual: 7 }, new: { timeModel: 'invest' } }],
  });
  await sql(database, `update roles set permissions = permissions || '["events.audit"]' where key = 'viewer'`);
  await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  const trail = await until(async () => {
    const { status, body } = await viewer.api.get('/events', { query: { subject_id: id, type: 'card.' } });
    return status === 200 && body.items[0]?.type === 'card.imported' && body;
  });
  t.strictSame(trail.items[0]!['data'], {
    attributes: { timeModel: 'invest' },
    before: [{ attributes: {} }],
    changes: [{ field: 'attributes', old: {}, new: { timeModel: 'invest' } }],
  });
  t.notMatch(JSON.stringify(trail), /costTotalAnnual/);
  t.match(JSON.stringify((await admin.api.get('/events', { query: { subject_id: id } })).body), /costTotalAnnual/);

  // The change of permissions applied to the open streams: auditors see every kind, others those of their current permissions.
  await put('secret.changed', 'secret', 'x');
  await live.waitFor((e) => e.event === 'secret.changed');
  await sql(
    database,
    `update roles set permissions = permissions - 'events.audit' - 'cards.view' where key = 'viewer'`,
  );
  await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  await until(async () => (await viewer.api.get('/cards')).status === 403);
  const count = live.events.length;
  await put('secret.changed', 'secret', 'x');
  await create('Not for the viewer');
  await privileged.waitFor((e) => e.event === 'card.created' && eventOf(e).data.subject.name === 'Not for the viewer');
  await put('user.noticed', 'user', viewer.user.id);
  await live.waitFor((e) => e.event === 'user.noticed');
  t.equal(live.events.length, count + 1, 'only events about the user');
  await sql(database, `update roles set permissions = permissions || '["cards.view"]' where key = 'viewer'`);
  await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  await until(async () => (await viewer.api.get('/cards')).status === 200);
  for (const stream of [live, replay, privileged]) stream.close();
});

await t.test('each kind needs its read permission', async (t) => {
  const from = await head();
  const [byViewer, byAdmin] = await Promise.all([
    openStream(origin, viewer.token, { lastEventId: from }),
    openStream(origin, admin.token, { lastEventId: from }),
  ]);
  const unregister = app.services.visibility.register('widget', {
    permission: 'cards.view',
    redact: (e, { permissions }) => (permissions.has('users.manage') ? e : { ...e, data: {} }),
  });
  t.throws(() => app.services.visibility.register('widget', { permission: 'cards.view' }), /widget/);
  for (const [type, kind, id] of [
    ['role.updated', 'role', 'member'],
    ['settings.updated', 'settings', 'general'],
    ['job.cancelled', 'job', 'j'],
    ['module.enabled', 'module', 'm'],
    ['user.updated', 'user', admin.user.id],
    ['session.ended', 'session', 's'],
    ['strange.thing', 'strange', 's'],
    ['metamodel.updated', 'metamodel', 'm'],
    ['relation.created', 'relation', 'r'],
    ['user.updated', 'user', viewer.user.id],
  ] as const)
    await put(type, kind, id);
  await put('session.started', 'session', 's', { user_id: viewer.user.id });
  await put('widget.made', 'widget', 'w', { secret: 1 });
  await Promise.all([byViewer, byAdmin].map((s) => s.waitFor((e) => e.event === 'widget.made')));
  t.strictSame(
    byViewer.events.map((e) => `${e.event} ${eventOf(e).subject}`),
    [
      'metamodel.updated m',
      'relation.created r',
      `user.updated ${viewer.user.id}`,
      'session.started s',
      'widget.made w',
    ],
  );
  t.equal(byAdmin.events.length, 12);
  t.notOk('secret' in eventOf(byViewer.events.at(-1)!).data);
  t.ok('secret' in eventOf(byAdmin.events.at(-1)!).data);
  unregister();
  await put('widget.made', 'widget', 'w2');
  await put('metamodel.updated', 'metamodel', 'last');
  await byViewer.waitFor((e) => eventOf(e).subject === 'last');
  t.notOk(byViewer.events.some(isOf('w2')));
  byViewer.close();
  byAdmin.close();
});

await t.test('no text in an event can start another one', async (t) => {
  const stream = await openStream(origin, admin.token);
  t.teardown(stream.close);
  await put(
    'card.forged\r\n\nid: 999999999\nevent: user.updated\ndata: {}\n\n',
    'card',
    'f1\n\nevent: x',
    { text: 'a\n\nid: 1\u2028\r\rdata: b' },
    1,
    'name\r\n\r\nevent: y',
  );
  const { id } = await create('After the forgery');
  await stream.waitFor(isOf(id));
  t.equal(stream.events.length, 2);
  t.equal(stream.events[0]!.event, 'card.forgedid: 999999999event: user.updateddata: {}');
  t.equal(Number(stream.events[1]!.id), Number(stream.events[0]!.id) + 1);
  t.match(eventOf(stream.events[0]!), { subject: 'f1\n\nevent: x', data: { text: 'a\n\nid: 1\u2028\r\rdata: b' } });
});

await t.test('a user has at most 20 streams on a node', async (t) => {
  const greedy = await makeUser(admin, 'member');
  const answers = await Promise.all(Array.from({ length: 30 }, () => openStream(origin, greedy.token)));
  t.equal(answers.filter((s) => s.status === 200).length, 20);
  t.equal(answers.filter((s) => s.status === 429).length, 10);
  const [one] = answers.filter((s) => s.status === 200);
  one!.close();
  answers.push(
    await until(async () => {
      const stream = await openStream(origin, greedy.token);
      return stream.status === 200 && stream;
    }),
  );
  for (const stream of answers) stream.close();
});

await t.test('a position of another node that this one has not read yet causes no duplicate events', async (t) => {
  const { db, visibility, sessions, revisions, continuity, eventGaps } = app.services;
  // Without a notifier this log lags by up to its polling interval.
  const late = new EventLog(db, new ChangeNotifier(db, app.log), revisions, continuity, eventGaps, app.log);
  await late.start();
  const hub = new StreamHub(late, visibility, sessions, revisions, app.log);
  hub.start();
  const identity = (await sessions.get(
    (
      await sql<{ id: string }>(database, 'select id from sessions where user_id = $1', [admin.user.id])
    )[0]!.id,
  ))!;
  const server = createServer((request, response) => {
    void hub
      .prepare({ identity, filter: { types: ['card.'] }, after: Number(request.headers['last-event-id']) })
      .then((open) => open(() => response.writeHead(200)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.teardown(async () => {
    hub.close();
    await late.close();
    server.close();
  });
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let behind = 0;
  for (let i = 0; i < 10; i++) {
    const before = await head();
    await put('card.early', 'card', `early-${i}`);
    const now = await until(async () => {
      const end = await head();
      return end > before && end;
    });
    if (late.head < now) behind++;
    const stream = await openStream(at, '', { lastEventId: now });
    await until(() => late.head >= now);
    await put('card.next', 'card', `next-${i}`);
    await stream.waitFor((e) => e.event === 'card.next');
    t.strictSame(
      stream.events.map((e) => e.event),
      ['card.next'],
    );
    stream.close();
  }
  t.ok(behind > 0, `it was behind ${behind} times`);
});

await t.test('receivers connect and disconnect at random during writes', async (t) => {
  await until(() => app.services.streams.size === 0);
  const from = (await head()) - 300;
  const users = await Promise.all(Array.from({ length: 4 }, () => makeUser(admin, 'member')));
  let running = true;
  let opened = 0;
  const clients = users.flatMap((user) =>
    Array.from({ length: 10 }, async () => {
      while (running) {
        const stream = await openStream(
          origin,
          user.token,
          Math.random() < 0.5 ? { lastEventId: from + Math.floor(Math.random() * 300) } : {},
        );
        if (stream.status !== 200) throw new Error(`a stream gave ${stream.status}`);
        opened++;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
        stream.close();
      }
    }),
  );
  for (let i = 0; i < 60; i++) t.ok((await create(`Random ${i}`)).id);
  running = false;
  await Promise.all(clients);
  t.ok(opened > 40, `${opened} streams were opened`);
  await until(() => app.services.streams.size === 0);
});

await t.test('a node that stops sends a time to reconnect, and closes immediately', async (t) => {
  const node = await testApp({ database: await createDatabase() });
  const user = await registerAdmin(node.origin);
  const response = await rawStream(user, {}, node.origin);
  const silent = await rawStream(user, {}, node.origin);
  silent.pause();
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const ended = new Promise<void>((resolve) => response.once('close', () => resolve()));
  await until(() => text.includes('retry'));
  text = '';
  const began = performance.now();
  await node.close();
  const ms = performance.now() - began;
  t.ok(ms < 5_000, `closed after ${ms} ms`);
  await ended;
  t.match(text, /retry: \d+\n\n$/);
  t.ok(response.complete, 'the answer ended in good order');
});
