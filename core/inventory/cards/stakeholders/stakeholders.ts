import type { RequestContext } from '@lintel/sdk';
import type { AccessGate } from '../../access/index.js';
import type { Database } from '../../../foundation/db/database.js';
import type { ListParams } from '../../../foundation/db/list-query.js';
import type { Transactions } from '../../../foundation/db/unit-of-work.js';
import { invalid, problem } from '../../../foundation/errors.js';
import type { Page } from '../../../foundation/http/respond.js';
import { uuidv7 } from '../../../foundation/ids.js';
import type { MetamodelService } from '../../metamodel/index.js';
import { recordCardChange } from '../../history/index.js';
import { giverOf, type PermissionCatalogue } from '../../../identity/rbac/index.js';
import type { CardLimits } from '../../../settings/index.js';
import type { CardPermissions } from '../rights/permissions-service.js';
import type { CardService } from '../service.js';
import { ensureGivable, ensureWithinOwn } from './stakeholder-ceiling.js';
import {
  addStakeholder,
  listStakeholders,
  lockStakeholder,
  readStakeholder,
  removeStakeholder,
  userName,
  type Stakeholder,
} from './stakeholder-repository.js';

/**
 * Stakeholders of cards. A role can be granted and revoked by callers who have on the card everything that it grants.
 * The score is updated in the same transaction; the card's version does not change.
 */
export class StakeholderService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly metamodel: MetamodelService,
    private readonly cards: CardService,
    private readonly permissions: CardPermissions,
    private readonly access: AccessGate,
    private readonly catalogue: PermissionCatalogue,
    private readonly limits: CardLimits,
  ) {}

  /**
   * @throws not_found where the card does not exist or is hidden from the caller, forbidden where the caller may not
   *   see its stakeholders
   */
  async list(
    ctx: RequestContext,
    cardId: string,
    params: ListParams,
  ): Promise<Page<Stakeholder & Record<string, unknown>>> {
    this.access.requireStakeholders(ctx, (await this.permissions.visible(ctx, cardId)).type);
    return listStakeholders(this.db, cardId, params);
  }

  /** @throws not_found, forbidden as `list` */
  async get(ctx: RequestContext, cardId: string, id: string): Promise<Stakeholder> {
    this.access.requireStakeholders(ctx, (await this.permissions.visible(ctx, cardId)).type);
    return await this.read(cardId, id);
  }

  /** A stakeholder that was just added, for the response. @throws not_found */
  async read(cardId: string, id: string): Promise<Stakeholder> {
    const stakeholder = await readStakeholder(this.db, cardId, id);
    if (!stakeholder) throw problem('not_found');
    return stakeholder;
  }

  /**
   * @throws not_found, invalid_state, 422, 409 `stakeholder_exists`, forbidden where the role grants more than the
   *   caller has on the card, session_required for an API token where the role manages stakeholders
   */
  async add(
    ctx: RequestContext,
    cardId: string,
    { user_id, role }: { user_id: string; role: string },
  ): Promise<{ id: string }> {
    await this.mayManage(ctx, cardId);
    return this.transactions.run(ctx, async (uow) => {
      const metamodel = await this.metamodel.hold(uow);
      const giver = await giverOf(uow);
      const card = await this.permissions.lockActive(uow, cardId);
      const type = metamodel.types.get(card.type)!;
      const name = await userName(uow, user_id);
      const wrong = [
        ...(name === undefined ? [{ field: '/user_id', reason: 'names no active user' }] : []),
        ...(type.roles.has(role) ? [] : [{ field: '/role', reason: `is no stakeholder role of ${type.key}` }]),
      ];
      if (wrong.length > 0) throw invalid(...wrong);
      await ensureGivable({ uow, metamodel, keys: this.catalogue, giver }, card, role);
      const id = uuidv7();
      if (!(await addStakeholder(uow, { id, cardId, userId: user_id, role }, this.limits.most('stakeholders'))))
        throw this.limits.reached('stakeholders');
      await recordCardChange(uow, {
        cardId,
        field: `stakeholders.${role}`,
        old: null,
        new: { user_id, display_name: name },
      });
      await this.cards.rescore(uow, [cardId]);
      uow.emit({
        type: 'card.stakeholder_added',
        subject: { kind: 'card', id: cardId, type: card.type, name: card.name },
        data: { stakeholder: { id, user_id, role, display_name: name } },
      });
      // Stakeholder roles grant permissions, so open event streams must check theirs again.
      uow.bump('sessions');
      return { id };
    });
  }

  /** @throws not_found, invalid_state, forbidden as `add` */
  async remove(ctx: RequestContext, cardId: string, id: string): Promise<void> {
    await this.mayManage(ctx, cardId);
    await this.transactions.run(ctx, async (uow) => {
      const metamodel = await this.metamodel.hold(uow);
      const giver = await giverOf(uow);
      const card = await this.permissions.lockActive(uow, cardId);
      const named = await lockStakeholder(uow, cardId, id);
      if (!named) throw problem('not_found');
      // Checked before the removal, because the caller's own role counts.
      await ensureWithinOwn({ uow, metamodel, keys: this.catalogue, giver }, card, named.role);
      await removeStakeholder(uow, id);
      const { user_id, role, display_name } = named;
      await recordCardChange(uow, { cardId, field: `stakeholders.${role}`, old: { user_id, display_name }, new: null });
      await this.cards.rescore(uow, [cardId]);
      uow.emit({
        type: 'card.stakeholder_removed',
        subject: { kind: 'card', id: cardId, type: card.type, name: card.name },
        data: { stakeholder: { id, user_id, role, display_name } },
      });
      uow.bump('sessions');
      return {};
    });
  }

  private async mayManage(ctx: RequestContext, cardId: string): Promise<void> {
    await this.permissions.require(
      ctx,
      await this.permissions.visible(ctx, cardId),
      'stakeholders.manage',
      'card.manage_stakeholders',
    );
  }
}
