import { problem } from '../../foundation/errors.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { ADMIN } from '../rbac/index.js';
import { endSessions, endTokens } from './endings.js';
import type { User } from './model.js';
import { changeUser, findUser, lockAdmins, lockUser, setRoles, type UserChanges } from './repository.js';
import type { UserService } from './service.js';

/** What a group map decides about an account. */
export interface RoleDecision {
  id: string;
  display_name: string;
  /** The role until now. */
  old: string;
  /** Null: it must not sign in. */
  role: string | null;
}

/** Changes of accounts by single sign-on, within larger units of work. What a role may be is decided by the caller. */
export class SsoAccounts {
  constructor(private readonly users: UserService) {}

  /** Creates an account without a password. @returns the id @throws email_taken */
  async create(uow: UnitOfWork, account: Pick<User, 'email' | 'display_name' | 'role'>): Promise<string> {
    return await this.users.insert(
      uow,
      { ...account, kind: 'person', locale: null, password_hash: null, auth_provider: 'sso' },
      'user.created',
    );
  }

  /**
   * Locks the active account that signs in, and gives it the role of its groups.
   * @param role undefined: unchanged
   * @returns whether it is active; `keptRole` where it is the last administrator, who keeps the role
   */
  async enter(
    uow: UnitOfWork,
    id: string,
    role: string | undefined,
  ): Promise<{ isActive: boolean; keptRole?: boolean }> {
    // In the order of other changes of administrators: their rows first, then the user.
    const before = await findUser(uow, id);
    const admins = role !== undefined && role !== ADMIN && before?.role === ADMIN ? await lockAdmins(uow) : undefined;
    const user = await lockUser(await uow.knex(), id);
    if (!user?.is_active) return { isActive: false };
    if (role === undefined || user.role === role) return { isActive: true };
    // Made an administrator in the meantime: the next sign-in gives the role of the groups.
    if (user.role === ADMIN && (admins === undefined || admins.every((admin) => admin === id)))
      return { isActive: true, keptRole: true };
    await this.change(uow, user, { role });
    return { isActive: true };
  }

  /**
   * Gives accounts the roles of a changed group map, and ends the sessions and API tokens of those that must not sign in any more.
   * @param decisions about accounts that the unit of work has locked
   */
  async decide(uow: UnitOfWork, decisions: readonly RoleDecision[]): Promise<void> {
    const given = decisions.filter((decision) => decision.role !== null);
    const refused = decisions.filter(({ role }) => role === null).map(({ id }) => id);
    if (given.length > 0) {
      await setRoles(
        uow,
        given.map(({ id }) => id),
        given.map(({ role }) => role!),
      );
      for (const { id, display_name: name, old, role } of given)
        uow.emit({
          type: 'user.updated',
          subject: { kind: 'user', id, name },
          data: { changes: [{ field: 'role', old, new: role }] },
        });
    }
    if (refused.length > 0) {
      await endSessions(uow, refused, 'group_map_changed');
      await endTokens(uow, refused, 'group_map_changed');
    }
    if (decisions.length > 0) uow.bump('sessions');
  }

  /** From now on the account signs in only by single sign-on: its password is removed, and its sessions end. */
  async attach(uow: UnitOfWork, user: User): Promise<void> {
    if (user.auth_provider !== 'sso' || user.password_hash !== null)
      await this.change(uow, user, {
        auth_provider: 'sso',
        ...(user.password_hash !== null && { password_hash: null }),
      });
    await endSessions(uow, [user.id], 'identity_linked');
    uow.bump('sessions');
  }

  /**
   * Ends the sessions of an account that lost an identity; without any other one it is a local account without a password, whose
   * API tokens end too, because the user cannot sign in to revoke them.
   * @throws last_admin where no administrator could sign in any more
   */
  async detach(uow: UnitOfWork, user: User, admins: readonly string[], isLast: boolean): Promise<void> {
    if (isLast) {
      if (admins.length === 1 && admins[0] === user.id) throw problem('last_admin');
      await this.change(uow, user, { auth_provider: 'local' });
      await endTokens(uow, [user.id], 'identity_unlinked');
    }
    await endSessions(uow, [user.id], 'identity_unlinked');
    uow.bump('sessions');
  }

  /** Ids of the active administrators, locked; before the account that may be one of them is locked. */
  async lockAdmins(uow: UnitOfWork): Promise<string[]> {
    return await lockAdmins(uow);
  }

  private async change(
    uow: UnitOfWork,
    user: User,
    wanted: Pick<UserChanges, 'role' | 'auth_provider' | 'password_hash'>,
  ): Promise<void> {
    const fields = (['role', 'auth_provider'] as const).filter(
      (field) => wanted[field] !== undefined && wanted[field] !== user[field],
    );
    await changeUser(await uow.knex(), user.id, wanted);
    uow.emit({
      type: 'user.updated',
      subject: { kind: 'user', id: user.id, name: user.display_name },
      data: {
        changes: fields.map((field) => ({ field, old: user[field], new: wanted[field] })),
        ...(wanted.password_hash === null && { password_changed: true }),
      },
    });
    uow.bump('sessions');
  }
}
