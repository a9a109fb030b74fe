/** Exports from a real streaming standby: they run there and include earlier writes despite replication lag. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import t from 'tap';
import { urlOf } from '../support/database.js';
import { startReplicated } from '../support/standby.js';
import { client, expectStatus, makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';

const cluster = await startReplicated();
const { primary, standby } = cluster;
await standby.start();
const app = await testApp({ database: primary, config: { databaseReplicaUrl: urlOf(standby.connection) } });
t.teardown(async () => {
  await app.close();
  await cluster.stop();
});
const admin = await registerAdmin(app.origin);

const ROUNDS = 100;
const WRITERS = 2;

const create = async (name: string): Promise<string> =>
  expectStatus(await admin.api.post('/cards', { type: 'Application', name }), 201, 'a card').body.id;
/** Whether an export contains the card. */
const has = async (id: string, api = admin.api): Promise<boolean> =>
  expectStatus(
    await api.get<string>('/cards/export', { query: { format: 'csv', ids: id } }),
    200,
    'an export',
  ).body.includes(id);
/** Numbers of reads served by each server. */
async function served(): Promise<{ replica: number; primary: number }> {
  const { body } = await client(app.origin).get<string>('/api/metrics');
  const of = (server: string): number =>
    Number(new RegExp(`^lintel_reads_total\\{server="${server}"\\} (\\d+)$`, 'm').exec(body)?.[1] ?? 0);
  return { replica: of('replica'), primary: of('primary') };
}
const gauge = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec((await client(app.origin).get<string>('/api/metrics')).body)?.[1]);
const copies = async (server: typeof primary): Promise<string[]> =>
  (
    await sql<{ application_name: string }>(
      server,
      `select application_name from pg_stat_activity where query like 'copy (%' and state = 'active'`,
    )
  ).map((row) => row.application_name);

t.test('an export contains everything written before it, also under load', async (t) => {
  let over = false;
  const writers = Array.from({ length: WRITERS }, async (_, w) => {
    for (let n = 0; !over; n++) await create(`Load ${w}.${n}`);
  });
  for (let round = 0; round < ROUNDS; round++) {
    const id = await create(`Round ${round}`);
    if (!(await has(id))) t.fail(`round ${round} lacks its card`);
  }
  over = true;
  await Promise.all(writers);
  const { replica, primary: fromPrimary } = await served();
  t.equal(replica + fromPrimary, ROUNDS);
  t.ok(replica >= ROUNDS * 0.9, `the standby served them: ${replica} of ${ROUNDS}`);
});

t.test('asynchronous commits are contained as well', async (t) => {
  await sql(primary, 'alter database lintel set synchronous_commit = off');
  const second = await testApp({ database: primary, config: { databaseReplicaUrl: urlOf(standby.connection) } });
  t.teardown(async () => {
    await second.close();
    await sql(primary, 'alter database lintel reset synchronous_commit');
  });
  const api = client(second.origin, admin.token);
  for (let round = 0; round < 30; round++) {
    const { id } = expectStatus(
      await api.post('/cards', { type: 'Application', name: `Not waited for ${round}` }),
      201,
      'a card',
    ).body;
    if (!(await has(id, api))) t.fail(`round ${round} lacks its card`);
  }
  const { body } = await client(second.origin).get<string>('/api/metrics');
  t.match(body, /^lintel_reads_total\{server="replica"\} (2[5-9]|30)$/m);
});

t.test('it runs only on the standby, in all formats', async (t) => {
  await sql(
    primary,
    `update cards set description = repeat('0123456789', 5000) where id in (select id from cards limit 200)`,
  );
  for (const format of ['csv', 'ndjson', 'json']) {
    const request = httpRequest(`${app.origin}/api/v1/cards/export?format=${format}`, {
      headers: { authorization: `Bearer ${admin.token}` },
      agent: false,
    });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    // The export is larger than all buffers and not read yet, so that its COPY is still running.
    t.strictSame(await copies(standby.connection), ['lintel-replica'], format);
    t.strictSame(await copies(primary), []);
    t.ok((await readText(response)).length > 1_000_000);
  }
  await sql(primary, 'update cards set description = null');
});

t.test('filters and rights work there as on the primary', async (t) => {
  const before = await served();
  t.equal(
    (await admin.api.get('/cards/export', { query: { 'attributes.bogus': '1' } })).status,
    422,
    'invalid filters are refused',
  );
  const found = await admin.api.get<string>('/cards/export', {
    query: { format: 'csv', type: 'Application', search: 'round 77' },
  });
  t.equal(found.body.trim().split('\n').length, 2);
  const none = await admin.api.get<string>('/cards/export', {
    query: { format: 'ndjson', 'attributes.businessCriticality': 'missionCritical' },
  });
  t.equal(none.status, 200);
  t.notOk(none.body);
  const viewer = await makeUser(admin, 'viewer');
  const costly = expectStatus(
    await admin.api.post('/cards', { type: 'Application', name: 'Costly', attributes: { costTotalAnnual: 9_876 } }),
    201,
    'a card',
  ).body.id;
  const seen = async (api: typeof admin.api) =>
    (await api.get<string>('/cards/export', { query: { format: 'ndjson', ids: costly } })).body;
  t.match(await seen(admin.api), /9876/);
  t.notMatch(await seen(viewer.api), /\b9876\b/, 'costs are hidden');
  expectStatus(await admin.api.patch(`/users/${viewer.user.id}`, { role: 'member' }), 200, 'a role');
  t.match(await seen(viewer.api), /9876/, 'rights are those of now');
  t.equal((await served()).primary, before.primary);
});

t.test('a standby that lags is waited for a second, then the primary serves', async (t) => {
  await sql(standby.connection, 'select pg_wal_replay_pause()');
  const id = await create('Behind');
  const before = await served();
  const began = performance.now();
  t.ok(await has(id));
  const took = performance.now() - began;
  t.ok(took > 990 && took < 3_000, `after ${Math.round(took)} ms`);
  t.strictSame(await served(), { ...before, primary: before.primary + 1 });
  t.ok(await has(id), 'and so it is with the next one');
  t.ok((await gauge('lintel_replica_lag_bytes')) > 0);
  t.equal(await gauge('lintel_replica_up'), 1);
  t.equal((await client(app.origin).get('/api/ready')).status, 200);
  await sql(standby.connection, 'select pg_wal_replay_resume()');
  await until(async () => (await gauge('lintel_replica_lag_bytes')) === 0);
  await until(async () => {
    await has(id);
    return (await served()).replica > before.replica;
  }, 10_000);
});

t.test('a standby that catches up within the second is used', async (t) => {
  await sql(standby.connection, 'select pg_wal_replay_pause()');
  const id = await create('A little behind');
  const before = await served();
  const [found] = await Promise.all([
    has(id),
    sql(standby.connection, `select pg_wal_replay_resume() from pg_sleep(0.3)`),
  ]);
  t.ok(found);
  t.strictSame(await served(), { ...before, replica: before.replica + 1 });
});
