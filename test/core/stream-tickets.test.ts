/** A ticket opens one stream on any node, and permits nothing else. */
import t from 'tap';
import {
  client,
  login,
  makeUser,
  openStream,
  PASSWORD,
  registerAdmin,
  sql,
  testApp,
  type Session,
} from '../support/app.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(() => Promise.all([one.close(), two.close()]));
const admin = await registerAdmin(one.origin);

interface Ticket {
  ticket: string;
  expires_in: number;
}
const ticketOf = async (user: Session): Promise<string> =>
  (await user.api.post<Ticket>('/events/stream-ticket')).body.ticket;
const open = (ticket: string, origin = one.origin, query: Record<string, string> = {}) =>
  openStream(origin, undefined, { query: { ticket, ...query } });
const create = async (name: string): Promise<string> =>
  (await admin.api.post('/cards', { type: 'Application', name })).body.id;

await t.test('a ticket opens a stream without a bearer, once, on another node', async (t) => {
  const answer = await admin.api.post<Ticket>('/events/stream-ticket');
  t.strictSame(answer.body, { ticket: answer.body.ticket, expires_in: 30 });
  t.equal(answer.status, 200);
  t.match(answer.body.ticket, /^[\w-]{43}$/);
  t.match(answer.headers.get('cache-control'), /no-store/);
  const stored = await sql(one.database, "select encode(hash, 'escape') as hash from stream_tickets");
  t.notMatch(JSON.stringify(stored), new RegExp(answer.body.ticket), 'the ticket itself is not stored');
  t.equal(stored.length, 1);

  const stream = await open(answer.body.ticket, two.origin, { types: 'card.' });
  t.teardown(stream.close);
  t.equal(stream.status, 200);
  const id = await create('By ticket');
  await stream.waitFor((e) => JSON.stringify(e.data).includes(id));
  t.equal((await sql(one.database, 'select from stream_tickets')).length, 0);
  for (const { origin } of [one, two])
    t.match(await client(origin).get('/events/stream', { query: { ticket: answer.body.ticket } }), {
      status: 401,
      body: { code: 'invalid_token' },
    });
});

await t.test('one of many requests with the same ticket gets a stream', async (t) => {
  for (let round = 0; round < 2; round++) {
    const ticket = await ticketOf(admin);
    const streams = await Promise.all(
      Array.from({ length: 20 }, (_, i) => open(ticket, i % 2 ? one.origin : two.origin)),
    );
    t.strictSame(streams.map((s) => s.status).sort(), [200, ...Array.from({ length: 19 }, () => 401)]);
    streams.forEach((s) => s.close());
  }
});

await t.test('an invalid ticket is a 401, with or without a bearer', async (t) => {
  const spent = await ticketOf(admin);
  (await open(spent)).close();
  const old = await ticketOf(admin);
  await sql(one.database, `update stream_tickets set expires_at = clock_timestamp() - interval '1 ms'`);
  const garbage = [
    '',
    'x',
    'A'.repeat(43),
    'A'.repeat(10_000),
    "'; drop table stream_tickets --",
    `${spent}%00`,
    admin.token,
  ];
  for (const ticket of [spent, old, ...garbage]) {
    for (const by of [client(one.origin), admin.api]) {
      const { status, body, headers } = await by.get('/events/stream', { query: { ticket } });
      t.match(
        { status, body },
        { status: 401, body: { code: 'invalid_token', type: '/problems/invalid_token' } },
        ticket.slice(0, 50),
      );
      t.match(headers.get('content-type'), 'application/problem+json');
      t.match(headers.get('www-authenticate'), /^Bearer/);
    }
  }
  const twice = await ticketOf(admin);
  t.equal((await client(one.origin).get(`/events/stream?ticket=${twice}&ticket=${twice}`)).status, 401);
  const elsewhere = await ticketOf(admin);
  for (const path of ['/cards', '/events', '/auth/me', '/users'])
    t.equal(
      (await client(one.origin).get(path, { query: { ticket: elsewhere } })).status,
      401,
      `${path} accepts no ticket`,
    );
  const answer = await client(one.origin).post('/events/stream-ticket');
  t.equal(answer.status, 401, 'no ticket without a session');
});

await t.test('the stream of a ticket ends with its session, and with the token that requested it', async (t) => {
  const user = await makeUser(admin, 'viewer');
  const unused = await ticketOf(user);
  const stream = await open(await ticketOf(user), two.origin);
  t.equal(stream.status, 200);
  const own = await login(one.origin, user.user.email);
  const other = await open(await ticketOf(own), two.origin);
  await user.api.post('/auth/logout');
  await stream.ended;
  t.equal((await open(unused)).status, 401, 'a ticket of a session that has ended');
  await create('Still there');
  await other.waitFor((e) => e.event === 'card.created');
  await admin.api.patch(`/users/${user.user.id}`, { is_active: false });
  await other.ended;

  const brief = await testApp({ database: one.database, config: { accessTokenExpireMinutes: 0.05 } });
  t.teardown(brief.close);
  await admin.api.post('/users', {
    email: 'brief@example.org',
    password: PASSWORD,
    display_name: 'Brief',
    role: 'viewer',
    kind: 'person',
  });
  const short = await login(brief.origin, 'brief@example.org');
  const [used, late] = [await ticketOf(short), await ticketOf(short)];
  const began = performance.now();
  const ending = await open(used);
  t.equal(ending.status, 200);
  await ending.ended;
  t.ok(performance.now() - began < 5_000, 'it ends with the token, not with the ticket or the session');
  t.equal((await open(late)).status, 401);
});

await t.test('the number of tickets per minute is limited per user, over all nodes', async (t) => {
  const user = await makeUser(admin, 'viewer');
  let given = 0;
  // The minute of the limit may end once meanwhile.
  for (; given <= 121; given++) {
    const answer = await client(given % 2 ? one.origin : two.origin, user.token).post('/events/stream-ticket');
    if (answer.status === 200) continue;
    t.equal(answer.status, 429);
    t.match(answer.headers.get('retry-after'), /^\d+$/);
    break;
  }
  t.ok(given >= 60 && given <= 120, `${given} were given`);
  t.equal((await admin.api.post('/events/stream-ticket')).status, 200, 'other users are not limited');
});
