import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readTap, type Failure } from './tap-outcome.js';
import type { Done, Order } from './worker.js';

export interface FileOutcome {
  file: string;
  seconds: number;
  passed: number;
  skipped: number;
  failures: Failure[];
  comments: string[];
  /** The end of the output of the process other than TAP. */
  output: string;
}

export interface FileOptions {
  /** The compiled file. */
  path: string;
  /** How it is called in reports. */
  name: string;
  /** Runs it in a process that no other file was or will be in. */
  alone: boolean;
  limitSeconds: number;
  /** A test may say why it skips; only a reason accepted here is no failure. */
  maySkip: (reason: string) => boolean;
}

/** A larger young generation, because most objects of a test are short-lived. */
const FLAGS = ['--enable-source-maps', '--max-semi-space-size=64'];
const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));
/** The apps of files that have ended stay in memory: a worker that has grown so far makes room for a new one. */
const MOST_MEMORY = 1_200 * 1_048_576;
const OUTPUT_KEPT = 20_000;
/** Time tap has to say which test did not end. */
const LAST_WORDS_MS = 3_000;
/** tap prints these and still exits with 0 when a test came after its end: such tests did not run. */
const LOST_TESTS = /cannot create subtest after|subtest after parent test end|assertion after (end|Promise|automatic)/;

export interface FileRunnerOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Ends the running process. */
  signal: AbortSignal;
}

/**
 * Runs test files one after the other, in one process that is kept from file to file, and judges each by its TAP, its
 * exit and its result. A process in which a file failed or that ended is not used again.
 */
export class FileRunner {
  private worker: ChildProcess | undefined;

  constructor(private readonly options: FileRunnerOptions) {}

  /** Ends the process that is kept. */
  close(): void {
    if (this.worker) killGroup(this.worker);
    this.worker = undefined;
  }

  async run(file: FileOptions): Promise<FileOutcome> {
    const { signal } = this.options;
    const started = performance.now();
    const tap = readTap();
    let errors = '';
    const child = file.alone ? this.start(file.path, patience(file)) : (this.worker ??= this.start(WORKER));
    const endMark = `\n${randomUUID()}\n`;
    const written = Promise.all([
      readTo(child.stdout!, endMark, (text) => tap.write(text)),
      readTo(child.stderr!, endMark, (text) => {
        errors = (errors + text).slice(-OUTPUT_KEPT);
      }),
    ]);
    let memory = 0;
    let stopListening = (): unknown => undefined;
    const ended = new Promise<string>((resolve) => {
      const onError = ({ message }: Error): void => resolve(message);
      const onExit = (code: number | null, by: string): void =>
        resolve(code === 0 && file.alone ? '' : `exit ${code ?? by}`);
      const onMessage = (message: object): void => {
        // tap sends messages of its own.
        if (!isDone(message)) return;
        memory = message.memory;
        void written.then(() => resolve(message.ok ? '' : 'failed'));
      };
      child.on('error', onError).on('exit', onExit).on('message', onMessage);
      stopListening = () => child.off('error', onError).off('exit', onExit).off('message', onMessage);
      if (file.alone) return;
      const order: Order = { path: file.path, endMark, timeout: patience(file) * 1_000 };
      child.send(order, (error) => error && resolve(error.message));
    });

    let timedOut = false;
    const limit = setTimeout(() => {
      timedOut = true;
      child.kill('SIGALRM');
      setTimeout(() => killGroup(child), LAST_WORDS_MS).unref();
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
    // A process that left the group may hold the pipes open: its output ends here.
    await Promise.race([written, delay(2_000, undefined, { ref: false })]);

    const { passed, skipped, failures, comments, other } = await tap.end();
    const verdicts: Failure[] = [...failures];
    const refused = skipped.filter(({ reason }) => !file.maySkip(reason));
    for (const { test, reason } of refused) verdicts.push({ test, detail: `skipped: ${reason || 'no reason given'}` });
    const accepted = skipped.length - refused.length;
    if (timedOut) verdicts.push({ test: 'time limit', detail: `not done after ${file.limitSeconds} s` });
    else if (signal.aborted) verdicts.push({ test: 'interrupted', detail: '' });
    else if (exit && verdicts.length === 0) verdicts.push({ test: 'exit', detail: exit });
    if (LOST_TESTS.test(errors))
      verdicts.push({
        test: 'lost tests',
        detail: 'The file went on testing after its end; await nothing between its tests.',
      });
    if (passed === 0 && accepted === 0 && verdicts.length === 0)
      verdicts.push({ test: 'assertions', detail: 'the file asserts nothing' });
    return {
      file: file.name,
      seconds: (performance.now() - started) / 1000,
      passed,
      skipped: accepted,
      failures: verdicts,
      comments,
      output: [...other, errors.trimEnd()].join('\n').slice(-OUTPUT_KEPT).trim(),
    };
  }

  /**
   * Starts a process with a group of its own, so that whatever it starts ends with it.
   * @param patience time after which tap gives up the test of the process, in seconds; 0 where nothing runs in it
   */
  private start(path: string, patience = 0): ChildProcess {
    const { cwd, env } = this.options;
    const child = spawn(process.execPath, [...FLAGS, path], {
      cwd,
      env: { ...env, TAP_TIMEOUT: String(patience) },
      stdio: ['ignore', 'pipe', 'pipe', ...(path === WORKER ? ['ipc' as const] : [])],
      detached: true,
    });
    child.on('error', () => undefined);
    child.stdout!.setEncoding('utf8');
    child.stderr!.setEncoding('utf8');
    return child;
  }
}

/** Time after which tap gives a test up by itself, in seconds; the runner does so before. */
const patience = ({ limitSeconds }: FileOptions): number => limitSeconds + 60;
const isDone = (message: object): message is Done => 'memory' in message;

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    /* nothing of it is left */
  }
}

/**
 * Hands text on as it comes, up to the mark or the end of the stream, whichever is first.
 * @param endMark begins and ends with a line break; is not handed on
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
