/** Two nodes lose their PostgreSQL for half a minute, and it hangs: their responses, and the data afterwards. */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { client, openStream, registerAdmin, sql, until, type EventStream } from '../support/app.js';
import { ownCluster } from '../support/cluster.js';
import { urlOf } from '../support/database.js';
import { settled, upload } from '../support/imports.js';
import { dataFolder, startService } from '../support/service.js';

const AWAY_MS = 30_000;
const HANGING_MS = 10_000;
const WRITERS = 8;
/** Longest time for an answer. */
const ANSWER_MS = 8_000;
/** Longest time until everything works again. */
const BACK_MS = 15_000;

const cluster = await ownCluster();
const database = cluster.connection;
const folders = [await dataFolder(), await dataFolder()];
const nodes = await Promise.all(
  folders.map(({ path }) =>
    startService({
      dataDir: path,
      env: {
        DATABASE_URL: urlOf(database),
        LINTEL_SECRET_KEY: Buffer.alloc(32, 'away').toString('base64'),
        DATABASE_POOL_MAX: '12',
      },
    }),
  ),
);
t.teardown(async () => {
  cluster.thaw();
  await Promise.all(nodes.map((node) => node.stop()));
  await cluster.remove();
  await Promise.all(folders.map((folder) => folder.remove()));
});
const { token, api } = await registerAdmin(nodes[0]!.origin);
const clients = nodes.map(({ origin }) => client(origin, token));

let working = true;
/** Latest acknowledged version of each card. */
const acknowledged = new Map<string, number>();
const answers = new Map<number, number>();
const faults: string[] = [];
let slowest = 0;

/** Sends a request and records its outcome. @returns the body if it succeeds */
async function ask(
  what: string,
  send: () => Promise<{ status: number; headers: Headers; body: { id: string; version: number } }>,
): Promise<{ id: string; version: number } | undefined> {
  const began = performance.now();
  try {
    const { status, headers, body } = await send();
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (status < 300) return body;
    if (status !== 503) faults.push(`${what} gave ${status}: ${JSON.stringify(body)}`);
    else if (!/^\d+$/.test(headers.get('retry-after') ?? '')) faults.push(`${what} gave 503 without Retry-After`);
  } catch (error) {
    faults.push(`${what} had no answer: ${String(error)}`);
  } finally {
    const took = performance.now() - began;
    slowest = Math.max(slowest, took);
    if (took > ANSWER_MS) faults.push(`${what} took ${Math.round(took)} ms`);
  }
  await pause(50);
  return undefined;
}

async function write(writer: number): Promise<void> {
  for (let i = 0; working; i++) {
    const at = clients[(writer + i) % clients.length]!;
    const made = await ask('a create', () =>
      at.post('/cards', { type: 'Application', name: `Writer ${writer}, card ${i}` }),
    );
    if (made) {
      acknowledged.set(made.id, made.version);
      const changed = await ask('a change', () => at.patch(`/cards/${made.id}`, { description: `change ${i}` }));
      if (changed) acknowledged.set(changed.id, changed.version);
    }
    await ask('a list', () => at.get('/cards?page_size=5'));
    await pause(10);
  }
}

const received: number[] = [];
let resumed = 0;
async function receive(done: () => Promise<boolean>): Promise<void> {
  for (;;) {
    let stream: EventStream | undefined;
    try {
      stream = await openStream(nodes[resumed % 2]!.origin, token, { lastEventId: received.at(-1) ?? 0 });
    } catch (error) {
      faults.push(`a stream could not be opened: ${String(error)}`);
    }
    for (let over = stream?.status !== 200; stream && !over; ) {
      over = await Promise.race([stream.ended.then(() => true), pause(100, false)]);
      for (const { id } of stream.events.splice(0)) received.push(Number(id));
      if (await done()) {
        stream.close();
        return;
      }
    }
    resumed++;
    await pause(500);
  }
}

/** Waits until both nodes answer requests, assign positions and run jobs. @returns the duration in ms */
async function back(name: string): Promise<number> {
  const began = performance.now();
  const made = await until(
    async () =>
      (
        await Promise.all(
          clients.map(async (at, n) => {
            const answer = await at.post('/cards', { type: 'Provider', name: `${name} ${n} ${performance.now()}` });
            return answer.status === 201 && acknowledged.set(answer.body.id, answer.body.version) && answer.body.id;
          }),
        )
      ).at(-1),
    BACK_MS,
  );
  await until(
    async () => (await sql(database, 'select from events where subject_id = $1', [made])).length > 0,
    BACK_MS,
  );
  const imported = await upload(api, 'csv', 'type,name\nProvider,Imported');
  t.equal((await settled(api, imported.body.id, BACK_MS)).state, 'ready', 'jobs run');
  return Math.round(performance.now() - began);
}

await t.test('PostgreSQL is unavailable, and hangs, under load', async (t) => {
  const isRead = async (): Promise<boolean> =>
    !working &&
    (await sql(database, 'select from event_outbox')).length === 0 &&
    received.at(-1) ===
      Number((await sql<{ position: string }>(database, 'select position from event_head'))[0]!.position);
  const receiving = receive(isRead);
  const writers = Array.from({ length: WRITERS }, (_, n) => write(n));
  t.teardown(() => {
    working = false;
  });
  await until(() => acknowledged.size > 50, 20_000);

  await t.test(`away for ${AWAY_MS / 1_000} s`, async (t) => {
    await cluster.crash();
    await until(async () => (await clients[0]!.get('/api/ready')).status === 503);
    const before = acknowledged.size;
    await pause(AWAY_MS);
    t.equal(acknowledged.size, before, 'nothing was acknowledged meanwhile');
    t.ok((answers.get(503) ?? 0) > WRITERS * 5, `${answers.get(503)} requests got 503`);
    for (const at of clients) t.equal((await at.get('/api/health')).status, 200, 'the process is alive');
    await cluster.restart();
    t.comment(`back after ${await back('Back')} ms`);
  });

  await t.test(`hanging for ${HANGING_MS / 1_000} s`, async (t) => {
    cluster.freeze();
    await until(async () => (await clients[0]!.get('/api/ready')).status === 503, ANSWER_MS);
    await pause(HANGING_MS);
    cluster.thaw();
    t.comment(`back after ${await back('Awake')} ms`);
  });

  await pause(2_000);
  working = false;
  await Promise.all(writers);
  await receiving;
  t.strictSame(faults.slice(0, 10), [], `no answer but success and 503, none after more than ${ANSWER_MS} ms`);
  const versions = new Map<string, Set<number>>();
  for (const { id, version } of await sql<{ id: string; version: number }>(
    database,
    'select id, version from card_versions',
  ))
    versions.set(id, (versions.get(id) ?? new Set()).add(version));
  t.strictSame(
    [...acknowledged].filter(([id, version]) => !versions.get(id)?.has(version)),
    [],
    'every acknowledged write is there',
  );
  const log = (await sql<{ position: string }>(database, 'select position from events order by position')).map(
    ({ position }) => Number(position),
  );
  t.strictSame(
    log,
    log.map((_, i) => i + 1),
    'positions are dense',
  );
  t.strictSame(received, log, 'the stream got the whole log, in order, each event once');
  for (const node of nodes)
    t.strictSame(
      node
        .log()
        .filter(({ level }) => level >= 60)
        .map(({ msg }) => msg),
      [],
      'no node fell',
    );
  t.comment(
    `${acknowledged.size} cards, ${log.length} events, stream resumed ${resumed} times, slowest answer ${Math.round(slowest)} ms, ${JSON.stringify([...answers])}`,
  );
});
