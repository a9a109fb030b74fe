import type { CardRef, RequestContext } from '@lintel/sdk';
import { lacks, type AccessGate } from '../../access/index.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { problem } from '../../../foundation/errors.js';
import type { RbacService } from '../../../identity/rbac/index.js';
import { lockCards } from '../lock-repository.js';
import type { CardState } from '../types.js';

/** Permissions on one card: by the role of the caller, including rules per card type, and by stakeholder roles. */
export class CardPermissions {
  constructor(
    private readonly access: AccessGate,
    private readonly rbac: RbacService,
  ) {}

  /** @throws not_found when the card does not exist or the caller may not see cards of its type */
  async visible(ctx: RequestContext, id: string): Promise<CardRef> {
    const { path_ids: _path, ...card } = await this.access.card(ctx, id);
    return card;
  }

  /** Whether the caller has the permission for cards of the type, or a stakeholder role on the card that grants it. */
  async holds(
    ctx: RequestContext,
    card: Pick<CardRef, 'id' | 'type'>,
    permission: string,
    cardPermission?: string,
  ): Promise<boolean> {
    if (ctx.permissions.has(permission, card.type)) return true;
    return (
      cardPermission !== undefined &&
      ctx.actor !== null &&
      (await this.rbac.holdsOnCard({ id: ctx.actor.id, permissions: ctx.permissions }, card.id, cardPermission))
    );
  }

  /**
   * Call it before the transaction, which would otherwise hold one connection while waiting for another.
   * @throws forbidden, naming the permissions
   */
  async require(
    ctx: RequestContext,
    card: Pick<CardRef, 'id' | 'type'>,
    permission: string,
    cardPermission?: string,
  ): Promise<void> {
    if (await this.holds(ctx, card, permission, cardPermission)) return;
    throw lacks(permission, cardPermission);
  }

  /**
   * As `visible`; also requires the permission for items of the card.
   * @throws not_found, forbidden, naming the permission
   */
  async visibleWith(ctx: RequestContext, id: string, permission: string): Promise<CardRef> {
    const card = await this.visible(ctx, id);
    if (!ctx.permissions.has(permission, card.type)) throw lacks(permission);
    return card;
  }

  /**
   * Locks a card whose items are about to change, which serialises such changes. @throws not_found, invalid_state where
   * it is archived
   */
  async lockActive(uow: UnitOfWork, id: string): Promise<CardState> {
    const [card] = await lockCards(uow, 'write', [id]);
    if (!card) throw problem('not_found');
    if (card.status === 'ARCHIVED')
      throw problem('invalid_state', { detail: 'The card is archived; restore it first.' });
    return card;
  }
}
