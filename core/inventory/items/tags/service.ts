import type { FieldError, RequestContext } from '@lintel/sdk';
import type { CardPermissions, CardService } from '../../cards/index.js';
import { checkVersion } from '../../../foundation/conditions.js';
import type { Database } from '../../../foundation/db/database.js';
import type { ListParams } from '../../../foundation/db/list-query.js';
import type { Transactions } from '../../../foundation/db/unit-of-work.js';
import { invalid } from '../../../foundation/errors.js';
import { recordCardChange } from '../../history/index.js';
import { allows } from '../../metamodel/index.js';
import type { Page } from '../../../foundation/http/respond.js';
import type { CardLimits } from '../../../settings/index.js';
import { listCardTags, lockTags, replaceTags, tagsNow, type TagRef, type WantedTag } from './repository.js';
import type { CardTagView } from './schemas.js';

/**
 * The tags of a card. They do not affect its version or approval; its score is updated in the same transaction, and its
 * history gets an entry.
 */
export class CardTagService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly permissions: CardPermissions,
    private readonly cards: Pick<CardService, 'rescore'>,
    private readonly limits: CardLimits,
  ) {}

  /** @throws not_found where the card does not exist or is hidden from the caller */
  async list(ctx: RequestContext, cardId: string, params: ListParams): Promise<Page<CardTagView>> {
    await this.permissions.visible(ctx, cardId);
    return listCardTags(this.db, cardId, params);
  }

  /**
   * Replaces the tags of a card.
   * @param tagIds all tags, in any order
   * @throws not_found, forbidden, invalid_state where it is archived, precondition_failed, limit_reached, 422 listing
   *   every tag that is not allowed
   */
  async replace(ctx: RequestContext, cardId: string, tagIds: readonly string[]): Promise<void> {
    await this.permissions.require(ctx, await this.permissions.visible(ctx, cardId), 'cards.edit', 'card.edit');
    const ids = tagIds.map((id) => id.toLowerCase());
    await this.transactions.run(ctx, async (uow) => {
      const card = await this.permissions.lockActive(uow, cardId);
      checkVersion(ctx, card.version, []);
      const tags = new Map((await lockTags(uow, ids)).map((tag) => [tag.id, tag]));
      const errors = faults(ids, tags, card.type);
      if (errors.length > 0) throw invalid(...errors);
      const before = await tagsNow(uow, cardId);
      const added = [...tags.values()]
        .filter((tag) => !before.some(({ id }) => id === tag.id))
        .map(({ id, name }): TagRef => ({ id, name }));
      const removed = before.filter(({ id }) => !tags.has(id));
      if (added.length === 0 && removed.length === 0) return;
      if (added.length > 0 && ids.length > this.limits.most('tags')) throw this.limits.reached('tags');
      await replaceTags(uow, cardId, ids);
      await recordCardChange(uow, { cardId, field: 'tags', old: before, new: await tagsNow(uow, cardId) });
      await this.cards.rescore(uow, [cardId]);
      uow.emit({
        type: 'card.tags_changed',
        subject: { kind: 'card', id: card.id, type: card.type, name: card.name },
        data: { added, removed },
      });
    });
  }
}

/** The reasons why a card of the type cannot have these tags, by their position in the body. */
function faults(ids: readonly string[], tags: ReadonlyMap<string, WantedTag>, cardType: string): FieldError[] {
  const errors: FieldError[] = [];
  const single = new Set<string>();
  ids.forEach((id, n) => {
    const bad = (reason: string) => errors.push({ field: `/tag_ids/${n}`, reason, in: 'body' });
    const tag = tags.get(id);
    if (!tag) bad('names no tag');
    else if (ids.indexOf(id) !== n) bad('occurs twice');
    else if (!allows({ restrictToTypes: tag.restrict_to_types }, cardType))
      bad(`is in the group ${tag.group_name}, which is not allowed for a ${cardType}`);
    else if (tag.mode === 'single' && single.has(tag.group_id))
      bad(`is a second tag of the group ${tag.group_name}, of which a card may have only one`);
    else if (tag.mode === 'single') single.add(tag.group_id);
  });
  return errors;
}
