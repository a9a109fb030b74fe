import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import type { JobDefinition, JobRun } from '../../core/foundation/jobs/index.js';
import { registerAdmin, sql, testApp, until, type TestApp } from '../support/app.js';
import { gate, jobsAt, registerJob } from '../support/jobs.js';

const node = await testApp();
t.teardown(node.close);
const { database } = node;
const second = await testApp({ database });
t.teardown(second.close);
const admin = await registerAdmin(node.origin);

const { row: job, inState, submit, loseLease } = jobsAt(node);
const eventsOf = (id: string) =>
  until(async () => {
    const { body } = await admin.api.get('/events', { query: { subject_id: id, sort_by: 'id' } });
    return body.total > 1 && body.items.map((e) => e.type);
  });
const on = (
  t: { teardown(fn: () => void): unknown },
  type: string,
  definition: JobDefinition,
  nodes: TestApp[] = [node],
): (() => void) => registerJob(t, nodes, type, definition);

await t.test('a job runs once, with its payload, and leaves result, progress and events', async (t) => {
  const runs: JobRun[] = [];
  on(
    t,
    'test.simple',
    {
      handler: async (run) => {
        runs.push(run);
        await run.progress({ done: 1, of: 2 });
        return { sum: 3 };
      },
    },
    [node, second],
  );
  t.throws(() => node.app.services.jobs.register('test.simple', { handler: async () => undefined }), /test.simple/);
  const began = performance.now();
  const id = await submit('test.simple', { a: [1, 2] });
  const row = await inState(id, 'done');
  t.ok(performance.now() - began < 3_000, 'it was not found by chance');
  t.match(row, {
    attempts: 1,
    fence: '1',
    result: { sum: 3 },
    progress: { done: 1, of: 2 },
    lease_until: null,
    error: null,
  });
  t.equal(runs.length, 1);
  t.match(runs[0], {
    id,
    payload: { a: [1, 2] },
    fence: 1,
    attempt: 1,
    ctx: { origin: 'job', changeId: id, actor: null },
  });
  t.strictSame(await eventsOf(id), ['job.queued', 'job.finished']);
});

await t.test('a job of a schedule writes events only when an attempt fails', async (t) => {
  on(t, 'test.routine', {
    retryMs: () => 10,
    handler: async ({ attempt, payload }) => {
      if (attempt === 1 && payload === 'fails') throw new Error('not yet');
    },
  });
  const { jobs } = node.app.services;
  const [quiet, retried] = [
    (await jobs.submit(systemContext('cron'), 'test.routine', 'works', { origin: 'cron' }))!,
    (await jobs.submit(systemContext('cron'), 'test.routine', 'fails', { origin: 'cron' }))!,
  ];
  await Promise.all([quiet, retried].map((id) => inState(id, 'done')));
  t.strictSame(await eventsOf(retried), ['job.postponed', 'job.finished']);
  t.equal((await admin.api.get('/events', { query: { subject_id: quiet } })).body.total, 0);
});

await t.test('an uncommitted job is not queued; a job without a handler on this node waits', async (t) => {
  const { transactions, jobs } = node.app.services;
  let undone = '';
  await t.rejects(
    transactions.run(systemContext('test'), async (uow) => {
      undone = await jobs.enqueue(uow, 'test.waiting', {});
      throw new Error('undone');
    }),
    /undone/,
  );
  t.equal(await job(undone), undefined);
  const id = await submit('test.waiting');
  const later = (await jobs.submit(
    systemContext('test'),
    'test.waiting',
    {},
    { runAt: new Date(Date.now() + 3_600_000) },
  ))!;
  t.equal(await jobs.submit(systemContext('test'), 'test.waiting', {}, { when: async () => false }), undefined);
  on(t, 'test.other', { handler: async () => undefined });
  await inState(await submit('test.other'), 'done');
  t.equal((await job(id)).state, 'queued');
  on(t, 'test.waiting', { handler: async () => 'now' }, [second]);
  t.equal((await inState(id, 'done')).result, 'now');
  t.equal((await job(later)).state, 'queued', 'it is not due yet');
});

await t.test('a failing job is retried with back-off, then fails permanently', async (t) => {
  const at: number[] = [];
  on(
    t,
    'test.failing',
    {
      maxAttempts: 3,
      retryMs: (attempt) => 200 * attempt,
      handler: async () => {
        at.push(performance.now());
        throw new Error(`no luck ${at.length}`);
      },
    },
    [node, second],
  );
  on(t, 'test.flaky', {
    retryMs: () => 50,
    handler: async ({ attempt }) => {
      if (attempt < 3) throw new Error('not yet');
      return attempt;
    },
  });
  const id = await submit('test.failing');
  const flaky = await submit('test.flaky');
  t.match(await inState(id, 'failed', 20_000), { attempts: 3, error: 'no luck 3' });
  t.equal(at.length, 3);
  t.ok(
    at[1]! - at[0]! >= 100 && at[2]! - at[1]! >= 200,
    `waits ${at
      .slice(1)
      .map((x, i) => Math.round(x - at[i]!))
      .join(', ')} ms`,
  );
  t.match(await inState(flaky, 'done'), { result: 3, attempts: 3, error: null });
  t.strictSame(
    await until(async () => {
      const types = await eventsOf(id);
      return types.length === 4 && types;
    }),
    ['job.queued', 'job.postponed', 'job.postponed', 'job.failed'],
  );
});

