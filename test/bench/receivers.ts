import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Arrivals, Command, Reply } from './receivers-process.js';

/** Milliseconds of a clock that all processes of the machine share. */
export const clock = (): number => Number(process.hrtime.bigint()) / 1e6;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A child process that is controlled by messages: one command at a time, one reply to each. */
export class Helper<C extends object, R> {
  private readonly child: ChildProcess;
  private settle: { done(reply: R): void; failed(error: Error): void } | undefined;

  /** @param file compiled file beside this one */
  constructor(file: string) {
    this.child = fork(fileURLToPath(new URL(file, import.meta.url)), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    running.add(this.child);
    this.child.on('message', (reply) => this.settle?.done(reply as R));
    this.child.once('exit', (code) => {
      running.delete(this.child);
      this.settle?.failed(new Error(`${file} ended with ${code}`));
    });
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** @throws when the process ends before it replies */
  async ask(command: C): Promise<R> {
    return await new Promise((done, failed) => {
      this.settle = { done, failed };
      this.child.send(command);
    });
  }

  stop(): void {
    this.settle = undefined;
    this.child.kill('SIGKILL');
  }
}

/** Receivers of a stream in a separate process, so that reading affects the sender only by processor time. */
export class Receivers {
  private readonly helper = new Helper<Command, Reply>('./receivers-process.js');

  /**
   * Opens a stream for each request and waits until all have received the head of their answer.
   * @param requests texts of HTTP/1.1
   * @param reads whether they read; if false they never read a byte
   */
  async open(port: number, requests: readonly string[], reads = true): Promise<void> {
    await this.ask({ open: { port, requests, reads } });
  }

  /**
   * Waits until all of them have received a text at the end of a message.
   * @param send called when all of them are waiting
   * @returns the time of each arrival on the shared clock, and the bytes of the first receiver
   */
  async arrivals(text: string, send: () => Promise<unknown>): Promise<Arrivals> {
    await this.ask({ expect: text });
    const waiting = this.ask({ wait: true });
    await send();
    return (await waiting).arrivals!;
  }

  /** The number of connections ended by the server. */
  async ended(): Promise<number> {
    return (await this.ask({ count: true })).ended!;
  }

  close(): void {
    this.helper.stop();
  }

  private async ask(command: Command): Promise<Reply> {
    const reply = await this.helper.ask(command);
    if (reply.error !== undefined) throw new Error(`receivers: ${reply.error}`);
    return reply;
  }
}
