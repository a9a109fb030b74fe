import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { takeSlot } from '../../core/foundation/jobs/cron-repository.js';
import { previousSlot } from '../../core/foundation/jobs/slots.js';
import { createDatabase, sql, testApp, until } from '../support/app.js';
import { jobsAt } from '../support/jobs.js';

const node = await testApp();
t.teardown(node.close);
const { database } = node;
const second = await testApp({ database });
t.teardown(second.close);
const standing = await createDatabase();

const slot = (hoursAgo: number): Date => {
  const d = new Date();
  d.setUTCMinutes(0, 0, 0);
  return new Date(d.getTime() - hoursAgo * 3_600_000);
};

await t.test('a cron slot runs once, regardless of the nodes that claim it', async (t) => {
  const runs: { origin: string; at: number }[] = [];
  const cron = {
    job: 'test.cron',
    expression: '* * * * * *',
    timezone: 'UTC' as const,
    run: async ({ origin }: { origin: string }) => {
      runs.push({ origin, at: Date.now() });
    },
  };
  const offs = [node, second].map((n) => n.app.services.cron.add(cron));
  t.throws(() => node.app.services.cron.add(cron), /test.cron/);
  t.throws(
    () => node.app.services.cron.add({ ...cron, job: 'test.wrong', expression: 'every day' }),
    /cron expression/,
  );
  await until(() => runs.length >= 3, 15_000);
  offs.forEach((off) => off());
  const slots = async () =>
    Number(
      (await sql<{ n: string }>(database, `select count(*) as n from cron_slots where job = 'test.cron' and ran`))[0]!
        .n,
    );
  const queued = async () =>
    Number((await sql<{ n: string }>(database, `select count(*) as n from jobs where type = 'cron:test.cron'`))[0]!.n);
  await until(async () => (await slots()) === (await queued()));
  t.ok((await slots()) >= 3);
  const [first] = await sql<{ seconds: number }>(
    database,
    `select extract(epoch from max(slot) - min(slot))::int as seconds from cron_slots where job = 'test.cron' and ran`,
  );
  t.ok((await slots()) <= first!.seconds + 1, 'one slot a second at most');
  t.ok(runs.every((r) => r.origin === 'cron'));
  const after = await slots();
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  t.equal(await slots(), after, 'no slot is claimed any more');
});