await t.test('an attempt that takes too long fails, and its signal is aborted', async (t) => {
  let aborted = false;
  on(t, 'test.slow', {
    maxAttempts: 1,
    timeoutMs: 200,
    handler: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          setTimeout(() => reject(new Error('late')), 50);
        });
      }),
  });
  t.match(await inState(await submit('test.slow'), 'failed'), { error: 'not done after 200 ms' });
  t.ok(aborted);
});

await t.test('a run without its lease cannot write; the new owner can', async (t) => {
  const stale = gate();
  const current = gate();
  const runs: JobRun[] = [];
  const table = 'create table if not exists job_writes (fence bigint)';
  await sql(database, table);
  const write = (n: TestApp, run: JobRun) =>
    n.app.services.transactions.run(run.ctx, async (uow) => {
      await run.guard(uow);
      await uow.query({ name: 'test-write', text: 'insert into job_writes values ($1)' }, [run.fence]);
    });
  let staleError: unknown;
  const off = on(t, 'test.fenced', {
    handler: async (run) => {
      runs.push(run);
      await write(node, run);
      await stale.opened;
      await write(node, run).catch((error: unknown) => {
        staleError = error;
      });
      return 'stale';
    },
  });
  const id = await submit('test.fenced');
  await until(() => runs.length === 1);
  off();
  on(
    t,
    'test.fenced',
    {
      handler: async (run) => {
        runs.push(run);
        await write(second, run);
        await current.opened;
        return 'current';
      },
    },
    [second],
  );
  await until(async () => {
    if ((await job(id)).fence === '1') await loseLease(id);
    // The lease is not ended again immediately, because a claim skips a locked row.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    return runs.length === 2;
  }, 30_000);
  stale.open();
  await until(() => staleError !== undefined);
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.match(await job(id), { state: 'running', fence: '2', result: null }, 'the stale one settles nothing');
  current.open();
  const row = await inState(id, 'done');
  t.match(staleError, { message: `job ${id} is not held any more` });
  t.match(row, { result: 'current', fence: '2', attempts: 2 });
  t.strictSame(
    runs.map((r) => r.fence),
    [1, 2],
  );
  t.strictSame(
    (await sql<{ fence: string }>(database, 'select fence from job_writes order by fence')).map((r) => r.fence),
    ['1', '2'],
  );
  t.equal((await job(id)).result, 'current', 'the outcome of the stale one was not stored');
});

await t.test('a job is not taken over while its owner has a guarded transaction open', async (t) => {
  const inside = gate();
  const finish = gate();
  const order: string[] = [];
  const off = on(t, 'test.guarded', {
    handler: async (run) => {
      await node.app.services.transactions.run(run.ctx, async (uow) => {
        await run.guard(uow);
        inside.open();
        await finish.opened;
        order.push('first commits');
      });
    },
  });
  const id = await submit('test.guarded');
  await inside.opened;
  off();
  on(
    t,
    'test.guarded',
    {
      handler: async () => {
        order.push('second begins');
      },
    },
    [second],
  );
  await loseLease(id);
  const seen = await Promise.race([
    until(() => order.length > 0, 10_000),
    new Promise((resolve) => setTimeout(resolve, 2_500, 'not taken over')),
  ]);
  t.equal(seen, 'not taken over');
  await loseLease(id);
  finish.open();
  await inState(id, 'done');
  t.equal(order[0], 'first commits');
});

await t.test('a job whose signal is aborted because it was lost or cancelled stops', async (t) => {
  const started = gate();
  let reason: unknown;
  on(t, 'test.cancelled', {
    handler: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          reject(new Error('stopped'));
        });
        started.open();
      }),
  });
  const id = await submit('test.cancelled');
  await started.opened;
  await sql(database, `update jobs set state = 'cancelled' where id = $1`, [id]);
  await until(() => reason !== undefined, 10_000);
  t.match(reason, { message: /not held/ });
  t.match(await job(id), { state: 'cancelled', error: null });
});

