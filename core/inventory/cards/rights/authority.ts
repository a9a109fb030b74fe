import type { Access, PermissionSet, RequestContext } from '@lintel/sdk';
import { cardsHidden, holdsEverywhere, lacks, type AccessGate } from '../../access/index.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { problem, type Problem } from '../../../foundation/errors.js';
import type { Metamodel } from '../../metamodel/index.js';
import {
  accountPermissions,
  APPLICATION,
  NO_CARDS,
  tokenGives,
  type CardScope,
  type Placed,
  type RbacService,
} from '../../../identity/rbac/index.js';
import type { CardOperation, OperationKind } from '../types.js';

/**
 * The application permission that each operation on a card requires, and the permission of a stakeholder role that
 * suffices on the card; used for the access of routes and for the checks of `authorityOf`.
 */
const WRITE_PERMISSIONS = {
  create: ['cards.create', undefined],
  update: ['cards.edit', 'card.edit'],
  upsert: ['cards.edit', 'card.edit'],
  archive: ['cards.archive', 'card.archive'],
  restore: ['cards.archive', 'card.archive'],
  delete: ['cards.delete', undefined],
  approve: ['cards.approve', 'card.approve'],
  reject: ['cards.approve', 'card.approve'],
  reset: ['cards.approve', 'card.approve'],
} as const satisfies Record<OperationKind, readonly [string, string | undefined]>;

/** The access of a route that executes one operation on the card in the path parameter `id`. */
export function writeAccess(op: OperationKind): Access {
  const [permission, cardPermission] = WRITE_PERMISSIONS[op];
  return cardPermission === undefined ? { permission } : { permission, card: 'id', cardPermission };
}

/** What the caller of a batch may do. Cards are passed with their stored paths. */
export interface Authority {
  /** Types hidden from the caller: references to their cards have the same result as references to unknown cards. */
  hiddenTypes: readonly string[];
  /** Types at whose cards the caller sees no relation, including the hidden ones. */
  relationlessTypes: readonly string[];
  /** @returns the problem where the operation is not allowed on a card of the type */
  refuses(op: CardOperation['op'], type: string, card: Placed | undefined): Problem | undefined;
  /** A caller who may not see a cost may not set it either, because the response `unchanged` would confirm a guess. */
  seesCosts(type: string, card: Placed | undefined): boolean;
  /**
   * Whether a move would give the caller, by an inherited role above the new position, permissions on the card and the
   * cards below that the account of the caller does not have now. Allowed for callers who may manage the stakeholders of all of them,
   * not only those of the card: the permissions are gained on all of them. An API token can also not move it below a card on which another user has an inherited role that manages stakeholders.
   * @param path ids from the root down to the new parent
   */
  refusesMove(type: string, card: Placed, path: readonly string[]): Problem | undefined;
}

const MANAGE_STAKEHOLDERS = ['stakeholders.manage', 'card.manage_stakeholders'] as const;

const mayMove = ({ op, card }: CardOperation): boolean =>
  (op === 'update' || op === 'upsert') && Boolean(card?.parent_id ?? card?.parent);

/**
 * The module permissions that may correspond to `card.<module>_<verb>`: ambiguous, because module ids may contain
 * underscores.
 */
const counterparts = (key: string): string[] => {
  const words = key.slice('card.'.length).split('_');
  return words.slice(1).map((_, i) => `${words.slice(0, i + 1).join('_')}.${words.slice(i + 1).join('_')}`);
};

/** Whether these permissions grant on all cards of the types what the card permission grants on one. */
const grantsEverywhere = (permissions: PermissionSet, key: string, types: Iterable<string>): boolean => {
  const known = APPLICATION[key];
  const candidates = known === undefined ? counterparts(key) : [known];
  return [...types].every((type) => candidates.some((permission) => permissions.has(permission, type)));
};

/**
 * The permissions of the caller. Stakeholder roles are read only where the application permissions do not suffice for
 * every type, once for the whole batch.
 * @param on the unit of work, where a transaction has begun: it would hold one connection while waiting for another
 */
