/** The effects of stopping a service on its clients. */
import { Agent, get, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { client, createDatabase, registerAdmin, until } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';

const folder = await dataFolder();
const database = await createDatabase();
t.teardown(() => folder.remove());

const start = (env: NodeJS.ProcessEnv = {}): ReturnType<typeof startService> =>
  startService({
    dataDir: folder.path,
    env: { DATABASE_URL: urlOf(database), LINTEL_SECRET_KEY: Buffer.alloc(32, 'stop').toString('base64'), ...env },
  });

interface Answered {
  status: number;
  connection: string | undefined;
  retryAfter: string | undefined;
  body: string;
}
const ask = (agent: Agent | false, url: string, token?: string): Promise<Answered> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }, (answer) => {
      const { statusCode = 0, headers } = answer;
      text(answer).then(
        (body) =>
          resolve({ status: statusCode, connection: headers.connection, retryAfter: headers['retry-after'], body }),
        reject,
      );
    }).once('error', reject);
  });

const first = await start();
const { token, api } = await registerAdmin(first.origin);
for (let i = 0; i < 10; i++) {
  await api.post('/cards/bulk', {
    mode: 'all_or_nothing',
    operations: Array.from({ length: 100 }, (_, n) => ({
      op: 'create',
      card: { type: 'Application', name: `Card ${i} ${n}`, description: 'x'.repeat(5_000) },
    })),
  });
}

t.test('during its delay the service answers, is not ready and closes connections', async (t) => {
  await first.stop();
  const service = await start({ SHUTDOWN_DELAY_SECONDS: '3' });
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  t.equal((await ask(kept, `${service.origin}/api/ready`)).status, 200);
  t.match(await ask(kept, `${service.origin}/api/v1/cards?page_size=1`, token), {
    status: 200,
    connection: 'keep-alive',
  });
  const streamed = await new Promise<{ ended: Promise<number>; read(): string }>((resolve, reject) => {
    request(`${service.origin}/api/v1/events/stream`, { headers: { authorization: `Bearer ${token}` } }, (answer) => {
      let read = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        read += part;
      });
      resolve({ read: () => read, ended: new Promise((end) => answer.once('close', () => end(performance.now()))) });
    })
      .once('error', reject)
      .end();
  });

  const began = performance.now();
  const left = service.stop();
  const away = await until(async () => {
    const answer = await ask(false, `${service.origin}/api/ready`);
    return answer.status === 503 && answer;
  });
  t.ok(performance.now() - began < 1_000, 'readiness says so at once');
  t.match(away, { retryAfter: /^\d+$/, body: /"unavailable"/ });
  t.match(
    await ask(kept, `${service.origin}/api/v1/cards?page_size=1`, token),
    { status: 200, connection: 'close' },
    'a kept connection is given back after the next answer',
  );
  t.match(
    await ask(false, `${service.origin}/api/v1/cards?page_size=1`, token),
    { status: 200, connection: 'close' },
    'a new one is served, too',
  );
  t.equal(
    (await client(service.origin, token).post('/cards', { type: 'Application', name: 'Late' })).status,
    201,
    'and so is a write',
  );

  t.ok((await streamed.ended) - began > 2_900, 'the stream goes on until the delay is over');
  t.match(
    streamed.read(),
    /event: card\.created[^]*\nretry: \d+\n\n$/,
    'with what happens meanwhile, and ends by saying when to come back',
  );
  t.strictSame(await left, { code: 0, signal: null });
  t.ok(performance.now() - began < 3_000 + 3_000, 'and the service with it');
  kept.destroy();
});

t.test('an answer that is being sent arrives completely', async (t) => {
  const service = await start({ SHUTDOWN_GRACE_SECONDS: '10' });
  const { hostname, port } = new URL(service.origin);
  const socket: Socket = connect(Number(port), hostname);
  const path = '/api/v1/cards?page_size=200';
  const whole = (await ask(false, `${service.origin}${path}`, token)).body.length;
  t.ok(whole > 1_000_000, `${whole} bytes`);
  // Many requests on one connection whose answers are not read, so that most of them wait in the service.
  for (let i = 0; i < 20; i++)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: lintel\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  let received = 0;
  await pause(1_500);
  const left = service.stop();
  await pause(500);
  const over = new Promise((resolve) => socket.once('close', resolve));
  socket
    .on('data', (part) => {
      received += part.length;
    })
    .on('error', () => undefined);
  await over;
  t.equal(Math.floor(received / whole), 20, `${received} bytes of 20 answers arrived`);
  t.strictSame(await left, { code: 0, signal: null });
});

t.test('a second signal ends the delay', async (t) => {
  const service = await start({ SHUTDOWN_DELAY_SECONDS: '60' });
  const began = performance.now();
  const left = service.stop();
  await until(async () => (await ask(false, `${service.origin}/api/ready`)).status === 503);
  await pause(1_100);
  void service.stop();
  t.strictSame(await left, { code: 0, signal: null });
  t.ok(performance.now() - began < 6_000);
});
