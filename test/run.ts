/**
 * Runs the compiled test files over one PostgreSQL cluster and ends with the line `N passed, N failed`, after the processor
 * time of all processes.
 *
 * Arguments: parts of paths select files; `--long` includes the long ones; `--lint` also runs the linter, concurrently;
 * `--in=<folder>` runs the tests of another project, and `--limit=<seconds>` sets the time limit of each file other than
 * the long ones: both are for the tests of the runner. TEST_DATABASE_URL is a server to use instead of an embedded one; a
 * run started by a test uses the server of its own run. TEST_DATA_DIR is the folder of public data (../shared/data). A
 * test may be skipped if that is absent, and a long one if a download fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { DatabaseConnection } from '../core/foundation/db/connection.js';
import { startCluster } from './support/postgres.js';
import { processorTime } from './support/processor-time.js';
import { urlOf } from './support/database.js';
import { FileRunner, type FileOutcome } from './support/run-file.js';

/** The value of an argument; undefined if it is absent. */
const valueOf = (name: string): string | undefined =>
  process.argv.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);

const root = resolve(valueOf('--in') ?? dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const dist = join(root, 'dist');

const FILES_AT_ONCE = 3;
/** Ends files that hang; several times the 130 s of the longest one, because other work may share the machine. */
const LIMIT_SECONDS = Number(valueOf('--limit') ?? 600);
/** The longest of them runs all short tests, which takes 700 s. */
const LONG_LIMIT_SECONDS = 1_800;
const isLong = (name: string): boolean => name.endsWith('.long.test.ts');
/** A file with this text in a comment runs in a separate process, as long ones do. */
const ALONE = 'Runs in a process of its own';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const indent = (text: string, by: string): string => text.replace(/^/gm, by);

/**
 * The sources of the tests to run, relative to the project. Compiled files without a source are ignored.
 */
function findTests(long: boolean, parts: string[]): string[] {
  const folders = ['test', ...modules().map((name) => `plugins/${name}/test`)];
  const compiled = folders.flatMap((folder) =>
    existsSync(join(dist, folder))
      ? readdirSync(join(dist, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`)
      : [],
  );
  return (
    compiled
      .filter((file) => file.endsWith('.test.js') || file === 'test/openapi.js')
      .map((file) => file.replace(/js$/, 'ts'))
      .filter((file) => existsSync(join(root, file)))
      .filter((file) => long || !isLong(file))
      .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
      .sort()
      // The longest files are in `test/security` and `test/e2e`, short ones in `plugins`: begun last, a long one would run alone.
      .reverse()
  );
}

function modules(): string[] {
  const folder = join(dist, 'plugins');
  return existsSync(folder) ? readdirSync(folder) : [];
}

function report(outcome: FileOutcome): void {
  const { file, passed, skipped, failures, seconds, processorSeconds, comments, output } = outcome;
  const counts = [`${passed} passed`];
  if (failures.length > 0) counts.push(`${failures.length} failed`);
  if (skipped > 0) counts.push(`${skipped} skipped`);
  const times = [`${seconds.toFixed(1)} s`];
  if (processorSeconds !== undefined) times.push(`processor ${processorSeconds.toFixed(1)} s`);
  print(`${failures.length > 0 ? 'not ok' : 'ok'} ${file} (${[...counts, ...times].join(', ')})`);
  for (const comment of comments) print(`    # ${comment}`);
  for (const { test, detail } of failures) {
    print(`    not ok ${file}: ${test}`);
    if (detail) print(indent(detail, '        '));
  }
  if (failures.length > 0 && output) print(`    output:\n${indent(output, '        ')}`);
}

/** Runs the linter; all findings are one failure. */
async function lint(signal: AbortSignal): Promise<FileOutcome> {
  const started = performance.now();
  const child = spawn('npm', ['run', '--silent', 'lint'], { cwd: root, signal, stdio: ['ignore', 'pipe', 'inherit'] });
  let found = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    found += text;
  });
  const [code] = (await once(child, 'close').catch((error: Error) => [error.message])) as [number | string];
  const failures = code === 0 ? [] : [{ test: `exit ${code}`, detail: found }];
  return {
    file: 'lint',
    seconds: (performance.now() - started) / 1_000,
    passed: code === 0 ? 1 : 0,
    skipped: 0,
    failures,
    comments: [],
    output: '',
  };
}

/**
 * Runs all files, FILES_AT_ONCE at a time, and reports each when it ends.
 * @param withLint also runs the linter, first, in the place of one file
 * @returns the outcomes of the files that were started
 */
async function runAll(
  files: string[],
  withLint: boolean,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<FileOutcome[]> {
  const dataIsThere = existsSync(env.TEST_DATA_DIR ?? '');
  const queue = [...files];
  const outcomes: FileOutcome[] = [];
  const finish = (outcome: FileOutcome): void => {
    outcomes.push(outcome);
    report(outcome);
  };
  const worker = async (): Promise<void> => {
    const runner = new FileRunner({ cwd: root, env, signal });
    for (let name = queue.shift(); name !== undefined && !signal.aborted; name = queue.shift()) {
      finish(
        await runner.run({
          path: join(dist, name.replace(/ts$/, 'js')),
          name,
          alone: isLong(name) || readFileSync(join(root, name), 'utf8').includes(ALONE),
          limitSeconds: isLong(name) ? LONG_LIMIT_SECONDS : LIMIT_SECONDS,
          maySkip: (reason) =>
            (!dataIsThere && reason.includes('TEST_DATA_DIR')) ||
            (isLong(name) && reason.endsWith('cannot be fetched')),
        }),
      );
    }
    await runner.close();
  };
  const linted = withLint ? lint(signal).then(finish).then(worker) : worker();
  await Promise.all([linted, ...Array.from({ length: FILES_AT_ONCE - 1 }, worker)]);
  return outcomes;
}

/** @returns the exit code; the line of totals is printed in every case */
async function main(args: string[]): Promise<number> {
  const stop = new AbortController();
  let interrupted: NodeJS.Signals | undefined;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      interrupted ??= name;
      stop.abort();
    });
  }
  const files = findTests(
    args.includes('--long'),
    args.filter((arg) => !arg.startsWith('--')),
  );
  let outcomes: FileOutcome[] = [];
  let broken = 0;
  try {
    if (files.length > 0) outcomes = await overCluster(files, args.includes('--lint'), stop.signal);
  } catch (error) {
    broken = 1;
    print(inspect(error));
  }
  const sum = (count: (outcome: FileOutcome) => number): number =>
    outcomes.reduce((n, outcome) => n + count(outcome), 0);
  const passed = sum((outcome) => outcome.passed);
  const failed = sum((outcome) => outcome.failures.length) + broken;
  const skipped = sum((outcome) => outcome.skipped);
  if (interrupted) print(`interrupted by ${interrupted}`);
  if (passed + failed === 0) print('no test ran');
  print(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  if (interrupted) return 128 + constants.signals[interrupted];
  return failed > 0 || passed === 0 ? 1 : 0;
}

async function overCluster(files: string[], withLint: boolean, signal: AbortSignal): Promise<FileOutcome[]> {
  let serverLog = '';
  const { TEST_PG: around, TEST_DATABASE_URL: url } = process.env;
  const cluster = around
    ? { connection: JSON.parse(around) as DatabaseConnection, stop: async () => undefined }
    : await startCluster(url || undefined, (text) => {
        serverLog = `${serverLog}${text}\n`.slice(-4000);
      }).catch((error: unknown) => {
        throw new Error(`The test database did not start.\n${serverLog}`, { cause: error });
      });
  // Temporary files of the tests, also of killed ones, are deleted with this folder. Any account may write to it, as to /tmp.
  const temporary = await mkdtemp(join(tmpdir(), 'lintel-run-'));
  try {
    await chmod(temporary, 0o1777);
    return await runAll(
      files,
      withLint,
      {
        ...process.env,
        TMPDIR: temporary,
        TEST_PG: JSON.stringify(cluster.connection),
        // Tests of modules, which use `@lintel/sdk/testing`, run on the same server.
        LINTEL_TEST_DATABASE_URL: urlOf(cluster.connection),
        TEST_DATA_DIR: resolve(root, process.env.TEST_DATA_DIR || '../shared/data'),
      },
      signal,
    );
  } finally {
    const beforePostgres = processorTime();
    await cluster.stop();
    const all = processorTime();
    print(`processor ${all.toFixed(0)} s, of which PostgreSQL ${(all - beforePostgres).toFixed(0)} s`);
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}

process.exitCode = await main(process.argv.slice(2));
