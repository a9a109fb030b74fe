import { asService } from '../request-use.js';
import { systemContext } from '../context.js';
import type { Database } from '../db/database.js';
import type { Transactions } from '../db/unit-of-work.js';
import type { Log } from '../log.js';
import type { JobDefinition } from './definition.js';
import { dueEnds, postponeEnd, takeEnd, type DueEnd } from './end-repository.js';

/** Polls for calls that are repeated, and for jobs that ended on nodes without the definition or on failed nodes. */
const POLL_MS = 5_000;
/** Time in ms that a call has to finish at shutdown; otherwise it is repeated by another node. */
const GRACE_MS = 3_000;

/**
 * Calls `ended` of the definitions on this node for jobs that have ended. The transaction of a call also stores that it
 * was made, so that its effects are stored once, on whichever node and however often nodes fail.
 */
export class EndCalls {
  private started = false;
  private closed = false;
  private again = false;
  private working: Promise<void> | undefined;
  private poll: NodeJS.Timeout | undefined;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly definitions: ReadonlyMap<string, JobDefinition>,
    private readonly log: Log,
  ) {}

  start(): void {
    this.started = true;
    this.poll = setInterval(() => this.request(), POLL_MS).unref();
    this.request();
  }

  /** Calls what is due, now or as soon as the current calls have ended. */
  request(): void {
    if (!this.started || this.closed) return;
    this.again = true;
    this.working ??= asService(() => this.all()).finally(() => {
      this.working = undefined;
      // A request that arrived between the end of the loop and this callback.
      if (this.again) this.request();
    });
  }

  /** Begins no more calls, and waits briefly for the current one. */
  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.poll);
    let timer: NodeJS.Timeout | undefined;
    const time = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GRACE_MS);
    });
    await Promise.race([this.working, time]);
    clearTimeout(timer);
  }

  private async all(): Promise<void> {
    while (this.again && !this.closed) {
      this.again = false;
      const types = [...this.definitions].filter(([, { ended }]) => ended).map(([type]) => type);
      if (types.length === 0) return;
      try {
        for (const due of await dueEnds(this.db, types)) {
          if (this.closed) return;
          // There may be more due than were read.
          if (await this.call(due)) this.again = true;
        }
      } catch (error) {
        if (!this.closed) this.log.warn({ err: error }, 'jobs: ended jobs could not be read');
      }
    }
  }

  /** @returns whether the call was made and stored */
  private async call({ id, type, origin }: DueEnd): Promise<boolean> {
    try {
      return await this.transactions.run({ ...systemContext(origin), changeId: id }, async (uow) => {
        uow.kind = 'job';
        const ended = this.definitions.get(type)?.ended;
        const job = ended && (await takeEnd(uow, id));
        if (!job) return false;
        await ended({ ...job, uow });
        return true;
      });
    } catch (error) {
      this.log.warn({ err: error, job_id: id, job_type: type }, 'job: the call after its end failed, and is repeated');
      await postponeEnd(this.db, id);
      return false;
    }
  }
}
