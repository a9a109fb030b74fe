import type { RequestContext } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import type { Page } from '../../foundation/db/list-query.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { invalid, problem } from '../../foundation/errors.js';
import { uuidv7 } from '../../foundation/ids.js';
import { giverOf, type RbacService } from '../rbac/index.js';
import type { SsoAccounts, UserService } from '../users/index.js';
import {
  countIdentities,
  deleteIdentity,
  insertIdentity,
  listIdentities,
  lockIdentity,
  type IdentityRow,
} from './identities-repository.js';
import type { SsoPolicy } from './provider.js';
import type { IdentityCreate, IdentityQuery, IdentityView } from './schemas.js';

/** Maximum number of identities per user. */
const MOST_IDENTITIES = 20;

const view = ({ created_at, last_login_at, ...row }: IdentityRow): IdentityView => ({
  id: row.id,
  user_id: row.user_id,
  issuer: row.issuer,
  subject: row.subject,
  provider: row.provider,
  created_by: row.created_by,
  created_at: created_at.toISOString(),
  last_login_at: last_login_at?.toISOString() ?? null,
});

/** The identities of users at providers of single sign-on, which administrators link and unlink. */
export class IdentityService {
  /** @param policy settings of single sign-on */
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly rbac: RbacService,
    private readonly users: UserService,
    private readonly accounts: SsoAccounts,
    private readonly policy: SsoPolicy & { isProtected(uow: UnitOfWork, id: string): Promise<boolean> },
  ) {}

  /** @throws not_found where the user does not exist */
  async list(userId: string, query: IdentityQuery): Promise<Page<IdentityView>> {
    await this.users.get(userId);
    const page = await listIdentities(this.db, userId, query);
    return { ...page, items: page.items.map(view) };
  }

  /**
   * From now on, the identity signs in as the user, whose password is removed and whose sessions end.
   * @throws not_found; validation_failed for an issuer of no provider; identity_taken; limit_reached; invalid_state for a service
   *   account and for the break-glass administrator; forbidden where the account has, or could get by
   *   groups of the provider, permissions that the caller does not have
   */
  async link(ctx: RequestContext, userId: string, { issuer, subject }: IdentityCreate): Promise<IdentityView> {
    const provider = this.policy.issuers.get(issuer);
    if (provider === undefined)
      throw invalid({ field: '/issuer', reason: 'is the issuer of no provider in the settings' });
    return await this.transactions.run(ctx, async (uow) => {
      const isProtected = await this.policy.isProtected(uow, userId);
      const known = await lockIdentity(uow, issuer, subject);
      const roles = await this.rbac.grantPolicy(uow);
      const user = await this.users.lock(uow, userId);
      const giver = await giverOf(uow);
      roles.ensureWithin(giver, user.role);
      // Of two identities of one account, the groups of one would give a role to sessions that the other has begun.
      for (const role of await this.policy.rolesByGroups(uow, provider))
        roles.ensureWithin(giver, role ?? roles.defaultRole);
      await this.rbac.ensureWithinStakeholderRoles(uow, giver, userId);
      if (user.kind === 'service')
        throw problem('invalid_state', { detail: 'A service account does not use single sign-on.' });
      if (isProtected)
        throw problem('invalid_state', {
          detail: 'The account is the one administrator with a password while single sign-on is enforced.',
        });
      if (known) throw problem('identity_taken');
      if ((await countIdentities(uow, userId)) >= MOST_IDENTITIES)
        throw problem('limit_reached', {
          detail: `A user has at most ${MOST_IDENTITIES} identities.`,
          limit: MOST_IDENTITIES,
        });
      const id = uuidv7();
      const row = { id, user_id: userId, issuer, subject, provider, created_by: ctx.actor?.id ?? null };
      await insertIdentity(uow, row);
      await this.accounts.attach(uow, user);
      uow.emit({
        type: 'user.identity_linked',
        subject: { kind: 'user', id: userId, name: user.display_name },
        data: { identity_id: id, issuer, identity_subject: subject },
      });
      return view({ ...row, created_at: new Date(), last_login_at: null });
    });
  }

  /**
   * Ends the sign-ins of an identity, and the sessions of its user.
   * @throws not_found; last_admin where no administrator could sign in any more; forbidden as for `link`
   */
  async unlink(ctx: RequestContext, userId: string, id: string): Promise<void> {
    await this.transactions.run(ctx, async (uow) => {
      const roles = await this.rbac.grantPolicy(uow);
      const admins = await this.accounts.lockAdmins(uow);
      const user = await this.users.lock(uow, userId);
      roles.ensureWithin(await giverOf(uow), user.role);
      const gone = await deleteIdentity(uow, id, userId);
      if (!gone) throw problem('not_found');
      await this.accounts.detach(uow, user, admins, (await countIdentities(uow, userId)) === 0);
      uow.emit({
        type: 'user.identity_unlinked',
        subject: { kind: 'user', id: userId, name: user.display_name },
        data: { identity_id: id, issuer: gone.issuer, identity_subject: gone.subject },
      });
    });
  }
}
