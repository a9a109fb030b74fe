/** A standby that stops, hangs, has conflicts, is promoted or replaced: the primary serves reads, with one warning. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import t from 'tap';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { Database, type ReadSource } from '../../core/foundation/db/database.js';
import { Reads } from '../../core/foundation/db/replica.js';
import { urlOf, withDatabase } from '../support/database.js';
import { startReplicated } from '../support/standby.js';
import { client, expectStatus, registerAdmin, sql, testApp, until } from '../support/app.js';

const PAUSE_MS = 300;

const cluster = await startReplicated();
const { primary, standby } = cluster;
// The app starts before the standby.
const app = await testApp({
  database: primary,
  config: { databaseReplicaUrl: urlOf(standby.connection), logLevel: 'fatal' },
});
const database = new Database({ connection: primary, max: 4 });
t.teardown(async () => {
  await Promise.all([app.close(), database.close()]);
  await cluster.stop();
});
const { api, token } = await registerAdmin(app.origin);

/** A separate instance of replica reads and its log lines. */
function readsOf(connection: DatabaseConnection = standby.connection) {
  const lines: { level: number; msg: string; reason?: string }[] = [];
  const log = pino(
    { level: 'info' },
    {
      write: (line: string) => {
        lines.push(JSON.parse(line) as (typeof lines)[number]);
      },
    },
  );
  const from: string[] = [];
  const replica = new Database({ connection, isReplica: true, max: 4 });
  const reads = new Reads(database, replica, log, {
    pauseMs: PAUSE_MS,
    onRead: (server) => {
      from.push(server);
    },
  });
  reads.start();
  t.teardown(() => reads.close());
  const read = async (text = 'select 1'): Promise<void> => {
    await reads.run((source) => query(source, text));
  };
  return { reads, lines, from, read, pause: () => delay(PAUSE_MS + 20) };
}

async function query(source: ReadSource, text: string): Promise<unknown[]> {
  const connection = await source.connect();
  try {
    const { rows } = await connection.query<Record<string, unknown>>(text);
    connection.release();
    return rows;
  } catch (error) {
    connection.release(error as Error);
    throw error;
  }
}

const up = async (): Promise<string> =>
  /^lintel_replica_up (\S+)$/m.exec((await client(app.origin).get<string>('/api/metrics')).body)?.[1] ?? '';

t.test(
  'absent at the start: the node is ready and the primary serves; started later, the standby is used',
  async (t) => {
    const { read, from, lines, pause } = readsOf();
    t.equal((await client(app.origin).get('/api/ready')).status, 200);
    t.equal(await up(), '0');
    expectStatus(await api.post('/cards', { type: 'Application', name: 'First' }), 201, 'a card');
    t.match((await api.get<string>('/cards/export', { query: { format: 'csv' } })).body, /First/);
    for (let n = 0; n < 3; n++) {
      await read();
      await pause();
    }
    t.strictSame(from, ['primary', 'primary', 'primary']);
    t.strictSame(
      lines.map(({ level }) => level),
      [40],
      'logged once',
    );
    await standby.start();
    await until(async () => {
      await read();
      return from.includes('replica');
    });
    t.strictSame(
      lines.map(({ msg }) => msg),
      ['the replica does not serve reads: the primary does', 'the replica serves reads again'],
    );
    await until(async () => (await up()) === '1');
  },
);

t.test('a read that is cancelled by a recovery conflict runs on the primary', async (t) => {
  const { reads, from, lines, pause } = readsOf();
  await sql(primary, 'create table conflicting (n int); insert into conflicting select generate_series(1, 1000)');
  const asked: string[] = [];
  const reading = reads.run(async (source) => {
    asked.push(source === database ? 'primary' : 'replica');
    const rows = await query(
      source,
      'select (select pg_sleep(case when pg_is_in_recovery() then 20 else 0 end))::text as slept, count(*)::int as n from conflicting',
    );
    return (rows[0] as { n: number }).n;
  });
  await until(
    async () =>
      (
        await sql(
          standby.connection,
          `select from pg_stat_activity where query like '%conflicting%' and wait_event = 'PgSleep'`,
        )
      ).length === 1,
  );
  await sql(primary, 'delete from conflicting where n <= 400');
  // VACUUM on the primary removes rows that the read still sees; the standby waits a short time and cancels the read.
  await sql(primary, 'vacuum conflicting');
  t.equal(await reading, 600);
  t.strictSame(asked, ['replica', 'primary']);
  t.strictSame(from, ['primary']);
  t.match(lines, [{ level: 40, reason: /conflict with recovery/ }]);
  await pause();
});

t.test('a read that the standby cannot execute runs on the primary', async (t) => {
  const { read, from, lines } = readsOf();
  await read('begin isolation level serializable; select 1; commit');
  await read();
  await read('begin isolation level serializable; select 1; commit');
  t.strictSame(from, ['primary', 'replica', 'primary']);
  t.strictSame(
    lines.map(({ msg }) => msg),
    ['a read cannot run on a replica: the primary serves it'],
  );
});

