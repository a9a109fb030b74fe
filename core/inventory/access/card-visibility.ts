import type { PermissionSet, RequestContext } from '@lintel/sdk';
import type { Metamodel, StakeholderRole } from '../metamodel/index.js';
import { CARD_COSTS, hiddenTypes, seesCosts, seesStakeholders } from './permissions.js';

/** Names a type and a stakeholder role of it, as SQL puts them together. */
export const typeRole = (type: string, role: string): string => `${type}:${role}`;

/** What follows from a set of permissions under one metamodel. */
interface Bounds {
  metamodel: Metamodel;
  hiddenTypes: readonly string[];
  /** Where some type is hidden: fields whose values name cards, as two lists of the same length. */
  references: { readonly types: readonly string[]; readonly keys: readonly string[] };
  costRedactedTypes: ReadonlySet<string>;
  /** Types whose cards are shown without their stakeholders. */
  stakeholderRedactedTypes: ReadonlySet<string>;
  /** `type:role` of the stakeholder roles that open the costs of a closed type's card where they are held. */
  costRoles: readonly string[];
  /** `type:role` of those that open the costs of the cards below, of whatever type they are themselves. */
  inheritedCostRoles: readonly string[];
}

/** Which cards and what of them a caller may see. Fails closed: without a caller nobody's role opens anything. */
export interface CardVisibility extends Omit<Bounds, 'metamodel'> {
  /** Id of the caller. */
  me: string | undefined;
}

/** Permissions of a role live as long as the role stays as it is: most requests find their bounds made. */
const KNOWN = new WeakMap<PermissionSet, Bounds>();
const opens = ({ permissions }: StakeholderRole): boolean => permissions[CARD_COSTS] === true;

function boundsOf(permissions: PermissionSet, metamodel: Metamodel): Bounds {
  const known = KNOWN.get(permissions);
  if (known?.metamodel === metamodel) return known;
  const types = [...metamodel.types.values()];
  const closed = types.filter((type) => !seesCosts(permissions, type.key) && metamodel.costKeys(type.key).size > 0);
  const rolesOf = (of: typeof types, meant: (role: StakeholderRole) => boolean) =>
    of.flatMap((type) =>
      type.definition.stakeholder_roles
        .filter((role) => opens(role) && meant(role))
        .map((role) => typeRole(type.key, role.key)),
    );
  const hidden = hiddenTypes(permissions, metamodel.types.keys());
  const naming =
    hidden.length === 0
      ? []
      : types.flatMap((type) =>
          type.fields.fields.filter(({ kind }) => kind === 'card_reference').map(({ key }) => [type.key, key] as const),
        );
  const bounds: Bounds = {
    metamodel,
    hiddenTypes: hidden,
    references: { types: naming.map(([type]) => type), keys: naming.map(([, key]) => key) },
    costRedactedTypes: new Set(closed.map((type) => type.key)),
    stakeholderRedactedTypes: new Set(
      types.map((type) => type.key).filter((type) => !seesStakeholders(permissions, type)),
    ),
    costRoles: rolesOf(closed, () => true),
    inheritedCostRoles: closed.length === 0 ? [] : rolesOf(types, (role) => role.inherited === true),
  };
  KNOWN.set(permissions, bounds);
  return bounds;
}

/** The types of a metamodel whose cards do not exist for the holder of the permissions, worked out once for both. */
export const hiddenUnder = (permissions: PermissionSet, metamodel: Metamodel): readonly string[] =>
  boundsOf(permissions, metamodel).hiddenTypes;

export function visibilityOf(ctx: RequestContext, metamodel: Metamodel): CardVisibility {
  const { metamodel: _metamodel, ...bounds } = boundsOf(ctx.permissions, metamodel);
  return { ...bounds, me: ctx.actor?.id };
}

/** Whether cards of some type do not exist for the caller: what views tell of other cards is looked at then. */
export const hidesCards = ({ hiddenTypes: hidden }: Pick<CardVisibility, 'hiddenTypes'>): boolean => hidden.length > 0;

/** Whether a role the caller may hold above a card decides about its costs. */
export const asksAbove = ({ me, inheritedCostRoles }: CardVisibility): boolean =>
  me !== undefined && inheritedCostRoles.length > 0;

/**
 * Whether the costs of a card are open to the caller.
 * @param stakeholders those of the card, as the JSON text of its view
 * @param inheritsCosts whether the caller holds one of `inheritedCostRoles` above it
 */
export function seesCostsOf(
  visibility: CardVisibility,
  type: string,
  stakeholders: string,
  inheritsCosts: boolean,
): boolean {
  if (!visibility.costRedactedTypes.has(type)) return true;
  if (visibility.me === undefined) return false;
  if (inheritsCosts) return true;
  if (visibility.costRoles.length === 0 || !stakeholders.includes(visibility.me)) return false;
  const held = JSON.parse(stakeholders) as { user_id: string; role: string }[];
  return held.some(
    ({ user_id, role }) => user_id === visibility.me && visibility.costRoles.includes(typeRole(type, role)),
  );
}
