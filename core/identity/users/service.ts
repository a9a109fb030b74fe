import { isDeepStrictEqual } from 'node:util';
import type { PermissionSet, RequestContext, UserRef } from '@lintel/sdk';
import { ensureSession, type Identity } from '../identity.js';
import type { LoginAttempts, PasswordHasher } from '../passwords/index.js';
import { checkVersion, differing } from '../../foundation/conditions.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { invalid, problem } from '../../foundation/errors.js';
import type { Page } from '../../foundation/db/list-query.js';
import { isUuid, uuidv7 } from '../../foundation/ids.js';
import { ADMIN, ensureMayGive, giverOf, type RbacService, type RoleGrantPolicy } from '../rbac/index.js';
import { nameKey } from '../../foundation/text.js';
import {
  changeUser,
  deleteUser,
  findUser,
  insertUser,
  listDirectory,
  listUsers,
  lockAdmins,
  lockUser,
  readReceivers,
  readServiceAccounts,
  readUserRefs,
  readUsersOfRoles,
  type NewUser,
  type UserChanges,
} from './repository.js';
import { endSessions, endTokens } from './endings.js';
import type { User } from './model.js';
import type { DirectoryQuery, UserCreate, UserPatch, UserQuery, UserView } from './schemas.js';
import { receiverOf, viewUser } from './views.js';

/** Called inside the transaction that deletes a user, so that features can remove their references to the user. */
type UserDeletionHook = (uow: UnitOfWork, user: User) => Promise<void>;

/** Whether an account must stay an active administrator. */
type ProtectionHook = (uow: UnitOfWork, id: string) => Promise<boolean>;

