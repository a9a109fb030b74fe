/** A backend of PostgreSQL that dies has all sessions ended and the database recovered: the service comes back by itself. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import t, { type Test as Tap } from 'tap';
import type { DatabaseConnection } from '../../core/db/connection.js';
import { EMBEDDED_LOCK } from '../../core/db/embedded.js';
import { client, openStream, registerAdmin, sql, until } from '../helper.js';
import { ownCluster } from '../helper-cluster.js';
import { urlOf, withDatabase } from '../helper-database.js';
import { settled, upload } from '../helper-imports.js';
import { dataFolder, launchService, startService } from '../helper-service.js';

const ROUNDS = 10;
/** As long as one recovery may take on a busy machine. */
const BACK_MS = 30_000;

type Service = Awaited<ReturnType<typeof startService>>;

/** A backend of the service that waits for its next statement. */
async function idleBackend(database: DatabaseConnection): Promise<number> {
  return await until(async () => (await sql<{ pid: number }>(database, `select pid from pg_stat_activity where backend_type = 'client backend' and application_name = 'lintel' and state = 'idle' order by random() limit 1`))[0]?.pid, BACK_MS);
}

/** A backend of the service in the middle of a write, which waits for a row that a session of ours holds. */
async function busyBackend(database: DatabaseConnection, cardId: string, write: () => void): Promise<number> {
  const holder = new pg.Client({ ...database });
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from cards where id = $1 for update', [cardId]);
  write();
  return await until(async () => (await sql<{ pid: number }>(database, `select pid from pg_stat_activity where application_name = 'lintel' and wait_event_type = 'Lock'`))[0]?.pid, BACK_MS);
}

async function survives(t: Tap, service: Service, database: DatabaseConnection): Promise<void> {
  const { token, api } = await registerAdmin(service.origin);
  const card = (await api.post('/cards', { type: 'Application', name: 'Held' })).body;
  const stream = await openStream(service.origin, token, { lastEventId: 0 });
  t.teardown(() => stream.close());
  let over = false;
  void service.exited.then(() => { over = true; });

  let working = true;
  const faults: string[] = [];
  const answers = new Map<number, number>();
  const work = async (n: number): Promise<void> => {
    for (let i = 0; working; i++) {
      const ask = i % 2 ? api.get('/cards?page_size=5') : api.post('/cards', { type: 'Provider', name: `Provider ${n} ${i}` });
      const answer = await ask.catch((error: unknown) => ({ status: 0, headers: new Headers(), body: String(error) }));
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
      const isWell = answer.status === 200 || answer.status === 201 || (answer.status === 503 && /^\d+$/.test(answer.headers.get('retry-after') ?? ''));
      if (!isWell) faults.push(`${answer.status} ${JSON.stringify(answer.body)}`);
      await pause(5);
    }
  };
  const workers = [work(1), work(2), work(3), work(4)];
  const last: string[] = [];
  for (let round = 0; round < ROUNDS && !over; round++) {
    const write = (): void => void api.patch(`/cards/${card.id}`, { description: `round ${round}` }).catch(() => undefined);
    process.kill(round % 2 ? await busyBackend(database, card.id, write) : await idleBackend(database), 'SIGKILL');
    const name = `After round ${round}`;
    const made = await until(async () => {
      const { status, body } = await api.post('/cards', { type: 'Application', name }).catch(() => ({ status: 0, body: undefined }));
      // Its answer may have been lost where its commit was not.
      return over || status === 201 || status === 409 ? { body } : pause(50).then(() => false as const);
    }, BACK_MS);
    if (made.body && 'id' in made.body && made.body.id) last.push(made.body.id);
  }
  working = false;
  await Promise.all(workers);
  t.notOk(over, `the service lives: ${service.output().slice(-600)}`);
  t.strictSame(faults.slice(0, 5), [], 'all answers are right, or 503 with Retry-After');
  t.ok((answers.get(200) ?? 0) + (answers.get(201) ?? 0) > ROUNDS, JSON.stringify([...answers]));
  await stream.waitFor(({ data }) => (data as { subject: string }).subject === last.at(-1), BACK_MS);
  const log = await sql<{ position: string }>(database, 'select position from events order by position');
  await until(() => stream.events.length >= log.length, BACK_MS);
  t.strictSame(stream.events.slice(0, log.length).map(({ id }) => id), log.map(({ position }) => position), 'a stream that was open all the while has the whole log');
  const imported = await upload(api, 'csv', 'type,name\nProvider,Imported after all');
  t.equal((await settled(api, imported.body.id, BACK_MS)).state, 'ready', 'jobs run');
  t.equal((await client(service.origin).get('/api/ready')).status, 200);
}

t.test('ten killed backends of the embedded database', async (t) => {
  const folder = await dataFolder();
  const service = await startService({ dataDir: folder.path, env: { SHUTDOWN_GRACE_SECONDS: '1' } });
  t.teardown(async () => { await service.stop(); await folder.remove(); });
  const database = { host: join(folder.path, 'run'), port: 5432, user: 'lintel', database: 'lintel' };
  await survives(t, service, database);
  const held = await until(async () => (await sql(withDatabase(database, 'postgres'), `select from pg_locks where locktype = 'advisory' and objid = $1 and granted and objsubid = 1`, [EMBEDDED_LOCK])).length === 1);
  t.ok(held, 'the folder is this service\'s');
  const second = launchService({ dataDir: folder.path, env: { SHUTDOWN_GRACE_SECONDS: '1' } });
  t.equal((await second.exited).code, 1);
  t.match(second.output(), /another Lintel runs on/);
  t.equal((await client(service.origin).get('/api/ready')).status, 200, 'which goes on');
});

t.test('ten killed backends of a server of its own', async (t) => {
  const cluster = await ownCluster();
  const folder = await dataFolder();
  const service = await startService({
    dataDir: folder.path, env: { DATABASE_URL: urlOf(cluster.connection), LINTEL_SECRET_KEY: Buffer.alloc(32, 'killed').toString('base64'), SHUTDOWN_GRACE_SECONDS: '1' },
  });
  t.teardown(async () => { await service.stop(); await folder.remove(); await cluster.remove(); });
  await survives(t, service, cluster.connection);
});
