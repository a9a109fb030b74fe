import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readTap, type Failure } from './tap-outcome.js';
import type { Done, Order } from './worker.js';

export interface FileOutcome {
  file: string;
  seconds: number;
  /** Its processor time, without that of PostgreSQL; unknown for a file that had a process of its own. */
  processorSeconds?: number;
  passed: number;
  skipped: number;
  failures: Failure[];
  comments: string[];
  /** The last part of the output that is not TAP. */
  output: string;
}

export interface FileOptions {
  /** The compiled file. */
  path: string;
  /** Its name in reports. */
  name: string;
  /** Runs it in a process that runs no other file. */
  alone: boolean;
  limitSeconds: number;
  /** Whether the reason of a skipped test is accepted; otherwise the test fails. */
  maySkip: (reason: string) => boolean;
}

/** A larger young generation, because most objects of a test are short-lived. */
const FLAGS = ['--enable-source-maps', '--max-semi-space-size=64'];
const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));
/** A worker with more memory is replaced, because modules and data of finished files stay in memory. */
const MOST_MEMORY = 1_200 * 1_048_576;
const OUTPUT_KEPT = 20_000;
/** Time for tap to report which test did not end. */
const GRACE_MS = 3_000;
/** Messages of tap about a test that began after the end and did not run; its exit code is 0 nevertheless. */
const LOST_TESTS = /cannot create subtest after|subtest after parent test end|assertion after (end|Promise|automatic)/;

export interface FileRunnerOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Ends the running process. */
  signal: AbortSignal;
}

/**
 * Runs test files one after the other in one process that is reused. The outcome of a file depends on its TAP, its exit
 * and its result. A process that ended or in which a file failed is not used again.
 */
export class FileRunner {
  private worker: ChildProcess | undefined;

  constructor(private readonly options: FileRunnerOptions) {}

  /** Ends the reused process, and waits for its end: its processor time is then part of that of the runner. */
  async close(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    if (!worker || worker.exitCode !== null || worker.signalCode !== null) return;
    const ended = once(worker, 'exit');
    killGroup(worker);
    await ended;
  }

  async run(file: FileOptions): Promise<FileOutcome> {
    const { signal } = this.options;
    const started = performance.now();
    const tap = readTap();
    let errors = '';
    const child = file.alone ? this.start(file.path, tapTimeout(file)) : (this.worker ??= this.start(WORKER));
    const endMark = `\n${randomUUID()}\n`;
    const written = Promise.all([
      readTo(child.stdout!, endMark, (text) => tap.write(text)),
      readTo(child.stderr!, endMark, (text) => {
        errors = (errors + text).slice(-OUTPUT_KEPT);
      }),
    ]);
    let memory = 0;
    let processorSeconds: number | undefined;
    let stopListening = (): unknown => undefined;
    const ended = new Promise<string>((resolve) => {
      const onError = ({ message }: Error): void => resolve(message);
      const onExit = (code: number | null, by: string): void =>
        resolve(code === 0 && file.alone ? '' : `exit ${code ?? by}`);
      const onMessage = (message: object): void => {
        // tap sends messages of its own.
        if (!isDone(message)) return;
        ({ memory, processorSeconds } = message);
        void written.then(() => resolve(message.ok ? '' : 'failed'));
      };
      child.on('error', onError).on('exit', onExit).on('message', onMessage);
      stopListening = () => child.off('error', onError).off('exit', onExit).off('message', onMessage);
      if (file.alone) return;
      const order: Order = { path: file.path, endMark, timeout: tapTimeout(file) * 1_000 };
      child.send(order, (error) => error && resolve(error.message));
    });

    let timedOut = false;
    const limit = setTimeout(() => {
      timedOut = true;
      child.kill('SIGALRM');
      setTimeout(() => killGroup(child), GRACE_MS).unref();
    }, file.limitSeconds * 1000);
    const onAbort = (): void => killGroup(child);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();

    const exit = await ended;
    clearTimeout(limit);
    signal.removeEventListener('abort', onAbort);
    const { exitCode, signalCode } = child;
    const isUsable = !file.alone && exit === '' && !timedOut && exitCode === null && signalCode === null;
    if (!isUsable || memory > MOST_MEMORY) {
      killGroup(child);
      if (child === this.worker) this.worker = undefined;
    }
    stopListening();
    // A process that left the group may keep the pipes open; its later output is ignored.
    await Promise.race([written, delay(2_000, undefined, { ref: false })]);

    const { passed, skipped, failures, comments, other } = await tap.end();
    const allFailures: Failure[] = [...failures];
    const refused = skipped.filter(({ reason }) => !file.maySkip(reason));
    for (const { test, reason } of refused)
      allFailures.push({ test, detail: `skipped: ${reason || 'no reason given'}` });
    const accepted = skipped.length - refused.length;
    if (timedOut) allFailures.push({ test: 'time limit', detail: `not done after ${file.limitSeconds} s` });
    else if (signal.aborted) allFailures.push({ test: 'interrupted', detail: '' });
    else if (exit && allFailures.length === 0) allFailures.push({ test: 'exit', detail: exit });
    if (LOST_TESTS.test(errors))
      allFailures.push({
        test: 'lost tests',
        detail: 'The file went on testing after its end; await nothing between its tests.',
      });
    if (passed === 0 && accepted === 0 && allFailures.length === 0)
      allFailures.push({ test: 'assertions', detail: 'the file asserts nothing' });
    return {
      file: file.name,
      seconds: (performance.now() - started) / 1000,
      ...(processorSeconds !== undefined && { processorSeconds }),
      passed,
      skipped: accepted,
      failures: allFailures,
      comments,
      output: [...other, errors.trimEnd()].join('\n').slice(-OUTPUT_KEPT).trim(),
    };
  }

  /**
   * Starts a process in a new process group, so that its child processes can be ended with it.
   * @param tapTimeout time after which tap ends the test of the process, in seconds; 0 for none
   */
  private start(path: string, tapTimeout = 0): ChildProcess {
    const { cwd, env } = this.options;
    const child = spawn(process.execPath, [...FLAGS, path], {
      cwd,
      env: { ...env, TAP_TIMEOUT: String(tapTimeout) },
      stdio: ['ignore', 'pipe', 'pipe', ...(path === WORKER ? ['ipc' as const] : [])],
      detached: true,
    });
    child.on('error', () => undefined);
    child.stdout!.setEncoding('utf8');
    child.stderr!.setEncoding('utf8');
    return child;
  }
}

/** Time after which tap ends a test, in seconds; longer than the limit of the runner, which reports more. */
const tapTimeout = ({ limitSeconds }: FileOptions): number => limitSeconds + 60;
const isDone = (message: object): message is Done => 'memory' in message;

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    /* the group has ended */
  }
}

/**
 * Passes text to `take` as it arrives, up to the mark or the end of the stream.
 * @param endMark begins and ends with a line break; is not passed
 */
async function readTo(from: Readable, endMark: string, take: (text: string) => void): Promise<void> {
  let held = '';
  await new Promise<void>((resolve) => {
    const onData = (text: string): void => {
      held += text;
      const end = held.indexOf(endMark);
      // The last line may be the beginning of the mark.
      const known = end < 0 ? Math.max(0, held.lastIndexOf('\n', held.length - 2)) : end;
      take(held.slice(0, known));
      held = held.slice(known);
      if (end >= 0) stop();
    };
    const onClose = (): void => {
      take(held);
      stop();
    };
    const stop = (): void => {
      from.off('data', onData).off('close', onClose);
      resolve();
    };
    from.on('data', onData).on('close', onClose);
  });
}