t.test('an error of the read is returned, and the read is not repeated', async (t) => {
  const { reads, from, lines } = readsOf();
  let asked = 0;
  const failing = (text: string) =>
    reads.run((source) => {
      asked++;
      return query(source, text);
    });
  await t.rejects(failing('select 1 / 0'), { code: '22012' });
  await t.rejects(
    failing(`select pg_sleep(1) from (select set_config('statement_timeout', '50', false)) s`).then(() =>
      failing('select pg_sleep(1)'),
    ),
    { code: '57014' },
  );
  t.strictSame(from, ['replica']);
  t.equal(asked, 3);
  t.strictSame(lines, []);
});

t.test('a standby that hangs delays one read by one second', async (t) => {
  const { read, from, lines } = readsOf();
  await read();
  standby.freeze(true);
  try {
    const began = performance.now();
    await read();
    const took = performance.now() - began;
    t.ok(took < 3_000, `the primary has answered after ${Math.round(took)} ms`);
    await read();
    t.ok(performance.now() - began - took < 900, 'the next one does not wait');
  } finally {
    standby.freeze(false);
  }
  t.strictSame(from, ['replica', 'primary', 'primary']);
  t.equal(lines.filter(({ msg }) => msg.startsWith('the replica does not serve')).length, 1);
  await until(async () => {
    await read();
    return from.at(-1) === 'replica';
  });
});

t.test('killed during an export, the file is incomplete and the next one is complete', async (t) => {
  const operations = Array.from({ length: 500 }, (_, n) => ({
    op: 'create',
    card: { type: 'Application', name: `Card ${n}` },
  }));
  expectStatus(await api.post('/cards/bulk', { operations }), 200, 'cards');
  await sql(primary, `update cards set description = repeat('0123456789', 10000)`);
  // A standby that lags too far would not be used.
  const [written] = await sql<{ lsn: string }>(primary, 'select pg_current_wal_insert_lsn()::text as lsn');
  await until(
    async () =>
      (
        await sql<{ has: boolean }>(standby.connection, 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as has', [
          written!.lsn,
        ])
      )[0]!.has,
    30_000,
  );
  const request = httpRequest(`${app.origin}/api/v1/cards/export?format=ndjson`, {
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  t.equal(
    (
      await sql(
        standby.connection,
        `select from pg_stat_activity where application_name = 'lintel-replica' and query like 'copy (%'`,
      )
    ).length,
    1,
  );
  await standby.kill();
  await t.rejects(readText(response), { code: 'ECONNRESET' }, 'the reader sees that it is not whole');
  const began = performance.now();
  const { body } = expectStatus(
    await api.get<string>('/cards/export', { query: { format: 'csv', search: 'card 499' } }),
    200,
    'an export',
  );
  t.equal(body.trim().split('\n').length, 2);
  t.ok(performance.now() - began < 4_000);
  t.equal((await client(app.origin).get('/api/ready')).status, 200);
  t.equal(await up(), '0');
  await standby.start();
  await until(async () => (await up()) === '1');
});

t.test('another database, or the primary, is not used as a replica', async (t) => {
  for (const [connection, reason] of [
    [withDatabase(standby.connection, 'postgres'), /has another database/],
    [primary, /no standby/],
    [
      { connectionString: `${urlOf(standby.connection)}&options=${encodeURIComponent('-c TimeZone=Asia/Tokyo')}` },
      /other settings of time zone .*Tokyo/,
    ],
    [{ ...standby.connection, user: 'nobody' }, /role "nobody" does not exist/],
  ] as const) {
    const { reads, read, from, lines } = readsOf(connection);
    await read();
    t.strictSame(from, ['primary']);
    const [isUp, lag] = await reads.measure();
    t.equal(isUp, 0);
    if (connection === primary) t.ok(Number.isNaN(lag), 'an empty replay position does not count as current');
    t.match(lines, [{ level: 40, reason }]);
  }
});

t.test('a promoted standby is used neither for reads nor for writes', async (t) => {
  const { read, from, lines } = readsOf();
  await until(async () => {
    await read();
    return from.at(-1) === 'replica';
  });
  const held = new Database({ connection: standby.connection, isReplica: true, max: 1 });
  t.teardown(() => held.close());
  await t.rejects(held.pool.query('create table t (n int)'), { code: '25006' });
  await standby.promote();
  await read();
  t.equal(from.at(-1), 'primary');
  t.match(lines.at(-1), { level: 40, reason: /promoted/ });
  await t.rejects(held.pool.query('create table t (n int)'), { code: '25006' }, 'not even now');
  t.equal(await up(), '0');
  expectStatus(await api.post('/cards', { type: 'Application', name: 'After it' }), 201, 'a card');
  t.match((await api.get<string>('/cards/export', { query: { format: 'csv', search: 'after it' } })).body, /After it/);
});
