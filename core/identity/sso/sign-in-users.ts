import { uuidv7 } from '../../foundation/ids.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Log } from '../../foundation/log.js';
import type { RbacService, RoleGrantPolicy } from '../rbac/index.js';
import type { SsoAccounts } from '../users/index.js';
import { mappedRole } from './claims.js';
import { insertIdentity, lockIdentity, markIdentity } from './identities-repository.js';
import { SsoRefusal, type Claimed, type SsoPolicy, type SsoProvider } from './provider.js';

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
    const known = await lockIdentity(uow, claimed.issuer, claimed.subject);
    const roles = await this.rbac.grantPolicy(uow);
    const role = this.roleOf(roles, claimed, provider);
    if (!known) return await this.create(uow, claimed, provider, role ?? this.jitRole(roles));
    const { isActive, keptRole } = await this.accounts.enter(uow, known.user_id, role);
    if (!isActive) throw new SsoRefusal('account_disabled');
    if (keptRole === true)
      this.log.warn({ user_id: known.user_id, role }, 'the last administrator keeps the role, whatever the groups are');
    await markIdentity(uow, known.id, provider.id);
    return known.id;
  }

  private async create(uow: UnitOfWork, claimed: Claimed, provider: SsoProvider, role: string): Promise<string> {
    if (!this.policy.current.jit.enabled) throw new SsoRefusal('no_account');
    const userId = await this.accounts.create(uow, { email: claimed.email, display_name: claimed.name, role });
    const id = uuidv7();
    const { issuer, subject } = claimed;
    await insertIdentity(uow, { id, user_id: userId, issuer, subject, provider: provider.id, created_by: null });
    uow.emit({
      type: 'user.identity_linked',
      subject: { kind: 'user', id: userId, name: claimed.name },
      data: { identity_id: id, issuer, identity_subject: subject },
    });
    await markIdentity(uow, id, provider.id);
    return id;
  }

  /** @returns undefined where groups do not determine the role */
  private roleOf(roles: RoleGrantPolicy, { groups }: Claimed, provider: SsoProvider): string | undefined {
    if (groups === undefined) return undefined;
    const mapped = mappedRole(groups, provider);
    if (mapped === undefined && provider.unmapped === 'refuse') throw new SsoRefusal('no_mapped_group');
    if (mapped === undefined) return this.jitRole(roles);
    // An archived role: one of a later entry may have more permissions, so none is guessed.
    if (!roles.isGivable(mapped)) throw new SsoRefusal('role_not_givable', mapped);
    return mapped;
  }

  private jitRole(roles: RoleGrantPolicy): string {
    const { role } = this.policy.current.jit;
    if (role === null) return roles.defaultRole;
    if (!roles.isGivable(role)) throw new SsoRefusal('role_not_givable', role);
    return role;
  }
}
