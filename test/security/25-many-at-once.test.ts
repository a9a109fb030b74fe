/** What arrives on many connections in the same moment is processed in several turns of the event loop, so that others are answered in between. */
import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { makeUser, nextAddress, registerAdmin, testApp, until } from '../support/app.js';

const { app, origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const { hostname, port } = new URL(origin);
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

/** The connections that the server has accepted: one in a turn of the event loop. */
const peers: Socket[] = [];
app.server.on('connection', (socket) => peers.push(socket));
let opened = 0;

interface Connection {
  socket: Socket;
  /** Statuses of the responses so far. */
  answers: number[];
}

async function open(localAddress: string, head = ''): Promise<Connection> {
  opened++;
  const answers: number[] = [];
  const socket = connect({ port: Number(port), host: hostname, localAddress });
  socket.on('error', () => undefined);
  socket.on('data', (part: Buffer) => {
    for (const [, status] of part.toString('latin1').matchAll(/HTTP\/1\.1 (\d+)/g)) answers.push(Number(status));
  });
  await new Promise((resolve) => socket.write(head, resolve));
  return { socket, answers };
}

/**
 * Completes requests on all connections in the same moment, and then sends one of another client.
 * @returns how many were answered before it
 */
async function answeredBefore(burst: Connection[], rest: string): Promise<number> {
  const other = await open(nextAddress());
  await until(() => peers.length === opened);
  for (const { socket } of burst) socket.write(rest);
  let before = -1;
  other.socket.once('data', () => {
    before = burst.filter(({ answers }) => answers.length > 0).length;
  });
  other.socket.write('GET /api/health HTTP/1.1\r\nHost: test\r\n\r\n');
  await until(() => before >= 0 && burst.every(({ answers }) => answers.length > 0));
  other.socket.destroy();
  return before;
}

function end(t: Test, burst: Connection[], status: number): void {
  t.strictSame([...new Set(burst.flatMap(({ answers }) => answers))], [status]);
  for (const { socket } of burst) socket.destroy();
}

const body = JSON.stringify(Object.fromEntries(times(9_900, (i) => [`k${i}`, 1])));
const bodyOf = (token: string): string =>
  `PATCH /api/v1/auth/me HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`;

await t.test('bodies of one user that become complete at once', async (t) => {
  const address = nextAddress();
  const burst = await Promise.all(times(60, () => open(address, bodyOf(viewer.token))));
  t.ok((await answeredBefore(burst, '}')) < 20);
  end(t, burst, 422);
});

const unknown = times(190, (i) => `unknown_parameter_${i}=1`).join('&');
const read = `GET /api/v1/settings?${unknown} HTTP/1.1\r\nHost: test\r\n\r\n`;

await t.test('requests without an account', async (t) => {
  const address = nextAddress();
  const burst = await Promise.all(times(300, () => open(address)));
  t.ok((await answeredBefore(burst, read)) < 150);
  end(t, burst, 422);
});

await t.test('requests that a connection sends without waiting for the answers', async (t) => {
  const address = nextAddress();
  const burst = await Promise.all(times(10, () => open(address)));
  t.ok((await answeredBefore(burst, read.repeat(30))) < 10);
  await until(() => burst.every(({ answers }) => answers.length === 30));
  end(t, burst, 422);
});

await t.test('a query has at most 200 parameters', async (t) => {
  const query = (n: number): string => times(n, () => 'a').join('&');
  const most = await admin.api.get(`/settings?${query(200)}`);
  t.match(most.body.errors, [{ field: 'a' }]);
  for (const path of ['/settings', '/cards', `/auth/me`]) {
    const more = await admin.api.get(`${path}?${query(201)}`);
    t.equal(more.status, 422, path);
    t.strictSame(more.body.errors, [{ field: '', reason: 'must NOT have more than 200 parameters', in: 'query' }]);
  }
  t.equal((await admin.api.get(`/nothing?${query(201)}`)).status, 404);
  t.equal((await viewer.api.get(`/events?${query(201)}`)).status, 403, 'access is checked before');
});

await t.test('bodies of a user that wait are read one by one, in their order, as memory becomes free', async (t) => {
  const length = 1_000_000;
  const text = `{"display_name":"${'a'.repeat(length - 19)}"}`;
  const head = `PATCH /api/v1/auth/me HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${viewer.token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  await until(() => peers.length === opened);
  const first = peers.length;
  const sent: Connection[] = [];
  const isRead = (peer: Socket): boolean => peer.bytesRead >= length;
  // 16 MiB are full with the 17th.
  const [most, all] = [17, 30];
  for (let i = 0; i < all; i++) {
    sent.push(await open('127.0.0.1', head + text.slice(0, -1)));
    if (i < most) await until(() => peers.slice(first).filter(isRead).length === i + 1);
  }
  sent[0]!.socket.write('}');
  await until(() => sent[0]!.answers.length > 0 && peers.slice(first).filter(isRead).length > most);
  for (let i = 0; i < 20; i++) t.equal((await admin.api.get('/auth/me')).status, 200);
  t.strictSame(
    peers.slice(first).flatMap((peer, i) => (isRead(peer) ? i : [])),
    times(most + 1, (i) => i),
  );
  for (const { socket } of sent) socket.destroy();
});
