import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import t from 'tap';
import { client, login, openStream, registerAdmin, until } from '../support/app.js';
import {
  dataFolder,
  launchService,
  otherUser,
  postgresProcesses,
  startService,
  type DataFolder,
  type RunningService,
} from '../support/service.js';

/** Time limit of the service for stopping. */
const STOPPED_MS = 10_000;
const GONE_MS = 15_000;

const running = new Set<RunningService>();
const folders: DataFolder[] = [];

async function start(options: Parameters<typeof startService>[0]): ReturnType<typeof startService> {
  const service = await startService(options);
  running.add(service);
  return service;
}

function launch(options: Parameters<typeof launchService>[0]): RunningService {
  const service = launchService(options);
  running.add(service);
  return service;
}

async function folder(options?: Parameters<typeof dataFolder>[0]): Promise<string> {
  const made = await dataFolder(options);
  folders.push(made);
  return made.path;
}

t.teardown(async () => {
  for (const service of running) await service.kill9();
  for (const { path, remove } of folders) {
    await until(() => postgresProcesses(path).length === 0, GONE_MS);
    await remove();
  }
});

async function health(origin: string): Promise<number> {
  return (await client(origin).get('/api/ready')).status;
}

/** Occupies port 5432, which the embedded PostgreSQL must not need. */
const occupied = createServer()
  .on('error', () => undefined)
  .listen(5432, '127.0.0.1');
t.teardown(() => occupied.close());

/** Begins a request whose body is never completed. */
async function slowUpload(origin: string): Promise<{ closed: Promise<unknown> }> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  socket.write(
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: lintel\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"email":"',
  );
  const drip = setInterval(() => socket.write('x'), 100);
  const closed = once(socket, 'close').finally(() => clearInterval(drip));
  return { closed };
}

t.test('a data folder over several starts of a service', async (t) => {
  const dataDir = await folder();
  const first = await start({ dataDir });
  t.comment(`empty folder to ready: ${first.readyMs} ms`);
  t.equal(await health(first.origin), 200);
  const admin = await registerAdmin(first.origin);
  t.ok(postgresProcesses(dataDir).length > 0, 'its database runs on the folder');

  await t.test('a second start is refused, and the first service is not affected', async (t) => {
    const second = launch({ dataDir });
    const { code } = await second.exited;
    t.equal(code, 1);
    t.ok(
      second.log().some(({ level, msg }) => level >= 50 && msg.includes(`another Lintel runs on ${dataDir}`)),
      'it reports the reason',
    );
    t.equal((await admin.api.get('/auth/me')).status, 200);
  });

  await t.test('SIGTERM ends it with a stream and an upload open', async (t) => {
    const stream = await openStream(first.origin, admin.token);
    t.equal(stream.status, 200);
    const upload = await slowUpload(first.origin);
    const began = performance.now();
    const { code, signal } = await first.stop();
    t.equal(signal, null);
    t.equal(code, 0);
    t.ok(performance.now() - began < STOPPED_MS, 'in time');
    await upload.closed;
    stream.close();
    t.same(postgresProcesses(dataDir), [], 'no PostgreSQL is left');
    t.doesNotThrow(() => first.log(), 'every line it printed is JSON');
  });

  const second = await start({ dataDir });
  t.comment(`existing folder to ready: ${second.readyMs} ms`);
  const again = await login(second.origin, admin.user.email);
  t.equal(again.user.id, admin.user.id, 'a restart keeps the data');

  await t.test('kill -9 loses no acknowledged change, and the database stops by itself', async (t) => {
    const body = {
      email: 'late@example.org',
      password: admin.password,
      display_name: 'Late',
      role: 'member',
      kind: 'person',
    };
    const { status } = await again.api.post('/users', body);
    t.equal(status, 201);
    await second.kill9();
    const third = await start({ dataDir });
    t.equal((await login(third.origin, body.email)).user.email, body.email);
    await third.kill9();
    await until(() => postgresProcesses(dataDir).length === 0, GONE_MS);
  });
});

t.test('two concurrent starts on an empty folder: one serves, the other ends', async (t) => {
  const dataDir = await folder();
  const both = [launch({ dataDir }), launch({ dataDir })];
  const loser = await Promise.race(both.map(async (service) => ({ service, exit: await service.exited })));
  t.equal(loser.exit.code, 1);
  t.match(loser.service.output(), `another Lintel runs on ${dataDir}`);
  const winner = both.find((service) => service !== loser.service)!;
  const [, origin] = await until(() => /"url":"([^"]+)","readyMs"/.exec(winner.output()), 60_000);
  t.equal(await health(origin!), 200);
  await registerAdmin(origin!);
  t.equal((await winner.stop()).code, 0);
});

t.test('a plain user may start it', async (t) => {
  const asUser = otherUser();
  const dataDir = await folder({ owner: asUser });
  const service = await start({ dataDir, asUser });
  t.equal(await health(service.origin), 200);
  t.equal((await service.stop()).code, 0);
  t.same(postgresProcesses(dataDir), []);
});

t.test('a folder that other accounts cannot enter works, and its data is found again', async (t) => {
  const dataDir = await folder({ mode: 0o700 });
  const first = await start({ dataDir });
  const admin = await registerAdmin(first.origin);
  t.equal((await first.stop()).code, 0);
  const second = await start({ dataDir });
  t.equal((await login(second.origin, admin.user.email)).user.id, admin.user.id);
  t.equal((await second.stop()).code, 0);
});

t.test('a port in use ends the start, and leaves no database running', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.teardown(() => holder.close());
  const dataDir = await folder();
  const service = launch({ dataDir, env: { PORT: String((holder.address() as { port: number }).port) } });
  t.equal((await service.exited).code, 1);
  t.match(service.output(), 'EADDRINUSE');
  t.same(postgresProcesses(dataDir), []);
});
