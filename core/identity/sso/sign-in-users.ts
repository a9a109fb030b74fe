import { uuidv7 } from '../../foundation/ids.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Log } from '../../foundation/log.js';
import type { RbacService, RoleGrantPolicy } from '../rbac/index.js';
import type { SsoAccounts } from '../users/index.js';
import { mappedRole } from './claims.js';
import { insertIdentity, lockIdentity, markIdentity } from './identities-repository.js';
import { SsoRefusal, type Claimed, type SignInRules, type SsoPolicy, type SsoProvider } from './provider.js';

/** The accounts of identities: found by issuer and `sub`, created at the first sign-in, never found by e-mail address. */
export class SignInUsers {
  constructor(
    private readonly rbac: RbacService,
    private readonly accounts: SsoAccounts,
    private readonly policy: SsoPolicy,
    private readonly log: Log,
  ) {}

  /**
   * The identity of a sign-in, with an account that may sign in and has the role of its groups.
   * @returns id of the identity
   * @throws SsoRefusal, email_taken for a first sign-in with the e-mail address of another account
   */
  async enter(uow: UnitOfWork, claimed: Claimed, provider: SsoProvider): Promise<string> {
    const rules = await this.policy.lockRules(uow, provider.id);
    const groups = groupsUnder(rules, claimed, provider);
    const known = await lockIdentity(uow, claimed.issuer, claimed.subject);
    const roles = await this.rbac.grantPolicy(uow);
    const role = roleOf(roles, groups, rules);
    if (!known) {
      if (!rules.jit.enabled) throw new SsoRefusal('no_account');
      return await this.create(uow, { ...claimed, groups }, provider, role ?? jitRole(roles, rules));
    }
    const { isActive, keptRole } = await this.accounts.enter(uow, known.user_id, role);
    if (!isActive) throw new SsoRefusal('account_disabled');
    if (keptRole === true)
      this.log.warn({ user_id: known.user_id, role }, 'the last administrator keeps the role, whatever the groups are');
    await markIdentity(uow, known.id, provider.id, groups);
    return known.id;
  }

  private async create(uow: UnitOfWork, claimed: Claimed, provider: SsoProvider, role: string): Promise<string> {
    const userId = await this.accounts.create(uow, { email: claimed.email, display_name: claimed.name, role });
    const id = uuidv7();
    const { issuer, subject } = claimed;
    await insertIdentity(uow, { id, user_id: userId, issuer, subject, provider: provider.id, created_by: null });
    uow.emit({
      type: 'user.identity_linked',
      subject: { kind: 'user', id: userId, name: claimed.name },
      data: { identity_id: id, issuer, identity_subject: subject },
    });
    await markIdentity(uow, id, provider.id, claimed.groups);
    return id;
  }
}

/**
 * The groups of a sign-in that determine the role.
 * @returns undefined where groups do not determine it
 * @throws SsoRefusal where the settings have changed since the claims were read, so that the groups are not known
 */
function groupsUnder(
  { provider: current }: SignInRules,
  { groups }: Claimed,
  { issuer, groups_claim }: SsoProvider,
): readonly string[] | undefined {
  const isSame = current?.issuer === issuer && current.groups_claim === groups_claim;
  if (!isSame) throw new SsoRefusal('provider_changed');
  if (current.role_map.length === 0) return undefined;
  if (groups === undefined) throw new SsoRefusal('provider_changed');
  return groups;
}

/** @returns undefined where groups do not determine the role */
function roleOf(roles: RoleGrantPolicy, groups: readonly string[] | undefined, rules: SignInRules): string | undefined {
  if (groups === undefined) return undefined;
  const { unmapped } = rules.provider!;
  const mapped = mappedRole(groups, rules.provider!);
  if (mapped === undefined && unmapped === 'refuse') throw new SsoRefusal('no_mapped_group');
  if (mapped === undefined) return jitRole(roles, rules);
  // An archived role: one of a later entry may have more permissions, so none is guessed.
  if (!roles.isGivable(mapped)) throw new SsoRefusal('role_not_givable', mapped);
  return mapped;
}

function jitRole(roles: RoleGrantPolicy, { jit: { role } }: SignInRules): string {
  if (role === null) return roles.defaultRole;
  if (!roles.isGivable(role)) throw new SsoRefusal('role_not_givable', role);
  return role;
}