await t.test('a killed node loses its jobs to another one; one that kills every node fails', async (t) => {
  const script = `
    const { Database } = await import('${new URL('../../core/foundation/db/database.js', import.meta.url).href}');
    const { ChangeNotifier } = await import('${new URL('../../core/foundation/db/change-notifier.js', import.meta.url).href}');
    const { Transactions } = await import('${new URL('../../core/foundation/db/unit-of-work.js', import.meta.url).href}');
    const { JobRunner } = await import('${new URL('../../core/foundation/jobs/index.js', import.meta.url).href}');
    const log = { info() {}, warn() {}, error() {} };
    const db = new Database({ connection: JSON.parse(process.env.DB), max: 3 });
    const notifier = new ChangeNotifier(db, log);
    const jobs = new JobRunner(db, new Transactions(db, notifier, { refresh: async () => {} }), notifier, log);
    const run = async (job) => { process.stdout.write(job.id + '\\n'); await new Promise(() => setInterval(() => {}, 1e6)); };
    jobs.register('test.orphan', { handler: run });
    jobs.register('test.poison', { handler: run });
    await jobs.start();
    setInterval(() => {}, 1e6);`;
  const orphan = await submit('test.orphan');
  const poison = (await node.app.services.jobs.submit(systemContext('test'), 'test.poison', {}, { maxAttempts: 1 }))!;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, DB: JSON.stringify(database) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  await until(async () => (await job(orphan)).state === 'running' && (await job(poison)).state === 'running', 15_000);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const began = performance.now();
  on(t, 'test.orphan', { handler: async ({ attempt }) => `attempt ${attempt}` }, [node, second]);
  on(t, 'test.poison', { handler: async () => 'never' }, [node, second]);
  t.match(await inState(orphan, 'done', 25_000), { result: 'attempt 2', fence: '2' });
  t.comment(`taken over after ${Math.round(performance.now() - began)} ms`);
  t.match(await inState(poison, 'failed'), { error: 'its node was lost in attempt 1 of 1', result: null });
});

await t.test('a node that closes releases its jobs immediately', async (t) => {
  const third = await testApp({ database });
  const started = gate();
  const off = on(
    t,
    'test.given_back',
    {
      handler: ({ signal }) => {
        started.open();
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      },
    },
    [third],
  );
  const id = await submit('test.given_back');
  await started.opened;
  const began = performance.now();
  await third.close();
  off();
  t.ok(performance.now() - began < 8_000);
  t.match(await job(id), { state: 'queued', attempts: 0, lease_until: null });
  on(t, 'test.given_back', { handler: async ({ attempt }) => attempt });
  t.match(await inState(id, 'done'), { result: 1, fence: '2' });
});

await t.test('types take turns, and a node runs few jobs at a time', async (t) => {
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const handler = async (run: JobRun): Promise<void> => {
    most = Math.max(most, ++running);
    order.push((run.payload as { type: string }).type);
    await new Promise((resolve) => setTimeout(resolve, 30));
    running--;
  };
  for (let i = 0; i < 40; i++) await submit('test.many', { type: 'many' });
  for (let i = 0; i < 4; i++) await submit('test.few', { type: 'few' });
  on(t, 'test.many', { handler });
  on(t, 'test.few', { handler });
  await until(() => order.length === 44, 20_000);
  t.ok(most <= 5, `${most} at a time: four, and one place for a type nothing runs of`);
  t.ok(order.lastIndexOf('few') < 16, `the last of the few was number ${order.lastIndexOf('few') + 1}`);
});

await t.test('the core cleans up: archived cards past their retention, and what has expired', async (t) => {
  const { body: old } = await admin.api.post('/cards', { type: 'Application', name: 'Long gone' });
  const { body: recent } = await admin.api.post('/cards', { type: 'Application', name: 'Just archived' });
  for (const { id } of [old, recent]) t.equal((await admin.api.post(`/cards/${id}/archive`, {})).status, 200);
  await sql(database, `update cards set archived_at = archived_at - interval '31 days' where id = $1`, [old.id]);
  t.match(await inState(await submit('cards.purge'), 'done'), { result: { deleted: 1 } });
  t.equal((await admin.api.get(`/cards/${old.id}`)).status, 404);
  t.equal((await admin.api.get(`/cards/${recent.id}`)).status, 200);
  const purged = await until(
    async () => (await admin.api.get('/events', { query: { subject_id: old.id, type: 'card.deleted' } })).body.items[0],
  );
  t.equal(purged['actor'], null);

  await sql(
    database,
    `insert into idempotency_keys (user_id, key, fingerprint, result, created_at) select $1, k, 'x', '{}', clock_timestamp() - age::interval
    from (values ('old', '25 hours'), ('new', '1 hour')) v(k, age)`,
    [admin.user.id],
  );
  await sql(
    database,
    `insert into cron_slots (job, slot, taken_at) select 'test.yearly', clock_timestamp() - age::interval, clock_timestamp() - age::interval from (values ('400 days'), ('35 days')) v(age)`,
  );
  await sql(
    database,
    `insert into sessions (id, user_id, expires_at) values (gen_random_uuid(), $1, clock_timestamp() - interval '100 days')`,
    [admin.user.id],
  );
  t.match(await inState(await submit('auth.sessions_cleanup'), 'done'), {
    result: { idempotency_keys: 1, cron_slots: 1 },
  });
  t.strictSame(
    (await sql(database, 'select key from idempotency_keys')).map((r) => r['key']),
    ['new'],
  );
  t.equal(
    (await sql(database, `select from cron_slots where job = 'test.yearly'`)).length,
    1,
    'the latest slot of a job is kept',
  );
  t.equal(
    (await sql(database, `select from sessions where expires_at < clock_timestamp() - interval '99 days'`)).length,
    0,
  );
  t.equal((await admin.api.get('/auth/me')).status, 200, 'active sessions are kept');
});
