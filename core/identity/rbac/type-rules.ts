import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { FieldError } from '../../foundation/errors.js';
import { PER_TYPE } from './core-permissions.js';
import { dropRulesOf, lockRoles, type StoredRole } from './repository.js';

export type TypeRules = StoredRole['types'];
/** As a body has them: null takes a rule, or all of a type's, away. */
export type TypeRulesPatch = Record<string, Record<string, boolean | null> | null> | null;

/** Rules of one role. */
const MAX_RULES = 2_000;
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * The rules of a role per card type after a merge patch.
 * @param types keys of the card types there are; a rule for one that is gone may only be taken away
 * @param errors gets every fault, told by its place in the body
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
    if (sets && !types.has(type)) errors.push({ field: `/types/${escaped(type)}`, reason: 'names no card type' });
    for (const [key, rule] of Object.entries(rules ?? {})) {
      if (rule === null) merged.delete(key);
      else if (PER_TYPE.has(key)) merged.set(key, rule);
      else
        errors.push({
          field: `/types/${escaped(type)}/${escaped(key)}`,
          reason: 'is no permission that is judged by the type of a card',
        });
    }
    if (merged.size > 0) after.set(type, Object.fromEntries(merged));
    else after.delete(type);
  }
  const count = [...after.values()].reduce((sum, rules) => sum + Object.keys(rules).length, 0);
  if (count > MAX_RULES) errors.push({ field: '/types', reason: `must not leave more than ${MAX_RULES} rules` });
  return Object.fromEntries(after);
}

/** Takes what roles say of a card type that is deleted out of them: a type of the same key that comes later is another one. */
export async function dropTypeRules(uow: UnitOfWork, cardType: string): Promise<void> {
  await lockRoles(uow);
  for (const { key, label, rules } of await dropRulesOf(uow, cardType)) {
    uow.emit({
      type: 'role.updated',
      subject: { kind: 'role', id: key, name: label },
      data: { changes: [{ field: `types.${cardType}`, old: rules, new: null }] },
    });
    uow.bump('permissions');
  }
}
