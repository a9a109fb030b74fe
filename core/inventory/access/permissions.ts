import type { PermissionSet } from '@lintel/sdk';
import { problem, type Problem } from '../../foundation/errors.js';
import { PER_TYPE } from '../../identity/rbac/index.js';

/**
 * All permissions that decide what a caller may see. Rules of a role per card type apply wherever a type is given. No
 * stakeholder role makes a card or its type visible, so `false` for a type cannot be overridden.
 */
export const CARDS = 'cards.view';
export const COSTS = 'costs.view';
export const RELATIONS = 'relations.view';
const STAKEHOLDERS = 'stakeholders.view';
/** Permission of a stakeholder role to see the costs of its card. */
export const CARD_COSTS = 'card.view_costs';

/** Whether cards of the type are visible with these permissions; without a type: cards of types without a rule. */
export const seesCards = (permissions: PermissionSet, type?: string): boolean => permissions.has(CARDS, type);

/**
 * Whether the costs of all cards of the type are visible; a stakeholder role may also permit viewing those of single
 * cards.
 */
export const seesCosts = (permissions: PermissionSet, type?: string): boolean => permissions.has(COSTS, type);

/** Whether the stakeholders of cards of the type are visible. */
export const seesStakeholders = (permissions: PermissionSet, type?: string): boolean =>
  permissions.has(STAKEHOLDERS, type);

/** The types whose cards are hidden. */
export const hiddenTypes = (permissions: PermissionSet, types: Iterable<string>): string[] =>
  [...types].filter((type) => !seesCards(permissions, type));

/** The types for which no relations are visible: hidden types, and types whose relations are hidden. */
export const relationlessTypes = (permissions: PermissionSet, types: Iterable<string>): string[] =>
  [...types].filter((type) => !seesCards(permissions, type) || !permissions.has(RELATIONS, type));

/**
 * Whether the permission is granted for at least one card type: a caller with only some types passes the route check,
 * and the service checks the type of the card.
 */
export const holdsAnywhere = (permissions: PermissionSet, permission: string, types: Iterable<string>): boolean =>
  permissions.has(permission) ||
  (PER_TYPE.has(permission) && [...types].some((type) => permissions.has(permission, type)));

/** Whether the permission is granted for every existing type, and for every future type without a rule. */
export const holdsEverywhere = (permissions: PermissionSet, permission: string, types: Iterable<string>): boolean =>
  permissions.has(permission) && [...types].every((type) => permissions.has(permission, type));

/**
 * The problem for a missing permission. @param cardPermission stakeholder permission that would also suffice @param
 * detail a more specific text
 */
export const lacks = (
  permission: string,
  cardPermission?: string,
  detail = `The permission ${permission} is required.`,
): Problem =>
  problem('forbidden', {
    detail,
    required_permission: permission,
    ...(cardPermission !== undefined && { or_card_permission: cardPermission }),
  });

/**
 * The problem for creating, or filtering by, cards of a type hidden from the caller; the types themselves are public.
 */
export const cardsHidden = (type?: string): Problem =>
  lacks(CARDS, undefined, type === undefined ? undefined : `Cards of the type ${type} are not visible to you.`);

/**
 * The problem for requesting stakeholders that the caller may not see. @param what text added, such as ` to filter by
 * them`
 */
export const stakeholdersHidden = (what = ''): Problem =>
  lacks(STAKEHOLDERS, undefined, `The permission ${STAKEHOLDERS} is required${what}.`);

/** The problem for filtering by relations for a caller who may see those of no type. */
export const relationsHidden = (): Problem =>
  lacks(RELATIONS, undefined, `The permission ${RELATIONS} is required to filter by relations.`);

/** Why a caller who may not see costs may not set one: a response that the value is unchanged would reveal it. */
export const COST_REFUSED = `is a cost, which requires ${COSTS}`;
export const costsHidden = (): Problem => lacks(COSTS, undefined, `The permission ${COSTS} is required to set costs.`);

/**
 * The problem where an operation would change, or reveal the number of, cards below that are hidden from the caller.
 */
export const hiddenBelow = (): Problem =>
  problem('conflict', { detail: 'There is something below the card that you may not change.' });
