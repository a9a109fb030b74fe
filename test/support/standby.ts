import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, lchownSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { binaries } from '../../core/foundation/db/embedded-binaries.js';
import { startEmbedded } from '../../core/foundation/db/embedded.js';
import { locate, type Account, type Place } from '../../core/foundation/db/embedded-place.js';
import { sql } from './database.js';
import { signalPostgres } from './service.js';
import { until } from './app.js';

export type Local = Extract<DatabaseConnection, { host: string }>;

/** Without fsync, because test data may be lost, but with synchronous_commit, so that commits wait for the log. */
const FLAGS = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=60',
  'shared_buffers=64MB',
  'wal_level=replica',
  'max_wal_senders=4',
  'wal_keep_size=512MB',
].flatMap((setting) => ['-c', setting]);
const READY_MS = 20_000;
/** Files of a cluster that belong to the running server and are not copied. */
const NOT_COPIED = /\/(postmaster\.(pid|opts)|pg_wal\/.+|pg_dynshmem\/.+|pg_notify\/.+|pg_stat_tmp\/.+|pgsql_tmp.*)$/;

export interface Standby {
  connection: Local;
  start(): Promise<void>;
  /** Ends its processes immediately, without a checkpoint. */
  kill(): Promise<void>;
  /** Promotes it to a primary, which accepts writes. */
  promote(): Promise<void>;
  /** Suspends or resumes its processes; a suspended server accepts connections and does not answer. */
  freeze(on: boolean): void;
}

export interface ReplicatedCluster {
  primary: Local;
  standby: Standby;
  stopPrimary(): Promise<void>;
  /** Stops both and deletes their data. */
  stop(): Promise<void>;
}

/** Starts a PostgreSQL and a streaming standby, which is created by a base backup. */
export async function startReplicated(): Promise<ReplicatedCluster> {
  const folder = realpathSync(await mkdtemp(join(tmpdir(), 'lintel-standby-')));
  // If root starts it, PostgreSQL runs under another account, which must be able to enter the folder.
  await chmod(folder, 0o755);
  const primary = await startEmbedded({ dataDir: join(folder, 'a'), flags: FLAGS });
  const place = locate(join(folder, 'b'), () => undefined);
  await backup(primary.connection, locate(join(folder, 'a'), () => undefined).cluster, place.cluster, place.account);
  const standby = serverOf(place, join(binaries(place), 'bin/postgres'));
  const stop = async (): Promise<void> => {
    await standby.kill();
    await primary.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  return { primary: primary.connection, standby, stopPrimary: () => primary.stop(), stop };
}

/** Copies a running cluster and configures the copy as its standby. */
export async function backup(primary: Local, from: string, to: string, account: Account): Promise<void> {
  const client = new pg.Client({ ...primary });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    cpSync(from, to, { recursive: true, filter: (path) => !NOT_COPIED.test(path) });
    const {
      rows: [label],
    } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(to, 'backup_label'), label!.labelfile);
    writeFileSync(join(to, 'standby.signal'), '');
    writeFileSync(
      join(to, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${primary.host} port=${primary.port} user=${primary.user} application_name=standby'\n`,
    );
  } finally {
    await client.end();
  }
  chownAll(to, account);
  chmodSync(to, 0o700);
}

function chownAll(folder: string, account: Account): void {
  if (!account) return;
  chownSync(folder, account.uid, account.gid);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = join(folder, entry.name);
    if (entry.isDirectory()) chownAll(at, account);
    else lchownSync(at, account.uid, account.gid);
  }
}

/** A server that does not run yet, of a folder with a cluster. */
export function serverOf({ dataDir, cluster, socket, account }: Place, program: string): Standby {
  const connection: Local = { host: socket, port: 5432, user: 'lintel', database: 'lintel' };
  let server: ChildProcess | undefined;
  let text = '';
  const start = async (): Promise<void> => {
    const child = (server = spawn(
      program,
      [
        '-D',
        cluster,
        '-p',
        String(connection.port),
        '-k',
        socket,
        '-c',
        'listen_addresses=',
        '-c',
        'unix_socket_permissions=0700',
        ...FLAGS,
        '-c',
        'max_standby_streaming_delay=100ms',
        '-c',
        'wal_receiver_status_interval=1s',
        '-c',
        'wal_retrieve_retry_interval=200ms',
      ],
      {
        ...account,
        cwd: '/',
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    ));
    child.stderr.on('data', (part: Buffer) => {
      text = (text + part.toString()).slice(-4_000);
    });
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`the standby did not start: ${text}`);
      return await sql(connection, 'select 1').then(
        () => true,
        () => false,
      );
    }, READY_MS);
  };
  const kill = async (): Promise<void> => {
    const child = server;
    server = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    signalPostgres(dataDir, 'SIGCONT');
    // SIGQUIT is an immediate shutdown: all processes end without a checkpoint.
    child.kill('SIGQUIT');
    await once(child, 'exit');
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
  };
  return {
    connection,
    start,
    kill,
    promote: async () => {
      await sql(connection, 'select pg_promote(true, 20)');
    },
    freeze: (on) => signalPostgres(dataDir, on ? 'SIGSTOP' : 'SIGCONT'),
  };
}
