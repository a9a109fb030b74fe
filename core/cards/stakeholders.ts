import type { RequestContext } from '@lintel/sdk';
import type { Database } from '../db/database.js';
import type { ListParams } from '../db/list-query.js';
import type { Transactions } from '../db/unit-of-work.js';
import { invalid, problem } from '../errors.js';
import type { Page } from '../http/respond.js';
import { uuidv7 } from '../ids.js';
import type { MetamodelService } from '../metamodel/index.js';
import { recordCardChange } from '../history/index.js';
import type { CardLimits } from '../settings/index.js';
import type { CardPermissions } from './permissions-service.js';
import type { CardService } from './service.js';
import { addStakeholder, listStakeholders, readStakeholder, removeStakeholder, userName, type Stakeholder } from './stakeholder-repository.js';

/** Who holds which role on a card. The score follows in the same transaction; the card's version does not move. */
export class StakeholderService {
  constructor(private readonly db: Database, private readonly transactions: Transactions, private readonly metamodel: MetamodelService, private readonly cards: CardService, private readonly permissions: CardPermissions, private readonly limits: CardLimits) {}

  /** @throws not_found where there is no such card for the caller */
  async list(ctx: RequestContext, cardId: string, params: ListParams): Promise<Page<Stakeholder & Record<string, unknown>>> {
    await this.permissions.visible(ctx, cardId);
    return listStakeholders(this.db, cardId, params);
  }

  /** @throws not_found */
  async get(ctx: RequestContext, cardId: string, id: string): Promise<Stakeholder> {
    await this.permissions.visible(ctx, cardId);
    const stakeholder = await readStakeholder(this.db, cardId, id);
    if (!stakeholder) throw problem('not_found');
    return stakeholder;
  }

  async add(ctx: RequestContext, cardId: string, { user_id, role }: { user_id: string; role: string }): Promise<{ id: string }> {
    await this.permissions.visible(ctx, cardId);
    return this.transactions.run(ctx, async (uow) => {
      const metamodel = this.metamodel.current;
      const card = await this.permissions.lockActive(uow, cardId);
      const type = metamodel.types.get(card.type)!;
      const name = await userName(uow, user_id);
      const wrong = [...(name === undefined ? [{ field: '/user_id', reason: 'names no active user' }] : []), ...(type.roles.has(role) ? [] : [{ field: '/role', reason: `is no stakeholder role of ${type.key}` }])];
      if (wrong.length > 0) throw invalid(...wrong);
      const id = uuidv7();
      if (!await addStakeholder(uow, { id, cardId, userId: user_id, role }, this.limits.most('stakeholders'))) throw this.limits.reached('stakeholders');
      await recordCardChange(uow, { cardId, field: `stakeholders.${role}`, old: null, new: { user_id, display_name: name } });
      await this.cards.rescore(uow, [cardId]);
      uow.emit({ type: 'card.stakeholder_added', subject: { kind: 'card', id: cardId, type: card.type, name: card.name }, data: { stakeholder: { id, user_id, role, display_name: name } } });
      // Stakeholder roles are rights: open streams look at theirs again.
      uow.bump('sessions');
      return { id };
    });
  }

  async remove(ctx: RequestContext, cardId: string, id: string): Promise<void> {
    await this.permissions.visible(ctx, cardId);
    await this.transactions.run(ctx, async (uow) => {
      const card = await this.permissions.lockActive(uow, cardId);
      const gone = await removeStakeholder(uow, cardId, id);
      if (!gone) throw problem('not_found');
      const { user_id, role, display_name } = gone;
      await recordCardChange(uow, { cardId, field: `stakeholders.${role}`, old: { user_id, display_name }, new: null });
      await this.cards.rescore(uow, [cardId]);
      uow.emit({ type: 'card.stakeholder_removed', subject: { kind: 'card', id: cardId, type: card.type, name: card.name }, data: { stakeholder: { id, user_id, role, display_name } } });
      uow.bump('sessions');
      return {};
    });
  }
}
