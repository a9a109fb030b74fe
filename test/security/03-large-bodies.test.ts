/** A limited number of requests with large bodies is processed at a time, one per user; the others wait for a limited time. */
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { makeUser, registerAdmin, testApp, until, type AnyBody, type Session } from '../support/app.js';

const { app, origin, database, close } = await testApp({ config: { largeBodies: 2, largeBodyWaitSeconds: 3 } });
t.teardown(close);
const admin = await registerAdmin(origin);
const [first, second, third] = [
  await makeUser(admin, 'member'),
  await makeUser(admin, 'member'),
  await makeUser(admin, 'member'),
];
const { largeBodies } = app.services;
const LENGTH = 24 * 1024 * 1024;
/** A large bulk request for cards of a nonexistent type. */
const BULK = JSON.stringify({
  mode: 'per_row',
  operations: Array.from({ length: 60 }, () => ({
    op: 'create',
    card: { type: 'Nothing', name: 'x', description: 'x'.repeat(20_000) },
  })),
});

/** Sends the head of a request and a part of its body. */
function begin(
  { token }: Session,
  length: number,
  sent: string | Buffer,
  path = '/api/v1/cards/bulk',
): { socket: Socket; status: Promise<number>; retryAfter: Promise<string | undefined> } {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
  );
  socket.write(sent);
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket
      .on('error', () => undefined)
      .on('data', (part: Buffer) => {
        text += part.toString('latin1');
      })
      .on('close', () => resolve(text));
  });
  return {
    socket,
    status: answer.then((text) => Number(text.split(' ')[1])),
    retryAfter: answer.then((text) => /retry-after: (\d+)/i.exec(text)?.[1]),
  };
}

await t.test('a second large body of a user waits, unread, while those of others are processed', async (t) => {
  const held = begin(first, LENGTH, '{');
  await until(() => largeBodies.taken === 1);
  const own = begin(first, LENGTH, Buffer.alloc(LENGTH, ' '));
  await until(() => largeBodies.queued === 1);
  t.equal(
    (await second.api.send('POST', '/cards/bulk', BULK, { headers: { 'content-type': 'application/json' } })).status,
    200,
    'another user',
  );
  t.equal((await first.api.get('/cards')).status, 200, 'a request without a body');
  t.equal(
    (
      await first.api.post('/cards/bulk', {
        mode: 'per_row',
        operations: [{ op: 'create', card: { type: 'Nothing' } }],
      })
    ).status,
    200,
  );
  t.ok(own.socket.writableLength > LENGTH / 4, `${own.socket.writableLength} bytes are not taken from the sender`);
  held.socket.destroy();
  t.equal(await own.status, 413, 'it is read afterwards: so many blanks outside of operations are too large');
  await until(() => largeBodies.taken === 0);
});

await t.test('a small body with many values waits for a place, when it has arrived completely', async (t) => {
  const bulk = (values: number): string =>
    JSON.stringify({
      mode: 'per_row',
      operations: [
        { op: 'create', card: { type: 'Nothing', attributes: { a: Array.from({ length: values / 2 }, () => ({})) } } },
      ],
    });
  const leave = await largeBodies.enter(first.user.id, new AbortController().signal);
  const many = bulk(30_000);
  const waiting = begin(first, many.length, many.slice(0, -1));
  const few = bulk(15_000);
  t.equal(await begin(first, few.length, few).status, 200, 'one with few values does not');
  t.equal(largeBodies.queued, 0);
  waiting.socket.write('}');
  await until(() => largeBodies.queued === 1);
  leave();
  t.equal(await waiting.status, 200);
  t.equal(largeBodies.taken, 0);
});

await t.test('if all places are taken the wait ends with a 503 with Retry-After', async (t) => {
  const held = [begin(first, LENGTH, '{'), begin(second, LENGTH, '{')];
  await until(() => largeBodies.taken === 2);
  const waiting = begin(third, BULK.length, BULK);
  t.equal(await waiting.status, 503);
  t.ok(Number(await waiting.retryAfter) > 0);
  const more = Array.from({ length: 7 }, () => begin(third, LENGTH, ''));
  await until(() => largeBodies.queued === 5);
  t.equal(
    await Promise.race(more.map(({ status }) => status)),
    503,
    'the number of waiting requests per user is limited',
  );
  for (const { socket } of more) socket.destroy();
  await until(() => largeBodies.queued === 0);
  t.equal(largeBodies.taken, 2, 'a request that was aborted while waiting occupies no place');
  const next = begin(third, BULK.length, BULK);
  await until(() => largeBodies.queued === 1);
  held[0]!.socket.destroy();
  t.equal(await next.status, 200);
  held[1]!.socket.destroy();
  await until(() => largeBodies.taken === 0);
});

await t.test('a body without a length counts as large, except on a route with a small limit', async (t) => {
  const held = begin(first, LENGTH, '{');
  await until(() => largeBodies.taken === 1);
  const { hostname, port } = new URL(origin);
  const chunked = connect(Number(port), hostname);
  chunked
    .on('error', () => undefined)
    .write(
      `POST /api/v1/cards/bulk HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${first.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
  await until(() => largeBodies.queued === 1);
  chunked.destroy();
  t.equal(
    (
      await first.api.send('POST', '/cards', ' '.repeat(2_000_000), {
        headers: { 'content-type': 'application/json' },
      })
    ).status,
    413,
    'at once',
  );
  held.socket.destroy();
  await until(() => largeBodies.taken === 0);
});

await t.test('a large body that arrives too slowly is aborted', async (t) => {
  const slow = begin(first, LENGTH, '{');
  await until(() => largeBodies.taken === 1);
  const drip = setInterval(() => slow.socket.write(' '.repeat(10_000)), 500);
  t.equal(await slow.status, 408, 'long before the time limit of a body');
  clearInterval(drip);
  await until(() => largeBodies.taken === 0);
});

await t.test('requests that wait when the service stops get a 503', async (t) => {
  const other = await testApp({ database, config: { largeBodies: 1, largeBodyWaitSeconds: 60 } });
  const { largeBodies: places } = other.app.services;
  const leave = await places.enter('first user', new AbortController().signal);
  const waiting = places.enter('second user', new AbortController().signal).then(
    () => undefined,
    (error: AnyBody) => error,
  );
  await until(() => places.queued === 1);
  const closed = other.close();
  t.match(await waiting, { status: 503, code: 'unavailable' });
  leave();
  await closed;
});
