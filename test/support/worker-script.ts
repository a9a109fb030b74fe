/** A script of `WorkerQueue`, for tests of the processes in which it runs. */
import { existsSync, writeFileSync } from 'node:fs';
import { answerOrders, pngOf } from '@lintel/sdk/drawing';

export type TestOrder =
  | { kind: 'pid' }
  | { kind: 'environment' }
  | { kind: 'compute'; ms: number }
  | { kind: 'draw'; lines: number }
  | { kind: 'allocate'; mb: number }
  | { kind: 'answer'; bytes: number }
  | { kind: 'die'; once: string | undefined };

/** Native code without an end: about half a second of processor time for each line. */
function drawing(lines: number): string {
  const path = (y: number): string =>
    `<path d="M0 ${y}L10000 ${y + 1}" stroke="#000" stroke-width="3" stroke-dasharray="0.02 0.02"/>`;
  const content = Array.from({ length: lines }, (_, i) => path(i)).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000">${content}</svg>`;
}

answerOrders<TestOrder, unknown>((order) => {
  switch (order.kind) {
    case 'pid':
      return process.pid;
    case 'environment':
      return Object.keys(process.env).sort();
    case 'compute': {
      const end = performance.now() + order.ms;
      while (performance.now() < end);
      return performance.timeOrigin + performance.now();
    }
    case 'draw':
      return pngOf(drawing(order.lines), { width: 2_000 }).length;
    case 'allocate':
      return Array.from({ length: order.mb }, () => Buffer.alloc(2 ** 20, 1)).length;
    case 'die':
      // Killed from outside, as by the kernel where the machine has no memory left.
      if (order.once === undefined || !existsSync(order.once)) {
        if (order.once !== undefined) writeFileSync(order.once, '');
        process.kill(process.pid, 'SIGKILL');
      }
      return process.pid;
    case 'answer':
      return new Uint8Array(order.bytes);
  }
});
