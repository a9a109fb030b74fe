/**
 * Handlers that misbehave, modules that are disabled, and results that cannot be stored.
 * Runs in a process of its own: it measures processor time.
 */
import t from 'tap';
import type { JobRun } from '../../core/foundation/jobs/index.js';
import { registerAdmin, sql, testApp, until } from '../support/app.js';
import { gate, jobsAt, registerJob } from '../support/jobs.js';

const node = await testApp({ config: { logLevel: 'silent' } });
t.teardown(node.close);
const { database } = node;
const admin = await registerAdmin(node.origin);
const { inState, loseLease, row, submit } = jobsAt(node);
const eventsOf = (id: string, type: string) =>
  until(async () => (await admin.api.get('/events', { query: { subject_id: id, type } })).body.items[0]);

await t.test(
  'a handler that ignores its signal loses its place, and the number of such runs of one type is limited',
  async (t) => {
    const end = gate();
    t.teardown(end.open);
    let begun = 0;
    registerJob(t, [node], 'test.ignores_signal', {
      timeoutMs: 50,
      maxAttempts: 1,
      handler: async () => {
        begun++;
        await end.opened;
      },
    });
    registerJob(t, [node], 'test.sound', { handler: async () => 'sound' });
    const ids = [];
    for (let i = 0; i < 12; i++) ids.push(await submit('test.ignores_signal'));
    for (const id of ids.slice(0, 4)) t.match(await inState(id, 'failed'), { error: 'not done after 50 ms' });
    await inState(await submit('test.sound'), 'done');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    t.ok(begun >= 4 && begun <= 8, `${begun} of them are running`);
    t.equal((await row(ids.at(-1)!)).state, 'queued', 'the rest waits, without attempts');
    end.open();
    for (const id of ids) await until(async () => ['done', 'failed'].includes((await row(id)).state), 10_000);
  },
);

await t.test(
  'a job that is taken over on the same node: the signal of the former run is aborted, that of the new one is not',
  async (t) => {
    const end = gate();
    const runs: JobRun[] = [];
    registerJob(t, [node], 'test.again', {
      handler: async (run) => {
        runs.push(run);
        await end.opened;
        return run.fence;
      },
    });
    const id = await submit('test.again');
    await until(() => runs.length === 1);
    // A concurrent heartbeat renews the lease, so that it is ended repeatedly.
    await until(async () => {
      await loseLease(id);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return runs.length === 2;
    }, 20_000);
    await until(() => runs[0]!.signal.aborted, 5_000);
    t.equal(runs[1]!.signal.aborted, false);
    end.open();
    t.match(await inState(id, 'done'), { result: 2, fence: '2' });
    t.strictSame(
      (await row(id)).failures.map(({ attempt, error }) => [attempt, error]),
      [[1, 'its node was lost']],
    );
  },
);

await t.test('a job that fails because its module was disabled waits, and loses no attempt', async (t) => {
  const stop = gate();
  const started = gate();
  const off = registerJob(t, [node], 'test.module_off', {
    maxAttempts: 1,
    handler: async () => {
      started.open();
      await stop.opened;
      throw new Error('the module is being switched off');
    },
  });
  const id = await submit('test.module_off', {}, { maxAttempts: 1 });
  await started.opened;
  off();
  stop.open();
  t.match(await inState(id, 'queued'), { attempts: 0, error: null, failures: [], lease_until: null });
  t.match((await admin.api.get(`/settings/jobs/${id}`)).body, { state: 'queued', has_handler: false });
  const items = (await admin.api.get('/settings/jobs/summary', { query: { page_size: 200 } })).body
    .items as unknown as { type: string }[];
  t.match(
    items.find(({ type }) => type === 'test.module_off'),
    { has_handler: false, queued: 1, due: 1 },
  );
  registerJob(t, [node], 'test.module_off', { handler: async ({ attempt }) => `attempt ${attempt}` });
  t.match(await inState(id, 'done'), { result: 'attempt 1' });
});

