import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from './app.js';

/** What a service has done since it was asked before. All times are in milliseconds. */
export interface LoopTimes {
  /** The longest round of the event loop, as processor time of its thread: what it takes on a machine that does nothing else. */
  cpu: number;
  /** The longest round as elapsed time; other processes may have had the processor meanwhile. */
  wall: number;
  /** Processor time of the process, its worker threads included. */
  busy: number;
}

/**
 * Measures the main thread: a timer of 1 ms compares the processor time of the thread (`/proc`, Linux) and the clock with those of
 * its last call. On SIGUSR2 the longest values are written, and forgotten.
 */
const SCRIPT = `import { openSync, readSync, writeFileSync, renameSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread && process.env.LOOP_FILE) {
  const file = process.env.LOOP_FILE;
  const bytes = Buffer.alloc(100);
  const stat = openSync('/proc/thread-self/schedstat', 'r');
  const busyNow = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e3; };
  let busy = busyNow();
  const cpuNow = () => Number(bytes.toString('latin1', 0, readSync(stat, bytes, 0, 100, 0)).split(' ')[0]) / 1e6;
  let [cpu, wall, longest] = [cpuNow(), performance.now(), { cpu: 0, wall: 0 }];
  setInterval(() => {
    const [c, w] = [cpuNow(), performance.now()];
    longest = { cpu: Math.max(longest.cpu, c - cpu), wall: Math.max(longest.wall, w - wall) };
    [cpu, wall] = [c, w];
  }, 1).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(file + '.part', JSON.stringify({ ...longest, busy: busyNow() - busy }));
    renameSync(file + '.part', file);
    [cpu, wall, longest, busy] = [cpuNow(), performance.now(), { cpu: 0, wall: 0 }, busyNow()];
  });
}
`;

/** Measures the event loop of a service that runs as a process of its own. */
export class LoopWatch {
  private constructor(private readonly file: string) {}

  /** @param folder for two small files */
  static async in(folder: string): Promise<LoopWatch> {
    await writeFile(join(folder, 'loop-watch.mjs'), SCRIPT);
    return new LoopWatch(join(folder, 'loop.json'));
  }

  /** The environment with which the service measures itself. */
  get env(): NodeJS.ProcessEnv {
    return { LOOP_FILE: this.file, NODE_OPTIONS: `--import=${join(this.file, '..', 'loop-watch.mjs')}` };
  }

  /** What a service has done since the last call. */
  async take(pid: number): Promise<LoopTimes> {
    await rm(this.file, { force: true });
    process.kill(pid, 'SIGUSR2');
    return await until(async () => {
      const text = await readFile(this.file, 'utf8').catch(() => undefined);
      return text === undefined ? undefined : (JSON.parse(text) as LoopTimes);
    });
  }
}
