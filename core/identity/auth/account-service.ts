import { isDeepStrictEqual } from 'node:util';
import type { PermissionSet, RequestContext } from '@lintel/sdk';
import { checkVersion } from '../../foundation/conditions.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { invalid, problem } from '../../foundation/errors.js';
import type { Page } from '../../foundation/db/list-query.js';
import { mergePatch } from '../../foundation/merge-patch.js';
import type { Identity } from '../identity.js';
import { TokenPermissions, type RbacService } from '../rbac/index.js';
import { viewUser, type UserService } from '../users/index.js';
import type { Credentials } from './credentials-service.js';
import type { PasswordHasher } from '../passwords/index.js';
import type { ChangePasswordBody, MePatch, MeView, SessionQuery, SessionView } from './schemas.js';
import { endOtherSessions, endSession, listSessions } from './session-repository.js';

type User = Awaited<ReturnType<UserService['get']>>;
type Values = Record<string, unknown>;

/** Maximum size of a user's preferences as JSON. */
const MAX_PREFERENCES_BYTES = 16_384;

/**
 * The user's own view of their account.
 * @param by the session or API token of the request
 * @param permissions as restricted by an API token; by default those of the role
 */
export function viewMe(
  user: User,
  rbac: RbacService,
  by: MeView['signed_in_by'],
  permissions: PermissionSet = rbac.permissionsOf(user.role),
): MeView {
  const { rights } = permissions instanceof TokenPermissions ? permissions : {};
  const types = rbac.typeRulesOf(user.role);
  return {
    ...viewUser(user),
    preferences: user.preferences,
    permissions: permissions.list(),
    permission_rules: rights ? rights.within({ permissions: [], types }).types : types,
    signed_in_by: by,
  };
}

/** Operations of users on their own account: profile, password, sessions. The context's actor is the account. */
export class AccountService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly rbac: RbacService,
    private readonly users: UserService,
    private readonly hasher: PasswordHasher,
    private readonly credentials: Credentials,
  ) {}

  /** @param identity of the request */
  async me({ actor, permissions, expiresAt, signedInBy }: Identity): Promise<MeView> {
    const user = await this.users.get(actor.id);
    const by = {
      id: actor.sessionId,
      expires_at: new Date(expiresAt).toISOString(),
      ...(actor.token
        ? { kind: 'api_token' as const, name: actor.token.name }
        : { kind: 'session' as const, ...signedInBy }),
    };
    return viewMe(user, this.rbac, by, permissions);
  }

  /** @throws 412, 422 */
  async updateMe(ctx: RequestContext, { preferences, display_name, ...patch }: MePatch): Promise<void> {
    const { id } = ctx.actor!;
    await this.transactions.run(ctx, async (uow) => {
      const user = await this.users.lock(uow, id);
      const wanted = {
        ...patch,
        ...(display_name !== undefined && { display_name: display_name.trim() }),
        ...(preferences !== undefined && { preferences: mergePreferences(user.preferences, preferences) }),
      };
      const changed = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
        (key) => !isDeepStrictEqual(wanted[key], user[key]),
      );
      checkVersion(ctx, user.version, changed);
      if (changed.length === 0) return;
      await this.users.change(uow, user, wanted, changed);
    });
  }

  /**
   * Sets a new password and ends all other sessions.
   * @param ip address of the client
   * @throws 422 where the current password is wrong or was wrong too often, or the policy rejects the new one, 503
   *   `unavailable` where too many passwords are queued for hashing
   */
  async changePassword(
    ctx: RequestContext,
    { current_password, new_password }: ChangePasswordBody,
    ip: string,
  ): Promise<void> {
    const { id, sessionId, email, displayName } = ctx.actor!;
    this.hasher.check(new_password, '/new_password', email);
    const isDone = await this.credentials.confirm(
      ctx,
      current_password,
      ip,
      () => this.hasher.hash(new_password, id),
      async (uow, hash) => {
        await this.users.setPassword(uow, id, hash);
        uow.emit({ type: 'user.password_changed', subject: { kind: 'user', id, name: displayName } });
        for (const ended of await endOtherSessions(uow, id, sessionId)) emitEnded(uow, ended, id, 'password_changed');
        uow.bump('sessions');
        return true;
      },
    );
    if (!isDone) throw wrongPassword();
  }

  /**
   * Runs `work` in the transaction in which the current password of the caller is accepted.
   * @param ip address of the client
   * @throws 422 where the password is wrong or was wrong too often
   */
  async withPassword<T>(
    ctx: RequestContext,
    password: string,
    ip: string,
    work: (uow: UnitOfWork) => Promise<T>,
  ): Promise<T> {
    const done = await this.credentials.confirm(
      ctx,
      password,
      ip,
      async () => undefined,
      async (uow) => ({ result: await work(uow) }),
    );
    if (!done) throw wrongPassword();
    return done.result;
  }

  async sessions(ctx: RequestContext, query: SessionQuery): Promise<Page<SessionView>> {
    const { id, sessionId } = ctx.actor!;
    const page = await listSessions(this.db, id, query);
    return {
      ...page,
      items: page.items.map(({ created_at, last_used_at, expires_at, ...rest }) => ({
        ...rest,
        created_at: created_at.toISOString(),
        last_used_at: last_used_at.toISOString(),
        expires_at: expires_at.toISOString(),
        current: rest.id === sessionId,
      })),
    };
  }

  /** Ends one of the caller's sessions, possibly that of the request. @throws `not_found` */
  async endSession(ctx: RequestContext, sessionId: string): Promise<void> {
    const { id } = ctx.actor!;
    await this.transactions.run(ctx, async (uow) => {
      if ((await endSession(uow, sessionId, id)) === undefined) throw problem('not_found');
      emitEnded(uow, sessionId, id, 'revoked');
      uow.bump('sessions');
    });
  }
}

const wrongPassword = () => invalid({ field: '/current_password', reason: 'is not the password of this account' });

function emitEnded(uow: UnitOfWork, sessionId: string, userId: string, reason: string): void {
  uow.emit({ type: 'session.ended', subject: { kind: 'session', id: sessionId }, data: { user_id: userId, reason } });
}

/**
 * Merges a user's preferences.
 * @throws 422 when they would exceed 16 KiB
 */
function mergePreferences(current: Values, patch: Values): Values {
  const merged = mergePatch(current, patch) as Values;
  if (Buffer.byteLength(JSON.stringify(merged)) > MAX_PREFERENCES_BYTES)
    throw invalid({ field: '/preferences', reason: `must not take more than ${MAX_PREFERENCES_BYTES} bytes` });
  return merged;
}
