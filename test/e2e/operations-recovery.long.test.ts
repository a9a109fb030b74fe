/** A base backup of a running database and the write-ahead log since then restore any point in time. */
import { chmodSync, chownSync, statSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import t from 'tap';
import { startEmbedded } from '../../core/foundation/db/embedded.js';
import { sql, until } from '../support/app.js';
import { ownCluster } from '../support/cluster.js';
import { urlOf } from '../support/database.js';
import { restoreDrill, startedWithAnotherKey } from '../support/drill.js';
import { clusterOf, dataFolder, startService } from '../support/service.js';

const LINTEL_SECRET_KEY = Buffer.alloc(32, 'restore').toString('base64');
const settings = (...all: string[]): string[] => all.flatMap((setting) => ['-c', setting]);

const drill = await restoreDrill();
const [archive, copy, own] = [await dataFolder(), await dataFolder(), await dataFolder()];
chmodSync(archive.path, 0o777);
const cluster = await ownCluster(
  settings('archive_mode=on', `archive_command=test ! -f ${archive.path}/%f && cp %p ${archive.path}/%f`),
);
t.teardown(async () => {
  await drill.close();
  await cluster.remove();
  for (const { remove } of [archive, copy, own]) await remove();
});

t.test('a database is restored to the moment before an accident', async (t) => {
  const url = { DATABASE_URL: urlOf(cluster.connection), LINTEL_SECRET_KEY };
  const first = await startService({ dataDir: own.path, env: { ...drill.env, ...url } });
  t.teardown(() => first.stop());
  const api = await drill.begin(first.origin);

  await copyOnline(cluster.connection, clusterOf(cluster.dataDir), join(copy.path, 'pg'));
  const filled = await drill.fill(api);
  await sql(cluster.connection, `select pg_create_restore_point('before the accident')`);
  t.equal((await api.del(`/cards/${filled.card}`)).status, 204, 'the accident');
  const lost = await drill.makeLost(api);
  const [{ file }] = (await sql<{ file: string }>(
    cluster.connection,
    'select pg_walfile_name(pg_switch_wal()) as file',
  )) as [{ file: string }];
  await until(
    async () =>
      (await sql(cluster.connection, 'select from pg_stat_archiver where last_archived_wal >= $1', [file])).length > 0,
    20_000,
  );
  await first.stop();

  await writeFile(join(copy.path, 'pg/recovery.signal'), '');
  const { uid, gid } = statSync(clusterOf(cluster.dataDir));
  for (const name of ['recovery.signal', 'backup_label']) chownSync(join(copy.path, 'pg', name), uid, gid);
  const restored = await startEmbedded({
    dataDir: copy.path,
    flags: settings(
      'max_connections=120',
      `restore_command=cp ${archive.path}/%f %p`,
      'recovery_target_name=before the accident',
      'recovery_target_action=promote',
    ),
  });
  t.teardown(() => restored.stop());
  const restoredUrl = { DATABASE_URL: urlOf(restored.connection), LINTEL_SECRET_KEY };
  t.match(
    await startedWithAnotherKey(own.path, restoredUrl),
    /^1: [^]*does not open the stored secrets/,
    'another key is refused',
  );
  const second = await startService({ dataDir: own.path, env: { ...drill.env, ...restoredUrl } });
  t.teardown(() => second.stop());
  await drill.check(t, second.origin, filled, lost);
});

/** Copies a running cluster as `pg_basebackup` does; pages changed during the copy are repaired by the write-ahead log. */
async function copyOnline(connection: pg.ClientConfig, from: string, to: string): Promise<void> {
  const session = new pg.Client(connection);
  await session.connect();
  try {
    await session.query(`select pg_backup_start('drill', true)`);
    await cp(from, to, { recursive: true, filter: (path) => !/\/(postmaster\.(pid|opts)|pg_wal\/.+)$/.test(path) });
    const {
      rows: [stopped],
    } = await session.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(to, 'backup_label'), stopped!.labelfile);
  } finally {
    await session.end();
  }
}
