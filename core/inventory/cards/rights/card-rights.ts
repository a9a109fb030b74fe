import type { PermissionSet } from '@lintel/sdk';
import { APPLICATION } from '../../../identity/rbac/index.js';

/** Permissions that no stakeholder role grants. */
export const APPLICATION_ONLY = ['cards.view', 'cards.delete'];

/**
 * The module permissions that may correspond to `card.<module>_<verb>`: ambiguous, because module ids may contain
 * underscores.
 */
const counterparts = (key: string): string[] => {
  const words = key.slice('card.'.length).split('_');
  return words.slice(1).map((_, i) => `${words.slice(0, i + 1).join('_')}.${words.slice(i + 1).join('_')}`);
};

/** Whether these permissions grant on all cards of the types what the card permission grants on one. */
export const hasEverywhere = (permissions: PermissionSet, key: string, types: Iterable<string>): boolean => {
  const known = APPLICATION[key];
  const candidates = known === undefined ? counterparts(key) : [known];
  return [...types].every((type) => candidates.some((permission) => permissions.has(permission, type)));
};
