/** When a PostgreSQL backend is killed, all sessions end and the database recovers: the service recovers automatically. */
import { join } from 'node:path';
import t from 'tap';
import { EMBEDDED_LOCK } from '../../core/foundation/db/embedded.js';
import { client, until } from '../support/app.js';
import { withDatabase } from '../support/database.js';
import { dataFolder, launchService, startService } from '../support/service.js';
import { queryRecovering, checkRecovery } from './killed-backends.js';

const ROUNDS = 2;

t.test('killed backends of the embedded database, an idle one and a busy one', async (t) => {
  const folder = await dataFolder();
  const service = await startService({ dataDir: folder.path, env: { SHUTDOWN_GRACE_SECONDS: '1' } });
  t.teardown(async () => {
    await service.stop();
    await folder.remove();
  });
  const database = { host: join(folder.path, 'run'), port: 5432, user: 'lintel', database: 'lintel' };
  await checkRecovery(t, service, database, ROUNDS);
  const held = await until(
    async () =>
      (
        await queryRecovering(
          withDatabase(database, 'postgres'),
          `select from pg_locks where locktype = 'advisory' and objid = $1 and granted and objsubid = 1`,
          [EMBEDDED_LOCK],
        )
      ).length === 1,
  );
  t.ok(held, 'the service holds the lock of the folder again');
  const second = launchService({ dataDir: folder.path, env: { SHUTDOWN_GRACE_SECONDS: '1' } });
  t.equal((await second.exited).code, 1);
  t.match(second.output(), /another Lintel runs on/);
  t.equal((await client(service.origin).get('/api/ready')).status, 200, 'the first service is still ready');
});