export async function authorityOf(
  ctx: RequestContext,
  operations: readonly CardOperation[],
  metamodel: Metamodel,
  rbac: RbacService,
  access: AccessGate,
  on?: UnitOfWork,
): Promise<Authority> {
  const types = [...metamodel.types.keys()];
  const suffices = (permission: string) => holdsEverywhere(ctx.permissions, permission, types);
  const holder = ctx.actor && { id: ctx.actor.id, permissions: ctx.permissions };
  const scopes = new Map<string, CardScope>();
  const readScope = async (permission: string, cardPermission: string) => {
    if (holder && !scopes.has(cardPermission) && !suffices(permission))
      scopes.set(cardPermission, await rbac.cardsWith(holder, cardPermission, on));
  };
  for (const op of new Set(operations.map((o) => o.op))) {
    const [permission, cardPermission] = WRITE_PERMISSIONS[op];
    if (cardPermission !== undefined) await readScope(permission, cardPermission);
  }
  const needsCosts =
    operations.some((o) => o.card?.attributes) ||
    (operations.some((o) => o.op === 'approve') && [...metamodel.types.values()].some((t) => t.fields.requiresCosts));
  const costs = needsCosts ? await access.costs(ctx, on) : undefined;
  // Children of a deleted card are changed as well.
  if (operations.some((o) => o.child_strategy)) await readScope('cards.edit', 'card.edit');
  const account = accountPermissions(ctx.permissions);
  const moves = operations.some(mayMove);
  const below =
    ctx.actor && moves && !suffices(MANAGE_STAKEHOLDERS[0])
      ? await rbac.grantedBelow({ id: ctx.actor.id, permissions: account }, on)
      : new Map<string, ReadonlySet<string>>();
  const sessionRequired = tokenGives(ctx.permissions);
  const giving = sessionRequired && moves ? await rbac.cardsGranting(MANAGE_STAKEHOLDERS[1], on) : new Set<string>();
  if (below.size > 0) await readScope(...MANAGE_STAKEHOLDERS);

  const holds = (
    [permission, cardPermission]: readonly [string, string | undefined],
    type: string,
    card: Placed | undefined,
  ): boolean =>
    ctx.permissions.has(permission, type) ||
    (cardPermission !== undefined && card !== undefined && (scopes.get(cardPermission) ?? NO_CARDS).covers(card));
  const inherited = (path: readonly string[]) => new Set(path.flatMap((id) => [...(below.get(id) ?? [])]));
  const managesAllBelow = (type: string, { id, path_ids }: Placed): boolean =>
    [type, ...metamodel.typesBelow(type)].every((one) => ctx.permissions.has(MANAGE_STAKEHOLDERS[0], one)) ||
    [...path_ids, id].some((above) => scopes.get(MANAGE_STAKEHOLDERS[1])?.roots.has(above) === true);
  const hiddenTypes = access.hiddenTypes(ctx);
  return {
    hiddenTypes,
    relationlessTypes: access.relationlessTypes(ctx),
    refuses(op, type, card) {
      if (!holds(WRITE_PERMISSIONS[op], type, card)) return lacks(WRITE_PERMISSIONS[op][0]);
      // A caller may not create a card that would be hidden from them.
      return hiddenTypes.includes(type) ? cardsHidden(type) : undefined;
    },
    seesCosts: (type, card) => costs?.of(type, card) === true,
    refusesMove(type, card, path) {
      if (path.some((id) => giving.has(id) && !card.path_ids.includes(id))) return sessionRequired;
      if (below.size === 0 || managesAllBelow(type, card)) return undefined;
      const before = inherited([...card.path_ids, card.id]);
      const gained = [...inherited(path)]
        .filter((key) => !before.has(key) && !grantsEverywhere(account, key, types))
        .sort();
      if (gained.length === 0) return undefined;
      return problem('forbidden', {
        detail: `An inherited role above would give you ${gained.join(', ')} on the card there. Only users who may manage the stakeholders of the card and of all cards below can move it there.`,
        required_permission: MANAGE_STAKEHOLDERS[0],
        or_card_permission: MANAGE_STAKEHOLDERS[1],
      });
    },
  };
}
