/** Two nodes behind a balancer are restarted one after the other under load, without a failed request. */
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { createDatabase, openStream, registerAdmin, sql, until, type EventStream } from '../support/app.js';
import { startBalancer } from '../support/balancer.js';
import { urlOf } from '../support/database.js';
import { noJobs } from '../support/jobs.js';
import { dataFolder, startService } from '../support/service.js';

const CLIENTS = 16;
const ROUNDS = 3;
const STREAMS = 2;
/** Ten times the interval of the checks of the balancer. */
const DELAY_SECONDS = 2;
const THINK_MS = 5;

type Service = Awaited<ReturnType<typeof startService>>;

const database = await createDatabase();
const folders = [await dataFolder(), await dataFolder()];
const start = (n: number): Promise<Service> =>
  startService({
    dataDir: folders[n]!.path,
    env: {
      DATABASE_URL: urlOf(database),
      LINTEL_SECRET_KEY: Buffer.alloc(32, 'roll').toString('base64'),
      DATABASE_POOL_MAX: '16',
      SHUTDOWN_DELAY_SECONDS: String(DELAY_SECONDS),
      TRUST_PROXY: '1',
    },
  });
const nodes = [await start(0), await start(1)];
const balancer = await startBalancer(nodes.map(({ origin }) => origin));
t.teardown(async () => {
  await balancer.close();
  await Promise.all(nodes.map((node) => node.stop()));
  await Promise.all(folders.map((folder) => folder.remove()));
});
const { token } = await registerAdmin(balancer.origin);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let working = true;
/** Whether all requests have been answered, so that only jobs may still write. */
let isOver = false;
let requests = 0;
const failures: string[] = [];
/** Latest acknowledged version of each card. */
const acknowledged = new Map<string, number>();

/** Sends a request on the only connection of the client; any other than the expected status is a failure. */
async function call(
  agent: Agent,
  status: number,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ id: string; version: number; name: string } | undefined> {
  requests++;
  try {
    const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const out = request(`${balancer.origin}/api/v1${path}`, {
        method,
        agent,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      });
      out.on('error', reject).once('response', (message) => {
        text(message).then((read) => resolve({ status: message.statusCode ?? 0, body: read }), reject);
      });
      out.end(body && JSON.stringify(body));
    });
    if (answer.status === status) return JSON.parse(answer.body) as { id: string; version: number; name: string };
    failures.push(`${method} ${path} gave ${answer.status}: ${answer.body.slice(0, 300)}`);
  } catch (error) {
    failures.push(`${method} ${path}: ${String(error)}`);
  }
  return undefined;
}

async function work(n: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let i = 0; working; i++) {
    const made = await call(agent, 201, 'POST', '/cards', { type: 'Application', name: `Client ${n}, card ${i}` });
    if (made) {
      acknowledged.set(made.id, made.version);
      const changed = await call(
        agent,
        200,
        'PATCH',
        `/cards/${made.id}`,
        { description: `change ${i}` },
        { 'if-match': `"${made.version}"` },
      );
      if (changed) acknowledged.set(changed.id, changed.version);
      const read = await call(agent, 200, 'GET', `/cards/${made.id}`);
      if (changed && read && read.version !== changed.version)
        failures.push(`card ${made.id} is read in version ${read.version} after ${changed.version} was acknowledged`);
    }
    await call(agent, 200, 'GET', '/cards?type=Application&sort_by=updated_at&sort_dir=desc&page_size=20');
    await pause(THINK_MS);
  }
  agent.destroy();
}

class Receiver {
  readonly ids: number[] = [];
  resumed = 0;
  private stream: EventStream | undefined;

  /** Reads the log from its beginning, and resumes when a node ends the stream. */
  async run(done: (last: number) => Promise<boolean>): Promise<void> {
    for (;;) {
      this.stream = await openStream(balancer.origin, token, { lastEventId: this.ids.at(-1) ?? 0 });
      if (this.stream.status !== 200) throw new Error(`a stream gave ${this.stream.status}`);
      for (let over = false; !over; ) {
        over = await Promise.race([this.stream.ended.then(() => true), pause(50).then(() => false)]);
        for (const { id } of this.stream.events.splice(0)) this.ids.push(Number(id));
        if (await done(this.ids.at(-1) ?? 0)) {
          this.stream.close();
          return;
        }
      }
      this.resumed++;
    }
  }
}

await t.test(`${ROUNDS} rolling restarts under ${CLIENTS} clients: no request fails`, async (t) => {
  const isRead = async (last: number): Promise<boolean> =>
    isOver &&
    (await sql(database, 'select from event_outbox')).length === 0 &&
    last === Number((await sql<{ position: string }>(database, 'select position from event_head'))[0]!.position);
  const receivers = Array.from({ length: STREAMS }, () => new Receiver());
  const receiving = receivers.map((receiver) => receiver.run(isRead));
  const clients = Array.from({ length: CLIENTS }, (_, n) => work(n));
  t.teardown(() => {
    working = false;
  });

  await pause(1_000);
  for (let round = 0; round < ROUNDS; round++) {
    for (const n of [0, 1]) {
      const before = requests;
      const leaving = nodes[n]!;
      const left = leaving.stop();
      await until(() => !balancer.ready()[n], DELAY_SECONDS * 1_000);
      t.strictSame(await left, { code: 0, signal: null }, 'it ends by itself');
      nodes[n] = await start(n);
      balancer.replace(n, nodes[n]!.origin);
      await until(() => balancer.ready()[n], 10_000);
      t.ok(requests > before, 'there was work all the while');
      const complaints = leaving
        .log()
        .filter(({ level }) => level >= 50)
        .map(({ msg }) => msg);
      t.strictSame(complaints, [], 'nothing went wrong inside');
    }
  }
  working = false;
  await Promise.all(clients);
  await noJobs(database);
  isOver = true;
  await Promise.all(receiving);

  t.strictSame(failures.slice(0, 10), [], 'no request failed');
  t.strictSame(balancer.faults, [], 'nor did a connection to a node');
  t.ok(acknowledged.size > 200, `${acknowledged.size} cards were made`);
  const stored = new Map(
    (await sql<{ id: string; version: number }>(database, 'select id, version from card_contents')).map(
      ({ id, version }) => [id, version],
    ),
  );
  t.strictSame(
    [...acknowledged].filter(([id, version]) => stored.get(id) !== version),
    [],
    'every acknowledged write is there',
  );
  t.equal(stored.size, acknowledged.size, 'and no other');

  const log = (await sql<{ position: string }>(database, 'select position from events order by position')).map(
    ({ position }) => Number(position),
  );
  for (const { ids, resumed } of receivers) {
    t.strictSame(ids, log, 'a stream got the whole log, in order, each event once');
    t.ok(resumed >= ROUNDS, `it was resumed ${resumed} times`);
  }
  t.comment(
    `${requests} requests, ${log.length} events, ${balancer.refused()} connections refused, streams resumed ${receivers.map(({ resumed }) => resumed).join(' and ')} times`,
  );
});
