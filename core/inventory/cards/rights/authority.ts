import type { RequestContext } from '@lintel/sdk';
import { cardsHidden, lacks, type AccessGate } from '../../access/index.js';
import { problem, type Problem } from '../../../foundation/errors.js';
import type { Metamodel } from '../../metamodel/index.js';
import { NO_CARDS, type Placed, type RbacService, type CardScope } from '../../../identity/rbac/index.js';
import { hasEverywhere } from './card-rights.js';
import { WRITE_PERMISSIONS } from './write-access.js';
import type { CardOperation } from '../types.js';

/** What the caller of a batch may do. Cards are passed with their stored paths. */
export interface Authority {
  /** Types hidden from the caller: references to their cards are answered like references to unknown cards. */
  hiddenTypes: readonly string[];
  /** @returns the problem where the operation is not allowed on a card of the type */
  refuses(op: CardOperation['op'], type: string, card: Placed | undefined): Problem | undefined;
  /** A caller who may not see a cost may not set it either, because the response `unchanged` would confirm a guess. */
  seesCosts(type: string, card: Placed | undefined): boolean;
  /**
   * Whether a move would give the caller, by an inherited role above the new position, permissions on the card and the
   * cards below that the caller does not have now. Allowed for callers who may manage its stakeholders.
   * @param path ids from the root down to the new parent
   */
  refusesMove(type: string, card: Placed, path: readonly string[]): Problem | undefined;
}

const NAMING = ['stakeholders.manage', 'card.manage_stakeholders'] as const;

const mayMove = ({ op, card }: CardOperation): boolean =>
  (op === 'update' || op === 'upsert') && Boolean(card?.parent_id ?? card?.parent);

/**
 * The permissions of the caller. Stakeholder roles are read only where the application permissions do not suffice for
 * every type, once for the whole batch, and before the transaction, which would hold one connection while waiting for
 * another.
 */
export async function authorityOf(
  ctx: RequestContext,
  operations: readonly CardOperation[],
  metamodel: Metamodel,
  rbac: RbacService,
  access: AccessGate,
): Promise<Authority> {
  const types = [...metamodel.types.keys()];
  const suffices = (permission: string) =>
    ctx.permissions.has(permission) && types.every((type) => ctx.permissions.has(permission, type));
  const scopes = new Map<string, CardScope>();
  const ask = async (permission: string, cardPermission: string) => {
    if (ctx.actor && !scopes.has(cardPermission) && !suffices(permission))
      scopes.set(cardPermission, await rbac.cardsWith(ctx.actor.id, cardPermission));
  };
  for (const op of new Set(operations.map((o) => o.op))) {
    const [permission, cardPermission] = WRITE_PERMISSIONS[op];
    if (cardPermission !== undefined) await ask(permission, cardPermission);
  }
  const costs = operations.some((o) => o.card?.attributes) ? await access.costs(ctx) : undefined;
  // Children of a deleted card are changed as well.
  if (operations.some((o) => o.child_strategy)) await ask('cards.edit', 'card.edit');
  const below =
    ctx.actor && operations.some(mayMove) && !suffices(NAMING[0])
      ? await rbac.grantedBelow(ctx.actor.id)
      : new Map<string, ReadonlySet<string>>();
  if (below.size > 0) await ask(...NAMING);

  const holds = (
    [permission, cardPermission]: readonly [string, string | undefined],
    type: string,
    card: Placed | undefined,
  ): boolean =>
    ctx.permissions.has(permission, type) ||
    (cardPermission !== undefined && card !== undefined && (scopes.get(cardPermission) ?? NO_CARDS).covers(card));
  const inherited = (path: readonly string[]) => new Set(path.flatMap((id) => [...(below.get(id) ?? [])]));
  const hiddenTypes = access.hiddenTypes(ctx);
  return {
    hiddenTypes,
    refuses(op, type, card) {
      if (!holds(WRITE_PERMISSIONS[op], type, card)) return lacks(WRITE_PERMISSIONS[op][0]);
      // A caller may not create a card that would be hidden from them.
      return hiddenTypes.includes(type) ? cardsHidden(type) : undefined;
    },
    seesCosts: (type, card) => costs?.of(type, card) === true,
    refusesMove(type, card, path) {
      if (below.size === 0 || holds(NAMING, type, card)) return undefined;
      const before = inherited([...card.path_ids, card.id]);
      const gained = [...inherited(path)]
        .filter((key) => !before.has(key) && !hasEverywhere(ctx.permissions, key, types))
        .sort();
      if (gained.length === 0) return undefined;
      return problem('forbidden', {
        detail: `There you would have ${gained.join(', ')} on the card by a role above it, which is for those to give who name its stakeholders.`,
        required_permission: NAMING[0],
        or_card_permission: NAMING[1],
      });
    },
  };
}
