import type { RequestContext } from '@lintel/sdk';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeNotifier } from '../../foundation/db/change-notifier.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Log } from '../../foundation/log.js';
import { dropPartition, oldestPartition } from './partition-repository.js';

/** Notified when the sequencer should check whether the month of its partition is over. */
export const PARTITIONS_TOPIC = 'partitions';
/** The event about deleted events; nodes then remove them from memory, too. */
export const EXPIRED = 'events.expired';

const LOCK_NOT_AVAILABLE = '55P03';
/** Number of attempts to get the lock, each with a short wait; if all fail, the next run continues. */
const TRIES = 30;
const AGAIN_MS = 1_000;

/** Deletes expired events from the log, one partition at a time, oldest first. */
export class EventRetention {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly notifier: ChangeNotifier,
    private readonly log: Log,
  ) {}

  /**
   * Closes the partition of a completed month, and drops partitions whose latest event is older than the retention
   * period. The partition in use is never dropped.
   * @param days 0 keeps all events
   * @param guard run inside each transaction; throws where the job no longer owns its work
   * @returns the number of deleted events
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

  /** @returns the number of deleted events; 0 where another node has already dropped the partition */
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
      const { first, last, events } = oldest;
      if (first === undefined || last === undefined) return 0;
      uow.emit({
        type: EXPIRED,
        subject: { kind: 'events', id: `${first}-${last}`, name: 'Event log' },
        data: { from: first, to: last, events, retention_days: days },
      });
      return events;
    });
  }

  /** @returns undefined where none of the attempts got the lock */
  private async inTime<T>(work: () => Promise<T>): Promise<T | undefined> {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      try {
        return await work();
      } catch (error) {
        if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
        this.log.debug({ attempt }, 'event retention: the log is locked');
        await delay(AGAIN_MS);
      }
    }
    this.log.warn('event retention: the log was locked during all attempts');
    return undefined;
  }
}
