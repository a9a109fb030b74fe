/** Jobs of a module: on behalf of users, their status and cancellation, the call after their end, runs on request. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Config } from '../../config/schema.js';
import { systemContext } from '../../core/foundation/context.js';
import { client, makeUser, registerAdmin, sql, testApp, until, type AnyBody, type Session } from '../support/app.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const config: Partial<Config> = {
  pluginsDir: join(root, 'test/fixtures/modules/tasks'),
  logLevel: 'silent',
  outboundAllow: ['127.0.0.1'],
};
const one = await testApp({ config });
const { database } = one;
const two = await testApp({ config, database });
t.teardown(() => Promise.all([one.close(), two.close()]));
const admin = await registerAdmin(one.origin);

interface Task {
  job: string;
  row: string;
}
const start = async (by: Session, kind: string, onBehalf = true, cards: string[] = []): Promise<Task> => {
  const answer = await by.api.post('/tasks/start', { kind, on_behalf: onBehalf, cards });
  if (answer.status !== 202) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  const job = answer.body['job_id'] as string;
  const [stored] = await sql<{ row: string }>(database, `select payload ->> 'row' as row from jobs where id = $1`, [
    job,
  ]);
  return { job, row: stored!.row };
};
const status = async ({ api }: Session, { job }: Task): Promise<AnyBody> => (await api.get(`/jobs/${job}`)).body;
const inState = (task: Task, state: string, ms = 10_000) =>
  until(async () => {
    const body = await status(admin, task);
    return body['state'] === state && body;
  }, ms);
const notes = async ({ row }: Task): Promise<string[]> =>
  (await sql<{ note: string }>(database, 'select note from tasks_notes where row = $1 order by at', [row])).map(
    ({ note }) => note,
  );
const rowOf = async ({ row }: Task) =>
  (
    await sql<{ state: string; ends: number; error: string | null; queued_by: string | null }>(
      database,
      'select state, ends, error, queued_by from tasks_rows where id = $1',
      [row],
    )
  )[0]!;
const ended = (task: Task, ms = 10_000) =>
  until(async () => {
    const row = await rowOf(task);
    return row.ends > 0 && row;
  }, ms);
const looks = async (task: Task): Promise<AnyBody[]> =>
  (await notes(task)).filter((note) => note.startsWith('{')).map((note) => JSON.parse(note) as AnyBody);
const open = (name: string) => sql(database, 'insert into tasks_gates values ($1)', [name]);
/** The module's events about a task, once there are so many. */
const eventsOf = ({ row }: Task, count: number) =>
  until(async () => {
    const { body } = await admin.api.get('/events', { query: { subject_id: row, sort_dir: 'asc' } });
    return body.total >= count && body.items;
  });

const [shown, hidden] = await Promise.all(
  ['Application', 'Provider'].map(
    async (type) => (await admin.api.post('/cards', { type, name: `A ${type}` })).body['id'] as string,
  ),
);
const cards = [shown!, hidden!].sort();
await admin.api.post('/roles', {
  key: 'narrow',
  label: 'Narrow',
  permissions: ['cards.view', 'tasks.start', 'notifications.own'],
  types: { Provider: { 'cards.view': false } },
});

await t.test('a job on behalf of a user sees and does what that user may', async (t) => {
  const narrow = await makeUser(admin, 'narrow');
  const architect = await makeUser(admin, 'architect');
  const task = await start(narrow, 'look', true, cards);
  await inState(task, 'done');
  t.match(await looks(task), [{ actor: narrow.user.id, creates: false, sees: [shown] }]);
  t.strictSame((await looks(task))[0]!['sees'], [shown]);
  const [looked] = await eventsOf(task, 1);
  t.match(looked, { type: 'tasks.looked', actor: { id: narrow.user.id }, origin: 'job', change_id: task.job });
  await until(
    async () => (await architect.api.get('/notifications', { query: { kind: 'tasks.looked' } })).body.total === 1,
  );
  t.equal(
    (await narrow.api.get('/notifications', { query: { kind: 'tasks.looked' } })).body.total,
    0,
    'not notified of own actions',
  );

  const system = await start(narrow, 'look', false, cards);
  await inState(system, 'done');
  t.match(await looks(system), [{ actor: null, creates: true, sees: cards }], 'without it, the system runs it');
});

