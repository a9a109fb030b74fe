/**
 * Comments cannot switch off a rule of the linter: each that tries is reported, and no comment silences the report. Content of others is
 * parsed in the files that the configuration lists.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
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

/** Files of a module, and the rule that reports them. */
const OF_A_MODULE: Record<string, { code: string; rule?: string }> = {
  'static.ts': { code: "import { SaxesParser } from 'saxes';\nexport const parser = SaxesParser;", rule: 'parsers' },
  'part.ts': { code: "export { parse } from 'csv-parse/sync';", rule: 'parsers' },
  'dynamic.ts': { code: "export const zip = async () => await import('fflate');", rule: 'parsers' },
  'required.ts': {
    code: "import { createRequire } from 'node:module';\nexport const yaml = () => createRequire(import.meta.url)('yaml') as unknown;",
    rule: 'parsers',
  },
  'types.ts': { code: "import type { Token } from 'markdown-it';\nexport type Part = Token;" },
  'sync.ts': {
    code: "import { inflateRawSync } from 'node:zlib';\nexport const all = inflateRawSync;",
    rule: 'sync-zlib',
  },
  'renamed.ts': { code: "import { gunzipSync as all } from 'zlib';\nexport const one = all;", rule: 'sync-zlib' },
  'namespace.ts': {
    code: "import * as zlib from 'node:zlib';\nexport const all = zlib.gunzipSync;",
    rule: 'sync-zlib',
  },
  'threads.ts': { code: "import { inflateRaw } from 'node:zlib';\nexport const all = inflateRaw;" },
  'json.ts': { code: 'export const value = (text: string): unknown => JSON.parse(text);', rule: 'json-parse' },
  'write.ts': { code: 'export const text = (value: object): string => JSON.stringify(value);' },
};

t.test('parsing in files that are not listed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-lint-'));
  t.teardown(() => rm(folder, { recursive: true }));
  // The configuration is that of this repository; its paths are relative to where it lies.
  for (const name of ['oxlint.config.js', 'oxlint.rules.js']) await copyFile(join(root, name), join(folder, name));
  for (const name of ['core', 'node_modules', 'package.json']) await symlink(join(root, name), join(folder, name));
  const module = join(folder, 'plugins/foreign');
  await mkdir(module, { recursive: true });
  for (const [name, { code }] of Object.entries(OF_A_MODULE)) await writeFile(join(module, name), `${code}\n`);
  const args = [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', 'oxlint.config.js', '--format', 'json', 'plugins'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
    (error: Error & { stdout: string }) => error,
  );
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  const reported = Object.fromEntries(
    diagnostics
      .filter(({ code }) => /^lintel\((parsers|sync-zlib|json-parse)\)$/.test(code))
      .map(({ code, filename }) => [basename(filename), /\((.*)\)/.exec(code)![1]]),
  );
  t.strictSame(
    reported,
    Object.fromEntries(Object.entries(OF_A_MODULE).flatMap(([name, { rule }]) => (rule ? [[name, rule]] : []))),
  );
});
