import type { CardRef, RequestContext } from '@lintel/sdk';
import { CARDS, lacks, seesCards, type AccessGate } from '../../access/index.js';
import type { Database } from '../../../foundation/db/database.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { problem } from '../../../foundation/errors.js';
import type { PermissionCatalogue, RbacService } from '../../../identity/rbac/index.js';
import { readRolesHeld, type HeldRole } from './permissions-repository.js';
import { lockCards } from '../lock-repository.js';
import type { CardState } from '../types.js';

/** Permissions that no stakeholder role grants. */
const APPLICATION_ONLY = [CARDS, 'cards.delete'];

interface Verdict {
  allowed: boolean;
  because: string;
}

/** Permissions on one card: by the role of the caller, including rules per card type, and by stakeholder roles. */
export class CardPermissions {
  constructor(
    private readonly db: Database,
    private readonly access: AccessGate,
    private readonly rbac: RbacService,
    private readonly catalogue: PermissionCatalogue,
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

  /** Every permission on a card, with an explanation of the rule that grants or denies it. @throws not_found */
  async explain(ctx: RequestContext, id: string): Promise<Record<string, Verdict>> {
    const held = ctx.actor && (await readRolesHeld(this.db, id, ctx.actor.id));
    if (!held || !seesCards(ctx.permissions, held.type)) throw problem('not_found');
    const role = ctx.actor.role;
    const can: Record<string, Verdict> = {};
    for (const permission of APPLICATION_ONLY) {
      const allowed = ctx.permissions.has(permission, held.type);
      can[permission] = {
        allowed,
        because: allowed ? `role ${role} grants ${permission}` : denial(ctx, role, permission, held.type),
      };
    }
    for (const { key } of this.catalogue.listOnCards()) {
      const permission = this.catalogue.applicationOf(key);
      const by = held.roles.find(({ type, role: r, is_above }) => this.rbac.grantedBy(type, [r], is_above).has(key));
      if (permission !== undefined && ctx.permissions.has(permission, held.type))
        can[key] = { allowed: true, because: `role ${role} grants ${permission}` };
      else if (by)
        can[key] = { allowed: true, because: `stakeholder role ${by.role}${whereHeld(ctx, by)} grants ${key}` };
      else
        can[key] = {
          allowed: false,
          because:
            permission === undefined
              ? `no stakeholder role grants ${key}`
              : `${denial(ctx, role, permission, held.type)}, and no stakeholder role grants ${key}`,
        };
    }
    return can;
  }
}

/** Names a card above only if the caller may see it. */
function whereHeld(ctx: RequestContext, { type, name, is_above }: HeldRole): string {
  if (!is_above) return '';
  return seesCards(ctx.permissions, type) ? ` on ${type} “${name}” above` : ' on a card above';
}

function denial(ctx: RequestContext, role: string, permission: string, cardType: string): string {
  return ctx.permissions.has(permission)
    ? `role ${role} does not grant ${permission} on ${cardType}`
    : `role ${role} does not grant ${permission}`;
}
