import type { PermissionSet } from '@lintel/sdk';
import { COSTS } from '../access/index.js';
import { problem } from '../../foundation/errors.js';
import {
  ensureMayGive,
  missingGrant,
  ungiven,
  type Grant,
  type PermissionCatalogue,
} from '../../identity/rbac/index.js';
import type { Metamodel } from './metamodel.js';
import { fieldsOf } from './breaking-changes.js';
import type { CardTypeDefinition, FieldDefinition, RelationTypeDefinition, StakeholderRole } from './types.js';

type Keys = Pick<PermissionCatalogue, 'hasOnCards' | 'applicationOf'>;
/** A metamodel before and after a change. */
interface Step {
  before: Metamodel;
  after: Metamodel;
}

/** The grants that one role has in the second definition and not in the first. */
function* more(
  from: { role: StakeholderRole | undefined; in: Metamodel },
  to: { role: StakeholderRole; in: Metamodel },
  type: string,
): Generator<Grant> {
  const had = new Set(
    from.role ? from.in.grantsOf(from.role, type).map(({ key, cardType }) => `${key} ${cardType}`) : [],
  );
  for (const grant of to.in.grantsOf(to.role, type)) if (!had.has(`${grant.key} ${grant.cardType}`)) yield grant;
}

/**
 * Requires that a user who changes a card type has everything that its stakeholder roles grant additionally or no
 * longer after the change: a permission, its inheritance, or cards of another type below. The grants of a removed role
 * need no check, because no user holds such a role. An API token cannot add grants.
 * @throws forbidden, session_required
 */
export function ensureGrants(giver: PermissionSet, keys: Keys, { before, after }: Step): void {
  for (const [type, { definition }] of after.types) {
    const was = before.types.get(type)?.definition;
    const inherits =
      definition.stakeholder_roles.some((r) => r.inherited === true) ||
      was?.stakeholder_roles.some((r) => r.inherited === true);
    // Without an inherited role the grants of an unchanged type cannot change.
    if (was === definition && !inherits) continue;
    for (const role of definition.stakeholder_roles) {
      const old = was?.stakeholder_roles.find(({ key }) => key === role.key);
      const [from, to] = [
        { role: old, in: before },
        { role, in: after },
      ];
      const added = [...more(from, to, type)];
      const missing =
        missingGrant(giver, added, keys) ??
        (old && missingGrant(giver, more(to, { role: old, in: before }, type), keys));
      if (missing) throw ungiven(`${role.key} of ${type}`, missing, keys);
      if (added.length > 0) ensureMayGive(giver);
    }
  }
}

const costsOf = (fields: readonly FieldDefinition[]): string[] =>
  fields.filter((f) => f.kind === 'cost').map((f) => f.key);

/** Fields that are a cost before a change and not after it. */
const opened = (before: readonly FieldDefinition[], after: readonly FieldDefinition[]): string[] => {
  const still = new Set(costsOf(after));
  return costsOf(before).filter((key) => !still.has(key));
};

function ensureCosts(giver: PermissionSet, fields: readonly string[], types: Iterable<string>): void {
  if (fields.length === 0) return;
  const closed = [...types].find((type) => !giver.has(COSTS, type));
  if (closed === undefined) {
    ensureMayGive(giver);
    return;
  }
  throw problem('forbidden', {
    detail: `${fields.slice(0, 10).join(', ')} would no longer be a cost. This requires permission to see the costs of ${closed}.`,
    required_permission: COSTS,
  });
}

/**
 * Requires that a user who changes the kind of a cost field of a card type, or removes it, may see the costs of the
 * type. An API token cannot do so: readers would still see them after it has ended.
 * @param after undefined where the type is deleted
 * @throws forbidden, session_required
 */
export function ensureCardCosts(
  giver: PermissionSet,
  before: CardTypeDefinition,
  after: CardTypeDefinition | undefined,
): void {
  ensureCosts(giver, opened(fieldsOf(before), after ? fieldsOf(after) : []), [before.key]);
}

/** The same for a relation type, for all card types at its ends. @throws forbidden, session_required */
export function ensureRelationCosts(
  giver: PermissionSet,
  before: RelationTypeDefinition,
  after: RelationTypeDefinition | undefined,
  cardTypes: Iterable<string>,
): void {
  const ends = new Set([before.source_type, before.target_type]);
  ensureCosts(giver, opened(before.fields, after?.fields ?? []), ends.has('*') ? cardTypes : ends);
}
