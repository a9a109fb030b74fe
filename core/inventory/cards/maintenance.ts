import type { RequestContext } from '@lintel/sdk';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { idsOfTypes, purgeableIds } from './repository.js';
import type { CardService } from './service.js';
import type { CardOperation } from './types.js';

/** Cards per transaction of a job: large enough for throughput, small enough not to block other writes for long. */
const JOB_CHUNK = 1_000;
/** Sorts before every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Background changes to cards, in many transactions of the system. */
export class CardMaintenance {
  constructor(
    private readonly transactions: Transactions,
    private readonly cards: CardService,
  ) {}

  /**
   * Recomputes the scores of all cards of the types, in separate transactions.
   * @param types null for all
   * @param guard run inside each transaction; throws where the job no longer owns its work
   * @param progress called with the number of cards processed so far
   */
  async rescoreTypes(
    ctx: RequestContext,
    types: readonly string[] | null,
    guard: (uow: UnitOfWork) => Promise<void>,
    progress: (n: number) => Promise<void>,
  ): Promise<number> {
    for (let after = NO_ID, seen = 0; ; ) {
      const ids = await this.transactions.run(ctx, async (uow) => {
        await guard(uow);
        const found = await idsOfTypes(uow, types, after, JOB_CHUNK);
        await this.cards.rescore(uow, found, true);
        return found;
      });
      if (ids.length === 0) return seen;
      seen += ids.length;
      after = ids.at(-1)!;
      await progress(seen);
    }
  }

  /**
   * Deletes archived cards after their retention period, with events.
   * @param days retention; 0 keeps them indefinitely
   * @param guard run inside each transaction; throws where the job no longer owns its work
   * @returns the number of deleted cards
   */
  async purgeArchived(
    ctx: RequestContext,
    days: number,
    guard: (uow: UnitOfWork) => Promise<void> = async () => undefined,
  ): Promise<number> {
    if (days === 0) return 0;
    for (let gone = 0, after = NO_ID; ; ) {
      const { seen, deleted } = await this.transactions.run(ctx, async (uow) => {
        uow.kind = 'job';
        await guard(uow);
        const ids = await purgeableIds(uow, days, after);
        if (ids.length === 0) return { seen: ids, deleted: 0 };
        // With `per_row` a card that cannot be deleted, because something refers to it, does not prevent the others.
        const remove = await this.cards.prepare(
          ctx,
          ids.map((id): CardOperation => ({ op: 'delete', id })),
          uow,
        );
        const results = await remove(uow, 'per_row');
        return { seen: ids, deleted: results.filter((r) => r.outcome === 'deleted').length };
      });
      gone += deleted;
      if (seen.length > 0) after = seen.at(-1)!;
      // Parents can be deleted after their children: repeated until no more cards are deleted.
      else if (after === NO_ID || gone === 0) return gone;
      else return gone + (await this.purgeArchived(ctx, days, guard));
    }
  }
}
