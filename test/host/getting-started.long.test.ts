import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { pagesOf, shell } from '../support/docs.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const folder = await mkdtemp(join(tmpdir(), 'lintel-start-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
await symlink(root, join(folder, 'lintel'));
const blocks = pagesOf(join(root, 'docs/plugins')).get('02-getting-started')!;
// No given server, so that the tests of the new module start their own, as for a newcomer.
const env = {
  LINTEL_TEST_DATABASE_URL: '',
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
};

t.test('the commands of the page create a package that passes its tests and runs', async (t) => {
  t.strictSame(
    blocks.map(({ language }) => language),
    ['sh', 'sh'],
  );
  const [make, see] = blocks as [(typeof blocks)[0], (typeof blocks)[0]];
  const output = await shell(make, folder, env);
  t.match(output, /^# pass 20$/m);
  t.match(output, /^# fail 0$/m);
  t.match(await shell(see, folder, env), /"status":"ok"/);
});
