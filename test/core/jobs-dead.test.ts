/** Dead letters: permanently failed jobs are listed, counted, retried, and deleted after their retention. */
import pg from 'pg';
import t from 'tap';
import { boundKnex } from '../../core/foundation/db/bound-knex.js';
import * as migration from '../../migrations/0017_jobs.js';
import { client, createDatabase, makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';
import { jobsAt, registerJob } from '../support/jobs.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const one = await testApp();
t.teardown(one.close);
const { database } = one;
const two = await testApp({ database });
t.teardown(two.close);
const admin = await registerAdmin(one.origin);
const member = await makeUser(admin, 'architect');
const there = client(two.origin, admin.token);
const spare = await createDatabase();
const { inState, row, submit } = jobsAt(one);
const fail = (type: string, count: number, ago = '1 minute') =>
  sql<{ id: string }>(
    database,
    `insert into jobs (id, type, state, attempts, error, failures, finished_at)
  select gen_random_uuid(), $1, 'failed', 5, 'gone wrong', '[{"attempt": 5, "at": "2026-01-01T00:00:00+00:00", "error": "gone wrong"}]', clock_timestamp() - $3::interval - i * interval '1 ms' from generate_series(1, $2) i returning id`,
    [type, count, ago],
  );
interface Figures {
  type: string;
  has_handler: boolean;
  queued: number;
  due: number;
  running: number;
  failed: number;
  oldest_due_at: string | null;
}
const summary = async (type: string) =>
  (
    (await admin.api.get('/settings/jobs/summary', { query: { page_size: 200 } })).body.items as unknown as Figures[]
  ).find((f) => f.type === type);

await t.test('dead letters are listed with their errors, and counted by type', async (t) => {
  await fail('dead.a', 3);
  await fail('dead.b', 1);
  registerJob(t, [one, two], 'dead.b', { handler: async () => undefined });
  await submit('dead.a', {}, { runAt: new Date(Date.now() + 3_600_000) });
  await sql(
    database,
    `insert into jobs (id, type, run_at) values (gen_random_uuid(), 'dead.a', now() - interval '90 s')`,
  );
  t.match(await summary('dead.a'), {
    has_handler: false,
    queued: 2,
    due: 1,
    running: 0,
    failed: 3,
    oldest_due_at: /Z$/,
  });
  t.match(await summary('dead.b'), {
    has_handler: true,
    queued: 0,
    due: 0,
    running: 0,
    failed: 1,
    oldest_due_at: null,
  });
  t.match(await summary('cards.purge'), { has_handler: true, failed: 0 }, 'types without jobs are listed as well');
  const { body } = await admin.api.get('/settings/jobs', { query: { state: 'failed', type: 'dead.' } });
  t.equal(body.total, 4);
  t.match(body.items[0], { state: 'failed', error: 'gone wrong', has_handler: /true|false/ });
  const page = await admin.api.get('/settings/jobs/summary', {
    query: { sort_by: 'failed', sort_dir: 'desc', page_size: 1 },
  });
  t.match(page.body, { items: [{ type: 'dead.a' }], page: 1, page_size: 1 });
  t.equal((await admin.api.get('/settings/jobs/summary', { query: { other: 1 } })).status, 422);
  for (const [method, path] of [
    ['GET', '/settings/jobs/summary'],
    ['POST', '/settings/jobs/retry'],
  ] as const) {
    t.match(await member.api.send(method, path, method === 'POST' ? {} : undefined), {
      status: 403,
      body: { required_permission: 'jobs.manage' },
    });
  }
  const { body: text } = await client(one.origin).get<string>('/api/metrics');
  t.match(text, /^lintel_jobs\{type="dead\.a",state="failed"\} 3$/m);
  t.match(text, /^lintel_jobs\{type="dead\.a",state="queued"\} 2$/m);
  t.match(text, /^lintel_jobs\{type="cards\.purge",state="failed"\} 0$/m);
  const age = Number(/^lintel_jobs_due_age_seconds\{type="dead\.a"\} (\S+)$/m.exec(text)?.[1]);
  t.ok(age >= 90 && age < 600, `${age} s`);
  await sql(database, `delete from jobs where type like 'dead.%'`);
});

await t.test(
  'many are retried by one request: of one type, at most 1,000, with a constant number of statements',
  async (t) => {
    await fail('many.a', 1_100);
    await fail('many.b', 2);
    const cancelled = (await fail('many.c', 2)).map(({ id }) => id);
    await sql(database, `update jobs set state = 'cancelled' where type = 'many.c'`);
    const dry = await admin.api.post('/settings/jobs/retry', { type: 'many.a' }, { query: { dry_run: 'true' } });
    t.match(dry, { status: 200, body: { retried: 1_000, remaining: 100 } });
    t.match(await summary('many.a'), { failed: 1_100, queued: 0 });
    const key = { headers: { 'idempotency-key': 'retry-many' } };
    const first = await watch.during(() => admin.api.post('/settings/jobs/retry', { type: 'many.a' }, key));
    t.match(first.answer, { status: 200, body: { retried: 1_000, remaining: 100 } });
    const again = await there.post('/settings/jobs/retry', { type: 'many.a' }, key);
    t.match(again, { status: 200, body: { retried: 1_000, remaining: 100 } });
    t.equal(again.headers.get('idempotent-replayed'), 'true');
    t.match(await summary('many.a'), { failed: 100, queued: 1_000 });
    const second = await watch.during(() =>
      admin.api.post(
        '/settings/jobs/retry',
        { type: 'many.', state: 'failed' },
        { headers: { 'idempotency-key': 'retry-many-2' } },
      ),
    );
    t.match(second.answer, { status: 200, body: { retried: 102, remaining: 0 } });
    // The request notifies the runner, whose claims must not count.
    const names = ({ statements }: typeof first): string[] =>
      statements.map(({ name, text }) => name ?? text).filter((name) => name !== 'job-claim');
    t.strictSame(names(second), names(first), `${names(first).length} statements`);
    t.match(
      await admin.api.post('/settings/jobs/retry', { type: 'many' }),
      { status: 200, body: { retried: 0, remaining: 0 } },
      'a type is not the beginning of another',
    );
    t.match(await admin.api.post('/settings/jobs/retry', { type: 'many.c', state: 'cancelled' }), {
      body: { retried: 2 },
    });
    t.match(await row(cancelled[0]!), {
      state: 'queued',
      attempts: 0,
      error: null,
      failures: [{ error: 'gone wrong' }],
    });
    for (const body of [{ state: 'done' }, { state: 'queued' }, { type: '' }, { other: 1 }, { type: null }])
      t.equal((await admin.api.post('/settings/jobs/retry', body)).status, 422, JSON.stringify(body));
    const told = await until(async () => {
      const { body } = await admin.api.get('/events', { query: { subject_id: cancelled[0]! } });
      return body.items[0];
    });
    t.match(told, {
      type: 'job.retried',
      subject: { id: cancelled[0], type: 'many.c' },
      data: { changes: [{ field: 'state', old: 'cancelled', new: 'queued' }] },
    });
  },
);

await t.test('of many concurrent retries one succeeds, and the job runs once', async (t) => {
  const [{ id }] = (await fail('crowd.a', 1)) as [{ id: string }];
  let runs = 0;
  registerJob(t, [one, two], 'crowd.a', {
    handler: async () => {
      runs++;
    },
  });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? admin.api : there).post(`/settings/jobs/${id}/retry`)),
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  t.equal(answers.filter(({ status }) => status === 409).length, 19);
  await inState(id, 'done');

  await sql(database, `update jobs set state = 'failed' where id = $1`, [id]);
  const ids = (await fail('crowd.b', 50)).map((job) => job.id);
  const many = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? admin.api : there).post('/settings/jobs/retry', { type: 'crowd.' })),
  );
  t.ok(many.every(({ status }) => status === 200));
  t.equal(
    many.reduce((sum, { body }) => sum + (body as unknown as { retried: number }).retried, 0),
    51,
  );
  await inState(id, 'done');
  t.equal(runs, 2);
  t.equal((await sql(database, 'select from jobs where id = any($1) and version = 2', [ids])).length, 50);
});

