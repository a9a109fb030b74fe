/**
 * Runs one test file after another in one process, so that shared imports are compiled once. Its parent sends the files
 * one by one. The end of each is reported by a message, and by a line on standard output and one on standard error,
 * because the order between a message and the two streams is undefined.
 */
import { register } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { TestOpts } from 'tap';
import { dropCopies } from './database.js';
import { use } from './file-test.js';
import { processorTime } from './processor-time.js';

/** Messages from the parent. */
export interface Order {
  /** The compiled file. */
  path: string;
  /** The line that ends its output. */
  endMark: string;
  /** Time after which tap ends a test, in ms. */
  timeout: number;
}

/** Messages to the parent. */
export interface Done {
  ok: boolean;
  /** Resident memory of the process in bytes. */
  memory: number;
  /** Processor time of the file in seconds, without that of PostgreSQL. */
  processorSeconds: number;
}

const LOOK_MS = 5;

register('./tap-import.js', import.meta.url);
const { Test } = await import('tap');

/** Handles that keep the process running, without those that existed before. */
function leftOpen(before: string[]): string[] {
  const open = process.getActiveResourcesInfo();
  for (const type of before) {
    const at = open.indexOf(type);
    if (at >= 0) open.splice(at, 1);
  }
  return open;
}

async function run({ path, endMark, timeout }: Order): Promise<void> {
  const before = process.getActiveResourcesInfo();
  const usedBefore = processorTime();
  const load = async (): Promise<void> => void (await import(pathToFileURL(path).href));
  const test = new Test({ name: 'TAP', timeout, cb: load } as TestOpts);
  const onAlarm = (): void => {
    if (!test.results) test.timeout({ expired: test.name, signal: 'SIGALRM' });
    else process.stderr.write(`still open after the last test: ${leftOpen(before).join(', ')}\n`);
  };
  process.on('SIGALRM', onAlarm);
  test.pipe(process.stdout);
  use(test);
  await new Promise<void>((resolve) => test.runMain(resolve));
  // The timer of the test is not cleared by its end.
  test.setTimeout(0);
  await dropCopies();
  // As in a separate process, a file with open handles does not end.
  while (leftOpen(before).length > 0) await delay(LOOK_MS, undefined, { ref: false });
  process.off('SIGALRM', onAlarm);
  process.stdout.write(endMark);
  process.stderr.write(endMark);
  const done: Done = {
    ok: test.passing(),
    memory: process.memoryUsage.rss(),
    processorSeconds: processorTime() - usedBefore,
  };
  process.send!(done);
}

process.on('message', (order: Order) => void run(order));
