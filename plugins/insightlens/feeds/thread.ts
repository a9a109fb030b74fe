import { laterProblem, WorkerQueue, WorkerQueueError, type OrderedBy } from '@lintel/sdk/drawing';
import type { Host } from '../basics.js';
import { FeedFaults, type Feed, type FeedContent, type FeedFile } from './definition.js';
import type { Answer, Order } from './orders.js';

/** Milliseconds for the files of one feed. */
const LIMIT_MS = 30_000;

/** Reads the files of feeds in another process: parsing 16 MiB of JSON takes up to two seconds, in which other requests would wait. */
export class FeedThread {
  private queue: WorkerQueue<Order, Answer> | undefined;

  constructor(private readonly host: Host) {}

  /** @throws FeedFaults with everything that is not valid; rate_limited or unavailable if too many files wait */
  async read(by: OrderedBy, feed: Feed, files: readonly FeedFile[]): Promise<FeedContent> {
    this.queue ??= new WorkerQueue({ script: new URL('./worker.js', import.meta.url), limitMs: LIMIT_MS });
    try {
      const answer = await this.queue.run({ feed, files: files.map(({ name, bytes }) => ({ name, bytes })) }, by);
      if ('faults' in answer) throw new FeedFaults(answer.faults);
      return answer.content;
    } catch (error) {
      const later = laterProblem(this.host, error);
      if (later) throw later;
      if (!(error instanceof WorkerQueueError)) throw error;
      if (error.cause !== undefined) this.host.log.warn({ err: error, feed }, 'the files of a feed could not be read');
      throw new FeedFaults([{ field: '/files', reason: 'need too much time or memory' }]);
    }
  }

  /** Ends what is read; later files begin anew. */
  async close(): Promise<void> {
    const ended = this.queue;
    this.queue = undefined;
    await ended?.close();
  }
}
