/**
 * Responses that are not read do not stay in memory: their clients are disconnected, and meanwhile the user's further requests wait.
 * Runs in a process of its own: it measures memory.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import t from 'tap';
import { client, makeUser, registerAdmin, testApp, until, type Session } from '../support/app.js';

const { app, origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, other] = [await makeUser(admin, 'viewer'), await makeUser(admin, 'viewer')];
const { hostname, port } = new URL(origin);
const MB = 1_048_576;
const CONNECTIONS = 60;
const description = 'long '.repeat(1_900);
for (let n = 0; n < 2; n++)
  await admin.api.post('/cards/bulk', {
    operations: Array.from({ length: 100 }, (_, i) => ({
      op: 'create',
      card: { type: 'Application', name: `Card ${n} ${i}`, description },
    })),
  });

/** Sends requests for 2 MB each, and reads nothing, or a little from time to time. */
function ask({ token }: Session, requests = 4): Socket {
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const one = `GET /api/v1/cards?page_size=200 HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  socket.pause().write(one.repeat(requests));
  return socket;
}

await t.test('memory is bounded, other users are answered, and clients that are behind are disconnected', async (t) => {
  const memory = (): number => process.memoryUsage().rss;
  t.equal((await viewer.api.get('/cards?page_size=200')).status, 200);
  const idle = memory();
  let highest = 0;
  const sockets = Array.from({ length: CONNECTIONS }, () => ask(viewer));
  const connections = promisify(app.server.getConnections.bind(app.server));
  await until(async () => (await connections()) >= CONNECTIONS);
  // Some read a little: less than the required rate.
  const drip = setInterval(() => sockets.slice(0, 20).forEach((socket) => socket.read(1_000)), 200);
  await until(async () => {
    highest = Math.max(highest, memory());
    if ((await other.api.get('/cards?page_size=10')).status !== 200) t.fail('another user is not answered');
    return (await connections()) < CONNECTIONS - 5;
  }, 60_000);
  clearInterval(drip);
  t.ok(highest - idle < 250 * MB, `${Math.round((highest - idle) / MB)} MB`);
  for (const socket of sockets) socket.destroy();
  t.equal((await viewer.api.get('/cards?page_size=200')).status, 200, 'the user is answered afterwards');
});

await t.test('what a client without an account does not read holds up no other one', async (t) => {
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.pause().write('GET /api/openapi.json HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(30));
  await once(socket, 'readable');
  const api = client(origin);
  const began = performance.now();
  for (const path of ['/api/health', '/api/ready', '/api/openapi.json'])
    t.equal((await api.get(path)).status, 200, path);
  t.ok(performance.now() - began < 10_000);
  socket.destroy();
});

await t.test(
  'a client that is behind is disconnected, also if it asked for a stream of events and was refused',
  async (t) => {
    const accepted = once(app.server, 'connection');
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write('GET /api/v1/events/stream HTTP/1.1\r\nHost: test\r\n\r\n');
    await once(socket, 'data');
    const [peer] = (await accepted) as [Socket];
    socket.pause().write('GET /api/openapi.json HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(30));
    await until(() => peer.destroyed, 40_000);
    t.pass();
    socket.destroy();
  },
);

await t.test('a connection that sends many requests without reading responses is closed', async (t) => {
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  let answers = 0;
  socket.on('data', (part: Buffer) => (answers += part.toString('latin1').split('HTTP/1.1 404').length - 1));
  socket.write('GET /x HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(2_000));
  await once(socket, 'close');
  t.ok(answers <= 64, `${answers} answers`);
});

await t.test('the service stops although a client does not read', async (t) => {
  const socket = ask(viewer);
  await once(socket, 'readable');
  const began = performance.now();
  await close();
  t.ok(performance.now() - began < 40_000);
  socket.destroy();
});
