import type { RequestContext } from '@lintel/sdk';
import { laterProblem, WorkerQueue, WorkerQueueError } from '@lintel/sdk/drawing';
import type { Host } from '../basics.js';
import { refusal } from '../errors.js';
import type { FilePlan, FileProblem } from './file-plan.js';
import type { ReadPlan } from './file-plan.js';
import type { Order } from './worker.js';

/** Time for one file in milliseconds. */
const LIMIT_MS = 15_000;

/** Reads files of plans in another process. */
export class PlanFiles {
  private queue: WorkerQueue<Order, ReadPlan> | undefined;

  constructor(private readonly host: Host) {}

  /** Ends what is read; a later file begins anew. */
  async close(): Promise<void> {
    const ended = this.queue;
    this.queue = undefined;
    await ended?.close();
  }

  /** @throws ppm_file_refused with the lines of its problems; rate_limited, unavailable */
  async read(ctx: RequestContext, bytes: Buffer, format: Order['format']): Promise<FilePlan> {
    const script = new URL('./worker.js', import.meta.url);
    this.queue ??= new WorkerQueue<Order, ReadPlan>({ script, limitMs: LIMIT_MS });
    let read: ReadPlan;
    try {
      read = await this.queue.run({ bytes, format }, ctx);
    } catch (error) {
      const later = laterProblem(this.host, error);
      if (later) throw later;
      if (!(error instanceof WorkerQueueError)) throw error;
      if (error.cause !== undefined) this.host.log.warn({ err: error }, 'The file of a plan could not be read.');
      throw refused([{ line: 1, reason: 'The file needs too much time or memory.' }]);
    }
    if (!read.ok) throw refused(read.problems);
    return read.plan;
  }
}

/** The refusal of a file. */
export function refused(problems: readonly FileProblem[]) {
  const [first] = problems;
  return refusal('ppm_file_refused', {
    detail: `Line ${first?.line ?? 1}: ${first?.reason ?? 'The file cannot be read.'}`,
    problems,
  });
}
