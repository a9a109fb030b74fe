/** Responses while the database cannot be reached or hangs, and automatic recovery of the service. */
import t, { type Test as Tap } from 'tap';
import { databaseProblem } from '../../core/foundation/db/constraints.js';
import { client, createDatabase, openStream, registerAdmin, sql, testApp, until } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { databaseProxy } from '../support/database-proxy.js';
import { settled, upload } from '../support/imports.js';

const database = await createDatabase();
const proxy = await databaseProxy(database);
const { origin, close } = await testApp({ database: proxy.connection, config: { logLevel: 'fatal' } });
t.teardown(async () => {
  await close();
  proxy.close();
});
const admin = await registerAdmin(origin);
const card = (await admin.api.post('/cards', { type: 'Application', name: 'Before' })).body;
const guest = client(origin);
const stream = await openStream(origin, admin.token, { lastEventId: 0 });
t.teardown(() => stream.close());
/** Longest time for an answer while the database hangs. */
const ANSWER_MS = 7_000;

/** Checks that a write after the outage has events, and that jobs run. */
async function checkWorking(t: Tap, name: string): Promise<void> {
  const made = await admin.api.post('/cards', { type: 'Application', name });
  t.equal(made.status, 201);
  const imported = await upload(admin.api, 'csv', `type,name\nProvider,${name}`);
  t.equal(imported.status, 202);
  t.equal((await settled(admin.api, imported.body.id, 15_000)).state, 'ready', 'jobs run');
  await stream.waitFor(({ data }) => (data as { subject: string }).subject === made.body.id, 10_000);
  const log = await sql<{ position: string }>(database, 'select position from events order by position');
  await until(() => stream.events.length >= log.length);
  t.strictSame(
    stream.events.slice(0, log.length).map(({ id }) => id),
    log.map(({ position }) => position),
    'the stream that was open all the while has the whole log',
  );
}

t.test('while the database is unavailable: 503 with Retry-After, no other 5xx', async (t) => {
  proxy.cut();
  const ready = await until(async () => {
    const answer = await guest.get('/api/ready');
    return answer.status === 503 && answer;
  });
  t.match(ready.body, { code: 'unavailable', checks: { database: 'failed', migrations: 'unknown' } });
  for (const answer of [
    await admin.api.get('/cards'),
    await admin.api.get(`/cards/${card.id}`),
    await admin.api.post('/cards', { type: 'Application', name: 'Lost' }),
    await admin.api.patch(`/cards/${card.id}`, { alias: 'lost' }),
    await guest.post('/auth/login', { email: 'admin@example.org', password: 'some-password' }),
    await admin.api.get('/users'),
    await admin.api.get('/adr'),
    await admin.api.get('/events'),
  ]) {
    t.match(answer, { status: 503, body: { code: 'unavailable', status: 503 } });
    t.match(answer.headers.get('retry-after'), /^\d+$/);
    t.notMatch(JSON.stringify(answer.body), /ECONN|connect|socket|127\.0\.0\.1/, 'no internal details');
  }
  t.equal((await guest.get('/api/health')).status, 200, 'the process is alive');
  t.equal((await guest.get('/api/openapi.json')).status, 200);
});

t.test('after the outage everything works', async (t) => {
  proxy.restore();
  await until(async () => (await guest.get('/api/ready')).status === 200, 20_000);
  await until(async () => (await admin.api.get('/cards')).status === 200);
  t.match((await admin.api.get(`/cards/${card.id}`)).body, { name: 'Before', version: card.version });
  t.equal((await admin.api.get('/cards')).body.total, 1, 'refused writes were not stored');
  await checkWorking(t, 'After');
});

t.test('a database that hangs counts as unavailable', async (t) => {
  proxy.freeze();
  const timed = async (
    status: number,
    ask: () => Promise<{ status: number; headers: Headers; body: unknown }>,
  ): Promise<void> => {
    const began = performance.now();
    const answer = await ask();
    t.match(answer, { status, body: { code: 'unavailable' } });
    t.match(answer.headers.get('retry-after'), /^\d+$/);
    t.ok(performance.now() - began < ANSWER_MS, `answered within ${Math.round(performance.now() - began)} ms`);
  };
  const all = () =>
    Promise.all([
      timed(503, () => guest.get('/api/ready')),
      timed(503, () => admin.api.get('/cards')),
      timed(503, () => admin.api.get('/users')),
      timed(503, () => admin.api.post('/cards', { type: 'Application', name: 'Hung' })),
      timed(503, () => admin.api.get('/cards/export', { query: { format: 'csv', type: 'Application' } })),
      timed(503, () =>
        admin.api.post('/cards/bulk', {
          mode: 'per_row',
          operations: [{ op: 'create', card: { type: 'Application', name: 'Hung too' } }],
        }),
      ),
      timed(503, () => guest.post('/auth/login', { email: 'admin@example.org', password: 'some-password' })),
      ...Array.from({ length: 40 }, () => timed(503, () => admin.api.get(`/cards/${card.id}`))),
    ]);
  await all();
  await all();
  t.equal((await guest.get('/api/health')).status, 200, 'the process is alive');
  proxy.restore();
  await until(async () => (await guest.get('/api/ready')).status === 200, 20_000);
  await until(async () => (await admin.api.get('/cards')).status === 200, 20_000);
  await checkWorking(t, 'Awake');
});

t.test('sessions with other options are refused, because times would be wrong', async (t) => {
  const url = new URL(urlOf(database));
  url.searchParams.set('options', '-c TimeZone=Asia/Tokyo');
  await t.rejects(testApp({ database: { connectionString: url.href } }), {
    message: /have TimeZone Asia\/Tokyo and DateStyle ISO, MDY, not UTC and ISO: a pooler or DATABASE_URL overrides/,
  });
  url.searchParams.set('options', '-c TimeZone=Etc/UTC');
  const sound = await testApp({ database: { connectionString: url.href } });
  t.equal((await client(sound.origin).get('/api/ready')).status, 200);
  await sound.close();
});

t.test('errors of an unavailable database are distinguished from errors of a request', async (t) => {
  const away = [
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ETIMEDOUT',
    '57P01',
    '57P02',
    '57P03',
    '53300',
    '25006',
    '28P01',
    '3D000',
    '08000',
    '08001',
    '08003',
    '08004',
    '08006',
  ];
  for (const code of away)
    t.match(
      databaseProblem(Object.assign(new Error('x'), { code })),
      { status: 503, code: 'unavailable', headers: { 'retry-after': '5' } },
      code,
    );
  for (const code of ['53100', '58030'])
    t.match(
      databaseProblem(Object.assign(new Error('x'), { code })),
      { status: 503, code: 'storage_full', headers: { 'retry-after': '10' } },
      code,
    );
  for (const code of ['42601', '42703', 'XX000'])
    t.equal(databaseProblem(Object.assign(new Error('x'), { code })), undefined, `${code} is a fault of ours`);
});

t.test('a protocol violation is an unavailable database only if it ended the connection', async (t) => {
  const unused = await sql(database, 'select 1', [1]).catch((error: unknown) => error);
  t.match(unused, { code: '08P01', severity: 'ERROR' });
  t.equal(databaseProblem(unused), undefined, 'it is a fault of ours');
  // As PgBouncer sends it when it has no connection to the server.
  const fatal = Object.assign(new Error('query_wait_timeout'), { code: '08P01', severity: 'FATAL' });
  t.match(databaseProblem(fatal), { status: 503, code: 'unavailable' });
});