await t.test(
  'a slot missed while no node was up is made up: the latest one, and only of a job that ran before',
  async (t) => {
    const at = standing;
    await sql(at, `insert into cron_slots (job, slot) values ('test.hourly', $1)`, [slot(5)]);
    await sql(at, `insert into cron_slots (job, slot) values ('test.current', $1)`, [slot(0)]);
    const fresh = await testApp({ database: at });
    t.teardown(fresh.close);
    const ran: string[] = [];
    for (const name of ['test.hourly', 'test.current', 'test.new']) {
      fresh.app.services.cron.add({
        job: name,
        expression: '0 * * * *',
        timezone: 'UTC',
        run: async () => {
          ran.push(name);
        },
      });
    }
    await until(() => ran.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    t.strictSame(ran, ['test.hourly']);
    const rows = await sql<{ slot: Date }>(at, `select slot from cron_slots where job = 'test.hourly' order by slot`);
    t.strictSame(
      rows.map((r) => r.slot.getTime()),
      [slot(5).getTime(), slot(0).getTime()],
      'the ones between are not made up',
    );
    await fresh.close();

    // The new job is registered: a service that is never running at the full hour also runs it.
    t.strictSame(await sql(at, `select slot, ran from cron_slots where job = 'test.new'`), [
      { slot: slot(0), ran: false },
    ]);
    await sql(at, `update cron_slots set slot = slot - interval '30 hours' where job = 'test.new'`);
    const nodes = [await testApp({ database: at }), await testApp({ database: at })];
    t.teardown(() => Promise.all(nodes.map((n) => n.close())));
    for (const n of nodes)
      n.app.services.cron.add({
        job: 'test.new',
        expression: '0 * * * *',
        timezone: 'UTC',
        run: async () => {
          ran.push('test.new');
        },
      });
    await until(() => ran.includes('test.new'));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    t.strictSame(ran, ['test.hourly', 'test.new'], 'once, though two nodes saw it');
  },
);

await t.test(
  'a job of a slot claimed early by a node with a fast clock waits until its time by the clock of the database',
  async (t) => {
    const { jobs } = node.app.services;
    const { row } = jobsAt(node);
    const at = new Date(Date.now() + 3_600_000);
    const take = () =>
      jobs.submit(
        systemContext('cron'),
        'test.early',
        {},
        { runAt: at, when: (uow) => takeSlot(uow, 'test.early', at) },
      );
    const [first, again] = [await take(), await take()];
    t.equal(again, undefined, 'the slot is not claimed again at its time');
    let runs = 0;
    t.teardown(
      jobs.register('test.early', {
        handler: async () => {
          runs++;
        },
      }),
    );
    t.teardown(jobs.register('test.due', { handler: async () => 'due' }));
    const late = (await jobs.submit(
      systemContext('cron'),
      'test.due',
      {},
      { runAt: new Date(Date.now() - 3_600_000) },
    ))!;
    await until(async () => (await row(late)).state === 'done');
    t.ok(
      (await row(late)).run_at.getTime() > Date.now() - 60_000,
      'a job for a missed slot is due now, and does not precede earlier ones',
    );
    t.equal(runs, 0);
    t.match(await row(first!), { state: 'queued', run_at: at });
    t.ok(Math.abs(Date.now() - at.getTime()) > 3_000_000);
  },
);

await t.test('after an interruption of the nodes a job does not run for every missed slot', async (t) => {
  const BLOCKED_MS = 9_000;
  const ran: Date[] = [];
  const offs = [node, second].map((n) =>
    n.app.services.cron.add({
      job: 'test.stood',
      expression: '* * * * * *',
      timezone: 'UTC',
      run: async () => {
        ran.push(new Date());
      },
    }),
  );
  t.teardown(() => offs.forEach((off) => off()));
  await until(() => ran.length >= 1);
  const began = Date.now();
  // Blocks the process and with it both nodes.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
  const ended = Date.now();
  const latest = Math.floor(ended / 1_000) * 1_000;
  const slots = async () =>
    (
      await sql<{ slot: Date }>(database, `select slot from cron_slots where job = 'test.stood' and ran order by slot`)
    ).map((r) => r.slot.getTime());
  await until(async () => (await slots()).some((at) => at > latest), 10_000);
  const inIt = (await slots()).filter((at) => at > began + 1_000 && at <= latest);
  t.ok(inIt.includes(latest), 'the latest slot was made up');
  t.ok(
    inIt.every((at) => at > latest - 6_000),
    `of ${Math.floor((ended - began) / 1_000)} slots ran ${inIt.length}`,
  );
  offs.forEach((off) => off());
  const queued = async () => (await sql(database, `select from jobs where type = 'cron:test.stood'`)).length;
  t.equal(await queued(), (await slots()).length, 'each once');
});

t.test('the slot before a time', (t) => {
  const now = new Date('2026-03-04T10:15:30.500Z'); // a Wednesday
  const before = (expression: string) => previousSlot(expression, now)?.toISOString();
  t.equal(before('* * * * * *'), '2026-03-04T10:15:30.000Z');
  t.equal(before('* * * * *'), '2026-03-04T10:15:00.000Z');
  t.equal(before('10 3 * * *'), '2026-03-04T03:10:00.000Z');
  t.equal(before('10 13 * * *'), '2026-03-03T13:10:00.000Z');
  t.equal(before('15,45 10 * * *'), '2026-03-04T10:15:00.000Z');
  t.equal(before('0 0 * * 1'), '2026-03-02T00:00:00.000Z');
  t.equal(before('0 0 29 2 *'), undefined, 'not within a year');
  t.equal(before('30 23 31 12 *'), '2025-12-31T23:30:00.000Z');
  t.end();
});
