/** A copy of the data folder of a stopped service contains the whole service. */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { client } from '../support/app.js';
import { restoreDrill, startedWithAnotherKey } from '../support/drill.js';
import { dataFolder, launchService, startService } from '../support/service.js';

const drill = await restoreDrill();
const [original, copy] = [await dataFolder(), await dataFolder()];
t.teardown(async () => {
  await drill.close();
  for (const { remove } of [original, copy]) await remove();
});

t.test('a copy of the data folder of a stopped service', async (t) => {
  const first = await startService({ dataDir: original.path, env: drill.env });
  const filled = await drill.fill(await drill.begin(first.origin));
  await first.stop();
  await cp(original.path, copy.path, { recursive: true, filter: (path) => path !== join(original.path, 'run') });
  const again = await startService({ dataDir: original.path, env: drill.env });
  const lost = await drill.makeLost(client(again.origin, filled.token));
  await again.stop();
  await rm(original.path, { recursive: true });

  t.match(
    await startedWithAnotherKey(copy.path, drill.env),
    /^1: [^]*LINTEL_SECRET_KEY does not open the stored secrets/,
    'another key is refused, and it says so',
  );
  const second = await startService({ dataDir: copy.path, env: drill.env });
  await drill.check(t, second.origin, filled, lost);
  await second.stop();

  await rm(join(copy.path, 'secret.key'));
  const keyless = launchService({ dataDir: copy.path, env: drill.env });
  t.equal((await keyless.exited).code, 1);
  t.match(keyless.output(), /secret\.key does not open the stored secrets/, 'so is a copy without its key');
});
