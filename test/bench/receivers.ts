import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Arrivals, Command, Reply } from './receivers-process.js';

/** Milliseconds of a clock all processes of a machine share. */
export const clock = (): number => Number(process.hrtime.bigint()) / 1e6;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A process of its own that speaks by messages: one command at a time, one reply each. */
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

/** Receivers of a stream in a process of their own, so that reading takes nothing from who sends but processor time. */
export class Receivers {
  private readonly helper = new Helper<Command, Reply>('./receivers-process.js');

  /**
   * Opens a stream for each request; resolves when all have the head of their answer.
   * @param requests as bytes of HTTP/1.1
   * @param reads whether they take what comes; else they never read a byte
   */
  async open(port: number, requests: readonly string[], reads = true): Promise<void> {
    await this.ask({ open: { port, requests, reads } });
  }

  /**
   * Has all of them wait for some text at the end of what is sent to them.
   * @param send called when they wait
   * @returns when each had it, on the shared clock, and what the first one got
   */
  async arrivals(text: string, send: () => Promise<unknown>): Promise<Arrivals> {
    await this.ask({ expect: text });
    const waiting = this.ask({ wait: true });
    await send();
    return (await waiting).arrivals!;
  }

  /** How many connections have been ended by the other side. */
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
