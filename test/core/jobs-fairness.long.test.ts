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

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Actual Total Time': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

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

await t.test('a claim reads only the jobs it takes, among 150,000 that wait', async (t) => {
  await fill(crowded, 'test.due', 100_000, '-1 h');
  await fill(crowded, 'test.later', 100_000, '1 h');
  // Of one type: 50,000 jobs of one user, and one job of each of 20 others.
  await sql(crowded, 'alter table jobs drop constraint jobs_created_by_fkey');
  await sql(
    crowded,
    `insert into jobs (id, type, run_at, created_by) select gen_random_uuid(), 'test.users', now() - interval '1 h', u.id
      from (select gen_random_uuid() as id, n from generate_series(1, 21) n) u cross join lateral generate_series(1, case when n = 1 then 50000 else 1 end)`,
  );
  await sql(crowded, 'analyze jobs');
  const client = new pg.Client({ ...crowded });
  await client.connect();
  t.teardown(() => client.end());
  await client.query('begin');
  // Prepared like in the service, so that after some runs the generic plan may be used.
  await client.query(`prepare claim (text[], int[], text[], uuid[], int, int, int, int) as ${CLAIM.text}`);
  const types = `array['test.due', 'test.later', 'test.none', 'test.users'], array_fill(${LEASE_MS}, array[4])`;
  const running = `array_fill('test.due'::text, array[3]), array_fill(null::uuid, array[3])`;
  for (const mode of ['force_custom_plan', 'force_generic_plan'])
    for (const [free, claimed, locked] of [
      [1, 3, 4],
      [4, 6, 16],
    ] as const) {
      await client.query(`set local plan_cache_mode = ${mode}`);
      await client.query('savepoint s');
      const {
        rows: [explained],
      } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, buffers, format json) execute claim(${types}, ${running}, ${free}, 4, 2, 4)`,
      );
      await client.query('rollback to savepoint s');
      const { Plan: plan } = explained!['QUERY PLAN'][0];
      const nodes = nodesOf(plan);
      const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      t.equal(plan['Actual Rows'], claimed, 'jobs are claimed');
      t.ok(
        nodes.some((one) => one['Index Name'] === 'jobs_due'),
        'it uses the index',
      );
      const lockedRows = nodes
        .filter((one) => one['Node Type'] === 'LockRows')
        .reduce((sum, one) => sum + one['Actual Rows'] * one['Actual Loops'], 0);
      // Those of a user are counted again for each further one.
      t.ok(lockedRows <= locked, `${lockedRows} rows are locked`);
      t.ok(pages < 800, `${mode}: ${pages} pages, ${plan['Actual Total Time']} ms`);
    }
  await client.query('rollback');
});
