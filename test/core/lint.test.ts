/** Comments cannot switch off a rule of the linter: each that tries is reported, and no comment silences the report. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const FILES: Record<string, { code: string; reports: boolean }> = {
  'whole.ts': { code: '/* oxlint-disable */', reports: true },
  'line.ts': { code: '// oxlint-disable-next-line', reports: true },
  'eslint.ts': { code: '// eslint-disable-next-line no-console', reports: true },
  'itself.ts': { code: '/* oxlint-disable lintel/disabling-comment */', reports: true },
  'first-line.ts': { code: '/* eslint-disable lintel/disabling-comment, no-warning-comments */', reports: true },
  'of-the-words.ts': { code: '// no-warning-comments', reports: true },
  'in-a-text.ts': { code: "export const text = '// oxlint-disable-line';", reports: false },
};

t.test('comments that switch rules off', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-lint-'));
  t.teardown(() => rm(folder, { recursive: true }));
  for (const [name, { code }] of Object.entries(FILES)) await writeFile(join(folder, name), `${code}\n`);
  const args = [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', 'oxlint.config.js', '--format', 'json', folder];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
    // The exit code is 1 where something is reported.
    (error: Error & { stdout: string }) => error,
  );
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  const reported = diagnostics
    .filter(({ code }) => code === 'lintel(disabling-comment)')
    .map(({ filename }) => basename(filename));
  t.same(
    reported.sort(),
    Object.keys(FILES)
      .filter((name) => FILES[name]!.reports)
      .sort(),
  );
});