await t.test('a job that finishes while its module is disabled is done', async (t) => {
  const stop = gate();
  const started = gate();
  const off = registerJob(t, [node], 'test.finishes', {
    handler: async () => {
      started.open();
      await stop.opened;
      return 'whole';
    },
  });
  const id = await submit('test.finishes');
  await started.opened;
  off();
  stop.open();
  t.match(await inState(id, 'done'), { result: 'whole', attempts: 1 });
});

await t.test('a result that cannot be stored fails the attempt, with the reason', async (t) => {
  const circular: Record<string, unknown> = {};
  circular['itself'] = circular;
  const results: [string, unknown][] = [
    ['a NUL', { text: 'a\0b' }],
    ['a bigint', { n: 1n }],
    ['a circle', circular],
  ];
  for (const [what, result] of results) {
    const off = registerJob(t, [node], 'test.unstorable', { handler: async () => result });
    const id = await submit('test.unstorable', {}, { maxAttempts: 1 });
    const job = await inState(id, 'failed');
    t.ok(job.error, `${what}: ${job.error}`);
    off();
  }
  for (const [thrown, error] of [
    [undefined, 'undefined'],
    [Object.assign(Object.create(null) as object, { odd: 1 }), /odd: 1/],
  ] as const) {
    const off = registerJob(t, [node], 'test.odd', { handler: () => Promise.reject(thrown as unknown as Error) });
    t.match(await inState(await submit('test.odd', {}, { maxAttempts: 1 }), 'failed'), { error });
    off();
  }
});

await t.test('errors are stored and shown without secrets, NUL or half characters, and truncated', async (t) => {
  registerJob(t, [node], 'test.telling', {
    handler: async () => {
      throw new Error(`smtp://ada:hunter2@mail refused\0 it ${'😀'.repeat(5_000)}`);
    },
  });
  const id = await submit('test.telling', {}, { maxAttempts: 1 });
  const job = await inState(id, 'failed');
  t.match(job.error, /^smtp:\/\/\[hidden\]@mail refused it 😀/);
  t.ok(job.error!.length <= 2_000);
  t.ok(job.failures[0]!.error.length <= 1_000);
  const event = await eventsOf(id, 'job.failed');
  t.match(event, {
    subject: { kind: 'job', id, type: 'test.telling' },
    data: { attempt: 1, max_attempts: 1, error: /hidden/ },
  });
  t.notMatch(JSON.stringify([event, await sql(database, 'select * from jobs where id = $1', [id])]), /hunter2/);
});

await t.test('removing secrets from a long text takes less than a quarter of a second', async (t) => {
  const hostile = [
    'a'.repeat(300_000),
    '://'.repeat(100_000),
    `x://${':'.repeat(300_000)}`,
    `x://a:${'b'.repeat(300_000)}`,
  ];
  const id = await submit('test.long_text', { hostile });
  // It blocks the event loop; without a bound it took much longer.
  const began = process.cpuUsage();
  t.equal((await admin.api.get(`/settings/jobs/${id}`)).status, 200);
  const { user } = process.cpuUsage(began);
  t.ok(user < 2_000_000, `${Math.round(user / 1_000)} ms of processor time`);
});

await t.test('the last errors of a job are kept, also after a retry', async (t) => {
  let isBroken = true;
  let n = 0;
  registerJob(t, [node], 'test.remembers', {
    maxAttempts: 12,
    retryMs: () => 1,
    handler: async () => {
      if (isBroken) throw new Error(`reason ${++n}`);
      return 'well';
    },
  });
  const id = await submit('test.remembers', {}, { maxAttempts: 12 });
  await inState(id, 'failed', 60_000);
  const { body: failed } = await admin.api.get(`/settings/jobs/${id}`);
  t.strictSame(
    (failed['failures'] as { attempt: number; error: string }[]).map((f) => [f.attempt, f.error]),
    Array.from({ length: 10 }, (_, i) => [i + 3, `reason ${i + 3}`]),
  );
  t.notOk(
    'failures' in (await admin.api.get('/settings/jobs', { query: { type: 'test.remembers' } })).body.items[0]!,
    'a list has no room for them',
  );
  isBroken = false;
  await admin.api.post(`/settings/jobs/${id}/retry`);
  const job = await inState(id, 'done');
  t.match(job, { attempts: 1, error: null });
  t.equal(job.failures.length, 10);
});
