import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { client, createDatabase, makeUser, openStream, registerAdmin, sql, until } from '../support/app.js';
import { random } from '../support/nodes.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';

const CLIENTS = 500;
const USERS = 26;
const WRITERS = 4;
const CHURN_MS = 60_000;
/** Of which so much is for measuring the memory before. */
const FIRST_MS = 20_000;
/** Largest growth of live objects after that; thousands of leaked streams would be about 100 MB. */
const GROWTH_MB = 40;
/** The service collects its garbage when it needs memory, which these requests for its metrics use up. */
const COLLECTED_MS = 60_000;
const SECRET = Buffer.alloc(32, 'churn').toString('base64');

const folder = await dataFolder();
const database = await createDatabase();
const service = await startService({
  dataDir: folder.path,
  env: { DATABASE_URL: urlOf(database), LINTEL_SECRET_KEY: SECRET },
});
t.teardown(async () => {
  await service.stop();
  await folder.remove();
});
const { origin } = service;
const port = Number(new URL(origin).port);
const admin = await registerAdmin(origin);
const users: string[] = [];
for (let n = 0; n < USERS; n++) users.push((await makeUser(admin, n % 3 === 0 ? 'viewer' : 'member')).token);

const metric = async (name: string): Promise<number> => {
  const { body } = await client(origin).get<string>('/api/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
};

/** Memory of objects, live or not yet collected, in MB. */
const memory = async (): Promise<number> => (await metric('nodejs_heap_size_used_bytes')) / 1e6;

let running = true;
const outcomes = { read: 0, dropped: 0, cutShort: 0, unread: 0, refused: 0 };

/** The head of a request for a stream, as bytes. */
const head = (token: string, from: string): string =>
  `GET /api/v1/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nLast-Event-ID: ${from}\r\n\r\n`;

/** Connects and disconnects during its request, right after it, or without ever reading. */
async function disconnectEarly(token: string, from: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('close', () => resolve()).on('error', () => undefined);
    const text = head(token, from);
    const manner = random(3);
    const leave = (ms: number): void => {
      setTimeout(() => (random(2) === 0 ? socket.resetAndDestroy() : socket.destroy()), ms);
    };
    if (manner === 0) {
      outcomes.cutShort++;
      socket.write(text.slice(0, random(text.length)), () => leave(random(20)));
    } else {
      if (manner === 1) outcomes.dropped++;
      else outcomes.unread++;
      socket.pause();
      socket.write(text, () => leave(manner === 1 ? random(5) : random(2_000)));
    }
  });
}

/** Opens streams one after the other, each for a while, from a random or an invalid position. */
async function openStreamsUntilEnd(n: number): Promise<void> {
  const token = users[n % USERS]!;
  while (running) {
    const from = random(10) === 0 ? 'nowhere' : String(random(2_000));
    if (random(3) === 0) await disconnectEarly(token, from);
    else {
      const stream = await openStream(
        origin,
        token,
        random(2) === 0 ? { lastEventId: from } : { query: { types: 'card.' } },
      );
      if (stream.status === 200) {
        outcomes.read++;
        await Promise.race([stream.ended, delay(random(1_000))]);
      } else if (stream.status === 429) outcomes.refused++;
      else throw new Error(`a stream gave ${stream.status}`);
      stream.close();
    }
    await delay(random(200));
  }
}

async function write(writer: number): Promise<void> {
  for (let i = 0; running; i++) {
    const { status } = await admin.api.post('/cards', { type: 'Application', name: `Writer ${writer}, card ${i}` });
    if (status !== 201) throw new Error(`a write gave ${status}`);
    await delay(20);
  }
}

await t.test(
  `${CLIENTS} receivers connect and disconnect at random during writes: no event is lost, and nothing leaks`,
  async (t) => {
    t.teardown(() => {
      running = false;
    });
    const bystander = await openStream(origin, admin.token, { lastEventId: 0 });
    const visitors = Promise.all([
      ...Array.from({ length: CLIENTS }, (_, n) => openStreamsUntilEnd(n)),
      ...Array.from({ length: WRITERS }, (_, n) => write(n)),
    ]);
    visitors.catch(() => undefined);
    // The minimum over a period approximates the live objects, because garbage is added to it.
    let [least, most] = [Infinity, 0];
    const began = performance.now();
    while (performance.now() - began < CHURN_MS) {
      await Promise.race([visitors, delay(250)]);
      if (performance.now() - began < FIRST_MS) least = Math.min(least, await memory());
      most = Math.max(most, await metric('lintel_event_streams'));
    }
    running = false;
    await visitors;

    await until(async () => (await metric('lintel_event_streams')) === 1, 10_000);
    t.pass('only the stream that stayed open is left');
    await until(
      async () =>
        (await sql<{ position: string }>(database, 'select position from event_head'))[0]!.position ===
        bystander.events.at(-1)!.id,
      10_000,
    );
    t.strictSame(
      bystander.events.map(({ id }) => Number(id)),
      bystander.events.map((_, i) => i + 1),
      'and it has every event',
    );
    t.ok(most > 50, `${most} streams at a time`);
    t.ok(
      outcomes.read > 1_000 && outcomes.dropped > 100 && outcomes.cutShort > 100 && outcomes.unread > 100,
      JSON.stringify(outcomes),
    );
    const grown = await until(async () => {
      const growth = (await memory()) - least;
      return growth < GROWTH_MB && { growth };
    }, COLLECTED_MS);
    // The remaining handles are those of the stream, this request, the notifier and the pool.
    await until(async () => (await metric('nodejs_active_handles_total')) < 60, 10_000);
    bystander.close();
    await until(async () => (await metric('lintel_event_streams')) === 0);
    const complaints = service
      .output()
      .split('\n')
      .filter((line) => !line.includes('setup_code'));
    t.notMatch(complaints.join('\n'), /"level":(40|50|60)|nhandled/, 'nothing to complain of');
    t.equal((await client(origin).get('/api/ready')).status, 200);
    t.comment(
      `${JSON.stringify(outcomes)}; ${most} streams at a time, ${bystander.events.length} events; memory ${least.toFixed(1)} MB and ${grown.growth.toFixed(1)} more`,
    );
  },
);
