/**
 * Loaded into the process of a service before the service (`node --import`): measures blocking of its event loop and
 * growth of its memory. It logs the port at which it reports them.
 *
 * Blocking is measured in processor time of the thread that runs the loop: on a busy machine a thread may be delayed
 * although it does not block.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Watched {
  /** The longest turn of the loop since the last report, in ms of processor time. */
  heldMs: number;
  /** Peak of the memory of the process above that at the last report, in MB. */
  grownMb: number;
}

const TURN_MS = 5;
const isLinux = process.platform === 'linux';
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Processor time of the main thread in ms; of the whole process on other systems than Linux. */
function processorTime(): number {
  if (isLinux) return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

const MB = 1_048_576;
let highest = 0;
/** Peak memory since `resetPeak`; on other systems than Linux the largest value measured between turns. */
const peak = (): number =>
  isLinux ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))![1]) * 1_024 : highest;
const resetPeak = (): void => {
  highest = process.memoryUsage.rss();
  if (isLinux) writeFileSync('/proc/self/clear_refs', '5');
};

let before = processorTime();
let held = 0;
let base = process.memoryUsage.rss();
resetPeak();

function turn(): void {
  const now = processorTime();
  held = Math.max(held, now - before);
  before = now;
  if (!isLinux) highest = Math.max(highest, process.memoryUsage.rss());
}
setInterval(turn, TURN_MS).unref();

const server = createServer((request, response) => {
  turn();
  const watched: Watched = { heldMs: held, grownMb: (peak() - base) / MB };
  if (request.url === '/collect') collect();
  base = process.memoryUsage.rss();
  resetPeak();
  held = 0;
  before = processorTime();
  // Generating the next body may take longer than the keep-alive timeout of the connection.
  response.writeHead(200, { connection: 'close' }).end(JSON.stringify(watched));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(
    `${JSON.stringify({ level: 30, msg: 'watching the loop', watchPort: (server.address() as AddressInfo).port })}\n`,
  );
});
server.unref();
