/** The lease of a job is as long as its type says, and is renewed while the job runs. */
import t from 'tap';
import { sql, testApp, until } from '../support/app.js';
import { gate, jobsAt, registerJob } from '../support/jobs.js';

const node = await testApp();
t.teardown(node.close);
const { database } = node;
const { submit, inState } = jobsAt(node);

/** Milliseconds until the lease ends, and when that is. */
const leaseOf = async (id: string): Promise<{ left: number; until: string }> =>
  (
    await sql<{ left: number; until: string }>(
      database,
      `select extract(epoch from lease_until - clock_timestamp())::float8 * 1000 as left, lease_until::text as until from jobs where id = $1`,
      [id],
    )
  )[0]!;

t.test('leases are as long as the type says, and are renewed in time', async (t) => {
  const { opened, open } = gate();
  const aborted: string[] = [];
  const run = async (type: string, leaseMs?: number): Promise<string> => {
    registerJob(t, [node], type, {
      handler: async ({ signal }) => {
        signal.addEventListener('abort', () => aborted.push(type));
        await opened;
      },
      ...(leaseMs !== undefined && { leaseMs }),
    });
    const id = await submit(type);
    await inState(id, 'running');
    return id;
  };
  // Not the shortest one: a machine that stands still for two seconds may abort the job.
  const short = await run('test.short_lease', 6_000);
  const usual = await run('test.usual_lease');
  const [first, long] = [await leaseOf(short), await leaseOf(usual)];
  t.ok(first.left <= 6_000, `${first.left} ms`);
  t.ok(long.left > 6_000 && long.left <= 15_000, `${long.left} ms`);
  let shortest = first.left;
  const renewals = new Set([first.until]);
  await until(async () => {
    const { left, until: end } = await leaseOf(short);
    shortest = Math.min(shortest, left);
    return renewals.add(end).size === 3;
  }, 30_000);
  t.ok(shortest > 0, 'the lease never ends while the node runs the job');
  t.ok((await leaseOf(short)).left <= 6_000, 'a renewed lease is as long as the first one');
  open();
  for (const id of [short, usual]) t.match(await inState(id, 'done'), { attempts: 1, fence: '1', lease_until: null });
  t.same(aborted, []);
});

t.test('leases that are too short or too long are refused', async (t) => {
  for (const leaseMs of [0, 2_999, 15_001, 3_000.5, Number.NaN])
    t.throws(
      () => node.app.services.jobs.register('test.wrong', { handler: async () => undefined, leaseMs }),
      /test\.wrong is no whole number from 3000 to 15000/,
      String(leaseMs),
    );
});