/** Accounts of people and services. */
export class UserService {
  private readonly deletionHooks: UserDeletionHook[] = [];
  private isProtected: ProtectionHook = async () => false;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly rbac: RbacService,
    private readonly hasher: PasswordHasher,
    private readonly attempts: LoginAttempts,
  ) {}

  /** Registers a function to run inside the transaction that deletes an account. */
  beforeDelete(hook: UserDeletionHook): void {
    this.deletionHooks.push(hook);
  }

  /**
   * Registers a function that says whether an account must stay an active administrator. It runs at the beginning of the
   * transaction of a change that may end this, and locks what its result depends on.
   */
  protect(isProtected: ProtectionHook): void {
    this.isProtected = isProtected;
  }

  async list(query: UserQuery): Promise<Page<UserView>> {
    const page = await listUsers(this.db, query);
    return { ...page, items: page.items.map(viewUser) };
  }

  /** The public data of these users, by id; unknown ids are omitted. */
  async refs(ids: readonly string[]): Promise<Map<string, UserRef>> {
    const known = ids.filter(isUuid);
    return known.length === 0
      ? new Map()
      : new Map((await readUserRefs(this.db, known)).map((user) => [user.id, user]));
  }

  /**
   * The active users whose role currently has a permission, by name.
   * @param admits whether the permissions of a role suffice
   */
  async holding(permission: string, admits: (permissions: PermissionSet) => boolean = () => true): Promise<UserRef[]> {
    const roles = this.rbac.rolesHolding(permission).filter((role) => admits(this.rbac.permissionsOf(role)));
    return await readUsersOfRoles(this.db, roles);
  }

  /** The active users among these as receivers of events, with current permissions; by id. */
  async identities(ids: readonly string[]): Promise<Map<string, Identity>> {
    const known = [...new Set(ids)].filter(isUuid);
    const users = known.length === 0 ? [] : await readReceivers(this.db, known);
    return new Map(users.map((user) => [user.id, receiverOf(user, this.rbac)]));
  }

  /**
   * A user on whose behalf something runs without a request, with current permissions.
   * @param uow reads in this transaction; without one, the committed state
   * @returns undefined where the account does not exist or is not active
   */
  async acting(id: string, uow?: UnitOfWork): Promise<Pick<Identity, 'actor' | 'permissions'> | undefined> {
    const [user] = await readReceivers(uow ?? this.db, [id]);
    return user && receiverOf(user, this.rbac);
  }

  /**
   * Requires that the user of the unit of work may have a service account act: one without permissions beyond their own.
   * @param field JSON pointer of the member with its id
   * @throws 422 for another account, 403 where it has permissions that the caller does not have, 403 `session_required`
   *   for an API token: the account would act for it after it has ended
   */
  async ensureRunsAs(uow: UnitOfWork, id: string, field: string): Promise<void> {
    const policy = await this.rbac.grantPolicy(uow);
    const [account] = isUuid(id) ? await readServiceAccounts(uow, [id]) : [];
    if (!account) throw invalid({ field, reason: 'names no active service account' });
    const giver = await giverOf(uow);
    policy.ensureWithin(giver, account.role);
    await this.rbac.ensureWithinStakeholderRoles(uow, giver, id);
    ensureMayGive(giver);
  }

  /** The active users by name, for every user to choose from. */
  async directory(query: DirectoryQuery): Promise<Page<{ id: string; display_name: string }>> {
    return await listDirectory(this.db, query);
  }

  /** @throws `not_found` */
  async get(id: string): Promise<User> {
    const user = await findUser(this.db, id);
    if (!user) throw problem('not_found');
    return user;
  }

  /**
   * Creates an account.
   * @returns its id
   * @throws 403 `session_required` for an API token, 422 for an invalid role or password, 409 `email_taken`, 403 where the role has permissions that the caller
   *   does not have, 503 `unavailable` where too many passwords are queued for hashing
   */
  async create(ctx: RequestContext, body: UserCreate): Promise<string> {
    ensureSession(ctx);
    await this.checkInput(body, body.email);
    const password_hash = body.password === undefined ? null : await this.hasher.hash(body.password, ctx.actor?.id);
    const { id } = await this.transactions.run(ctx, async (uow) => {
      const policy = await this.rbac.grantPolicy(uow);
      const role = body.role ?? policy.defaultRole;
      policy.ensureGivable(await giverOf(uow), role);
      const { email, display_name, kind = 'person', locale = null } = body;
      return {
        id: await this.insert(
          uow,
          { email, display_name, role, kind: kind as User['kind'], locale, password_hash },
          'user.created',
        ),
      };
    });
    return id;
  }

  /**
   * Inserts a user within a larger unit of work.
   * @param event type of the event
   * @returns the id
   */
  async insert(
    uow: UnitOfWork,
    user: Omit<NewUser, 'id' | 'email_key'>,
    event: 'user.created' | 'user.registered',
  ): Promise<string> {
    const id = uuidv7();
    const email = user.email.trim();
    const display_name = user.display_name.trim();
    await insertUser(await uow.knex(), { ...user, id, email, display_name, email_key: nameKey(email) });
    uow.emit({
      type: event,
      subject: { kind: 'user', id, name: display_name },
      data: { email, role: user.role, kind: user.kind },
    });
    return id;
  }

  /**
   * Changes an account. Deactivation and a new password end all its sessions, deactivation its API tokens too; a new role
   * applies immediately. A new password and activation also clear the failed log-ins.
   * @throws 403 `session_required` for an API token that sets role, e-mail or password or activates the account, 409 `last_admin`,
   *   412, 422, 403 where the account's role has permissions that the caller does not have, or
   *   where the account's stakeholder roles do and the change allows a log-in, 503 `unavailable` where too many
   *   passwords are queued
   */
  async update(ctx: RequestContext, id: string, patch: UserPatch): Promise<void> {
    if (patch.password !== undefined) ensureSession(ctx);
    await this.checkInput(
      patch,
      patch.email ?? (patch.password === undefined ? undefined : (await this.get(id)).email),
    );
    const hash = patch.password === undefined ? undefined : await this.hasher.hash(patch.password, ctx.actor?.id);
    const wanted = changesOf(patch);
    await this.transactions.run(ctx, async (uow) => {
      const mayEnd = patch.role !== undefined || patch.is_active !== undefined;
      const keepProtected = mayEnd ? await this.keepProtected(uow, id) : undefined;
      const policy = await this.rbac.grantPolicy(uow);
      const admins = mayEnd ? await lockAdmins(uow) : [];
      const knex = await uow.knex();
      const user = await lockUser(knex, id);
      const giver = await giverOf(uow);
      this.check(ctx, policy, giver, user, wanted);
      const changed = differing<UserChanges>(user, wanted);
      if (changed.includes('role')) policy.ensureGivable(giver, wanted.role!);
      if (hash !== undefined && user.auth_provider === 'sso')
        throw problem('invalid_state', { detail: 'The account logs in by single sign-on and has no password.' });
      if (changed.length === 0 && hash === undefined) return { id, version: user.version };
      const opens = changed.includes('email') || (changed.includes('is_active') && wanted.is_active === true);
      if (opens) ensureSession(ctx);
      if (hash !== undefined || opens) await this.rbac.ensureWithinStakeholderRoles(uow, giver, id);
      const stays = (wanted.role ?? user.role) === ADMIN && (wanted.is_active ?? user.is_active);
      if (!stays) {
        this.keepAnAdmin(admins, id);
        keepProtected?.();
      }
      const version = await changeUser(knex, id, {
        ...wanted,
        ...(wanted.email !== undefined && { email_key: nameKey(wanted.email) }),
        ...(hash !== undefined && { password_hash: hash }),
      });
      const changes = changed.map((field) => ({ field, old: user[field], new: wanted[field] }));
      uow.emit({
        type: 'user.updated',
        subject: { kind: 'user', id, name: wanted.display_name ?? user.display_name },
        data: { changes, ...(hash !== undefined && { password_changed: true }) },
      });
      if (hash !== undefined || (changed.includes('is_active') && wanted.is_active === true))
        await this.unlockWithin(uow, user);
      if (wanted.is_active === false || hash !== undefined)
        await endSessions(uow, [id], hash === undefined ? 'user_deactivated' : 'password_changed');
      if (wanted.is_active === false) await endTokens(uow, [id], 'user_deactivated');
      uow.bump('sessions');
      return { id, version };
    });
  }

  /**
   * Clears the failed log-ins of an account, so that log-ins are no longer refused.
   * @throws 404, 403 where the account's role has permissions that the caller does not have
   */
  async unlock(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions.run(ctx, async (uow) => {
      const policy = await this.rbac.grantPolicy(uow);
      const user = await lockUser(await uow.knex(), id);
      this.check(ctx, policy, await giverOf(uow), user, {});
      await this.unlockWithin(uow, user);
      return { id };
    });
  }

  private async unlockWithin(uow: UnitOfWork, { id, email_key, display_name }: User): Promise<void> {
    if (await this.attempts.clear(uow, email_key))
      uow.emit({ type: 'user.unlocked', subject: { kind: 'user', id, name: display_name } });
  }

  /** Reads and locks the user until the unit of work ends. @throws `not_found` */
  async lock(uow: UnitOfWork, id: string): Promise<User> {
    const user = await this.lockIfExists(uow, id);
    if (!user) throw problem('not_found');
    return user;
  }

  /** The same for a user who may have been deleted. */
  async lockIfExists(uow: UnitOfWork, id: string): Promise<User | undefined> {
    return await lockUser(await uow.knex(), id);
  }

  /** Stores changes of users to their own account, within a larger unit of work. */
  async change(
    uow: UnitOfWork,
    user: User,
    wanted: Pick<UserChanges, 'display_name' | 'locale' | 'preferences'>,
    changed: (keyof typeof wanted)[],
  ): Promise<void> {
    await changeUser(await uow.knex(), user.id, wanted);
    const changes = changed.flatMap((field) =>
      field === 'preferences'
        ? namesOfChanged(user.preferences, wanted.preferences!)
        : { field, old: user[field], new: wanted[field] },
    );
    uow.emit({
      type: 'user.updated',
      subject: { kind: 'user', id: user.id, name: wanted.display_name ?? user.display_name },
      data: { changes },
    });
    uow.bump('sessions');
  }

  /** Stores a new password hash, within a larger unit of work. */
  async setPassword(uow: UnitOfWork, id: string, password_hash: string): Promise<void> {
    await changeUser(await uow.knex(), id, { password_hash });
  }

  /**
   * Stores the password that a user has set by a mailed link, ends all sessions of the user and clears the failed log-ins,
   * within a larger unit of work that has locked the user.
   */
  async resetPassword(uow: UnitOfWork, user: User, password_hash: string): Promise<void> {
    const { id, display_name } = user;
    await this.setPassword(uow, id, password_hash);
    uow.emit({
      type: 'user.password_changed',
      subject: { kind: 'user', id, name: display_name },
      data: { by_link: true },
    });
    await this.unlockWithin(uow, user);
    await endSessions(uow, [id], 'password_reset');
    uow.bump('sessions');
  }

  /**
   * Stores the e-mail address that a user has confirmed, within a larger unit of work that has locked the user.
   * @throws 409 `email_taken` when the address is stored
   */
  async changeEmail(uow: UnitOfWork, { id, email: old, display_name }: User, email: string): Promise<void> {
    await changeUser(await uow.knex(), id, { email, email_key: nameKey(email) });
    uow.emit({
      type: 'user.updated',
      subject: { kind: 'user', id, name: display_name },
      data: { changes: [{ field: 'email', old, new: email }] },
    });
    uow.bump('sessions');
  }

  /**
   * Deletes an account with its sessions and personal data; cards and other content it created remain.
   * @throws 409 `last_admin`, 412, 404, 403 where its role has permissions that the caller does not have
   */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions.run(ctx, async (uow) => {
      const keepProtected = await this.keepProtected(uow, id);
      const policy = await this.rbac.grantPolicy(uow);
      const admins = await lockAdmins(uow);
      const knex = await uow.knex();
      const user = await lockUser(knex, id);
      this.check(ctx, policy, await giverOf(uow), user, {});
      this.keepAnAdmin(admins, id);
      keepProtected();
      for (const hook of this.deletionHooks) await hook(uow, user);
      await endSessions(uow, [id], 'user_deleted');
      await endTokens(uow, [id], 'user_deleted');
      await deleteUser(knex, id);
      uow.emit({
        type: 'user.deleted',
        subject: { kind: 'user', id, name: user.display_name },
        data: { email: user.email, role: user.role },
      });
      uow.bump('sessions');
    });
  }

  /** All checks that are possible before the expensive hash. @throws 422 with every error */
  private async checkInput(
    { role, password }: { role?: string; password?: string },
    email: string | undefined,
  ): Promise<void> {
    const faults: { field: string; reason: string }[] = [];
    if (role !== undefined && !(await this.rbac.isGivable(role)))
      faults.push({ field: '/role', reason: 'names no role that can be given' });
    const fault = password === undefined ? undefined : this.hasher.fault(password, email);
    if (fault !== undefined) faults.push({ field: '/password', reason: fault });
    if (faults.length > 0) throw invalid(...faults);
  }

  /** @throws unless the user exists, the caller may change the account, and If-Match matches its version */
  private check(
    ctx: RequestContext,
    policy: RoleGrantPolicy,
    giver: PermissionSet,
    user: User | undefined,
    wanted: UserChanges,
  ): asserts user is User {
    if (!user) throw problem('not_found');
    policy.ensureWithin(giver, user.role);
    checkVersion(ctx, user.version, differing(user, wanted));
  }

  private keepAnAdmin(admins: readonly string[], id: string): void {
    if (admins.length === 1 && admins[0] === id) throw problem('last_admin');
  }

  /** @throws invalid_state for an account that must stay an active administrator */
  private async keepProtected(uow: UnitOfWork, id: string): Promise<() => void> {
    const isProtected = await this.isProtected(uow, id);
    return () => {
      if (isProtected)
        throw problem('invalid_state', {
          detail: 'The account is the one administrator with a password while single sign-on is enforced.',
        });
    };
  }
}

/** The changed preferences, without their values, which are personal: auditors read the events of all users. */
function namesOfChanged(old: Record<string, unknown>, now: Record<string, unknown>): { field: string }[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((key) => !isDeepStrictEqual(old[key], now[key]))
    .map((key) => ({ field: `preferences.${key}` }));
}

const changesOf = ({ password: _password, email, display_name, ...fields }: UserPatch): UserChanges => ({
  ...fields,
  ...(email !== undefined && { email: email.trim() }),
  ...(display_name !== undefined && { display_name: display_name.trim() }),
});
