import type { PermissionSet } from '@lintel/sdk';
import { problem, type Problem } from '../../foundation/errors.js';
import type { PermissionCatalogue } from './catalogue.js';

/** A permission that a stakeholder role grants on cards of one type. */
export interface Grant {
  /** Such as `card.edit`. */
  key: string;
  cardType: string;
}

type Keys = Pick<PermissionCatalogue, 'hasOnCards' | 'applicationOf'>;

/**
 * The first grant that the giver may not pass on because the giver lacks the corresponding application permission for
 * the type of the card. A key that no module declares grants nothing and is ignored.
 * @param held whether the giver has it by other means
 */
export function missingGrant(
  permissions: PermissionSet,
  grants: Iterable<Grant>,
  keys: Keys,
  held: (grant: Grant) => boolean = () => false,
): Grant | undefined {
  for (const grant of grants) {
    if (!keys.hasOnCards(grant.key) || held(grant)) continue;
    // Without a corresponding application permission the key itself is checked, which only roles with all permissions
    // have.
    if (!permissions.has(keys.applicationOf(grant.key) ?? grant.key, grant.cardType)) return grant;
  }
  return undefined;
}

/**
 * The problem for granting or revoking a permission that the caller does not have. @param role text for the response,
 * such as `responsible of Application`
 */
export function ungiven(role: string, { key, cardType }: Grant, keys: Keys): Problem {
  const permission = keys.applicationOf(key);
  return problem('forbidden', {
    detail: `The stakeholder role ${role} grants ${key} on cards of the type ${cardType}, which you may not hand out or take away, not having it.`,
    required_permission: permission ?? key,
    or_card_permission: key,
  });
}
