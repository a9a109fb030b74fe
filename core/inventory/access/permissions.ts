import type { PermissionSet } from '@lintel/sdk';
import { problem, type Problem } from '../../foundation/errors.js';
import { PER_TYPE } from '../../identity/rbac/index.js';

/**
 * The one place that names the permissions which decide what a caller may see. Rules of a role per card type count
 * wherever a type is given; no stakeholder role opens a card or its type, so `false` for a type beats them all.
 */
export const CARDS = 'cards.view';
export const COSTS = 'costs.view';
const STAKEHOLDERS = 'stakeholders.view';
/** Opens the costs of one card to those who hold a stakeholder role that has it. */
export const CARD_COSTS = 'card.view_costs';

/** Whether cards of the type exist for the holder of the permissions; without a type: cards of types without a rule. */
export const seesCards = (permissions: PermissionSet, type?: string): boolean => permissions.has(CARDS, type);

/** Whether the costs of all cards of the type are open; a stakeholder role may open those of one card beside it. */
export const seesCosts = (permissions: PermissionSet, type?: string): boolean => permissions.has(COSTS, type);

/** Whether the stakeholders of cards of the type are shown. */
export const seesStakeholders = (permissions: PermissionSet, type?: string): boolean =>
  permissions.has(STAKEHOLDERS, type);

/** The types whose cards do not exist for the holder of the permissions. */
export const hiddenTypes = (permissions: PermissionSet, types: Iterable<string>): string[] =>
  [...types].filter((type) => !seesCards(permissions, type));

/** The types at whose cards no relation is shown: those that are hidden, and those whose relations are. */
export const relationlessTypes = (permissions: PermissionSet, types: Iterable<string>): string[] =>
  [...types].filter((type) => !seesCards(permissions, type) || !permissions.has('relations.view', type));

/**
 * Whether a permission is held for cards of any type at all: who has it for one type alone passes the route and is
 * judged by the card.
 */
export const holdsAnywhere = (permissions: PermissionSet, permission: string, types: Iterable<string>): boolean =>
  permissions.has(permission) ||
  (PER_TYPE.has(permission) && [...types].some((type) => permissions.has(permission, type)));

/** Whether it is held for cards of every type there is, and of every one to come without a rule. */
export const holdsEverywhere = (permissions: PermissionSet, permission: string, types: Iterable<string>): boolean =>
  permissions.has(permission) && [...types].every((type) => permissions.has(permission, type));

/** The answer to who lacks a permission. @param cardPermission suffices too, by a stakeholder role @param detail where it says more than that the permission is required */
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

/** The answer to who makes a card, or asks about cards, of a type that is hidden from him: types themselves are public. */
export const cardsHidden = (type?: string): Problem =>
  lacks(CARDS, undefined, type === undefined ? undefined : `Cards of the type ${type} are not for you to see.`);

/** The answer to who asks for stakeholders that are not shown to him. @param what they are asked for, such as ` to filter by them` */
export const stakeholdersHidden = (what = ''): Problem =>
  lacks(STAKEHOLDERS, undefined, `The permission ${STAKEHOLDERS} is required${what}.`);

/** Why an attribute that is a cost cannot be set by who may not see it: that one is the same would tell it. */
export const COST_REFUSED = `is a cost, which needs ${COSTS}`;
export const costsHidden = (): Problem =>
  lacks(COSTS, undefined, `Costs are set by those who may see them: the permission ${COSTS} is required.`);

/** The answer where an operation would have to change, or to count, cards below that are hidden from the caller. */
export const hiddenBelow = (): Problem =>
  problem('conflict', { detail: 'There is something below the card that you may not change.' });
