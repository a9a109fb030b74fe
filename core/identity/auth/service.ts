import { randomBytes } from 'node:crypto';
import type { RequestContext } from '@lintel/sdk';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../config/schema.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { sha256 } from '../../foundation/digest.js';
import { problem } from '../../foundation/errors.js';
import { isUuid, uuidv7 } from '../../foundation/ids.js';
import { ADMIN, type RbacService } from '../rbac/index.js';
import type { UserService } from '../users/index.js';
import { AUDIENCE, bearerToken, invalidToken, ISSUER, type AccessTokens, type Claims } from './access-tokens.js';
import { AccountService, viewMe } from './account-service.js';
import { clientKey, type ClientInfo } from '../../foundation/http/client-address.js';
import { Credentials } from './credentials-service.js';
import { markLogin, type LoginAttempts, type PasswordHasher } from '../passwords/index.js';
import { noticeDevice } from './devices.js';
import { anyUser, lockRegistration } from './repository.js';
import type { LoginBody, RegisterBody, TokenAnswer } from './schemas.js';
import type { SessionCache } from './session-cache.js';
import { byPassword, type PasswordPolicy, type SignIn } from './sign-in.js';
import type { Identity, SignedInBy } from '../identity.js';
import {
  endSession,
  holdSession,
  prolongSession,
  sessionOfSpentToken,
  spendRefreshToken,
  startSession,
  useSession,
  type LiveSession,
} from './session-repository.js';
import type { SetupCode } from './setup-code.js';

interface Started {
  sessionId: string;
  userId: string;
  expiresAt: Date;
  by: SignedInBy;
}

const newRefreshToken = () => randomBytes(32).toString('base64url');
/** A refresh token has 256 random bits, so a plain hash of it cannot be reversed by search. */
const hashOf = sha256;

const refused = () => problem('invalid_credentials', { headers: { 'www-authenticate': 'Bearer' } });
const invalidRefreshToken = () =>
  invalidToken('The refresh token is unknown, already used or expired, or its session has ended.');

/** The workspace settings for accounts and sessions. */
interface SignInSettings {
  registration: { enabled: boolean };
  /** Days after which a session ends, regardless of refreshes. */
  session_days: number;
}