await t.test('the permissions are those of the time at which the job runs', async (t) => {
  const user = await makeUser(admin, 'narrow');
  const path = `/users/${user.user.id}`;
  const waiting = await start(user, 'waits', true, cards);
  await until(async () => (await notes(waiting)).includes('waits'));
  t.equal((await admin.api.patch(path, { role: 'member' })).status, 200);
  await open(waiting.row);
  await inState(waiting, 'done');
  const [first] = await looks(waiting);
  t.match(first, { actor: user.user.id, sees: [shown], creates: true }, 'read anew by `guard`');

  const twice = await start(user, 'twice', true, cards);
  await until(async () => (await looks(twice)).length === 1);
  t.equal((await admin.api.patch(path, { role: 'narrow' })).status, 200);
  await inState(twice, 'done');
  t.match(await looks(twice), [
    { attempt: 1, of: 2, last: false, creates: true, sees: cards },
    { attempt: 2, of: 2, last: true, creates: false, sees: [shown] },
  ]);
});

await t.test('a job of a user who was deactivated or deleted fails and is not retried', async (t) => {
  const fails = { state: 'failed', error: { code: 'forbidden', detail: /no active account/ } };
  const [before, during, later] = await Promise.all(
    ['member', 'member', 'member'].map((role) => makeUser(admin, role)),
  );
  const deactivate = async ({ user }: Session) =>
    t.equal((await admin.api.patch(`/users/${user.id}`, { is_active: false })).status, 200);

  const running = await start(during!, 'waits');
  await until(async () => (await notes(running)).includes('waits'));
  await deactivate(during!);
  // The signal is aborted: the gate that it waits for is not opened.
  t.match(await inState(running, 'failed', 8_000), { ...fails, attempt: 1 });
  t.strictSame(await looks(running), [], 'it wrote nothing afterwards');

  await admin.api.patch('/settings/modules/tasks', { enabled: false });
  // Without the module's route: the job is queued as the module does it.
  const task = async (user: Session): Promise<Task> => {
    const { transactions, jobs, users } = one.app.services;
    const acting = (await users.acting(user.user.id))!;
    const row = crypto.randomUUID();
    await sql(database, `insert into tasks_rows (id, state) values ($1, 'running')`, [row]);
    const job = await transactions.run({ ...systemContext('api'), ...acting }, (uow) =>
      jobs.enqueue(uow, 'tasks.work', { row, kind: 'look', cards }, { onBehalf: true }),
    );
    return { row, job };
  };
  const [deactivated, deleted] = [await task(before!), await task(later!)];
  await deactivate(before!);
  t.equal((await admin.api.send('DELETE', `/users/${later!.user.id}`)).status, 204);
  await admin.api.patch('/settings/modules/tasks', { enabled: true });
  for (const one of [deactivated, deleted]) {
    t.match(await inState(one, 'failed'), { ...fails, attempt: 1 });
    t.strictSame(await looks(one), []);
    t.match(await ended(one), { state: 'failed', ends: 1 });
  }
  t.equal((await rowOf(deleted)).queued_by, null);
});

