import pg from 'pg';
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { boundKnex } from '../../core/foundation/db/bound-knex.js';
import type { JobDefinition, JobRun } from '../../core/foundation/jobs/index.js';
import * as migration from '../../migrations/0011_settings.js';
import * as ofUsers from '../../migrations/0032_jobs_of_users.js';
import {
  client,
  createDatabase,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type TestApp,
} from '../support/app.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);
const viewer = await makeUser(admin, 'viewer');
const there = client(two.origin, admin.token);

const spare = await createDatabase();

const submit = async (type: string, payload: unknown = {}, maxAttempts = 5): Promise<string> =>
  (await one.app.services.jobs.submit(systemContext('test'), type, payload, { maxAttempts }))!;
const get = async (id: string): Promise<AnyBody> => (await admin.api.get(`/settings/jobs/${id}`)).body;
const inState = (id: string, state: string, ms = 5_000) =>
  until(async () => {
    const job = await get(id);
    return job['state'] === state && job;
  }, ms);
function on(t: { teardown(fn: () => void): unknown }, node: TestApp, type: string, definition: JobDefinition): void {
  t.teardown(node.app.services.jobs.register(type, definition));
}
const typesOf = (id: string, n: number) =>
  until(async () => {
    const { body } = await admin.api.get('/events', { query: { subject_id: id, sort_dir: 'asc' } });
    return body.total >= n && body.items.map((e) => e.type);
  });

t.test('jobs need jobs.manage', async (t) => {
  const id = await submit('test.nobody');
  for (const [method, path] of [
    ['GET', ''],
    ['GET', `/${id}`],
    ['POST', `/${id}/cancel`],
    ['POST', `/${id}/retry`],
  ] as const) {
    t.equal((await client(one.origin).send(method, `/settings/jobs${path}`)).status, 401);
    t.match(await viewer.api.send(method, `/settings/jobs${path}`), {
      status: 403,
      body: { required_permission: 'jobs.manage' },
    });
  }
  t.equal((await get(id))['state'], 'queued');
  for (const bad of ['x', '01900000-0000-7000-8000-00000000dead']) {
    t.equal((await admin.api.get(`/settings/jobs/${bad}`)).status, 404);
    t.equal((await admin.api.post(`/settings/jobs/${bad}/cancel`)).status, 404);
  }
});

t.test('the list is filtered, sorted and paged', async (t) => {
  const ids: string[] = [];
  for (const type of ['list.a', 'list.b', 'list.b', 'listing']) ids.push(await submit(type));
  await sql(one.database, `update jobs set created_at = now() - interval '1 day' where id = $1`, [ids[0]]);
  const list = async (query: Record<string, string | number>) =>
    (await admin.api.get('/settings/jobs', { query })).body;
  t.strictSame(
    (await list({ type: 'list.' })).items.map((j) => j.id),
    [ids[2], ids[1], ids[0]],
    'the latest first',
  );
  t.strictSame(
    (await list({ type: 'list.b', sort_by: 'created_at', sort_dir: 'asc' })).items.map((j) => j.id),
    [ids[1], ids[2]],
  );
  t.equal((await list({ type: 'list' })).total, 0, 'a type is not the beginning of another');
  t.equal((await list({ type: 'list.', since: new Date(Date.now() - 3_600_000).toISOString() })).total, 2);
  t.equal((await list({ type: 'list.', state: 'done,failed' })).total, 0);
  const page = await list({ type: 'list.', page_size: 2, state: 'queued,running' });
  t.match(page, { total: 3, page: 1 });
  t.strictSame(
    (await list({ type: 'list.', page_size: 2, state: 'queued,running', cursor: page.next_cursor! })).items.map(
      (j) => j.id,
    ),
    [ids[0]],
  );
  for (const query of ['state=gone', 'state=', 'since=yesterday', 'sort_by=payload', 'other=1', 'type='])
    t.equal((await admin.api.get(`/settings/jobs?${query}`)).status, 422, query);
  t.equal((await admin.api.get('/settings/jobs', { query: { type: '%' } })).body.total, 0);
});

