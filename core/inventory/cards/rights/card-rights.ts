import type { PermissionSet } from '@lintel/sdk';
import { APPLICATION } from '../../../identity/rbac/index.js';

/** What no stakeholder role grants. */
export const APPLICATION_ONLY = ['cards.view', 'cards.delete'];

/** The permissions of a module that `card.<module>_<verb>` may stand beside: ids of modules may have underscores. */
const counterparts = (key: string): string[] => {
  const words = key.slice('card.'.length).split('_');
  return words.slice(1).map((_, i) => `${words.slice(0, i + 1).join('_')}.${words.slice(i + 1).join('_')}`);
};

/** Whether who has these permissions may do on all cards of the types what the card permission grants on one. */
export const hasEverywhere = (permissions: PermissionSet, key: string, types: Iterable<string>): boolean => {
  const known = APPLICATION[key];
  const candidates = known === undefined ? counterparts(key) : [known];
  return [...types].every((type) => candidates.some((permission) => permissions.has(permission, type)));
};