await t.test('the user who queued a job reads its status, others do not', async (t) => {
  const [user, other] = [await makeUser(admin, 'member'), await makeUser(admin, 'member')];
  const accepted = await user.api.post('/tasks/start', { kind: 'guards', on_behalf: true });
  const job = accepted.body['job_id'] as string;
  t.equal(accepted.headers.get('location'), `/api/v1/jobs/${job}`);
  const [{ row }] = (await sql<{ row: string }>(database, `select payload ->> 'row' as row from jobs where id = $1`, [
    job,
  ])) as [{ row: string }];
  const task = { job, row };
  await until(async () => (await notes(task)).includes('guards'));
  const running = await user.api.get(`/jobs/${job}`);
  t.match(running, {
    status: 200,
    body: {
      id: job,
      type: 'tasks.work',
      state: 'running',
      attempt: 1,
      max_attempts: 2,
      progress: { kind: 'guards' },
      result: null,
      error: null,
      finished_at: null,
    },
  });
  t.ok(String(running.body['started_at']) >= String(running.body['created_at']));
  t.notOk('payload' in running.body);
  t.equal(
    (await user.api.get(`/jobs/${job}`, { headers: { 'if-none-match': running.headers.get('etag')! } })).status,
    304,
  );
  for (const session of [other, undefined])
    t.equal((await client(one.origin, session?.token).get(`/jobs/${job}`)).status, session ? 404 : 401);
  t.equal((await admin.api.get(`/jobs/${job}`)).status, 200, 'jobs.manage');
  t.equal((await user.api.get(`/tasks/jobs/${job}`)).body['state'], 'running', 'in a route of the module');
  t.equal((await other.api.get(`/tasks/jobs/${job}`)).status, 404);
  const foreign = (await one.app.services.jobs.submit(systemContext('test'), 'other.type', {}))!;
  t.equal((await admin.api.get(`/tasks/jobs/${foreign}`)).status, 404, 'not of the module');
  t.equal((await admin.api.get('/tasks/jobs/x')).status, 404);
  await open(row);
  await inState(task, 'done');
  t.match(await status(user, task), { result: { kind: 'guards' }, finished_at: /Z$/ });

  const [problem, error] = [await start(user, 'problem'), await start(user, 'error')];
  await Promise.all([problem, error].map((task) => inState(task, 'failed', 20_000)));
  t.match(await status(user, problem), { error: { code: 'not_found', detail: 'There is no such card.' }, attempt: 2 });
  const shown = await status(user, error);
  t.match(shown, { error: { code: 'internal_error' } });
  t.notMatch(JSON.stringify(shown), /secret_column/);
  t.match((await admin.api.get(`/settings/jobs/${error.job}`)).body, { error: /secret_column/, on_behalf: true });
});

await t.test(
  'users cancel jobs that run on their behalf, and `ended` is called after the last guarded write',
  async (t) => {
    const [user, other] = [await makeUser(admin, 'member'), await makeUser(admin, 'member')];
    const task = await start(user, 'guards');
    await until(async () => (await notes(task)).includes('guards'));
    t.equal((await other.api.post(`/jobs/${task.job}/cancel`)).status, 404);
    t.match(await user.api.post(`/jobs/${task.job}/cancel`, undefined, { headers: { 'if-match': '"1"' } }), {
      status: 412,
    });
    t.match(await user.api.post(`/jobs/${task.job}/cancel`), {
      status: 200,
      body: { state: 'cancelled', error: null },
    });
    t.match(await user.api.post(`/jobs/${task.job}/cancel`), { status: 409, body: { code: 'invalid_state' } });
    const system = await start(user, 'waits', false);
    t.match(await user.api.post(`/jobs/${system.job}/cancel`), {
      status: 403,
      body: { required_permission: 'jobs.manage' },
    });
    await open(system.row);
    await inState(system, 'done');
    t.equal((await rowOf(task)).ends, 0, 'its guarded transaction is still open');
    await open(task.row);
    t.match(await ended(task), { state: 'cancelled', ends: 1, error: null, queued_by: user.user.id });
    t.match((await notes(task)).at(-1), 'ended cancelled');
    const [cancelled] = (await admin.api.get('/events', { query: { subject_id: task.job, type: 'job.cancelled' } }))
      .body.items;
    t.match(cancelled, { actor: { id: user.user.id } });
  },
);

await t.test('`ended` is called once for each end, on one of two nodes', async (t) => {
  const user = await makeUser(admin, 'member');
  const tasks: Task[] = [];
  for (let i = 0; i < 12; i++) tasks.push(await start(user, i % 3 ? 'works' : 'ends badly', i % 2 === 0));
  for (const task of tasks) t.match(await ended(task, 30_000), { state: 'done', ends: 1, error: null });
  const failed = await start(user, 'error');
  t.match(await ended(failed, 20_000), { state: 'failed', ends: 1, error: /secret_column/ });
  t.match(await eventsOf(failed, 1), [
    { type: 'tasks.ended', actor: null, data: { job: failed.job, state: 'failed', has_result: false } },
  ]);
  t.strictSame((await eventsOf(tasks[0]!, 1)).length, 1, 'the event of the failed call was not stored');
  await until(
    async () =>
      (await sql(database, 'select from jobs where end_due_at is not null and type = $1', ['tasks.work'])).length === 0,
  );
  for (const task of tasks) t.equal((await rowOf(task)).ends, 1);
  // A retry ends again.
  t.equal((await admin.api.post(`/settings/jobs/${failed.job}/retry`)).status, 200);
  await until(async () => (await rowOf(failed)).ends === 2, 20_000);
});

