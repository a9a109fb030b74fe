/** Connections of a node where a host is a standby, hangs, is refused by its certificate, or reports an old state. */
import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import t, { type Test } from 'tap';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { databaseProblem } from '../../core/foundation/db/constraints.js';
import { Database } from '../../core/foundation/db/database.js';
import { sql, until } from '../support/app.js';
import { databaseProxy } from '../support/database-proxy.js';
import { startPair } from '../support/pair.js';

/** Much less than the 5 s after which a connection to a host that hangs is given up. */
const SOON_MS = 2_000;
const FOLDER = { name: undefined, text: `select current_setting('unix_socket_directories') as folder` };
const READ_ONLY = 'alter database lintel set default_transaction_read_only';

const pair = await startPair();
const parameters = 'user=lintel&port=5432&application_name=hosts';
const listed = (...hosts: { connection: { host: string } }[]): string =>
  `postgresql:///lintel?${parameters}&host=${hosts.map(({ connection }) => connection.host).join(',')}`;
const open: Database[] = [];
t.teardown(async () => {
  await Promise.all(open.map((db) => db.close()));
  await pair.stop();
});

function databaseAt(connection: DatabaseConnection): Database {
  const db = new Database({ connection, max: 5 });
  open.push(db);
  return db;
}

const serverOf = async (db: Database): Promise<string> => (await db.query<{ folder: string }>(FOLDER))[0]!.folder;

/** @returns the result and its time in ms */
async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  return [await work, performance.now() - began];
}

const sessionsAt = (connection: DatabaseConnection): Promise<unknown[]> =>
  sql(connection, `select from pg_stat_activity where application_name in ('hosts', 'lintel-probe')`);

/** @returns the hosts to which clients have connected since, each as often as one did */
function countConnections(t: Test): string[] {
  const hosts: string[] = [];
  const original = pg.Client.prototype.connect as (this: pg.Client, ...args: unknown[]) => unknown;
  pg.Client.prototype.connect = function counted(this: pg.Client, ...args: unknown[]) {
    hosts.push(this.host);
    return original.apply(this, args);
  } as never;
  t.teardown(() => {
    pg.Client.prototype.connect = original as never;
  });
  return hosts;
}

await t.test('a host that hangs is not awaited where another one accepts writes', async (t) => {
  const { primary, standby } = pair;
  standby.freeze(true);
  t.teardown(() => standby.freeze(false));
  const db = databaseAt({ connectionString: listed(standby, primary) });
  const [folder, ms] = await timed(serverOf(db));
  t.equal(folder, primary.connection.host);
  t.ok(ms < SOON_MS, `${Math.round(ms)} ms`);
  const client = await db.dedicated('lintel-test');
  t.equal((await client.query<{ folder: string }>(FOLDER.text)).rows[0]!.folder, primary.connection.host);
  await client.end();
});

await t.test('many connections at once ask each host once', async (t) => {
  const { primary, standby } = pair;
  const db = databaseAt({ connectionString: listed(standby, primary) });
  const connected = countConnections(t);
  await Promise.all(Array.from({ length: 5 }, () => serverOf(db)));
  t.strictSame(
    connected.sort(),
    [...Array.from({ length: 6 }, () => primary.connection.host), standby.connection.host].sort(),
  );
});

await t.test('no connection to a standby is used', async (t) => {
  const { standby } = pair;
  for (const connectionString of [listed(standby), listed(standby, standby)]) {
    const db = databaseAt({ connectionString });
    const error: Error = await db.query(FOLDER).then(
      () => new Error('connected'),
      (reason: Error) => reason,
    );
    t.match(error, { name: 'NotWritable', message: /is a standby, which accepts no writes/ });
    t.match(databaseProblem(error), { status: 503, code: 'unavailable' });
    await t.rejects(db.dedicated('lintel-test'), { name: 'NotWritable' });
    await until(async () => (await sessionsAt(standby.connection)).length === 0);
  }
  const connected = countConnections(t);
  const db = databaseAt({ connectionString: listed(standby) });
  let refused = 0;
  for (const end = performance.now() + 1_000; performance.now() < end; refused++)
    await t.rejects(Promise.all([db.query(FOLDER), db.query(FOLDER)]));
  t.ok(
    connected.length > 2 && connected.length < 15,
    `${connected.length} connections for ${refused * 2} queries in 1 s`,
  );
  const reader = new Database({ connection: { connectionString: listed(standby) }, isReplica: true, max: 2 });
  open.push(reader);
  t.equal(await serverOf(reader), standby.connection.host, 'but for reads of a replica');
});

