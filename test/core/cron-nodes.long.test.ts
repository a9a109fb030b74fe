/** Two nodes as separate processes: 20 recurring jobs due every second, and a node that is suspended for a long time. */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createDatabase, sql, until } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';

const CLOCKS = 20;
const SLOTS = 200;
/** Longer than the lease, and than the time after which the database ends a session that is idle in a transaction. */
const SUSPENDED_MS = 66_000;
const SECRET = Buffer.alloc(32, 'cron').toString('base64');
const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

const database = await createDatabase();
const folders = [await dataFolder(), await dataFolder()];
const start = (n: number) =>
  startService({
    dataDir: folders[n]!.path,
    env: {
      DATABASE_URL: urlOf(database),
      LINTEL_SECRET_KEY: SECRET,
      DATABASE_POOL_MAX: '16',
      LINTEL_PLUGINS_DIR: join(root, 'test/fixtures/modules/ringing'),
    },
  });
const nodes = [await start(0)];
const stale = nodes[0]!.pid;
let isStill = false;
t.teardown(async () => {
  if (isStill) process.kill(stale, 'SIGCONT');
  await Promise.all(nodes.map((node) => node.stop()));
  await Promise.all(folders.map((folder) => folder.remove()));
});

/** Queues a job that waits if the first node runs it. @returns its id */
const queue = async (type: string): Promise<string> => {
  const id = randomUUID();
  await sql(database, 'insert into jobs (id, type, payload) values ($1, $2, $3)', [id, type, { waits: stale }]);
  return id;
};
interface Row {
  state: string;
  fence: string;
  attempts: number;
  result: { pid: number } | null;
  failures: { error: string }[];
}
const job = async (id: string): Promise<Row> =>
  (await sql<Row & Record<string, unknown>>(database, 'select * from jobs where id = $1', [id]))[0]!;
const notes = async (id: string) =>
  await sql<{ pid: number; note: string }>(database, 'select pid, note from ringing_notes where job = $1', [id]);
const effects = async (id: string) =>
  (await sql<{ pid: number }>(database, 'select pid from ringing_effects where job = $1', [id])).map(({ pid }) => pid);
const slots = async () =>
  Number(
    (await sql<{ n: string }>(database, `select count(*) as n from cron_slots where job like 'ringing.%' and ran`))[0]!
      .n,
  );
/** For each cron job: its slots, the seconds from the first to the last, and the jobs queued for them. */
const cronJobs = () =>
  sql<{ job: string; slots: number; seconds: number; jobs: number }>(
    database,
    `
  select s.job, count(*)::int as slots, extract(epoch from max(slot) - min(slot))::int + 1 as seconds, (select count(*)::int from jobs j where j.type = s.job) as jobs
  from cron_slots s where s.job like 'ringing.%' and ran group by s.job order by s.job`,
  );

const between = await queue('ringing.between');
await until(async () => (await notes(between)).length === 1, 20_000);
nodes.push(await start(1));
const other = nodes[1]!.pid;

await t.test(`${SLOTS} slots on two nodes, each used once`, async (t) => {
  const before = await slots();
  await until(async () => (await slots()) >= before + SLOTS, 60_000);
  const all = await cronJobs();
  t.equal(all.length, CLOCKS);
  t.strictSame(
    all.filter((clock) => clock.jobs !== clock.slots),
    [],
    'a job for each slot, and no slot twice',
  );
  t.strictSame(
    all.filter((clock) => clock.seconds !== clock.slots),
    [],
    'no second is missing',
  );
  t.comment(`${await slots()} slots`);
});

await t.test(`a node suspended for ${SUSPENDED_MS / 1_000} s writes nothing with its stale leases`, async (t) => {
  t.match(await job(between), { state: 'running', fence: '1' }, 'it kept its lease as long as it ran');
  // Either node may run such a job; the second node finishes it immediately.
  let inside = '';
  for (let isInside = false; !isInside; ) {
    inside = await queue('ringing.inside');
    isInside =
      (await until(
        async () => ((await notes(inside)).length > 0 ? 'yes' : (await job(inside)).state === 'done' && 'no'),
        20_000,
      )) === 'yes';
  }
  t.strictSame([await effects(between), await effects(inside)], [[], []]);
  process.kill(stale, 'SIGSTOP');
  isStill = true;
  const stopped = performance.now();

  const taken = await until(async () => {
    const row = await job(between);
    return row.state === 'done' && row;
  }, 40_000);
  t.match(taken, { fence: '2', attempts: 2, result: { pid: other }, failures: [{ error: 'its node was lost' }] });
  t.comment(`taken over after ${Math.round(performance.now() - stopped)} ms`);
  t.match(
    await job(inside),
    { state: 'running', fence: '1' },
    'a job whose owner has a transaction open is not taken over',
  );
  await until(async () => (await job(inside)).state === 'done', SUSPENDED_MS + 30_000);
  t.ok(performance.now() - stopped > 50_000, 'not before the database ended that transaction');
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, SUSPENDED_MS - (performance.now() - stopped))));

  process.kill(stale, 'SIGCONT');
  isStill = false;
  await sql(database, 'insert into ringing_gate values (true)');
  const refused = async (id: string) =>
    (await notes(id)).find(({ pid, note }) => pid === stale && note.startsWith('refused'));
  t.match(await until(() => refused(between), 30_000), { note: /is not held any more/ });
  t.match(await until(() => refused(inside), 30_000), { note: /is not held any more|terminated|connection error/i });
  for (const id of [between, inside]) {
    t.strictSame(await effects(id), [other], 'its effect exists once');
    t.match(
      await job(id),
      { state: 'done', fence: '2', result: { pid: other } },
      'the result of the stale run is not stored',
    );
  }
});

await t.test('the suspended node continues, and no missed slot runs twice', async (t) => {
  const since = await slots();
  const mine = async () =>
    Number(
      (await sql<{ n: string }>(database, 'select count(*) as n from ringing_effects where pid = $1', [stale]))[0]!.n,
    );
  const before = await mine();
  // The faster node may run all jobs.
  process.kill(other, 'SIGSTOP');
  await until(
    async () => (await slots()) >= since + 5 * CLOCKS && (await mine()) > before,
    SUSPENDED_MS + 30_000,
  ).finally(() => process.kill(other, 'SIGCONT'));
  await Promise.all(nodes.map((node) => node.stop()));
  const all = await cronJobs();
  t.strictSame(
    all.filter((clock) => clock.jobs !== clock.slots),
    [],
    'a job for each slot',
  );
  t.strictSame(
    all.filter((clock) => clock.seconds !== clock.slots),
    [],
    'no second is missing',
  );
  const doubled = await sql(
    database,
    `select e.job from ringing_effects e join jobs j on j.id = e.job where j.fence = 1 group by e.job having count(*) > 1`,
  );
  t.strictSame(doubled, [], 'a job claimed once had its effect once');
  const without = await sql(
    database,
    `select from jobs where type like 'ringing.%' and state = 'done' and id not in (select job from ringing_effects)`,
  );
  t.equal(without.length, 0, 'a finished job had its effect');
  t.equal((await sql(database, `select from jobs where type like 'ringing.%' and state = 'failed'`)).length, 0);
});
