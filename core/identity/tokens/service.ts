import type { PermissionSet, RequestContext } from '@lintel/sdk';
import type { AuthService } from '../auth/index.js';
import {
  giverOf,
  TokenRights,
  type PermissionCatalogue,
  type RbacService,
  type RoleGrantPolicy,
} from '../rbac/index.js';
import type { UserService } from '../users/index.js';
import type { Database } from '../../foundation/db/database.js';
import type { Page } from '../../foundation/db/list-query.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { invalid, problem } from '../../foundation/errors.js';
import { isAddressRange } from '../../foundation/http/address-ranges.js';
import { uuidv7 } from '../../foundation/ids.js';
import { countTokens, endToken, findToken, insertToken, listTokens, type TokenRow } from './repository.js';
import type { NewToken, TokenCreate, TokenQuery, TokenView } from './schemas.js';

/** Maximum number of active tokens per user. */
const MOST_TOKENS = 50;
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const EVERYTHING = '*';

interface TokenSettings {
  api_tokens: { max_days: number };
}
type User = Awaited<ReturnType<UserService['lock']>>;

/** API tokens: how programs act as a user, with part of the user's permissions and until a fixed time. */
export class ApiTokenService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly auth: AuthService,
    private readonly rbac: RbacService,
    private readonly catalogue: PermissionCatalogue,
    private readonly users: UserService,
    private readonly settings: { readonly current: TokenSettings },
  ) {}

  /** The active tokens of a user. */
  async list(userId: string, query: TokenQuery): Promise<Page<TokenView>> {
    const page = await listTokens(this.db, userId, query);
    return { ...page, items: page.items.map(viewToken) };
  }

  /** As `list`, for administrators. @throws not_found where the user does not exist */
  async listOf(userId: string, query: TokenQuery): Promise<Page<TokenView>> {
    await this.users.get(userId);
    return await this.list(userId, query);
  }

  /** An active token of the caller. @throws not_found */
  async get({ actor }: RequestContext, id: string): Promise<TokenView> {
    const row = await findToken(this.db, id, actor!.id);
    if (!row) throw problem('not_found');
    return viewToken(row);
  }

  /**
   * Makes a token of the caller, with permissions that the caller has.
   * @throws 422 with every invalid field, 403 for a permission that the caller does not have, 409 `limit_reached`, 409
   *   `invalid_state` where the account is not active any more
   */
  async create(ctx: RequestContext, body: TokenCreate): Promise<NewToken> {
    return await this.make(ctx, ctx.actor!.id, body, async () => undefined);
  }

  /**
   * Makes a token of a service account. The caller must have every permission that the token gets; that the account has
   * further ones does not matter.
   * @throws as `create`, 404, 409 `invalid_state` for the account of a person
   */
  async createFor(ctx: RequestContext, userId: string, body: TokenCreate): Promise<NewToken> {
    const rights = new TokenRights(body.permissions);
    return await this.make(ctx, userId, body, async (uow, policy, giver, user) => {
      if (user.kind !== 'service')
        throw problem('invalid_state', { detail: 'Only the person of the account can make tokens of it.' });
      policy.ensureWithin(giver, user.role, rights);
      await this.rbac.ensureWithinStakeholderRoles(uow, giver, userId, rights);
    });
  }

  /** Ends a token of the caller, on every node within a second. @throws not_found */
  async revoke(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions.run(ctx, (uow) => this.end(uow, id, ctx.actor!.id));
  }

  /** Ends a token of any user. @throws 404, 403 where the role of the user has permissions that the caller does not have */
  async revokeOf(ctx: RequestContext, userId: string, id: string): Promise<void> {
    await this.transactions.run(ctx, async (uow) => {
      const policy = await this.rbac.grantPolicy(uow);
      const user = await this.users.lock(uow, userId);
      policy.ensureWithin(await giverOf(uow), user.role);
      await this.end(uow, id, userId);
    });
  }

  private async end(uow: UnitOfWork, id: string, userId: string): Promise<void> {
    const name = await endToken(uow, id, userId);
    if (name === undefined) throw problem('not_found');
    uow.emit({
      type: 'api_token.ended',
      subject: { kind: 'api_token', id, name },
      data: { user_id: userId, reason: 'revoked' },
    });
    uow.bump('sessions');
  }

  /** @param check that the caller may give the permissions to the user */
  private async make(
    ctx: RequestContext,
    userId: string,
    body: TokenCreate,
    check: (uow: UnitOfWork, policy: RoleGrantPolicy, giver: PermissionSet, user: User) => Promise<void>,
  ): Promise<NewToken> {
    const values = this.valuesOf(body);
    const id = uuidv7();
    const row = await this.transactions.run(ctx, async (uow) => {
      const policy = await this.rbac.grantPolicy(uow);
      const user = await this.users.lock(uow, userId);
      // Also of the caller, whose account may have been deactivated since the request was authenticated.
      if (!user.is_active) throw problem('invalid_state', { detail: 'The account is deactivated.' });
      // A token outlives the session, which a concurrent log-out or change of the password may have ended.
      await this.auth.holdSession(uow, ctx);
      await check(uow, policy, await giverOf(uow), user);
      await this.ensureHeld(uow, policy, user, values.permissions);
      if ((await countTokens(uow, userId)) >= MOST_TOKENS)
        throw problem('limit_reached', {
          detail: `A user may have at most ${MOST_TOKENS} active API tokens; revoke one first.`,
          limit: MOST_TOKENS,
        });
      await insertToken(uow, { id, user_id: userId, created_by: ctx.actor!.id, ...values });
      const { name, permissions, address_ranges, expires_at } = values;
      uow.emit({
        type: 'api_token.created',
        subject: { kind: 'api_token', id, name },
        data: { user_id: userId, permissions, address_ranges, expires_at: expires_at.toISOString() },
      });
      return { row: (await findToken(uow, id, userId))!, role: user.role };
    });
    return { ...viewToken(row.row), token: this.sign(row.row, row.role) };
  }

  private sign({ id, user_id, created_at, expires_at }: TokenRow, role: string): string {
    const [iat, exp] = [created_at, expires_at].map((at) => Math.floor(at.getTime() / 1000)) as [number, number];
    return this.auth.sign({ sub: user_id, sid: id, jti: id, role, use: 'api', iat, exp });
  }

  /** @throws 422 with every invalid field */
  private valuesOf({ name, permissions, expires_at, address_ranges = [] }: TokenCreate) {
    const { max_days } = this.settings.current.api_tokens;
    const now = Date.now();
    const errors: { field: string; reason: string }[] = [];
    permissions.forEach((key, i) => {
      if (key !== EVERYTHING && !this.catalogue.has(key) && !this.catalogue.hasOnCards(key))
        errors.push({ field: `/permissions/${i}`, reason: 'is no permission of the catalogue' });
    });
    address_ranges.forEach((range, i) => {
      if (!isAddressRange(range))
        errors.push({ field: `/address_ranges/${i}`, reason: 'must be an address or a CIDR range of IPv4 or IPv6' });
    });
    const days = Math.min(DEFAULT_DAYS, max_days);
    const expires = expires_at === undefined ? now + days * DAY_MS : Date.parse(expires_at);
    if (expires <= now) errors.push({ field: '/expires_at', reason: 'must be in the future' });
    else if (expires > now + max_days * DAY_MS)
      errors.push({ field: '/expires_at', reason: `must be at most ${max_days} days from now` });
    if (errors.length > 0) throw invalid(...errors.slice(0, 100));
    return {
      name: name.trim(),
      permissions: [...permissions].sort(),
      address_ranges,
      // The claim has whole seconds.
      expires_at: new Date(Math.floor(expires / 1000) * 1000),
    };
  }

  /**
   * Requires that the user has each permission, for some card type or on some card.
   * @throws forbidden, naming the permission
   */
  private async ensureHeld(
    uow: UnitOfWork,
    policy: RoleGrantPolicy,
    { id, role }: User,
    permissions: readonly string[],
  ): Promise<void> {
    const onCards = permissions.some((key) => this.catalogue.hasOnCards(key))
      ? await this.rbac.cardPermissionsAnywhere(uow, id)
      : new Set<string>();
    const isHeld = (key: string): boolean => {
      if (!this.catalogue.hasOnCards(key)) return policy.hasAnywhere(role, key);
      const permission = this.catalogue.applicationOf(key);
      return onCards.has(key) || policy.hasAnywhere(role, permission ?? key);
    };
    const missing = permissions.find((key) => key !== EVERYTHING && !isHeld(key));
    if (missing !== undefined)
      throw problem('forbidden', {
        detail: `The user of the token does not have the permission ${missing}.`,
        required_permission: missing,
      });
  }
}

const viewToken = ({ created_at, expires_at, last_used_at, ...rest }: TokenRow): TokenView => ({
  ...rest,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
});
