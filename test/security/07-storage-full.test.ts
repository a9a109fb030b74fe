/** The operations that work and those that are refused while disk space for the database is low. */
import { Agent, request as httpRequest } from 'node:http';
import t from 'tap';
import {
  client,
  login,
  makeUser,
  nextAddress,
  openStream,
  PASSWORD,
  registerAdmin,
  sql,
  testApp,
  until,
} from '../support/app.js';
import { upload } from '../support/imports.js';

const first = await testApp();
const { database } = first;
const admin = await registerAdmin(first.origin);
const viewer = await makeUser(admin, 'viewer');
const card = (await admin.api.post('/cards', { type: 'Application', name: 'Before' })).body;
const second = (await admin.api.post('/cards', { type: 'Application', name: 'To be deleted' })).body;
const comment = (await admin.api.post(`/cards/${card.id}/comments`, { body: 'Before' })).body;
await first.close();
/** The required free space exceeds every disk, so that the storage counts as full. */
const { origin, close, app } = await testApp({ database, config: { storageMinFreeMb: 10_000_000 } });
t.teardown(close);
const api = client(origin, admin.token);
const agent = new Agent({ keepAlive: true });
t.teardown(() => agent.destroy());
const JOB = '01a2f000-0000-7000-8000-000000000001';

t.test('writes are refused with Retry-After, and nothing of them is stored', async (t) => {
  for (const answer of [
    await api.post('/cards', { type: 'Application', name: 'Lost' }),
    await api.patch(`/cards/${card.id}`, { alias: 'lost' }),
    await api.post(
      '/cards/bulk',
      { operations: [{ op: 'create', card: { type: 'Application', name: 'Lost' } }] },
      { query: { dry_run: true } },
    ),
    await api.post('/cards/bulk', {
      mode: 'per_row',
      operations: [{ op: 'create', card: { type: 'Application', name: 'Lost too' } }],
    }),
    await api.post(`/cards/${card.id}/comments`, { body: 'Lost' }),
    await api.put(`/cards/${card.id}/tags`, { tag_ids: [] }),
    await api.post('/users', {
      email: 'lost@example.org',
      password: PASSWORD,
      display_name: 'Lost',
      role: 'viewer',
      kind: 'person',
    }),
    await upload(api, 'csv', 'type,name\nProvider,Lost'),
    await api.patch('/settings', { app_title: 'Lost' }),
    await api.post('/adr', { title: 'Lost' }),
    await api.post('/risks', { title: 'Lost', category: 'security', owner_id: admin.user.id }),
  ]) {
    t.match(answer, { status: 503, body: { code: 'storage_full' } }, JSON.stringify(answer.body));
    t.match(answer.headers.get('retry-after'), /^\d+$/);
  }
  t.equal((await sql(database, `select from cards where name like 'Lost%' or alias = 'lost'`)).length, 0);
  t.equal((await sql(database, 'select from files')).length, 0);
});

t.test('reads, log-ins and deletions still work, with events', async (t) => {
  t.equal((await api.get('/cards')).body.total, 2);
  t.equal((await api.get('/cards/export')).status, 200);
  t.match(await client(origin).get('/api/ready'), {
    status: 200,
    body: { status: 'ready', checks: { storage: 'full' } },
  });
  const stream = await openStream(origin, admin.token, { lastEventId: 0 });
  t.teardown(() => stream.close());
  const again = await login(origin, viewer.user.email);
  t.equal(
    (await client(origin).post('/auth/refresh', { refresh_token: again.refreshToken }, { from: nextAddress() })).status,
    200,
  );
  t.equal((await again.api.post('/auth/logout')).status, 204);
  t.equal(
    (
      await client(origin).post(
        '/auth/login',
        { email: viewer.user.email, password: 'wrong-password' },
        { from: nextAddress() },
      )
    ).status,
    401,
  );
  t.equal((await api.del(`/cards/${card.id}/comments/${comment.id}`)).status, 204);
  t.equal((await api.del(`/cards/${second.id}`)).status, 204);
  await stream.waitFor(
    ({ event, data }) => event === 'card.comment_deleted' || JSON.stringify(data).includes('card.comment_deleted'),
  );
  const metrics = await new Promise<string>((resolve, reject) => {
    httpRequest(`${origin}/api/metrics`, { agent }, (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => {
          text += chunk;
        })
        .on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
  t.match(metrics, /^lintel_storage_full 1$/m);
  t.match(metrics, /^lintel_storage_free_bytes [1-9]/m);
});

t.test('jobs wait, except those that free space', async (t) => {
  await sql(database, `insert into jobs (id, type, payload) values ($1, 'cards.rescore', '{"types":null}')`, [JOB]);
  const cleaning = JOB.replace(/1$/, '2');
  await sql(database, `insert into jobs (id, type) values ($1, 'auth.sessions_cleanup')`, [cleaning]);
  const state = async (id: string) =>
    (
      await sql<{ state: string; attempts: number }>(database, 'select state, attempts from jobs where id = $1', [id])
    )[0]!;
  await until(async () => (await state(cleaning)).state === 'done');
  t.strictSame(await state(JOB), { state: 'queued', attempts: 0 });
  // A job that fails because of full storage loses no attempt.
  const off = app.services.jobs.register('test.writes', {
    whenFull: true,
    handler: async ({ ctx }) => {
      await app.services.transactions.run({ ...ctx, whenFull: false }, async () => undefined);
    },
  });
  const writing = JOB.replace(/1$/, '3');
  await sql(database, `insert into jobs (id, type) values ($1, 'test.writes')`, [writing]);
  await until(
    async () =>
      (await sql<{ fence: string }>(database, 'select fence from jobs where id = $1', [writing]))[0]!.fence !== '0',
  );
  off();
  // A claim that was under way when the handler was removed is given back too.
  const given = await until(async () => {
    const job = await state(writing);
    return job.state === 'queued' && job.attempts === 0 && job;
  });
  t.strictSame(given, { state: 'queued', attempts: 0 });
});
