/** Kills backends of the database of a service, one after the other, and checks that the service continues. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Test as Tap } from 'tap';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { client, openStream, registerAdmin, sql, until } from '../support/app.js';
import { settled, upload } from '../support/imports.js';
import type { startService } from '../support/service.js';

/** Longest time for one recovery on a busy machine. */
const BACK_MS = 30_000;

/** Queries a database that may be recovering. @returns no rows if it does not answer */
export async function queryRecovering<R extends Record<string, unknown>>(
  database: DatabaseConnection,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  return await sql<R>(database, text, values).catch(() => []);
}

type Service = Awaited<ReturnType<typeof startService>>;

/** The pid of an idle backend of the service. */
async function idleBackend(database: DatabaseConnection): Promise<number> {
  return await until(
    async () =>
      (
        await queryRecovering<{ pid: number }>(
          database,
          `select pid from pg_stat_activity where backend_type = 'client backend' and application_name = 'lintel' and state = 'idle' order by random() limit 1`,
        )
      )[0]?.pid,
    BACK_MS,
  );
}

/** The pid of a backend of the service that waits for a row lock during a write. */
async function busyBackend(
  database: DatabaseConnection,
  cardId: string,
  write: () => Promise<unknown>,
): Promise<number> {
  const holder = new pg.Client({ ...database });
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from cards where id = $1 for update', [cardId]);
  let isWriting = false;
  return await until(async () => {
    // A service that has not reconnected since the last round refuses the write instead of waiting.
    if (!isWriting) {
      isWriting = true;
      void write().finally(() => {
        isWriting = false;
      });
    }
    const [waiting] = await queryRecovering<{ pid: number }>(
      database,
      `select pid from pg_stat_activity where application_name = 'lintel' and wait_event_type = 'Lock'`,
    );
    return waiting?.pid;
  }, BACK_MS);
}

/** Kills backends under load and checks the answers meanwhile and the service afterwards. @param rounds number of killed backends, idle and busy ones in turn */
export async function checkRecovery(
  t: Tap,
  service: Service,
  database: DatabaseConnection,
  rounds: number,
): Promise<void> {
  const { token, api } = await registerAdmin(service.origin);
  const card = (await api.post('/cards', { type: 'Application', name: 'Held' })).body;
  const stream = await openStream(service.origin, token, { lastEventId: 0 });
  t.teardown(() => stream.close());
  let over = false;
  void service.exited.then(() => {
    over = true;
  });

  let working = true;
  t.teardown(() => {
    working = false;
  });
  const faults: string[] = [];
  const answers = new Map<number, number>();
  const work = async (n: number): Promise<void> => {
    for (let i = 0; working; i++) {
      const ask =
        i % 2 ? api.get('/cards?page_size=5') : api.post('/cards', { type: 'Provider', name: `Provider ${n} ${i}` });
      const answer = await ask.catch((error: unknown) => ({ status: 0, headers: new Headers(), body: String(error) }));
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
      const isWell =
        answer.status === 200 ||
        answer.status === 201 ||
        (answer.status === 503 && /^\d+$/.test(answer.headers.get('retry-after') ?? ''));
      if (!isWell) faults.push(`${answer.status} ${JSON.stringify(answer.body)}`);
      await pause(5);
    }
  };
  const workers = [work(1), work(2), work(3), work(4)];
  const last: string[] = [];
  for (let round = 0; round < rounds && !over; round++) {
    const write = (): Promise<unknown> =>
      api.patch(`/cards/${card.id}`, { description: `round ${round}` }).catch(() => undefined);
    process.kill(round % 2 ? await busyBackend(database, card.id, write) : await idleBackend(database), 'SIGKILL');
    const name = `After round ${round}`;
    const made = await until(async () => {
      const { status, body } = await api
        .post('/cards', { type: 'Application', name })
        .catch(() => ({ status: 0, body: undefined }));
      // 409 means that an earlier attempt was committed and only its answer was lost.
      return over || status === 201 || status === 409 ? { body } : pause(50).then(() => false as const);
    }, BACK_MS);
    if (made.body && 'id' in made.body && made.body.id) last.push(made.body.id);
  }
  working = false;
  await Promise.all(workers);
  t.notOk(over, `the service is running: ${service.output().slice(-600)}`);
  t.strictSame(faults.slice(0, 5), [], 'all answers are right, or 503 with Retry-After');
  t.ok((answers.get(200) ?? 0) + (answers.get(201) ?? 0) > rounds, JSON.stringify([...answers]));
  await stream.waitFor(({ data }) => (data as { subject: string }).subject === last.at(-1), BACK_MS);
  const log = await until(async () => {
    const rows = await queryRecovering<{ position: string }>(database, 'select position from events order by position');
    return rows.length > 0 && rows;
  }, BACK_MS);
  await until(() => stream.events.length >= log.length, BACK_MS);
  t.strictSame(
    stream.events.slice(0, log.length).map(({ id }) => id),
    log.map(({ position }) => position),
    'a stream that was open the whole time received the whole log',
  );
  const imported = await upload(api, 'csv', 'type,name\nProvider,Imported after all');
  t.equal((await settled(api, imported.body.id, BACK_MS)).state, 'ready', 'jobs run');
  t.equal((await client(service.origin).get('/api/ready')).status, 200);
}
