import type { PermissionSet, RequestContext } from '@lintel/sdk';
import type { CardType, Metamodel, StakeholderRole } from '../metamodel/index.js';
import { mayUseOnCards } from '../../identity/rbac/index.js';
import {
  CARD_COSTS,
  hiddenTypes,
  holdsAnywhere,
  RELATIONS,
  relationlessTypes,
  seesCosts,
  seesStakeholders,
} from './permissions.js';

/** Key of a type and one of its stakeholder roles, as built by the SQL. */
const typeRole = (type: string, role: string): string => `${type}:${role}`;

/** What a set of permissions implies under one version of the metamodel. */
interface Bounds {
  hiddenTypes: readonly string[];
  /** Types at whose cards no relation is shown, including the hidden ones. */
  relationlessTypes: readonly string[];
  /** Whether the caller may see relations of cards of some type. */
  seesRelations: boolean;
  /** Where some type is hidden: fields whose values are card ids, as two lists of the same length. */
  references: { readonly types: readonly string[]; readonly keys: readonly string[] };
  costRedactedTypes: ReadonlySet<string>;
  /** Types whose cards are shown without their stakeholders. */
  stakeholderRedactedTypes: ReadonlySet<string>;
  /**
   * Types of whose cards a relation, a stakeholder or a reference that counts in the score may be hidden: the score without all
   * of these is shown, also to stakeholders who may see the costs.
   */
  basicScoreTypes: ReadonlySet<string>;
  /**
   * `type:role` of the stakeholder roles that permit viewing the costs of the card on which they are held, if its
   * type's costs are hidden.
   */
  costRoles: readonly string[];
  /** `type:role` of the roles that permit viewing the costs of the cards below, of any type. */
  inheritedCostRoles: readonly string[];
}

/** Which cards, and which parts of them, a caller may see. Without a caller no stakeholder role applies. */
export interface CardVisibility extends Bounds {
  /** Id of the caller. */
  me: string | undefined;
}

/** Cached per permission set, which exists as long as its role is unchanged, so that most requests find an entry. */
const BOUNDS = new WeakMap<PermissionSet, { metamodel: Metamodel; bounds: Bounds }>();
const permitsCosts = ({ permissions }: StakeholderRole): boolean => permissions[CARD_COSTS] === true;

/** Whether a relation that a card of the type must have may be one that is hidden, because of the type of either end. */
const demandsHidden = (metamodel: Metamodel, type: CardType, relationless: readonly string[]): boolean =>
  metamodel.mandatoryFor(type.key).some(({ key, side }) => {
    const { source_type, target_type } = metamodel.relationTypes.get(key)!.definition;
    const other = side === 'source' ? target_type : source_type;
    return relationless.includes(type.key) || other === '*' || relationless.includes(other);
  });

function boundsOf(permissions: PermissionSet, metamodel: Metamodel): Bounds {
  const known = BOUNDS.get(permissions);
  if (known?.metamodel === metamodel) return known.bounds;
  const types = [...metamodel.types.values()];
  const redacted = types.filter((type) => !seesCosts(permissions, type.key) && metamodel.costKeys(type.key).size > 0);
  const rolesCount = redacted.length > 0 && mayUseOnCards(permissions, CARD_COSTS);
  const rolesOf = (of: typeof types, applies: (role: StakeholderRole) => boolean) =>
    of.flatMap((type) =>
      type.definition.stakeholder_roles
        .filter((role) => permitsCosts(role) && applies(role))
        .map((role) => typeRole(type.key, role.key)),
    );
  const hidden = hiddenTypes(permissions, metamodel.types.keys());
  const referenceFields =
    hidden.length === 0 ? [] : types.flatMap((type) => type.fields.cardKeys.map((key) => [type.key, key] as const));
  const relationless = relationlessTypes(permissions, metamodel.types.keys());
  const redactsStakeholders = (type: CardType): boolean => !seesStakeholders(permissions, type.key);
  const countsHidden = (type: CardType): boolean =>
    referenceFields.some(([of]) => of === type.key) ||
    (redactsStakeholders(type) && type.roles.size > 0) ||
    (relationless.length > 0 && demandsHidden(metamodel, type, relationless));
  const bounds: Bounds = {
    hiddenTypes: hidden,
    relationlessTypes: relationless,
    seesRelations: holdsAnywhere(permissions, RELATIONS, metamodel.types.keys()),
    references: { types: referenceFields.map(([type]) => type), keys: referenceFields.map(([, key]) => key) },
    costRedactedTypes: new Set(redacted.map((type) => type.key)),
    stakeholderRedactedTypes: new Set(types.filter(redactsStakeholders).map((type) => type.key)),
    basicScoreTypes: new Set(types.filter(countsHidden).map((type) => type.key)),
    costRoles: rolesCount ? rolesOf(redacted, () => true) : [],
    inheritedCostRoles: rolesCount ? rolesOf(types, (role) => role.inherited === true) : [],
  };
  BOUNDS.set(permissions, { metamodel, bounds });
  return bounds;
}

/** The card types hidden from a caller with these permissions, cached per permission set and metamodel. */
export const hiddenUnder = (permissions: PermissionSet, metamodel: Metamodel): readonly string[] =>
  boundsOf(permissions, metamodel).hiddenTypes;

export const visibilityOf = (
  ctx: Pick<RequestContext, 'permissions' | 'actor'>,
  metamodel: Metamodel,
): CardVisibility => ({ ...boundsOf(ctx.permissions, metamodel), me: ctx.actor?.id });

/** Whether cards of some type are hidden from the caller; references to other cards in views must then be filtered. */
export const hidesCards = ({ hiddenTypes: hidden }: Pick<CardVisibility, 'hiddenTypes'>): boolean => hidden.length > 0;

/** The same as `relationSeenSql` for a relation that was read, but for archived ends. @param hidden types at whose cards no relation is shown */
export const seesRelation = (
  { source_type, target_type }: { source_type: string; target_type: string },
  hidden: readonly string[],
): boolean => !hidden.includes(source_type) && !hidden.includes(target_type);

/**
 * Whether the roles that the caller has above a card must be read to decide whether its costs are visible: the caller is
 * known, and some inherited role permits viewing costs.
 */
export const needsRolesAbove = ({ me, inheritedCostRoles }: CardVisibility): boolean =>
  me !== undefined && inheritedCostRoles.length > 0;

/**
 * Whether the caller may see the costs of a card.
 * @param stakeholders the card's stakeholders, as the JSON text of its view
 * @param inheritsCosts whether the caller has one of `inheritedCostRoles` above it
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
