/**
 * A bulk request with many operations needs a slot, whatever its size: one of each user, few of a node, while it works and not while its
 * response is sent. All tasks of a node share the time between two turns of the event loop.
 */
import { TimeSlice } from '@lintel/sdk';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import t from 'tap';
import { lockWaiters, makeUser, registerAdmin, testApp, threadTime, until, type Session } from '../support/app.js';

const { app, origin, database, close } = await testApp({ config: { largeBodies: 2, largeBodyWaitSeconds: 3 } });
t.teardown(close);
const admin = await registerAdmin(origin);
const [first, second, third] = [
  await makeUser(admin, 'member'),
  await makeUser(admin, 'member'),
  await makeUser(admin, 'member'),
];
const { largeBulks } = app.services;
const MANY = 500;
const card = (await admin.api.post('/cards', { type: 'Application', name: 'Contended' })).body;
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const unknown = (i: number) => `01900000-0000-7000-8000-${String(i).padStart(12, '0')}`;
const deletions = (n: number) => ({ mode: 'per_row', operations: times(n, (i) => ({ op: 'delete', id: unknown(i) })) });

/** Sends a request over a socket of its own. */
function raw({ token }: Session, body: object): { socket: Socket; status: Promise<number> } {
  const text = JSON.stringify(body);
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /api/v1/cards/bulk HTTP/1.1\r\nHost: test\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  const status = new Promise<number>((resolve) => {
    let answer = '';
    socket
      .on('error', () => undefined)
      .on('data', (part: Buffer) => {
        answer += part.toString('latin1');
      })
      .on('close', () => resolve(Number(answer.split(' ')[1])));
  });
  return { socket, status };
}

const BULKS: Record<string, (n: number) => object> = {
  '/cards/bulk': deletions,
  '/relations/bulk': deletions,
  '/risks/bulk': deletions,
  '/insightlens/findings/bulk-transition': (n) => ({
    mode: 'per_row',
    operations: times(n, (i) => ({ id: unknown(i), to: 'open' })),
  }),
};

for (const [path, body] of Object.entries(BULKS))
  await t.test(`${path}: many operations wait for the slot of the user, few do not`, async (t) => {
    const leave = await largeBulks.enter(admin.user.id, new AbortController().signal);
    const post = (n: number) => admin.api.post(path, body(n));
    t.not((await post(MANY - 1)).status, 503, 'few operations need none');
    const waiting = post(MANY);
    await until(() => largeBulks.queued === 1);
    t.equal((await second.api.post('/cards/bulk', deletions(MANY))).status, 200, 'another user has a slot');
    leave();
    const { status } = await waiting;
    t.ok(status < 500, `answered ${status}`);
    t.equal(largeBulks.taken, 0);
  });

await t.test('a request waits a limited time, and a user has few waiting ones', async (t) => {
  const leave = [
    await largeBulks.enter(first.user.id, new AbortController().signal),
    await largeBulks.enter(second.user.id, new AbortController().signal),
  ];
  const answer = await third.api.post('/cards/bulk', deletions(MANY));
  t.strictSame([answer.status, answer.body.code], [503, 'busy']);
  t.ok(Number(answer.headers.get('retry-after')) > 0);
  const answers = await Promise.all(times(8, () => first.api.post('/cards/bulk', deletions(MANY))));
  t.ok(
    answers.every(({ status, headers }) => status === 503 && Number(headers.get('retry-after')) > 0),
    'at once or after the wait',
  );
  for (const end of leave) end();
  t.equal(largeBulks.queued, 0);
});

await t.test('the next slot is for the user who has waited for the longest since the last turn', async (t) => {
  const none = new AbortController().signal;
  const leave = await largeBulks.enter('a', none);
  const other = await largeBulks.enter('b', none);
  const turns: string[] = [];
  const wait = (caller: string) =>
    largeBulks.enter(caller, none).then((end) => {
      turns.push(caller);
      return end;
    });
  const waiting = [wait('a'), wait('c'), wait('d')];
  leave();
  (await waiting[1]!)();
  (await waiting[2]!)();
  (await waiting[0]!)();
  other();
  t.strictSame(turns, ['c', 'd', 'a'], 'not the first one in the queue, who has just had a turn');
});

await t.test('a body that does not arrive completely holds no slot', async (t) => {
  const text = JSON.stringify(deletions(MANY));
  const { hostname, port } = new URL(origin);
  const sockets = [first, second].map(({ token }) => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(
      `POST /api/v1/cards/bulk HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text.slice(0, -2)}`,
    );
    return socket;
  });
  for (const session of [first, second, third])
    t.equal((await session.api.post('/cards/bulk', deletions(MANY))).status, 200);
  for (const socket of sockets) socket.destroy();
});

await t.test('a client that does not read its response has no slot', async (t) => {
  const idle = raw(first, {
    mode: 'per_row',
    operations: times(10_000, (i) => ({ op: 'create', ref: `${i}`.padEnd(200, 'x'), card: { type: 'Nothing' } })),
  });
  idle.socket.pause();
  await until(() => largeBulks.taken === 1);
  await until(() => largeBulks.taken === 0);
  t.notOk(idle.socket.destroyed, 'its connection is open');
  t.equal((await first.api.post('/cards/bulk', deletions(MANY))).status, 200);
  idle.socket.destroy();
});

await t.test('the work of a client that has disconnected keeps its slot until it ends', async (t) => {
  const holder = new pg.Client(database);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from cards where id = $1 for update', [card.id]);
  const gone = raw(admin, {
    operations: times(MANY, (i) => ({ op: 'update', id: card.id, card: { description: `${i}` } })),
  });
  await until(async () => (await lockWaiters(database)) > 0);
  gone.socket.destroy();
  const next = admin.api.post('/cards/bulk', deletions(MANY));
  await until(() => largeBulks.queued === 1);
  t.equal(largeBulks.taken, 1);
  await holder.query('rollback');
  await holder.end();
  t.equal((await next).status, 200);
  t.equal(largeBulks.taken, 0);
});

await t.test('a request that ends before its handler has no slot any more', async (t) => {
  const invalid = { operations: times(MANY, () => ({ op: 'nothing' })) };
  t.equal((await first.api.post('/cards/bulk', invalid)).status, 422);
  const text = JSON.stringify(deletions(MANY));
  const headers = { 'content-type': 'application/json' };
  t.equal((await first.api.send('POST', '/cards/bulk', text.slice(0, -1), { headers })).status, 400);
  t.equal(largeBulks.taken, 0);
});

await t.test('forty tasks together block the event loop as long as one', async (t) => {
  let [last, longest] = [threadTime(), 0];
  const turn = setInterval(() => {
    const now = threadTime();
    longest = Math.max(longest, now - last);
    last = now;
  });
  const task = async (): Promise<void> => {
    const slice = new TimeSlice();
    for (let i = 0; i < 30; i++) {
      const end = threadTime() + 1;
      while (threadTime() < end);
      if (slice.isOver) await slice.next();
    }
  };
  await Promise.all(times(40, task));
  clearInterval(turn);
  // Each task works for 1 ms before it asks for the first time; with a slice of its own it would then work for 8 ms in each turn.
  t.ok(longest < 200, `${longest.toFixed(0)} ms`);
});
