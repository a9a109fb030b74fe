import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Identity } from '../identity.js';
import { TokenRights, type RbacService } from '../rbac/index.js';
import type { UserService } from '../users/index.js';
import { findToken } from './repository.js';

/** Users on whose behalf something runs without a request, such as a job. */
export class ActingUsers {
  constructor(
    private readonly db: Database,
    private readonly users: UserService,
    private readonly rbac: RbacService,
  ) {}

  /**
   * A user with current permissions.
   * @param tokenId the API token by which the user requested it: it has no more permissions than that
   * @param uow reads in this transaction; without one, the committed state
   * @returns undefined where the account does not exist or is not active, or the token has ended
   */
  async find(
    userId: string,
    tokenId: string | null,
    uow?: UnitOfWork,
  ): Promise<Pick<Identity, 'actor' | 'permissions'> | undefined> {
    const user = await this.users.acting(userId, uow);
    if (!user || tokenId === null) return user;
    const token = await findToken(uow ?? this.db, tokenId, userId);
    return (
      token && {
        actor: { ...user.actor, token: { id: token.id, name: token.name } },
        permissions: this.rbac.restrictedPermissionsOf(user.actor.role, new TokenRights(token.permissions)),
      }
    );
  }
}
