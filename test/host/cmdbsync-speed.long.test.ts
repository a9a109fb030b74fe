/** Large tables: the number of records that a run handles per second, the memory that it needs, and how long other requests take beside it. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { createDatabase, expectStatus, registerAdmin, sql, type AnyBody } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';
import { percentile } from '../bench/load.js';
import { SOURCE_FOLDER, SourceServer, Synchronisation, field } from './cmdbsync-support.js';

const RECORDS = Number(process.env['TEST_CMDB_RECORDS'] ?? 20_000);
/** Megabytes above those of the service after a small table, for a table of any size: a page, a batch, and what is not collected yet. */
const MOST_MEGABYTES = 300;
/** Records that are synchronised before, so that the code is compiled and the heap has its size at work. */
const WARM_UP = 5_000;
const LIMIT_MS = 600_000;

const source = await new SourceServer().listen();
const database = await createDatabase();
const folder = await dataFolder();
const node = await startService({
  dataDir: folder.path,
  env: {
    DATABASE_URL: urlOf(database),
    LINTEL_SECRET_KEY: Buffer.alloc(32, 'speed').toString('base64'),
    LINTEL_PLUGINS_DIR: SOURCE_FOLDER,
    OUTBOUND_ALLOW: '127.0.0.1',
  },
});
t.teardown(async () => {
  await node.stop();
  await folder.remove();
  await source.close();
});
const admin = await registerAdmin(node.origin);
const sync = await Synchronisation.make(database, admin, source.url);
for (let i = 0; i < RECORDS; i++) source.put(`r${i}`, { name: `Record ${i}`, note: `note ${i}` });
for (let i = 0; i < WARM_UP; i++) source.put(`w${i}`, { name: `Other ${i}` }, 'others');
const mapping = await sync.mapping();
const secondsOf = (run: AnyBody): number =>
  (Date.parse(String(run['finished_at'])) - Date.parse(String(run['started_at']))) / 1_000;
/** Resident memory of the service in megabytes: now, and the most so far. */
const memory = (): { now: number; most: number } => {
  const status = readFileSync(`/proc/${node.pid}/status`, 'utf8');
  const of = (key: string): number => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024;
  return { now: of('VmRSS'), most: of('VmHWM') };
};

/** The 99th percentile, in milliseconds, of requests of one client every 20 ms while `work` runs. */
async function beside<T>(work: () => Promise<T>): Promise<{ result: T; p99: number }> {
  let isOver = false;
  const times: number[] = [];
  const client = (async () => {
    for (
      const paths = ['/cards', '/cards?type=ITComponent&page_size=50', '/metamodel/types'];
      !isOver;
      await delay(20)
    ) {
      const began = performance.now();
      expectStatus(await admin.api.get(paths[times.length % paths.length]!), 200, 'a request beside it');
      times.push(performance.now() - began);
    }
  })();
  const result = await work().finally(() => {
    isOver = true;
  });
  await client;
  return { result, p99: percentile(times, 0.99) };
}

await t.test(`${RECORDS} records`, async (t) => {
  const cold = memory().now;
  const others = await sync.mapping({ table_name: 'others', card_type: 'Application' });
  for (let i = 0; i < 2; i++) t.match(await sync.run(others), { state: 'done' });
  const idle = memory().now;
  const measured: string[] = [];
  for (const [what, expected] of [
    ['first load', { create: RECORDS, applied: RECORDS }],
    ['unchanged', { unchanged: RECORDS }],
  ] as const) {
    const { result: run, p99 } = await beside(async () =>
      sync.ended(await sync.start(mapping, { full: true }), LIMIT_MS),
    );
    t.match(run, { state: 'done', counts: expected });
    measured.push(`${what}: ${Math.round(RECORDS / secondsOf(run))} records/s, p99 beside it ${Math.round(p99)} ms`);
  }
  const more = Math.round(memory().most - idle);
  t.comment(
    `${measured.join(', ')}, ${more} MB more than the ${Math.round(idle)} MB after a small table, ${Math.round(cold)} MB at the start`,
  );
  t.ok(more < MOST_MEGABYTES, `${more} MB`);
  expectStatus(await admin.api.get('/cards'), 200, 'it serves requests');
});

await t.test('a record for each card, and changes of some', async (t) => {
  const cards = WARM_UP;
  const target = await sync.mapping({
    table_name: 'copies',
    card_type: 'Application',
    direction: 'push',
    creates_remote: true,
    fields: [field('name', 'name', 'ea'), field('note', 'description', 'ea')],
  });
  const idle = memory().most;
  const created = await sync.ended(await sync.start(target), LIMIT_MS);
  t.match(created, { state: 'done', counts: { remote_create: cards, pushed: cards } });
  t.equal(source.table('copies').size, cards);
  const afterwards = memory().most;
  await sql(
    database,
    `update cmdbsync_identities set pushed_version = null, base = base || '{"description": "as it was"}' where mapping_id = $1`,
    [target],
  );
  for (const [id, { values }] of source.table('copies')) source.put(id, { ...values, note: 'as it was' }, 'copies');
  const changed = await sync.ended(await sync.start(target), LIMIT_MS);
  t.match(changed, { state: 'done', counts: { remote_update: cards, pushed: cards } });
  const rate = (run: AnyBody): string => `${Math.round(cards / secondsOf(run))} records/s`;
  t.comment(
    `created: ${rate(created)}, ${Math.round(afterwards - idle)} MB more than after the reads, changed: ${rate(changed)}, ${Math.round(memory().most - afterwards)} MB more`,
  );
});
