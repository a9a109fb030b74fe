import type { PermissionSet, RequestContext } from '@lintel/sdk';
import type { Metamodel } from '../metamodel/index.js';

/** Names a type and a stakeholder role of it, as SQL puts them together. */
export const typeRole = (type: string, role: string): string => `${type}:${role}`;

/** What follows from a set of permissions under one metamodel. */
interface Bounds {
  metamodel: Metamodel;
  hiddenTypes: readonly string[];
  closedTypes: ReadonlySet<string>;
  /** `type:role` of the stakeholder roles that open the costs of a closed type's card. */
  openers: readonly string[];
}

/** Which cards and which of their costs a caller may see. Fails closed: without a caller nobody's role opens anything. */
export interface Sight extends Omit<Bounds, 'metamodel'> {
  /** Id of the caller. */
  me: string | undefined;
}

/** Permissions of a role live as long as the role stays as it is: most requests find their bounds made. */
const KNOWN = new WeakMap<PermissionSet, Bounds>();

function boundsOf(permissions: PermissionSet, metamodel: Metamodel): Bounds {
  const known = KNOWN.get(permissions);
  if (known?.metamodel === metamodel) return known;
  const types = [...metamodel.types.values()];
  const closed = types.filter((type) => metamodel.costKeys(type.key).size > 0 && !permissions.has('costs.view', type.key));
  const bounds: Bounds = {
    metamodel,
    hiddenTypes: types.filter((type) => !permissions.has('cards.view', type.key)).map((type) => type.key),
    closedTypes: new Set(closed.map((type) => type.key)),
    openers: closed.flatMap((type) => type.definition.stakeholder_roles.filter((role) => role.permissions['card.view_costs'] === true).map((role) => typeRole(type.key, role.key))),
  };
  KNOWN.set(permissions, bounds);
  return bounds;
}

export function sightOf(ctx: RequestContext, metamodel: Metamodel): Sight {
  const { hiddenTypes, closedTypes, openers } = boundsOf(ctx.permissions, metamodel);
  return { hiddenTypes, closedTypes, openers, me: ctx.actor?.id };
}

/**
 * Whether the costs of a card are open to the caller.
 * @param stakeholders those of the card, as the JSON text of its view
 */
export function seesCostsOf(sight: Sight, type: string, stakeholders: string): boolean {
  if (!sight.closedTypes.has(type)) return true;
  if (sight.me === undefined || sight.openers.length === 0 || !stakeholders.includes(sight.me)) return false;
  const held = JSON.parse(stakeholders) as { user_id: string; role: string }[];
  return held.some(({ user_id, role }) => user_id === sight.me && sight.openers.includes(typeRole(type, role)));
}
