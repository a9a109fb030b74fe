/**
 * Runs the short tests on the next version of Node.js, whose binary is downloaded from npm. They start their own server,
 * like `npm test`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { runSuite } from '../support/run-suite.js';

const VERSION = 24;
const FETCH_MS = 120_000;

const folder = await mkdtemp(join(tmpdir(), 'lintel-node-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
await writeFile(join(folder, 'package.json'), '{"private":true}');
const node = join(folder, 'node_modules/node/bin/node');
const version = await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', `node@${VERSION}`], {
  cwd: folder,
  timeout: FETCH_MS,
})
  .then(() => promisify(execFile)(node, ['--version']))
  .then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );

const skip = version === undefined && `Node.js ${VERSION} cannot be fetched`;
t.test(`the short tests pass on Node.js ${VERSION}`, { skip, timeout: 0 }, async (t) => {
  t.match(version, new RegExp(`^v${VERSION}\\.`));
  const env = { TEST_PG: undefined, LINTEL_TEST_DATABASE_URL: undefined };
  const { code, lines } = await runSuite([], { node, env });
  t.same(
    lines.filter((line) => /^(not ok|    not ok) /.test(line)),
    [],
  );
  t.match(lines.at(-1), /^[1-9]\d* passed, 0 failed/);
  t.comment(`${version}: ${lines.at(-1)}`);
  t.equal(code, 0);
});