await t.test('jobs are deleted 30 days after their end, failed ones after 90 days', async (t) => {
  const old = (type: string, state: string, ago: string) =>
    sql(
      database,
      `insert into jobs (id, type, state, finished_at) values (gen_random_uuid(), $1, $2, clock_timestamp() - $3::interval)`,
      [type, state, ago],
    );
  await old('old.done', 'done', '31 days');
  await old('old.done_kept', 'done', '29 days');
  await old('old.cancelled', 'cancelled', '31 days');
  await old('old.failed_kept', 'failed', '89 days');
  await old('old.failed', 'failed', '91 days');
  await sql(
    database,
    `insert into jobs (id, type, created_at, run_at) values (gen_random_uuid(), 'old.queued_kept', now() - interval '1 year', now() - interval '1 year')`,
  );
  await sql(
    database,
    `insert into jobs (id, type, state, finished_at) select gen_random_uuid(), 'old.many', 'done', now() - interval '40 days' from generate_series(1, 6000)`,
  );
  await sql(
    database,
    `insert into jobs (id, type, state, attempts, lease_until) values (gen_random_uuid(), 'old.left_kept', 'running', 1, now() - interval '1 hour')`,
  );
  const events = async () =>
    (await sql<{ n: number }>(database, `select count(*)::int as n from events where subject_kind = 'job'`))[0]!.n;
  const before = await events();
  const done = await inState(await submit('auth.sessions_cleanup'), 'done', 30_000);
  t.match(done.result, { jobs: 6_003 });
  const left = await sql<{ type: string; state: string; failures: unknown[] }>(
    database,
    `select type, state, failures from jobs where type like 'old.%' order by type`,
  );
  t.strictSame(
    left.map(({ type }) => type),
    ['old.done_kept', 'old.failed_kept', 'old.left_kept', 'old.queued_kept'],
  );
  t.match(
    left.find(({ type }) => type === 'old.left_kept'),
    { state: 'queued', failures: [{ error: 'its node was lost' }] },
    'a job of a lost node is shown as queued',
  );
  t.ok((await events()) >= before, 'their events are kept');
});

await t.test('the migration can be reverted and run again', async (t) => {
  const connection = new pg.Client({ ...spare });
  await connection.connect();
  t.teardown(() => connection.end());
  const made = async () =>
    (
      await sql(
        spare,
        `select attname as name from pg_attribute where (attrelid, attname) in (('jobs'::regclass, 'failures'), ('cron_slots'::regclass, 'ran'))
    union all select relname from pg_class where relname = 'jobs_ended'`,
      )
    ).length;
  t.equal(await made(), 3);
  await sql(spare, `insert into cron_slots (job, slot, ran) values ('a', now(), false), ('b', now(), true)`);
  await migration.down(await boundKnex(connection));
  t.equal(await made(), 0);
  t.strictSame(await sql(spare, 'select job from cron_slots'), [{ job: 'b' }]);
  await sql(spare, `insert into jobs (id, type) values (gen_random_uuid(), 'old')`);
  await migration.up(await boundKnex(connection));
  t.equal(await made(), 3);
  t.strictSame(await sql(spare, 'select failures from jobs'), [{ failures: [] }]);
});