t.test('values that look like secrets are hidden', async (t) => {
  const id = await submit('test.secrets', {
    url: 'https://ada:hunter2@example.org/x',
    deep: [{ api_key: 'hunter2', access_token: 'hunter2', Password: { a: 'hunter2' }, name: 'shown' }],
    password: null,
  });
  await sql(
    one.database,
    `update jobs set error = 'could not reach smtp://ada:hunter2@mail', progress = '{"token": "hunter2"}' where id = $1`,
    [id],
  );
  const job = await get(id);
  t.notMatch(JSON.stringify(job), /hunter2/);
  t.match(job, { payload: { url: 'https://[hidden]@example.org/x', deep: [{ name: 'shown' }], password: null } });
  t.notMatch(
    JSON.stringify((await admin.api.get<object>('/settings/jobs', { query: { type: 'test.secrets' } })).body),
    /hunter2/,
  );
});

t.test('a queued job can be cancelled, and does not run until it is retried', async (t) => {
  const id = await submit('test.waits');
  const cancelled = await there.post(`/settings/jobs/${id}/cancel`, undefined, {
    headers: { 'if-match': '"1"', 'idempotency-key': 'cancel-1' },
  });
  t.match(cancelled, { status: 200, body: { id, state: 'cancelled', version: 2, attempts: 0 } });
  t.type(cancelled.body['finished_at'], 'string');
  t.equal(
    (
      await there.post(`/settings/jobs/${id}/cancel`, undefined, {
        headers: { 'if-match': '"1"', 'idempotency-key': 'cancel-1' },
      })
    ).headers.get('idempotent-replayed'),
    'true',
  );
  t.match(await admin.api.post(`/settings/jobs/${id}/cancel`), {
    status: 409,
    body: { code: 'invalid_state', state: 'cancelled' },
  });
  t.match(await admin.api.post(`/settings/jobs/${id}/retry`, undefined, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { current_version: 2 },
  });
  let runs = 0;
  on(t, one, 'test.waits', {
    handler: async () => {
      runs++;
      return 'at last';
    },
  });
  on(t, two, 'test.other', { handler: async () => undefined });
  await inState(await submit('test.other'), 'done');
  t.equal(runs, 0);
  t.match(await admin.api.post(`/settings/jobs/${id}/retry`, undefined, { headers: { 'if-match': '"2"' } }), {
    status: 200,
    body: { state: /queued|running|done/, attempts: /[01]/ },
  });
  t.match(await inState(id, 'done'), { result: 'at last', attempts: 1 });
  t.equal(runs, 1);
  t.match(await admin.api.post(`/settings/jobs/${id}/retry`), { status: 409, body: { state: 'done' } });
  t.strictSame(await typesOf(id, 4), ['job.queued', 'job.cancelled', 'job.retried', 'job.finished']);
});

t.test('the signal of a running job is aborted within a second on any node, and the job writes no more', async (t) => {
  for (const node of [one, two]) {
    const type = node === one ? 'test.here' : 'test.there';
    let run: JobRun | undefined;
    let ended: unknown;
    on(t, node, type, {
      handler: async (job) => {
        run = job;
        await job.progress({ done: 1 });
        await new Promise((resolve) => {
          job.signal.addEventListener('abort', resolve);
        });
        const { transactions } = node.app.services;
        await transactions
          .run(job.ctx, async (uow) => {
            await job.guard(uow);
            uow.emit({ type: 'job.wrote', subject: { kind: 'job', id: job.id } });
          })
          .catch((error: unknown) => {
            ended = error;
            throw error;
          });
      },
    });
    const id = await submit(type);
    await until(async () => run !== undefined && (await get(id))['state'] === 'running');
    const began = performance.now();
    t.match(await admin.api.post(`/settings/jobs/${id}/cancel`), {
      status: 200,
      body: { state: 'cancelled', progress: { done: 1 } },
    });
    await until(() => run!.signal.aborted, 1_000);
    t.comment(`${type} was notified after ${Math.round(performance.now() - began)} ms`);
    await until(() => ended !== undefined);
    t.match(ended, /not held/);
    t.match(await get(id), { state: 'cancelled', error: null });
    t.strictSame(await typesOf(id, 2), ['job.queued', 'job.cancelled']);
  }
});

t.test('without the notifier the node polls for cancelled jobs', async (t) => {
  let run: JobRun | undefined;
  on(t, two, 'test.ignores_signal', {
    handler: async (job) => {
      run = job;
      await new Promise((resolve) => {
        job.signal.addEventListener('abort', resolve);
      });
    },
  });
  const id = await submit('test.ignores_signal');
  await until(() => run);
  await sql(one.database, `update jobs set state = 'cancelled', lease_until = null where id = $1`, [id]);
  await until(() => run!.signal.aborted, 2_500);
});

