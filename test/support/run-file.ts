import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { readTap, type Failure } from './tap-outcome.js';

export interface FileOutcome {
  file: string;
  seconds: number;
  passed: number;
  skipped: number;
  failures: Failure[];
  comments: string[];
  /** The end of what the process printed besides TAP. */
  output: string;
}

export interface FileOptions {
  /** The compiled file. */
  path: string;
  /** How it is called in reports. */
  name: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  limitSeconds: number;
  /** A test may say why it skips; only a reason accepted here is no failure. */
  maySkip: (reason: string) => boolean;
  /** Ends the file before its time. */
  signal: AbortSignal;
}

/** A larger young generation: most of what a test makes dies young, and is not worth looking at. */
const FLAGS = ['--enable-source-maps', '--max-semi-space-size=64'];
const OUTPUT_KEPT = 20_000;
/** Time tap has to say which test did not end. */
const LAST_WORDS_MS = 3_000;
/** tap prints these and still exits with 0 when a test came after its end: such tests did not run. */
const LOST_TESTS = /cannot create subtest after|subtest after parent test end|assertion after (end|Promise|automatic)/;

/** Runs one test file as a process of its own and judges it by its TAP, its exit and what it lost. */
export async function runFile(options: FileOptions): Promise<FileOutcome> {
  const started = performance.now();
  const tap = readTap();
  // A process group of its own, so that whatever the file starts ends with it.
  const child = spawn(process.execPath, [...FLAGS, options.path], {
    cwd: options.cwd,
    env: { ...options.env, TAP_TIMEOUT: String(options.limitSeconds + 60) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => tap.write(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-OUTPUT_KEPT);
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not start: ${error.message}`));
    child.once('exit', (code, signal) => resolve(code === 0 ? '' : `exit ${code ?? signal}`));
  });

  const killGroup = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      /* nothing of it is left */
    }
  };
  let timedOut = false;
  const limit = setTimeout(() => {
    timedOut = true;
    child.kill('SIGALRM');
    setTimeout(killGroup, LAST_WORDS_MS).unref();
  }, options.limitSeconds * 1000);
  options.signal.addEventListener('abort', killGroup, { once: true });
  if (options.signal.aborted) killGroup();

  const exit = await ended;
  clearTimeout(limit);
  killGroup();
  options.signal.removeEventListener('abort', killGroup);
  // A process that left the group may hold the pipes open: what came until now is all there is.
  await Promise.race([closed, delay(2_000, undefined, { ref: false })]);

  const { passed, skipped, failures, comments, other } = await tap.end();
  const verdicts: Failure[] = [...failures];
  const refused = skipped.filter(({ reason }) => !options.maySkip(reason));
  for (const { test, reason } of refused) verdicts.push({ test, detail: `skipped: ${reason || 'no reason given'}` });
  const accepted = skipped.length - refused.length;
  if (timedOut) verdicts.push({ test: 'time limit', detail: `not done after ${options.limitSeconds} s` });
  else if (options.signal.aborted) verdicts.push({ test: 'interrupted', detail: '' });
  else if (exit && verdicts.length === 0) verdicts.push({ test: 'exit', detail: exit });
  if (LOST_TESTS.test(errors))
    verdicts.push({
      test: 'lost tests',
      detail: 'The file went on testing after its end; await nothing between its tests.',
    });
  if (passed === 0 && accepted === 0 && verdicts.length === 0)
    verdicts.push({ test: 'assertions', detail: 'the file asserts nothing' });
  return {
    file: options.name,
    seconds: (performance.now() - started) / 1000,
    passed,
    skipped: accepted,
    failures: verdicts,
    comments,
    output: [...other, errors.trimEnd()].join('\n').slice(-OUTPUT_KEPT).trim(),
  };
}
