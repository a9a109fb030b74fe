import type { RequestContext, WrittenResource } from '@lintel/sdk';
import { MAX_DEPTH, type Host } from '../basics.js';
import { requireAcyclic } from '../dependencies/checks.js';
import { placeIn, requireParent } from './places.js';
import { itemsBelow, lockItem, readPlaces } from './repository.js';
import type { WbsMove } from './schemas.js';
import type { WbsService } from './service.js';

/** Moves of items in the tree. */
export class WbsMoves {
  constructor(
    private readonly host: Host,
    private readonly wbs: WbsService,
  ) {}

  /**
   * Moves an item, with everything below it.
   * @throws not_found, precondition_failed, invalid_state; validation_failed, also for a move below itself, and for one after which
   *   dependencies would contradict each other
   */
  async move(
    ctx: RequestContext,
    cardId: string,
    itemId: string,
    { parent_id, ...anchor }: WbsMove,
  ): Promise<WrittenResource> {
    const { host } = this;
    const id = itemId.toLowerCase();
    const parentId = parent_id?.toLowerCase() ?? null;
    return await this.wbs.answering(ctx, cardId, async (uow, card_id) => {
      if (!(await lockItem(uow, card_id, id))) throw host.problem('not_found');
      const before = (await readPlaces(uow, card_id, [id])).get(id)!;
      const depth = await requireParent(host, uow, card_id, parentId, id);
      const height = (await itemsBelow(uow, card_id, id))[0]?.depth ?? 0;
      if (depth + 1 + height > MAX_DEPTH)
        throw host.invalid({ field: '/parent_id', reason: `items are at most ${MAX_DEPTH} levels deep` });
      const current = parentId === before.parent_id ? before.position : undefined;
      const position = await placeIn(host, uow, { cardId: card_id, parentId, moved: id, current }, anchor);
      await this.wbs.rows.updateIn(uow, id, { parent_id: parentId, position });
      if (parentId !== before.parent_id) await requireAcyclic(host, uow, card_id, '/parent_id');
      return id;
    });
  }
}
