/** Two nodes whose DATABASE_URL names two hosts lose the primary again and again, and a node starts while there is only a standby. */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { client, registerAdmin, sql, until } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { startPair } from '../support/pair.js';
import { dataFolder, launchService, startService } from '../support/service.js';

const ROUNDS = 5;
const WRITERS_OF_NODE = 4;
/** Longest time between the command to promote the standby and the first acknowledged write of each node. */
const FIRST_WRITE_MS = 1_000;
const LINTEL_SECRET_KEY = Buffer.alloc(32, 'failover').toString('base64');

const pair = await startPair();
const [a, b] = pair.hosts;
const folder = encodeURIComponent;
const urls = [
  `postgres://lintel@${folder(a.host)}:5432,${folder(b.host)}:5432/lintel?target_session_attrs=read-write`,
  `postgresql:///lintel?user=lintel&host=${b.host},${a.host}&port=5432,5432&target_session_attrs=primary`,
];
const folders = await Promise.all(['', '', ''].map(() => dataFolder()));
const envOf = (url: string): NodeJS.ProcessEnv => ({ DATABASE_URL: url, LINTEL_SECRET_KEY, DATABASE_POOL_MAX: '8' });
const nodes: Awaited<ReturnType<typeof startService>>[] = [];
t.teardown(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await pair.stop();
  await Promise.all(folders.map(({ remove }) => remove()));
});
for (const [n, url] of urls.entries()) nodes.push(await startService({ dataDir: folders[n]!.path, env: envOf(url) }));
const { token } = await registerAdmin(nodes[0]!.origin);
const clients = nodes.map(({ origin }) => client(origin, token));

const acknowledged = new Set<string>();
const faults: string[] = [];
let working = true;
/** Called at each acknowledged write with the number of its node and when it was sent. */
let onWrite: (node: number, sentAt: number) => void = () => undefined;

async function write(node: number, writer: number): Promise<void> {
  for (let i = 0; working; i++) {
    const sentAt = performance.now();
    const { status, headers, body } = await clients[node]!.post('/cards', {
      type: 'Application',
      name: `Node ${node}, writer ${writer}, card ${i}`,
    });
    if (status === 201) {
      acknowledged.add(body.id);
      onWrite(node, sentAt);
      continue;
    }
    if (status !== 503 || !headers.get('retry-after')) faults.push(`${status}: ${JSON.stringify(body)}`);
    await pause(20);
  }
}

/** Waits for acknowledged writes of all nodes that were sent after the call. @returns for each node the ms until the first one */
async function writesOfAll(): Promise<number[]> {
  const began = performance.now();
  const first: number[] = [];
  await new Promise<void>((resolve) => {
    onWrite = (node, sentAt) => {
      if (sentAt >= began) first[node] ??= Math.round(performance.now() - began);
      if (nodes.every((_, n) => first[n] !== undefined)) resolve();
    };
  });
  return first;
}

await t.test('the standby takes over', { timeout: 300_000 }, async (t) => {
  const writers = nodes.flatMap((_, node) => Array.from({ length: WRITERS_OF_NODE }, (__, n) => write(node, n)));
  t.teardown(() => {
    working = false;
  });
  for (let round = 1; round <= ROUNDS; round++) {
    await writesOfAll();
    pair.killPrimary();
    // The outage of every second round is long enough for all connections to be missed.
    if (round % 2 === 0) await pause(3_000);
    const before = acknowledged.size;
    const [first] = await Promise.all([writesOfAll(), pair.promote()]);
    t.ok(before > 0 && Math.max(...first) <= FIRST_WRITE_MS, `first writes after ${first.join(' and ')} ms`);
    t.comment(`round ${round}: first writes ${first.join(' and ')} ms after the command to promote`);
    await writesOfAll();
    const known = [...acknowledged];
    const stored = await sql<{ id: string }>(pair.primary.connection, 'select id from cards');
    const ids = new Set(stored.map(({ id }) => id));
    t.strictSame(
      known.filter((id) => !ids.has(id)),
      [],
      `none of ${known.length} acknowledged writes is lost`,
    );
    await pair.rebuild();
  }
  working = false;
  await Promise.all(writers);
  t.strictSame(faults.slice(0, 5), [], 'no answer but success and 503 with Retry-After');
  for (const node of nodes) t.notMatch(node.output(), /"level":60/, 'no node ended');
});

await t.test('a node that starts with a standby only waits until it is promoted', { timeout: 120_000 }, async (t) => {
  const env = envOf(urlOf(pair.standby.connection));
  const stopped = launchService({ dataDir: folders[2]!.path, env });
  t.teardown(stopped.kill9);
  await until(() => /is a standby/.test(stopped.output()), 20_000);
  const began = performance.now();
  t.strictSame(await stopped.stop(), { code: 0, signal: null }, 'a signal ends the wait');
  t.ok(performance.now() - began < 1_000, 'at once');
  t.strictSame(
    stopped.log().filter(({ level }) => level > 40),
    [],
    'without an error',
  );

  const waiting = launchService({ dataDir: folders[2]!.path, env });
  t.teardown(waiting.stop);
  await until(() => /is a standby/.test(waiting.output()), 20_000);
  await pause(2_000);
  t.strictSame(
    waiting.log().map(({ level, msg }) => `${level} ${msg.replace(/\/\S+:5432/, '…')}`),
    [
      '40 the server … is a standby, which accepts no writes; the start waits until a server of the database is promoted',
    ],
    'it says so once',
  );
  pair.killPrimary();
  await pair.promote();
  const ready = await until(() => waiting.log().find(({ url }) => url !== undefined), 20_000);
  t.equal((await client(ready.url!).get('/api/ready')).status, 200);
  t.match(waiting.log()[1], { level: 30, msg: /accepts writes: the start continues/ });
});

await t.test('a node whose database cannot be reached exits', async (t) => {
  await pair.primary.kill();
  for (const url of [urls[0]!, urlOf(a)]) {
    const service = launchService({ dataDir: folders[2]!.path, env: envOf(url) });
    t.match(await service.exited, { code: 1 });
    t.match(service.output(), /ENOENT|ECONNREFUSED/);
  }
});
