import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { FieldError } from '../../foundation/errors.js';
import { pointerToken } from '../../foundation/json-pointer.js';
import { PER_TYPE } from './core-permissions.js';
import { dropRulesOf, lockRoles, type StoredRole } from './repository.js';
import { ensureMayGive } from './role-grant-policy.js';

export type TypeRules = StoredRole['types'];
/** As in a request body: null removes one rule, or all rules of a type. */
export type TypeRulesPatch = Record<string, Record<string, boolean | null> | null> | null;

/** Maximum number of rules per role. */
const MAX_RULES = 2_000;

/**
 * The rules of a role per card type after a merge patch.
 * @param types keys of the existing card types; a rule for a deleted type can only be removed
 * @param errors receives every error, by its position in the body
 */
export function mergedRules(
  before: TypeRules,
  patch: TypeRulesPatch,
  types: ReadonlySet<string>,
  errors: Omit<FieldError, 'in'>[],
): TypeRules {
  const after = new Map(patch === null ? [] : Object.entries(before));
  for (const [type, rules] of Object.entries(patch ?? {})) {
    const merged = new Map(rules === null ? [] : Object.entries(after.get(type) ?? {}));
    const sets = Object.values(rules ?? {}).some((rule) => rule !== null);
    if (sets && !types.has(type)) errors.push({ field: `/types/${pointerToken(type)}`, reason: 'names no card type' });
    for (const [key, rule] of Object.entries(rules ?? {})) {
      if (rule === null) merged.delete(key);
      else if (PER_TYPE.has(key)) merged.set(key, rule);
      else
        errors.push({
          field: `/types/${pointerToken(type)}/${pointerToken(key)}`,
          reason: 'is not a permission that can depend on the card type',
        });
    }
    if (merged.size > 0) after.set(type, Object.fromEntries(merged));
    else after.delete(type);
  }
  const count = [...after.values()].reduce((sum, rules) => sum + Object.keys(rules).length, 0);
  if (count > MAX_RULES) errors.push({ field: '/types', reason: `must not leave more than ${MAX_RULES} rules` });
  return Object.fromEntries(after);
}

/**
 * Removes the rules for a deleted card type from all roles, so that they do not apply to a later type with the same
 * key: a role then has the permissions on such a type that it has on all types.
 * @throws 403 `session_required` for an API token where a role has rules for the type
 */
export async function dropTypeRules(uow: UnitOfWork, cardType: string): Promise<void> {
  await lockRoles(uow);
  for (const { key, label, rules } of await dropRulesOf(uow, cardType)) {
    ensureMayGive(uow.ctx.permissions);
    uow.emit({
      type: 'role.updated',
      subject: { kind: 'role', id: key, name: label },
      data: { changes: [{ field: `types.${cardType}`, old: rules, new: null }] },
    });
    uow.bump('permissions');
  }
}
