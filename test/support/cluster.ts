import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbedded, type EmbeddedDatabase } from '../../core/foundation/db/embedded.js';
import { clusterOf, dataFolder, postgresProcesses } from './service.js';

/** A PostgreSQL cluster of one test, which can be crashed and suspended; its services use it as an external server. */
export interface OwnCluster {
  /** The folder that contains the cluster. */
  dataDir: string;
  connection: EmbeddedDatabase['connection'];
  /** Ends it at once, as `pg_ctl stop -m immediate` does: no checkpoint, every connection cut. */
  crash(): Promise<void>;
  /** Starts it again after a crash. */
  restart(): Promise<void>;
  /** Suspends all its processes: connections stay open and hang. */
  freeze(): void;
  thaw(): void;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** @param flags arguments of `postgres`, such as `-c`, `wal_level=replica` */
export async function ownCluster(flags: string[] = []): Promise<OwnCluster> {
  const folder = await dataFolder();
  const dataDir = join(folder.path, 'data');
  const start = (): Promise<EmbeddedDatabase> =>
    startEmbedded({ dataDir, flags: ['-c', 'max_connections=120', ...flags] });
  let running = await start();
  let frozen: number[] = [];
  const thaw = (): void => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
  };
  return {
    dataDir,
    connection: running.connection,
    crash: async () => {
      const [pid] = readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGQUIT');
      await running.lost;
      await running.stop();
    },
    restart: async () => {
      running = await start();
    },
    freeze: () => {
      frozen = postgresProcesses(dataDir);
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    },
    thaw,
    remove: async () => {
      thaw();
      await running.stop();
      await folder.remove();
    },
  };
}
