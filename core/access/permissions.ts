import type { PermissionSet } from '@lintel/sdk';

/**
 * The one place that names the permissions which decide what a caller may see. Rules of a role per card type count
 * wherever a type is given; no stakeholder role opens a card or its type, so `false` for a type beats them all.
 */
const CARDS = 'cards.view';
const COSTS = 'costs.view';
const STAKEHOLDERS = 'stakeholders.view';
/** Opens the costs of one card to those who hold a stakeholder role that has it. */
export const CARD_COSTS = 'card.view_costs';

/** Whether cards of the type exist for the holder of the permissions; without a type: cards of types without a rule. */
export const seesCards = (permissions: PermissionSet, type?: string): boolean => permissions.has(CARDS, type);

/** Whether the costs of all cards of the type are open; a stakeholder role may open those of one card beside it. */
export const seesCosts = (permissions: PermissionSet, type?: string): boolean => permissions.has(COSTS, type);

/** Whether the stakeholders of cards of the type are shown. */
export const seesStakeholders = (permissions: PermissionSet, type?: string): boolean => permissions.has(STAKEHOLDERS, type);

/** The types whose cards do not exist for the holder of the permissions. */
export const hiddenTypes = (permissions: PermissionSet, types: Iterable<string>): string[] => [...types].filter((type) => !seesCards(permissions, type));

/**
 * Whether a permission is held for cards of any type at all: who has it for one type alone passes the route and is
 * judged by the card.
 */
export const holdsAnywhere = (permissions: PermissionSet, permission: string, types: Iterable<string>): boolean =>
  permissions.has(permission) || [...types].some((type) => permissions.has(permission, type));
