import type { ActorToken, PermissionSet, RequestContext } from '@lintel/sdk';
import { seesCards } from '../../access/index.js';
import { mayUseOnCards, type PermissionCatalogue, type RbacService } from '../../../identity/rbac/index.js';
import type { HeldRole } from './permissions-repository.js';

/** What decided: the role, its rule for the card type, a stakeholder role, the API token, the account; or no rule. */
export const DECIDING = ['role', 'type_rule', 'stakeholder_role', 'api_token', 'account', 'none'] as const;

/** Whether a user has a permission, and the rule that decides it, in words. */
export interface Verdict {
  allowed: boolean;
  because: string;
  by: (typeof DECIDING)[number];
}

/** The user whose permissions are explained. */
export interface Subject {
  role: string;
  /** As restricted by the API token. */
  permissions: PermissionSet;
  token?: ActorToken | undefined;
}

/** The rules by which roles grant and deny permissions, in words. */
export class Reasons {
  constructor(
    private readonly rbac: RbacService,
    private readonly catalogue: PermissionCatalogue,
  ) {}

  /** @param cardType for permissions that a role can grant or deny per card type */
  ofRole({ role, permissions, token }: Subject, permission: string, cardType?: string): Verdict {
    const held = this.rbac.permissionsOf(role);
    const rules = this.rbac.typeRulesOf(role);
    const rule =
      cardType !== undefined && Object.hasOwn(rules, cardType) && Object.hasOwn(rules[cardType]!, permission);
    const on = rule && held.has(permission) !== held.has(permission, cardType) ? ` on ${cardType}` : '';
    const by = rule ? ('type_rule' as const) : ('role' as const);
    if (!held.has(permission, cardType))
      return { allowed: false, because: `role ${role} does not grant ${permission}${on}`, by: rule ? by : 'none' };
    if (!permissions.has(permission, cardType))
      return {
        allowed: false,
        because: `the API token “${token?.name ?? ''}” does not include ${permission}`,
        by: 'api_token',
      };
    return { allowed: true, because: `role ${role} grants ${permission}${on}`, by };
  }

  /**
   * @param key a permission that stakeholder roles grant, such as `card.edit`
   * @param reader who reads the explanation: a card above is named only if it is visible to the reader
   * @param held the stakeholder roles of the subject on the card and above it
   */
  onCard(
    subject: Subject,
    key: string,
    cardType: string,
    reader: Pick<RequestContext, 'permissions'>,
    held: readonly HeldRole[],
  ): Verdict {
    const permission = this.catalogue.applicationOf(key);
    const byRole = permission === undefined ? undefined : this.ofRole(subject, permission, cardType);
    if (byRole?.allowed) return byRole;
    const stake = held.find(({ type, role, is_above }) => this.rbac.grantedBy(type, [role], is_above).has(key));
    if (stake && !mayUseOnCards(subject.permissions, key))
      return {
        allowed: false,
        because: `the API token “${subject.token?.name ?? ''}” includes neither ${key} nor ${permission ?? '*'}`,
        by: 'api_token',
      };
    if (stake)
      return {
        allowed: true,
        because: `stakeholder role ${stake.role}${whereHeld(reader, stake)} grants ${key}`,
        by: 'stakeholder_role',
      };
    const nor = `no stakeholder role grants ${key}`;
    return byRole
      ? { ...byRole, because: `${byRole.because}, and ${nor}` }
      : { allowed: false, because: nor, by: 'none' };
  }
}

/** Names a card above only if the reader may see it. */
function whereHeld({ permissions }: Pick<RequestContext, 'permissions'>, { type, name, is_above }: HeldRole): string {
  if (!is_above) return '';
  return seesCards(permissions, type) ? ` on ${type} “${name}” above` : ' on a card above';
}
