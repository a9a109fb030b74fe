import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { fontFolder } from '../drawing/font-folder.js';
import type { BeginMessage, LoadMessage, OrderMessage, ReplyMessage } from './messages.js';
import { reservedKb } from './reserved.js';

/** Memory in MB besides the JavaScript heap, mostly pixels of images. */
const NATIVE_MB = 224;
/** A process that has become larger, in bytes, is replaced after its order. */
const REPLACED_BYTES = 200 * 2 ** 20;

/** What a process needs to know of its environment; above all no secrets. */
const ENVIRONMENT = ['PATH', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH'];
/**
 * Starts a program within limits of the kernel: memory for data, and no core dump. It is killed when the other end of descriptor 4 is
 * closed: by the service, or because the service has ended in whatever way. Signals to all processes of the service do not end
 * the shell.
 */
const WATCHED = `trap '' INT TERM HUP; ulimit -d "$1"; ulimit -c 0; shift
"$@" 4<&- & exec 3<&-
read -r _ <&4; kill -9 $!; wait $!`;

/** Exit code of the shell for a process that SIGKILL has ended. */
const KILLED = 137;

/** What a process has reserved at its start, in kB, as the first one has told. */
let reservedAtStart: number | undefined;

/**
 * The limit of the kernel for data, in kB. It counts what an engine reserves and does not use as well, so that as much is added. Until the
 * first process has told how much that is, it is what the service has reserved, which is more: that grows with what the service does.
 * Systems without /proc have no limit.
 */
function mostData(memoryMb: number): string {
  const reserved = reservedAtStart ?? reservedKb();
  return reserved === undefined ? 'unlimited' : String(reserved + (memoryMb + NATIVE_MB) * 1_024);
}

/** A process in which one order at a time runs. */
export class Child {
  /** URLs of scripts that it has loaded. */
  readonly scripts = new Set<string>();
  private readonly shell: ChildProcess;
  private readonly ended: Promise<unknown>;
  private pid: number | undefined;
  private isOld = false;
  /** Whether it has ended while it had an order. */
  hasEnded = false;
  /** Whether its limit is a preliminary one. */
  private readonly isFirst = reservedAtStart === undefined;

  /**
   * @param memoryMb of the JavaScript heap
   * @param isOwn whether it keeps state from order to order: it is replaced only after a failure
   */
  constructor(
    readonly memoryMb: number,
    private readonly isOwn = false,
  ) {
    const script = fileURLToPath(new URL('./process.js', import.meta.url));
    const program = [process.execPath, `--max-old-space-size=${memoryMb}`, script];
    this.shell = spawn('/bin/sh', ['-c', WATCHED, 'lintel-worker', mostData(memoryMb), ...program], {
      // The threads of the allocator would each keep memory of their own.
      env: { ...Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])), MALLOC_ARENA_MAX: '2' },
      // An engine that runs out of memory writes a report, which is no log line.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
      serialization: 'advanced',
    });
    this.ended = once(this.shell, 'close').catch(() => undefined);
    const lifeline = this.lifeline as unknown as { unref(): void } | undefined;
    lifeline?.unref();
    // Without listeners, errors such as those of a process that could not be started would be thrown.
    this.shell.on('error', () => undefined);
    this.lifeline?.on('error', () => undefined);
  }

  /** Whether it should not get another order. */
  get isSpent(): boolean {
    return this.isOld || !this.shell.connected;
  }

  /**
   * Whether it was killed by something else than the service, such as the kernel where the machine has no memory left, or could not be
   * started; known after `kill`. Whatever an order does ends it by other signals: the limits of its memory do.
   */
  get isLost(): boolean {
    const { exitCode } = this.shell;
    return this.hasEnded && (exitCode === null || exitCode < 0 || exitCode === KILLED);
  }

  /** Lets it load a script before the first order for it. */
  load(script: string): void {
    this.scripts.add(script);
    this.shell.send({ script } satisfies LoadMessage, () => undefined);
  }

  /** Replaces it after its order. */
  retire(): void {
    this.isOld = true;
  }

  /** Whether it keeps the service running. */
  hold(isHeld: boolean): void {
    const {
      shell,
      shell: { channel },
    } = this;
    if (isHeld) {
      shell.ref();
      channel?.ref();
    } else {
      shell.unref();
      channel?.unref();
    }
  }

  /** Runs an order. @returns the serialised reply @throws if the order cannot be sent, or the process ends */
  async run(message: OrderMessage): Promise<Uint8Array> {
    const { shell } = this;
    this.scripts.add(message.script);
    return await new Promise<Uint8Array>((resolve, reject) => {
      const over = (): void => {
        shell.off('message', onMessage).off('disconnect', onEnd).off('error', onEnd);
      };
      const onMessage = (message: ReplyMessage | BeginMessage): void => {
        if ('pid' in message) {
          this.pid = message.pid;
          reservedAtStart ??= message.reservedKb;
          return;
        }
        over();
        if (!this.isOwn) this.isOld ||= message.rss > REPLACED_BYTES || (this.isFirst && reservedAtStart !== undefined);
        resolve(message.reply);
      };
      const onError = (error: Error): void => {
        over();
        reject(error);
      };
      const onEnd = (): void => {
        this.hasEnded = true;
        onError(new Error('The process ended.'));
      };
      shell.on('message', onMessage).on('disconnect', onEnd).on('error', onEnd);
      try {
        shell.send(message, (error) => error && onEnd());
      } catch (error) {
        onError(error as Error);
      }
    });
  }

  /** Kills it, whatever it does. @returns once it has ended */
  async kill(): Promise<void> {
    this.isOld = true;
    // What waits for its end must not end before.
    this.shell.ref();
    this.lifeline?.destroy();
    await this.ended;
    // Fonts of the image that it was drawing.
    if (this.pid !== undefined) await rm(fontFolder(this.pid), { recursive: true, force: true }).catch(() => undefined);
  }

  private get lifeline() {
    return this.shell.stdio[4];
  }
}
