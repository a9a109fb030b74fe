/** Many or long jobs of one type do not delay those of other types, and the cost of a claim does not depend on the queue. */
import pg from 'pg';
import t from 'tap';
import { CLAIM, LEASE_MS } from '../../core/foundation/jobs/repository.js';
import { createDatabase, sql, testApp, until } from '../support/app.js';
import { gate, jobsAt, registerJob } from '../support/jobs.js';

const node = await testApp();
t.teardown(node.close);
const { database } = node;
const second = await testApp({ database });
t.teardown(second.close);
const crowded = await createDatabase();
const { inState, row, submit } = jobsAt(node);
const fill = (at: typeof database, type: string, count: number, after = '0 s') =>
  sql(
    at,
    `insert into jobs (id, type, run_at) select gen_random_uuid(), $1, now() + $3::interval from generate_series(1, $2)`,
    [type, count, after],
  );

await t.test('2,000 jobs of one kind do not delay one of another kind, on two nodes', async (t) => {
  let begun = 0;
  let running = 0;
  await fill(database, 'test.flood', 2_000);
  registerJob(t, [node, second], 'test.flood', {
    handler: async () => {
      begun++;
      running++;
      await new Promise((resolve) => setTimeout(resolve, 100));
      running--;
    },
  });
  await until(() => begun > 20, 20_000);
  const before: number[] = [];
  let at = 0;
  registerJob(t, [node, second], 'test.single', {
    handler: async () => {
      before.push(begun - at);
    },
  });
  for (let i = 1; i <= 10; i++) {
    at = begun;
    await submit('test.single');
    await until(() => before.length === i, 10_000);
  }
  t.ok(
    (await sql(database, `select from jobs where type = 'test.flood' and state = 'queued'`)).length > 0,
    'jobs of the first type are still queued',
  );
  t.comment(`of the first type began before each: ${before.join(', ')}`);
  // The running jobs and about as many again may begin before, but not the whole queue.
  t.ok(Math.max(...before) <= 16, `${Math.max(...before)} of 2,000 began before one of the others`);
  await sql(database, `delete from jobs where type = 'test.flood' and state = 'queued'`);
  await until(() => running === 0);
});

await t.test('if every place is used by long jobs of one type, jobs of other types begin nevertheless', async (t) => {
  const end = gate();
  const long: string[] = [];
  registerJob(t, [node], 'test.long', {
    handler: async ({ id }) => {
      long.push(id);
      await end.opened;
    },
  });
  for (let i = 0; i < 10; i++) await submit('test.long');
  await until(() => long.length === 4);
  const kinds = ['a', 'b', 'c', 'd', 'e'].map((kind) => `test.kind_${kind}`);
  const begun: string[] = [];
  const ids = await Promise.all(
    kinds.slice(0, 4).map((kind) => {
      registerJob(t, [node], kind, {
        handler: async () => {
          begun.push(kind);
          await end.opened;
        },
      });
      return submit(kind);
    }),
  );
  await until(() => begun.length === 4);
  // The places reserved for other types are limited, and each type gets one.
  registerJob(t, [node], kinds[4]!, {
    handler: async () => {
      begun.push(kinds[4]!);
    },
  });
  const [fifth, another] = [await submit(kinds[4]!), await submit(kinds[0]!)];
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  t.equal(long.length, 4, 'a kind has four places at most');
  t.match([(await row(fifth)).state, (await row(another)).state], ['queued', 'queued'], 'eight at a time');
  end.open();
  for (const id of [...ids, fifth, another]) await inState(id, 'done');
  await until(() => long.length === 10);
});

await t.test('a claim reads only the jobs it takes, among 100,000 that wait', async (t) => {
  await fill(crowded, 'test.due', 100_000, '-1 h');
  await fill(crowded, 'test.later', 100_000, '1 h');
  await sql(crowded, 'analyze jobs');
  const client = new pg.Client({ ...crowded });
  await client.connect();
  t.teardown(() => client.end());
  await client.query('begin');
  // Prepared like in the service, so that after some runs the generic plan may be used.
  await client.query(
    `prepare claim as ${CLAIM.text}`.replace('prepare claim', 'prepare claim (text[], int[], int, int, int[])'),
  );
  const literal = `array['test.due', 'test.later', 'test.none'], array[3, 0, 0], 1, 5, array[${LEASE_MS}, ${LEASE_MS}, ${LEASE_MS}]`;
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await client.query(`set local plan_cache_mode = ${mode}`);
    await client.query('savepoint s');
    const {
      rows: [explained],
    } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, unknown> }] }>(
      `explain (analyze, buffers, format json) execute claim(${literal})`,
    );
    await client.query('rollback to savepoint s');
    const text = JSON.stringify(explained!['QUERY PLAN']);
    const { Plan: plan } = explained!['QUERY PLAN'][0];
    const pages = Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
    t.equal(plan['Actual Rows'], 1, 'one job is claimed');
    t.match(text, /"Index Name":\s*"jobs_due"/);
    t.ok(pages < 200, `${mode}: ${pages} pages`);
  }
  await client.query('rollback');
});
