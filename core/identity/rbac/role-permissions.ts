import { isDeepStrictEqual } from 'node:util';
import { invalid, problem, type FieldError } from '../../foundation/errors.js';
import { pointerToken } from '../../foundation/json-pointer.js';
import type { PermissionCatalogue } from './catalogue.js';
import type { Role } from './model.js';
import { EVERYTHING } from './permission-set.js';
import type { RolePatch } from './schemas.js';
import { mergedRules, type TypeRules } from './type-rules.js';

type Rights = Pick<Role, 'permissions' | 'types'>;
type RightsPatch = Pick<RolePatch, 'permissions' | 'types'>;

/** What a new role may do before the permissions of the request are added: nothing. */
export const NEW_ROLE: Rights = { permissions: [], types: {} };

export interface FieldChange {
  field: string;
  old: unknown;
  new: unknown;
}

/**
 * The permissions of a role after a change.
 * @throws 422 listing every key that is not in the catalogue and every invalid rule; a key that the role already has
 *   may remain
 */
export function rightsAfter(
  catalogue: PermissionCatalogue,
  before: Rights,
  { permissions, types }: RightsPatch,
  cardTypes: readonly string[],
): Rights {
  const errors: Omit<FieldError, 'in'>[] = [];
  const after = {
    permissions:
      permissions === undefined ? before.permissions : merged(catalogue, before.permissions, permissions, errors),
    types: types === undefined ? before.types : mergedRules(before.types, types, new Set(cardTypes), errors),
  };
  if (errors.length > 0) throw invalid(...errors.slice(0, 100));
  return after;
}

/** The permissions after a change, sorted. @param errors receives every key that is not in the catalogue */
function merged(
  catalogue: PermissionCatalogue,
  before: readonly string[],
  wanted: NonNullable<RolePatch['permissions']>,
  errors: Omit<FieldError, 'in'>[],
): string[] {
  const check = (key: string, pointer: string): void => {
    if (!catalogue.has(key) && !before.includes(key))
      errors.push({ field: `/permissions/${pointer}`, reason: `${key} is no permission of the catalogue` });
  };
  const after = new Set(Array.isArray(wanted) ? wanted : before);
  if (Array.isArray(wanted)) wanted.forEach((key, n) => check(key, String(n)));
  else
    for (const [key, isHeld] of Object.entries(wanted)) {
      check(key, pointerToken(key));
      if (isHeld) after.add(key);
      else after.delete(key);
    }
  return [...after].sort();
}

/** The administrator's role always has all permissions. @throws invalid_state for a change of them */
export function adminRights({ permissions, types }: RightsPatch): Pick<Partial<Rights>, 'permissions'> {
  const isSame =
    (permissions === undefined || isDeepStrictEqual(permissions, [EVERYTHING])) &&
    (types === undefined || types === null || Object.keys(types).length === 0);
  if (isSame) return permissions === undefined ? {} : { permissions: [EVERYTHING] };
  throw problem('invalid_state', { detail: 'The administrator role has all permissions and cannot be restricted.' });
}

/** One entry per card type whose rules differ. */
export function changesOfRules(before: TypeRules, after: TypeRules): FieldChange[] {
  const of = (rules: TypeRules, type: string) => (Object.hasOwn(rules, type) ? rules[type]! : null);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .map((type) => ({ field: `types.${type}`, old: of(before, type), new: of(after, type) }))
    .filter((change) => !isDeepStrictEqual(change.old, change.new));
}
