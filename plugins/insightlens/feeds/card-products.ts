import type { PageResult, RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { tellCardProduct } from './events.js';
import {
  deleteCardProduct,
  findCardProduct,
  listMatches,
  lockCardProduct,
  putCardProduct,
} from './card-products-repository.js';
import type { CardProduct, CardProductView, MatchQuery, MatchView, UnmatchedQuery } from './schemas.js';

/** Which products cards are: what the analysis has found out, and what people have decided, which is used by the next run. */
export class CardProducts {
  constructor(private readonly host: Host) {}

  async matched(ctx: RequestContext, { slug, ...params }: MatchQuery): Promise<PageResult<MatchView>> {
    return await this.host.inventory.read(ctx, {}, (inventory) =>
      listMatches(inventory, { unmatched: false, slug }, params),
    );
  }

  async unmatched(ctx: RequestContext, { reason, ...params }: UnmatchedQuery): Promise<PageResult<MatchView>> {
    return await this.host.inventory.read(ctx, {}, (inventory) =>
      listMatches(inventory, { unmatched: true, reason }, params),
    );
  }

  /** @throws not_found, also for a card that the caller may not see */
  async get(ctx: RequestContext, cardId: string): Promise<CardProductView> {
    const card = await this.host.cards.get(ctx, cardId);
    const found = await this.host.inventory.read(ctx, {}, (inventory) => findCardProduct(inventory, card.id));
    if (!found) throw this.host.problem('not_found');
    return found;
  }

  /**
   * Decides which product a card is; members that are absent are none.
   * @throws not_found, validation_failed for a vendor without a product or the reverse, and those of `If-Match`
   */
  async put(ctx: RequestContext, cardId: string, given: CardProduct): Promise<CardProductView> {
    const { host } = this;
    const { id } = await host.cards.get(ctx, cardId);
    const missing = (['vendor', 'product'] as const).filter((member) => (given[member] ?? null) === null);
    if (missing.length === 1)
      throw host.invalid({ field: `/${missing[0]!}`, reason: 'vendor and product are given together' });
    await host.transactions.run(ctx, async (uow) => {
      const version = await lockCardProduct(uow, id);
      if (version !== undefined) host.checkVersion(ctx, version, Object.keys(given));
      await putCardProduct(uow, id, given);
      tellCardProduct(uow, id, 'decided');
      return { id };
    });
    return await this.get(ctx, id);
  }

  /** The product of a card is found out by its name again. @throws not_found, and those of `If-Match` */
  async remove(ctx: RequestContext, cardId: string): Promise<void> {
    const { host } = this;
    const { id } = await host.cards.get(ctx, cardId);
    await host.transactions.run(ctx, async (uow) => {
      const version = await lockCardProduct(uow, id);
      if (version === undefined) throw host.problem('not_found');
      host.checkVersion(ctx, version, []);
      await deleteCardProduct(uow, id);
      tellCardProduct(uow, id, 'removed');
      return { id };
    });
  }
}