t.test('a permanently failed job is retried with all its attempts', async (t) => {
  let isBroken = true;
  on(t, two, 'test.breaks', {
    maxAttempts: 2,
    retryMs: () => 10,
    handler: async () => {
      if (isBroken) throw new Error('broken');
      return 'mended';
    },
  });
  const id = await submit('test.breaks', {}, 2);
  const failed = await inState(id, 'failed', 10_000);
  t.match(failed, { error: 'broken', attempts: 2 });
  t.match(await admin.api.post(`/settings/jobs/${id}/cancel`), { status: 409, body: { state: 'failed' } });
  isBroken = false;
  t.match((await admin.api.post(`/settings/jobs/${id}/retry`)).body, { state: /queued|running|done/, error: null });
  t.match(await inState(id, 'done'), { result: 'mended', attempts: 1 });
});

t.test('of many concurrent cancellations one succeeds', async (t) => {
  const id = await submit('test.crowd');
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => (n % 2 ? admin.api : there).post(`/settings/jobs/${id}/cancel`)),
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  t.equal(answers.filter(({ status }) => status === 409).length, 9);
  t.strictSame(await typesOf(id, 2), ['job.queued', 'job.cancelled']);
});

t.test('the entity tag of a job changes with its progress, its version with its state', async (t) => {
  const id = await submit('test.tagged');
  const first = (await admin.api.get(`/settings/jobs/${id}`)).headers.get('etag')!;
  t.equal((await admin.api.get(`/settings/jobs/${id}`, { headers: { 'if-none-match': first } })).status, 304);
  await sql(one.database, `update jobs set progress = '{"done": 2}' where id = $1`, [id]);
  const second = await admin.api.get(`/settings/jobs/${id}`, { headers: { 'if-none-match': first } });
  t.match(second, { status: 200, body: { version: 1, progress: { done: 2 } } });
  t.equal(
    (await admin.api.post(`/settings/jobs/${id}/cancel`, undefined, { headers: { 'if-match': first } })).status,
    200,
    'If-Match compares the version',
  );
});

t.test('the migration can be reverted and run again', async (t) => {
  const connection = new pg.Client({ ...spare });
  await connection.connect();
  t.teardown(() => connection.end());
  const made = () =>
    sql(
      spare,
      `select attname as name from pg_attribute where attrelid = 'jobs'::regclass and attname = 'version' union all select relname from pg_class where relname = 'jobs_created'`,
    );
  t.equal((await made()).length, 2);
  await migration.down(await boundKnex(connection));
  t.strictSame(await made(), []);
  await sql(spare, `insert into jobs (id, type) values (gen_random_uuid(), 'old')`);
  await migration.up(await boundKnex(connection));
  t.equal((await made()).length, 2);
  t.strictSame(await sql(spare, 'select version from jobs'), [{ version: 1 }]);
});

t.test('jobs keep their users in the migration, except users that were deleted', async (t) => {
  const database = await createDatabase();
  const connection = new pg.Client({ ...database });
  await connection.connect();
  t.teardown(() => connection.end());
  await ofUsers.down(await boundKnex(connection));
  await sql(database, `insert into roles (key, label, is_system, permissions) values ('desk', 'Desk', false, '[]')`);
  const [{ id }] = (await sql<{ id: string }>(
    database,
    `insert into users (id, email, email_key, display_name, role, created_at, updated_at) values (gen_random_uuid(), 'a', 'a', 'a', 'desk', now(), now()) returning id`,
  )) as [{ id: string }];
  const users = () => sql(database, 'select type, created_by from jobs order by type');
  await sql(
    database,
    `insert into jobs (id, type, created_by) values (gen_random_uuid(), 'kept', $1), (gen_random_uuid(), 'lost', gen_random_uuid())`,
    [id],
  );
  await ofUsers.up(await boundKnex(connection));
  t.strictSame(await users(), [
    { type: 'kept', created_by: id },
    { type: 'lost', created_by: null },
  ]);
  t.strictSame(await sql(database, 'select distinct on_behalf from jobs'), [{ on_behalf: false }]);
  await sql(database, 'delete from users');
  t.match(await users(), [{ created_by: null }, { created_by: null }]);
});