/** Registration, log-in, refresh and log-out, and authentication of requests. */
export class AuthService {
  /** Operations of users on their own account. */
  readonly account: AccountService;
  private readonly credentials: Credentials;
  private tokens: AccessTokens | undefined;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly config: Config,
    private readonly sessions: SessionCache,
    private readonly rbac: RbacService,
    private readonly users: UserService,
    private readonly settings: { readonly current: SignInSettings },
    private readonly hasher: PasswordHasher,
    private readonly setupCode: SetupCode,
    attempts: LoginAttempts,
    private readonly passwords: PasswordPolicy,
  ) {
    this.credentials = new Credentials(db, transactions, hasher, attempts, passwords);
    this.account = new AccountService(db, transactions, rbac, users, hasher, this.credentials);
  }

  /** Sets the signer and verifier of access tokens; called before the first request. */
  useTokens(tokens: AccessTokens): void {
    this.tokens = tokens;
  }

  /**
   * Authenticates a request. Only user, session and expiry of the token are trusted; the state of the session and the
   * permissions of the user are read from current data.
   * @returns undefined without a token, or with one that is forged, expired, revoked, of an ended session, or that may
   *   not be used from the address of the client
   */
  async identify(request: FastifyRequest): Promise<Identity | undefined> {
    const token = bearerToken(request.headers.authorization);
    const claims = token === undefined ? undefined : this.tokens?.verify(token);
    if (!claims || !isUuid(claims.sid)) return undefined;
    const identity = await this.sessions.get(claims.sid);
    if (!identity || identity.actor.id !== claims.sub) return undefined;
    if ((claims.use === 'api') !== (identity.actor.token !== undefined)) return undefined;
    if (identity.addresses?.includes(request.ip) === false) return undefined;
    return { ...identity, expiresAt: Math.min(identity.expiresAt, claims.exp * 1000) };
  }

  /** Signs a token. */
  sign(claims: Omit<Claims, 'iss' | 'aud'>): string {
    return this.tokens!.sign({ ...claims, iss: ISSUER, aud: AUDIENCE });
  }

  /**
   * Creates an account and logs it in. The first user becomes the administrator.
   * @param isLocal whether the request comes from this machine
   * @throws 403 `registration_disabled`, or `setup_code_required` for the first user from another machine, 409
   *   `email_taken`, 422, 503 `unavailable` where too many passwords are queued for hashing
   */
  async register(ctx: RequestContext, body: RegisterBody, client: ClientInfo, isLocal: boolean): Promise<TokenAnswer> {
    // Checked before the expensive hash, and again under the lock that serialises registrations.
    const mayBeFirst = isLocal || (await this.setupCode.matches(body.setup_code));
    const check = (isFirst: boolean): void => {
      if (isFirst && !mayBeFirst)
        throw problem(
          'setup_code_required',
          body.setup_code === undefined ? {} : { detail: 'The setup code is wrong.' },
        );
      if (!isFirst && !(this.settings.current.registration.enabled && this.passwords.allowsRegistration))
        throw problem('registration_disabled');
    };
    check(!(await anyUser(this.db)));
    const password_hash = await this.hasher.hashNew(body.password, '/password', body.email, clientKey(client.address));
    const refreshToken = newRefreshToken();
    const started = await this.transactions.run(ctx, async (uow) => {
      await lockRegistration(uow);
      const isFirst = !(await anyUser(uow));
      check(isFirst);
      if (isFirst) await this.setupCode.spend(uow);
      const { email, display_name } = body;
      const role = isFirst ? ADMIN : (await this.rbac.grantPolicy(uow)).defaultRole;
      const userId = await this.users.insert(
        uow,
        { email, display_name, role, kind: 'person', locale: null, password_hash },
        'user.registered',
      );
      return await this.start(uow, byPassword(userId), refreshToken, client);
    });
    return await this.answer(started, refreshToken);
  }

  /**
   * @throws 401 `invalid_credentials`, identical and after the same time for every reason, 503 `unavailable` where too
   *   many passwords are queued
   */
  async logIn(ctx: RequestContext, body: LoginBody, client: ClientInfo): Promise<TokenAnswer> {
    const refreshToken = newRefreshToken();
    const started = await this.credentials.logIn(ctx, body.email, body.password, client.address, (uow, account) =>
      this.start(uow, byPassword(account.id), refreshToken, client),
    );
    if (!started) throw refused();
    return await this.answer(started, refreshToken);
  }

  /**
   * Starts a session for a user whose sign-in was verified elsewhere.
   * @param verify runs in the transaction that starts it; undefined refuses it
   * @returns undefined where it is refused
   */
  async signIn(
    ctx: RequestContext,
    client: ClientInfo,
    verify: (uow: UnitOfWork) => Promise<SignIn | undefined>,
  ): Promise<TokenAnswer | undefined> {
    const refreshToken = newRefreshToken();
    const started = await this.transactions.run(ctx, async (uow) => {
      const signIn = await verify(uow);
      return signIn && (await this.start(uow, signIn, refreshToken, client));
    });
    return started && (await this.answer(started, refreshToken));
  }

  /**
   * Exchanges a refresh token for new tokens. Of several requests with one token only one succeeds; every other is a
   * reuse, which ends the session with all its tokens. There is no grace period for concurrent requests, because it
   * would also serve an attacker: the service cannot determine which client was first.
   * @throws 401 `invalid_token`
   */
  async refresh(ctx: RequestContext, spent: string, client: ClientInfo): Promise<TokenAnswer> {
    const hash = hashOf(spent);
    const refreshToken = newRefreshToken();
    const started = await this.transactions.run(ctx, async (uow) => {
      const sessionId = await spendRefreshToken(uow, hash);
      if (sessionId !== undefined) return await this.prolong(uow, sessionId, refreshToken, client);
      const reused = await sessionOfSpentToken(uow, hash);
      if (reused !== undefined) await this.end(uow, reused, 'refresh_token_reused');
      return undefined;
    });
    if (!started) throw invalidRefreshToken();
    return await this.answer(started, refreshToken);
  }

  /**
   * A new access token for the session of a valid one. No refresh token is issued: a client that has only an access
   * token cannot take over the session, and shared use of a session is detected when the refresh token is used twice.
   * @throws 401 `invalid_token`
   */
  async refreshSession(ctx: RequestContext, sessionId: string, client: ClientInfo): Promise<TokenAnswer> {
    const started = await this.transactions.run(ctx, async (uow) =>
      this.refreshed(uow, sessionId, await useSession(uow, sessionId, client), client),
    );
    if (!started) throw invalidRefreshToken();
    return await this.answer(started);
  }

  /**
   * Requires that the session of the request is active when the transaction commits: for what is valid after the session.
   * @throws 401 `invalid_token`
   */
  async holdSession(uow: UnitOfWork, { actor }: RequestContext): Promise<void> {
    if (!(await holdSession(uow, actor!.sessionId))) throw invalidToken('The session has ended.');
  }

  /** Ends the session of the request, on this node immediately and on the others within a second. */
  async logOut(ctx: RequestContext): Promise<void> {
    const { sessionId } = ctx.actor!;
    await this.transactions.run(ctx, (uow) => this.end(uow, sessionId, 'logout'));
    this.sessions.drop(sessionId);
  }

  private async start(uow: UnitOfWork, signIn: SignIn, refreshToken: string, client: ClientInfo): Promise<Started> {
    const sessionId = uuidv7();
    const { userId, method, provider } = signIn;
    const expiresAt = await startSession(
      uow,
      sessionId,
      signIn,
      hashOf(refreshToken),
      client,
      this.settings.current.session_days,
    );
    await noticeDevice(uow, userId, sessionId, client);
    await markLogin(uow, userId, clientKey(client.address));
    uow.emit({
      type: 'session.started',
      subject: { kind: 'session', id: sessionId },
      data: { user_id: userId, ...client, method, provider },
    });
    return { sessionId, userId, expiresAt, by: { method, provider } };
  }

  private async prolong(
    uow: UnitOfWork,
    sessionId: string,
    refreshToken: string,
    client: ClientInfo,
  ): Promise<Started | undefined> {
    return this.refreshed(uow, sessionId, await prolongSession(uow, sessionId, hashOf(refreshToken), client), client);
  }

  private refreshed(
    uow: UnitOfWork,
    sessionId: string,
    row: LiveSession | undefined,
    client: ClientInfo,
  ): Started | undefined {
    if (!row) return undefined;
    uow.emit({
      type: 'session.refreshed',
      subject: { kind: 'session', id: sessionId },
      data: { user_id: row.user_id, ...client },
    });
    const { method, provider } = row;
    return { sessionId, userId: row.user_id, expiresAt: row.expires_at, by: { method, provider } };
  }

  private async end(uow: UnitOfWork, sessionId: string, reason: string): Promise<void> {
    const userId = await endSession(uow, sessionId);
    if (userId === undefined) return;
    uow.emit({ type: 'session.ended', subject: { kind: 'session', id: sessionId }, data: { user_id: userId, reason } });
    uow.bump('sessions');
  }

  private async answer({ sessionId, userId, expiresAt, by }: Started, refresh_token?: string): Promise<TokenAnswer> {
    const user = await this.users.get(userId);
    const iat = Math.floor(Date.now() / 1000);
    const exp = Math.min(iat + this.config.accessTokenExpireMinutes * 60, Math.floor(expiresAt.getTime() / 1000));
    const access_token = this.sign({
      sub: userId,
      sid: sessionId,
      role: user.role,
      jti: uuidv7(),
      iat,
      exp,
    });
    return {
      access_token,
      token_type: 'bearer',
      expires_in: exp - iat,
      ...(refresh_token !== undefined && { refresh_token }),
      user: viewMe(user, this.rbac, {
        kind: 'session',
        id: sessionId,
        expires_at: new Date(exp * 1000).toISOString(),
        ...by,
      }),
    };
  }
}