await t.test('a job cancelled while the module is disabled ends when it is enabled', async (t) => {
  const user = await makeUser(admin, 'member');
  const task = await start(user, 'waits');
  await until(async () => (await notes(task)).includes('waits'));
  await open(task.row);
  const other = await start(user, 'waits');
  await until(async () => (await notes(other)).includes('waits'));
  await admin.api.patch('/settings/modules/tasks', { enabled: false });
  await until(async () => (await status(user, other))['state'] === 'queued', 20_000);
  t.equal((await user.api.post(`/jobs/${other.job}/cancel`)).status, 200);
  t.equal((await rowOf(other)).ends, 0);
  await admin.api.patch('/settings/modules/tasks', { enabled: true });
  t.match(await ended(other), { state: 'cancelled', ends: 1 });
  await open(other.row);
});

await t.test('recurring jobs are listed, and run on request once at a time', async (t) => {
  const { body } = await admin.api.get('/settings/jobs/schedules', { query: { page_size: 200 } });
  t.match(
    body.items.find(({ job }) => job === 'tasks.nightly'),
    {
      type: 'tasks.nightly',
      expression: '0 4 1 1 *',
      last_run_at: null,
      next_run_at: /-01-01T04:00:00.000Z$/,
      job_id: null,
    },
  );
  t.ok(body.items.some(({ job }) => job === 'cards.purge'));
  const path = '/settings/jobs/schedules/tasks.nightly/run';
  const there = client(two.origin, admin.token);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 ? admin.api : there).post(path)));
  const accepted = answers.filter(({ status }) => status === 202);
  t.equal(accepted.length, 1);
  const id = accepted[0]!.body['id'] as string;
  t.equal(accepted[0]!.headers.get('location'), `/api/v1/jobs/${id}`);
  const refused = answers.filter(({ status }) => status === 409);
  t.equal(refused.length, 9);
  for (const { body } of refused) t.match(body, { code: 'invalid_state', job_id: id });
  t.equal((await sql(database, `select from jobs where type = 'tasks.nightly'`)).length, 1);
  const [queued] = await until(async () => {
    const { items } = (await admin.api.get('/events', { query: { subject_id: id, type: 'job.queued' } })).body;
    return items.length > 0 && items;
  });
  t.match(queued, { actor: { id: admin.user.id }, origin: 'api' });
  await open('nightly');
  await inState({ job: id, row: '' }, 'done');
  t.equal((await admin.api.post(path)).status, 202, 'again after its end');
  t.equal((await admin.api.post('/settings/jobs/schedules/tasks.unknown/run')).status, 404);
  const architect = await makeUser(admin, 'architect');
  t.equal((await architect.api.post(path)).status, 403);
});

await t.test('the delay before a request is sent again ends when the module is disabled', async (t) => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests++;
    response.writeHead(503, { 'retry-after': '40' }).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { outbound } = one.app.services.modules.get('tasks')!.host;
  const { port } = server.address() as AddressInfo;
  const failure = outbound
    .request(`http://127.0.0.1:${port}/`, { retries: { attempts: 3 } })
    .catch((error: Error) => error);
  await until(() => requests === 1);
  const began = performance.now();
  await admin.api.patch('/settings/modules/tasks', { enabled: false });
  t.match(await failure, { code: 'outbound_failed', detail: /cancelled/ });
  t.ok(performance.now() - began < 10_000);
  t.equal(requests, 1);
  await t.rejects(outbound.request(`http://127.0.0.1:${port}/`, { retries: { attempts: 3 } }), /switched off/);
  await admin.api.patch('/settings/modules/tasks', { enabled: true });
});
