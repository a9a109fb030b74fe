/** When a PostgreSQL backend is killed, all sessions end and the database recovers: the service recovers automatically. */
import { join } from 'node:path';
import t from 'tap';
import { ownCluster } from '../support/cluster.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';
import { checkRecovery } from './killed-backends.js';

const ROUNDS = 10;

t.test('ten killed backends of the embedded database', async (t) => {
  const folder = await dataFolder();
  const service = await startService({ dataDir: folder.path, env: { SHUTDOWN_GRACE_SECONDS: '1' } });
  t.teardown(async () => {
    await service.stop();
    await folder.remove();
  });
  await checkRecovery(
    t,
    service,
    { host: join(folder.path, 'run'), port: 5432, user: 'lintel', database: 'lintel' },
    ROUNDS,
  );
});

t.test('ten killed backends of an external server', async (t) => {
  const cluster = await ownCluster();
  const folder = await dataFolder();
  const service = await startService({
    dataDir: folder.path,
    env: {
      DATABASE_URL: urlOf(cluster.connection),
      LINTEL_SECRET_KEY: Buffer.alloc(32, 'killed').toString('base64'),
      SHUTDOWN_GRACE_SECONDS: '1',
    },
  });
  t.teardown(async () => {
    await service.stop();
    await folder.remove();
    await cluster.remove();
  });
  await checkRecovery(t, service, cluster.connection, ROUNDS);
});
