/** The runner of the tests, with small files that fail in every way a test file can. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { FileRunner } from '../support/run-file.js';
import { runSuite, type SuiteRun } from '../support/run-suite.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
/** The time limit of files that never end; long enough to start a process on a busy machine. */
const LIMIT_SECONDS = 12;
const AMPLE_SECONDS = 100;
const ALONE = '/** Runs in a process of its own: as an example. */';

interface Example {
  code: string;
  /** The expected report, besides the name of the file. */
  says: RegExp;
  passed?: number;
  failed?: number;
  isEndless?: true;
}

/** Each has a passing assertion, so that it does not fail because of missing assertions. */
const FAILING: Record<string, Example> = {
  check: { code: `t.pass(); t.equal(1, 2, 'one is two');`, says: /one is two\n.*\n?.*-2\n +\+1/s },
  'throws-in-test': {
    code: `t.pass(); t.test('it throws', async () => { throw new Error('thrown in a test'); });`,
    says: /thrown in a test/,
  },
  'throws-at-import': { code: `t.pass(); throw new Error('thrown at import');`, says: /thrown at import/ },
  rejection: {
    code: `t.test('it rejects', async (t) => { t.pass(); Promise.reject(new Error('caught by nobody')); await delay(50); });`,
    says: /caught by nobody/,
  },
  'exit-0': { code: `t.test('it exits', async (t) => { t.pass(); process.exit(0); });`, says: /exit/ },
  'exit-0-alone': {
    code: `${ALONE}\nt.test('it exits', async (t) => { t.pass(); process.exit(0); });`,
    says: /it exits/,
  },
  'no-assertion': { code: `t.test('it is empty', async () => undefined);`, says: /asserts nothing/, passed: 0 },
  'assertion-after-end': {
    code: `t.test('it ends', async (t) => { t.pass(); setTimeout(() => t.pass('too late'), 10); }); t.test('the next', () => delay(50));`,
    says: /after (end|Promise)/,
  },
  'test-after-end': {
    code: `t.test('the first', async (t) => t.pass()); await delay(50); t.test('too late', async (t) => t.fail('it is'));`,
    says: /too late|after its end|parent test end/,
  },
  hangs: {
    code: `t.pass(); t.test('it hangs', () => new Promise(() => undefined));`,
    isEndless: true,
    says: /it hangs > timeout.*not done after 12 s/s,
    failed: 2,
  },
  'leaves-a-server': {
    code: `t.test('it listens', async (t) => { t.pass(); createServer().listen(0); });`,
    isEndless: true,
    says: /not done after 12 s.*still open after the last test: TCPServerWrap/s,
  },
  // It blocks the event loop, and sleeps only to save processor time.
  'loops-for-ever': {
    code: `t.test('it loops', async (t) => { t.pass(); for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50); });`,
    isEndless: true,
    says: /it loops.*not done after 12 s/s,
    failed: 2,
  },
  skips: { code: `t.pass(); t.test('not now', { skip: 'no time' }, async (t) => t.pass());`, says: /skipped: no time/ },
  todo: { code: `t.pass(); t.test('some day', { todo: true }, async (t) => t.pass());`, says: /marked as to do/ },
  'fails-alone': { code: `${ALONE}\nt.pass(); t.fail('it fails alone');`, says: /it fails alone/ },
};
const PASSING: Record<string, string> = {
  'first-of-two': `t.comment('process ' + process.pid); t.test('it waits', async (t) => { await delay(1); t.pass(); });`,
  'second-of-two': `t.comment('process ' + process.pid); t.pass(); t.pass();`,
  'passes-alone': `${ALONE}\nt.comment('process ' + process.pid); t.pass();`,
};

const folder = await mkdtemp(join(tmpdir(), 'lintel-runner-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const compiled = (name: string): string => join(folder, 'dist/test', `${name}.test.js`);
await Promise.all(['test', 'dist/test'].map((path) => mkdir(join(folder, path), { recursive: true })));
await writeFile(join(folder, 'package.json'), '{"type":"module"}');
await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
const texts = [...Object.entries(FAILING).map(([name, { code }]) => [name, code] as const), ...Object.entries(PASSING)];
for (const [name, code] of texts) {
  const text = `import t from 'tap';\nimport { createServer } from 'node:net';\nimport { setTimeout as delay } from 'node:timers/promises';\n${code}\n`;
  await writeFile(compiled(name), text);
  await writeFile(join(folder, 'test', `${name}.test.ts`), text);
}

const runner = (names: string[], seconds = AMPLE_SECONDS): Promise<SuiteRun> =>
  runSuite([`--in=${folder}`, `--limit=${seconds}`, ...names.map((name) => `test/${name}.test`)]);
const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);

for (const isEndless of [undefined, true] as const)
  t.test(`what ${isEndless ? 'never ends' : 'fails'} is reported, counted and ends the run with 1`, async (t) => {
    const examples = Object.entries(FAILING).filter(([, example]) => example.isEndless === isEndless);
    const names = examples.map(([name]) => name);
    const { code, lines, output } = await runner(names, isEndless ? LIMIT_SECONDS : AMPLE_SECONDS);
    const reports = output.split(/^(?=(?:not )?ok )/m);
    for (const [name, { says, passed = 1, failed = 1 }] of examples) {
      const file = `test/${name}.test.ts`;
      const report = reports.find((text) => text.includes(` ${file} (`)) ?? '';
      t.match(report, new RegExp(`^not ok ${file} \\(${passed} passed, ${failed} failed, \\d`), name);
      t.match(report, says, `${name}: why`);
    }
    const [passed, failed] = (['passed', 'failed'] as const).map((key) =>
      sum(examples.map(([, example]) => example[key] ?? 1)),
    );
    t.equal(lines.at(-1), `${passed} passed, ${failed} failed`);
    t.equal(code, 1);
  });

t.test('one failure among passing files ends the run with 1, none with 0', async (t) => {
  const one = await runner(['check', 'second-of-two', 'passes-alone']);
  t.equal(one.lines.at(-1), '4 passed, 1 failed');
  t.equal(one.code, 1);
  const none = await runner(['first-of-two', 'second-of-two', 'passes-alone']);
  t.equal(none.lines.at(-1), '4 passed, 0 failed');
  t.equal(none.code, 0);
  const nothing = await runner(['of-no-such-name']);
  t.same(nothing.lines, ['no test ran', '0 passed, 0 failed']);
  t.equal(nothing.code, 1);
});

t.test('files share a process until one fails; the next begins a new one', async (t) => {
  const stop = new AbortController();
  const files = new FileRunner({ cwd: folder, env: process.env, signal: stop.signal });
  t.teardown(() => files.close());
  const processOf = async (name: string, alone = false): Promise<string> => {
    const limits = { limitSeconds: AMPLE_SECONDS, maySkip: () => false };
    const { comments, failures } = await files.run({ path: compiled(name), name, alone, ...limits });
    t.same(failures, [], name);
    return comments[0]!;
  };
  const first = await processOf('first-of-two');
  t.equal(await processOf('second-of-two'), first, 'two that pass share it');
  t.not(await processOf('passes-alone', true), first, 'a file that requires it has its own process');
  const failing = { path: compiled('check'), name: 'check', alone: false };
  const { failures } = await files.run({ ...failing, limitSeconds: AMPLE_SECONDS, maySkip: () => false });
  t.equal(failures.length, 1);
  const after = await processOf('second-of-two');
  t.match(after, /^process \d+$/);
  t.not(after, first, 'a process in which a file failed is not used again');
});
