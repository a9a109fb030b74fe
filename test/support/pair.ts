import { realpathSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaries } from '../../core/foundation/db/embedded-binaries.js';
import { startEmbedded } from '../../core/foundation/db/embedded.js';
import { locate, type Place } from '../../core/foundation/db/embedded-place.js';
import { until } from './app.js';
import { sql } from './database.js';
import { signalPostgres } from './service.js';
import { backup, serverOf, type Local, type Standby } from './standby.js';

/** Two PostgreSQL servers: a primary, and its synchronous standby, which may take its place again and again. */
export interface Pair {
  readonly primary: Standby;
  readonly standby: Standby;
  /** The connections of both, in an order that stays. */
  readonly hosts: readonly [Local, Local];
  /** Kills all processes of the primary with SIGKILL. */
  killPrimary(): void;
  /** Promotes the standby; the killed primary is not started. */
  promote(): Promise<void>;
  /** Makes the killed server a synchronous standby of the one that was promoted. */
  rebuild(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both. */
export async function startPair(): Promise<Pair> {
  const folder = realpathSync(await mkdtemp(join(tmpdir(), 'lintel-pair-')));
  // If root starts it, PostgreSQL runs under another account, which must be able to enter the folder.
  await chmod(folder, 0o755);
  await (await startEmbedded({ dataDir: join(folder, 'a') })).stop();
  const places = ['a', 'b'].map((name) => locate(join(folder, name), () => undefined)) as [Place, Place];
  const program = join(binaries(places[0]), 'bin/postgres');
  const servers = places.map((place) => serverOf(place, program)) as [Standby, Standby];
  let first = 0;
  const primary = (): Standby => servers[first]!;
  const rebuild = async (): Promise<void> => {
    const [from, to] = [places[first]!, places[1 - first]!];
    rmSync(to.cluster, { recursive: true, force: true });
    await backup(primary().connection, from.cluster, to.cluster, to.account);
    await servers[1 - first]!.start();
    await until(
      async () => (await sql(primary().connection, `select from pg_stat_replication where state = 'streaming'`))[0],
      20_000,
    );
    await sql(primary().connection, `alter system set synchronous_standby_names = 'standby'`);
    await sql(primary().connection, 'select pg_reload_conf()');
    await until(
      async () => (await sql(primary().connection, `select from pg_stat_replication where sync_state = 'sync'`))[0],
    );
  };
  await primary().start();
  await rebuild();
  return {
    get primary() {
      return primary();
    },
    get standby() {
      return servers[1 - first]!;
    },
    hosts: [servers[0].connection, servers[1].connection],
    killPrimary: () => signalPostgres(places[first]!.dataDir, 'SIGKILL'),
    promote: async () => {
      first = 1 - first;
      await primary().promote();
    },
    rebuild,
    stop: async () => {
      await Promise.all(servers.map((server) => server.kill()));
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