await t.test('read-write refuses a server with default_transaction_read_only, primary does not', async (t) => {
  const { primary } = pair;
  await sql(primary.connection, `${READ_ONLY} = on`);
  t.teardown(() => sql(primary.connection, `begin read write; ${READ_ONLY} = off; commit`));
  const at = (target: string): Database =>
    databaseAt({ connectionString: `${listed(primary)}&target_session_attrs=${target}` });
  await t.rejects(serverOf(at('read-write')), { name: 'NotWritable', message: /default_transaction_read_only = on/ });
  t.equal(await serverOf(at('primary')), primary.connection.host);
});

await t.test('a pooler that reports an old state, or none, does not decide', async (t) => {
  const { primary, standby } = pair;
  const replaced =
    (text: string, by: string): (() => (bytes: Buffer) => Buffer) =>
    () =>
    (bytes) =>
      Buffer.from(bytes.toString('latin1').replace(text, by), 'latin1');
  for (const [server, text, by, isWritable] of [
    [primary, 'in_hot_standby\0off', 'in_hot_standby\0on ', true],
    [primary, 'in_hot_standby', 'another_member', true],
    [standby, 'in_hot_standby', 'another_member', false],
  ] as const) {
    const proxy = await databaseProxy(server.connection, replaced(text, by));
    t.teardown(proxy.close);
    const folder = await serverOf(databaseAt(proxy.connection)).catch((error: Error) => error.name);
    t.equal(folder, isWritable ? server.connection.host : 'NotWritable');
  }
});

await t.test('the certificate must name the host that is connected to', async (t) => {
  const file = (name: string): string => fileURLToPath(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url));
  const identity = { cert: readFileSync(file('localhost-cert.pem')), key: readFileSync(file('localhost-key.pem')) };
  const { host: folder } = pair.primary.connection;
  // Accepts the request for TLS, and connects to the primary's socket, on which PostgreSQL itself has no TLS.
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, ...identity });
      const upstream = connect(`${folder}/.s.PGSQL.5432`);
      secure.on('error', () => upstream.destroy()).pipe(upstream);
      upstream.on('error', () => secure.destroy()).pipe(secure);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const at = (...hosts: string[]): Database => {
    const list = hosts.map((host) => `${host}:${port}`).join(',');
    return databaseAt({
      connectionString: `postgres://lintel@${list}/lintel?sslmode=verify-full&sslrootcert=${file('localhost-cert.pem')}`,
    });
  };
  t.equal(await serverOf(at('127.0.0.1', 'localhost')), folder);
  await t.rejects(serverOf(at('127.0.0.1', '127.0.0.1')), { message: /does not match certificate's altnames/ });
});

await t.test('a primary that hangs is left for the standby that was promoted', async (t) => {
  const { primary, standby } = pair;
  const db = databaseAt({ connectionString: listed(primary, standby) });
  const alone = databaseAt({ connectionString: listed(standby) });
  await t.rejects(serverOf(alone), { name: 'NotWritable' });
  const before = await db.connect();
  t.equal((await before.query<{ folder: string }>(FOLDER.text)).rows[0]!.folder, primary.connection.host);
  primary.freeze(true);
  await pair.promote();
  t.teardown(() => before.release(new Error('done')));
  // The connection that has begun fails; the next one is to the other host.
  const [, lost] = await timed(serverOf(db).catch((error: Error) => error));
  t.ok(lost < SOON_MS, `${Math.round(lost)} ms`);
  const [folder, ms] = await timed(serverOf(db));
  t.equal(folder, pair.primary.connection.host);
  t.ok(ms < SOON_MS / 4, `${Math.round(ms)} ms`);
  t.equal(await serverOf(alone), folder, 'a single host is used, too, when it was promoted');
  primary.freeze(false);
});
