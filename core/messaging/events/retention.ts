import type { RequestContext } from '@lintel/sdk';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeNotifier } from '../../foundation/db/change-notifier.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Log } from '../../foundation/log.js';
import { dropPartition, oldestPartition } from './partition-repository.js';

/** Rung when the sequencer is to look whether the month of its partition is over. */
export const PARTITIONS_TOPIC = 'partitions';
/** The event that tells what went; nodes forget it then, too. */
export const EXPIRED = 'events.expired';

const LOCK_NOT_AVAILABLE = '55P03';
/** Tries for the lock, each of a moment; what does not succeed goes with the next run. */
const TRIES = 30;
const AGAIN_MS = 1_000;

/** Takes out of the event log what is past its time, a partition at a time, the oldest first. */
export class EventRetention {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly notifier: ChangeNotifier,
    private readonly log: Log,
  ) {}

  /**
   * Has the partition of a month that is over closed, and drops those whose latest event is older than the retention.
   * The one the log goes on in stays, whatever is in it.
   * @param days 0 keeps all
   * @param guard run inside each transaction; throws where the job no longer owns its work
   * @returns how many events went
   */
  async run(ctx: RequestContext, days: number, guard: (uow: UnitOfWork) => Promise<void>): Promise<number> {
    this.notifier.notify(PARTITIONS_TOPIC);
    let gone = 0;
    while (days > 0 && (await oldestPartition(this.db, days))?.isExpired) {
      const dropped = await this.inTime(() => this.dropOldest(ctx, days, guard));
      if (dropped === undefined) break;
      gone += dropped;
    }
    return gone;
  }

  /** @returns how many events went; 0 where another was faster */
  private async dropOldest(
    ctx: RequestContext,
    days: number,
    guard: (uow: UnitOfWork) => Promise<void>,
  ): Promise<number> {
    return await this.transactions.run(ctx, async (uow) => {
      await guard(uow);
      const oldest = await oldestPartition(uow, days);
      if (!oldest?.isExpired) return 0;
      await dropPartition(uow, oldest);
      const { first, last } = oldest;
      const events = last - first + 1;
      uow.emit({
        type: EXPIRED,
        subject: { kind: 'events', id: `${first}-${last}`, name: 'Event log' },
        data: { from: first, to: last, events, retention_days: days },
      });
      return events;
    });
  }

  /** @returns undefined where the log could not be locked in any of many short moments */
  private async inTime<T>(work: () => Promise<T>): Promise<T | undefined> {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      try {
        return await work();
      } catch (error) {
        if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
        this.log.debug({ attempt }, 'event retention: the log is in use');
        await delay(AGAIN_MS);
      }
    }
    this.log.warn('event retention: the log was in use all the time');
    return undefined;
  }
}
