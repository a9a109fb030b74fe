import { isDeepStrictEqual } from 'node:util';
import type { PermissionSet } from '@lintel/sdk';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { problem } from '../../foundation/errors.js';
import type { Log } from '../../foundation/log.js';
import { ADMIN, type RoleGrantPolicy } from '../rbac/index.js';
import type { RoleDecision, SsoAccounts } from '../users/index.js';
import { decideRoles, forgetGroups } from './identities-repository.js';

/** How the groups of a provider determine roles. */
export interface GroupRules {
  /** The claim with the groups. */
  claim: string;
  /** In the order of the map; null: the role cannot be given, so that the sign-in is refused. */
  map: readonly { group: string; role: string | null }[];
  /** Of users without a group of the map; null: the sign-in is refused. */
  others: string | null;
}
/** Rules of the providers that have a map, by issuer. */
export type RulesByIssuer = ReadonlyMap<string, GroupRules>;

/** Applies a changed group map to the accounts of the provider, without waiting for their next sign-ins. */
export class GroupRoles {
  constructor(
    private readonly accounts: SsoAccounts,
    private readonly log: Log,
  ) {}

  /**
   * Decides about every active account as a sign-in would, by the groups that were named at the last sign-in that named any:
   * gives it the role of the new rules, or ends its sessions and API tokens where a sign-in would be refused. Of a provider
   * without a map, and of another claim, the groups are not known, and are deleted. The number of statements is constant.
   * @param uow has locked the settings, so that no sign-in runs meanwhile
   * @param giver permissions of the caller
   * @throws forbidden where an account has permissions that the caller does not have; last_admin where no administrator
   *   would remain, and the caller is none
   */
  async follow(
    uow: UnitOfWork,
    roles: RoleGrantPolicy,
    giver: PermissionSet,
    before: RulesByIssuer,
    after: RulesByIssuer,
  ): Promise<void> {
    const unknown = [...before].filter(([issuer, { claim }]) => after.get(issuer)?.claim !== claim);
    if (unknown.length > 0)
      await forgetGroups(
        uow,
        unknown.map(([issuer]) => issuer),
      );
    const changed = [...after].filter(([issuer, rules]) => {
      const earlier = before.get(issuer);
      return earlier?.claim === rules.claim && !isDeepStrictEqual(earlier, rules);
    });
    if (changed.length === 0) return;
    const admins = await this.accounts.lockAdmins(uow);
    const decisions = this.keepingAnAdmin(uow, admins, await decideRoles(uow, new Map(changed)));
    for (const role of new Set(decisions.map(({ old }) => old))) roles.ensureWithin(giver, role);
    await this.accounts.decide(uow, decisions);
  }

  /** Without any other active administrator, the caller keeps the role. */
  private keepingAnAdmin({ ctx }: UnitOfWork, admins: readonly string[], all: RoleDecision[]): RoleDecision[] {
    const leaving = new Set(all.filter(({ old }) => old === ADMIN).map(({ id }) => id));
    const remain = admins.some((id) => !leaving.has(id)) || all.some(({ role }) => role === ADMIN);
    if (remain || leaving.size === 0) return all;
    const id = ctx.actor?.id;
    if (id === undefined || !leaving.has(id)) throw problem('last_admin');
    this.log.warn({ user_id: id }, 'the last administrator keeps the role, whatever the groups are');
    return all.filter((decision) => decision.id !== id);
  }
}
