/** The content of diagrams is read, written and drawn in another process, so that other requests do not wait for it. */
import { laterProblem, WorkerQueue, WorkerQueueError } from '@lintel/sdk/drawing';
import type { ModuleServices, RequestContext } from '@lintel/sdk';
import { refusal } from '../errors.js';
import type { Settings } from '../settings.js';
import type { ContentAnswers, ContentOrder } from './orders.js';

/** Time for one order: the largest files take seconds. */
const LIMIT_MS = 30_000;
/** Orders that wait; requests beyond are answered 503 at once. */
const MOST_WAITING = 200;

type Queue = WorkerQueue<ContentOrder, ContentAnswers[ContentOrder['kind']]>;

/** Runs orders while the module is enabled. */
export class ContentQueue {
  private queue: Queue | undefined;

  constructor(private readonly host: ModuleServices<Settings>) {}

  /**
   * @throws rate_limited if too many orders of the user wait; unavailable if too many of all users do; diagrams_file_refused if the content needs too much time or memory, or cannot
   *   be processed at all
   */
  async run<O extends ContentOrder>(ctx: RequestContext, order: O): Promise<ContentAnswers[O['kind']]> {
    this.queue ??= new WorkerQueue({
      script: new URL('./worker.js', import.meta.url),
      limitMs: LIMIT_MS,
      maxWaiting: MOST_WAITING,
    });
    try {
      return (await this.queue.run(order, ctx)) as ContentAnswers[O['kind']];
    } catch (error) {
      const later = laterProblem(this.host, error);
      if (later) throw later;
      if (!(error instanceof WorkerQueueError)) throw error;
      if (error.cause !== undefined)
        this.host.log.warn({ err: error }, 'The content of a diagram could not be processed.');
      const reason = error.reason === 'timeout' ? 'too_slow' : 'too_complex';
      throw refusal('diagrams_file_refused', {
        detail: 'The content needs too much time or memory.',
        reason,
        line: null,
      });
    }
  }

  /** Ends what runs; a later order begins anew. */
  async close(): Promise<void> {
    const ended = this.queue;
    this.queue = undefined;
    await ended?.close();
  }
}
