import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { startEmbedded } from '../../core/foundation/db/embedded.js';
import { makeUser, registerAdmin, type Session } from '../support/app.js';
import { connect } from './connect.js';
import { CpuMeter } from './cpu.js';
import { fill, type Filled } from './fill.js';
import type { Side } from './load.js';
import type { Options, Scale } from './options.js';
import { startRecorder, type Recorder } from './record.js';
import type { Figures, Row } from './report.js';
import { rowSource } from './schema.js';
import { freePort, serviceEnvironment, startService, type Service } from './service.js';
import { WriteMeter, writeFigures, type WriteFigures } from './writes.js';

/** What every section works with. */
export interface Bench {
  scale: Scale;
  folder: string;
  database: DatabaseConnection;
  service: Service;
  cpu: CpuMeter;
  writes: WriteMeter;
  /** The relation with all columns of cards, to be read and to be copied. */
  cardRows: string;
  admin: Session;
  viewer: Session;
  filled: Filled;
  /** Records the SQL that requests send; the service runs inside this process while `work` runs. */
  record<T>(work: (recorder: Recorder) => Promise<T>, env?: NodeJS.ProcessEnv): Promise<T>;
  /** A database connection that is not of the service. The caller ends it. */
  connect(): Promise<pg.Client>;
  add(...rows: Row[]): void;
  /** Adds what one step of a write costs. */
  addWrite(
    name: string,
    side: Pick<Side, 'perSecond' | 'node' | 'postgres' | 'written' | 'steps'>,
    per?: WriteFigures['per'],
  ): void;
}

/** Run in reverse order at the end, also after a failure. */
type Cleanup = (() => Promise<unknown>)[];

/** Enough connections for the service, the bare SQL measured beside it, and the measurement itself. */
const FLAGS = ['max_connections=150', 'shared_preload_libraries=pg_stat_statements'].flatMap((setting) => [
  '-c',
  setting,
]);

/**
 * Starts a separate cluster with fsync on, the service on it, and creates users and cards.
 * @param cleanup receives the functions that remove everything again
 * @param say called with a line about the progress
 */
export async function prepare(
  options: Options,
  cleanup: Cleanup,
  figures: Figures,
  say: (text: string) => void,
): Promise<Bench> {
  const { scale } = options;
  const folder = await makeFolder(cleanup);
  // The clean-up is registered before the cluster has started, because an interrupt may come in between.
  const cluster = startEmbedded({ dataDir: join(folder, 'cluster'), flags: FLAGS });
  cleanup.push(() => cluster.then(({ stop }) => stop()));
  const { connection: database } = await cluster;
  const env = serviceEnvironment(join(folder, 'service'), await freePort(), database);
  const starting = startService(env, join(folder, 'service.log'), options.profile);
  cleanup.push(() => starting.then((started) => started.stop()));
  const service = await starting;
  const admin = await registerAdmin(service.origin);
  const viewer = await makeUser(admin, 'viewer');
  const began = performance.now();
  const filled = await fill(database, scale, admin.user.id);
  say(
    `${filled.active} active cards of ${scale.cards}, ${filled.relations} relations, filled in ${((performance.now() - began) / 1_000).toFixed(1)} s`,
  );

  const client = await connect(database);
  cleanup.push(() => client.end());
  const writes = new WriteMeter(client);
  await writes.prepare();
  figures.disk = await writes.disk(scale.cards);
  const cardRows = await rowSource(client);
  const postmaster = await postmasterOf(database);
  return {
    scale,
    folder,
    database,
    service,
    admin,
    viewer,
    filled,
    cpu: new CpuMeter(() => service.pid, postmaster),
    writes,
    cardRows,
    async record(work, other = {}) {
      const recorder = await startRecorder({ ...env, LOG_LEVEL: 'error', ...other }, database, admin.token);
      try {
        return await work(recorder);
      } finally {
        await recorder.close();
      }
    },
    connect: () => connect(database),
    add: (...more) => void figures.rows.push(...more),
    addWrite(name, side, per = 'request') {
      if (side.written) figures.writes.push(writeFigures(name, per, side, side.written, side.steps));
    },
  };
}

/** A temporary folder that PostgreSQL can enter if root starts it, because it then runs under another account. */
export async function makeFolder(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-bench-'));
  cleanup.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  await chmod(folder, 0o755);
  return folder;
}

/** The id of the process whose children are all backends; 0 where it is unknown. */
async function postmasterOf(database: DatabaseConnection): Promise<number> {
  const client = await connect(database);
  try {
    const {
      rows: [row],
    } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return Number(
      readFileSync(`/proc/${row!.pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch {
    // Without /proc the CPU time cannot be read.
    return 0;
  } finally {
    await client.end();
  }
}
