import type { RequestContext } from '@lintel/sdk';
import type { Config } from '../../../config/schema.js';
import { databaseProblem } from '../../foundation/db/constraints.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions } from '../../foundation/db/unit-of-work.js';
import { sha256 } from '../../foundation/digest.js';
import { Problem, problem } from '../../foundation/errors.js';
import type { ClientInfo } from '../../foundation/http/client-address.js';
import type { Log } from '../../foundation/log.js';
import type { Secrets } from '../../foundation/secrets/index.js';
import type { AuthService, TokenAnswer } from '../auth/index.js';
import { bindingOf, BrowserCookie, isSecret, newSecret } from './binding.js';
import { claimedBy, lacksClaims } from './claims.js';
import { SsoRefusal, type SsoPolicy, type SsoProvider } from './provider.js';
import { reasonOf, type OidcProtocol } from './protocol.js';
import {
  addCode,
  addRequest,
  lockSignedIn,
  readSsoSession,
  takeCode,
  takeRequest,
  type SsoRequest,
} from './repository.js';
import { ReturnAddresses, withParameter } from './return-to.js';
import type { CodeBody, LoginQuery, SsoConfigView } from './schemas.js';
import type { SignInUsers } from './sign-in-users.js';

export const CALLBACK_PATH = '/api/v1/auth/sso/callback';
/** Purpose of encrypted ID tokens. */
const ID_TOKEN = 'sso id token';
/** Maximum length of a stored ID token: longer ones would not fit into the address of a log-out. */
const MAX_ID_TOKEN = 6_000;

/** Where a browser is sent, with the cookies it gets or loses. */
interface Redirect {
  location: string;
  cookies?: string[];
}

const REFUSED = 'a sign-in was refused';
const failed = () => problem('sso_failed', { headers: { 'www-authenticate': 'Bearer' } });

/** Sign-ins by OpenID Connect: begin, callback, exchange of the code for a session, and log-out at the provider. */
export class SsoService {
  private readonly publicUrl: string | undefined;
  private readonly returns: ReturnAddresses;
  private readonly cookies: BrowserCookie;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    { publicUrl, allowedOrigins }: Pick<Config, 'publicUrl' | 'allowedOrigins'>,
    private readonly policy: SsoPolicy,
    private readonly protocol: OidcProtocol,
    private readonly signIns: SignInUsers,
    private readonly auth: AuthService,
    private readonly secrets: Secrets,
    private readonly log: Log,
  ) {
    this.publicUrl = publicUrl;
    this.returns = new ReturnAddresses(publicUrl ?? 'http://localhost', allowedOrigins);
    this.cookies = new BrowserCookie(publicUrl ?? '');
  }

  /** What a login page needs. Without PUBLIC_URL there are no providers, because they could not send browsers back. */
  config(): SsoConfigView {
    const { providers, enforced } = this.policy.current;
    return {
      providers: this.publicUrl === undefined ? [] : providers.map(({ id, kind, label }) => ({ id, kind, label })),
      enforced,
    };
  }

  /**
   * Begins a sign-in.
   * @param cookie `Cookie` header
   * @returns the redirect to the provider, or with `error=sso_failed` to the client where the provider does not respond
   * @throws not_found for an unknown or disabled provider, validation_failed for `return_to`
   */
  async begin(
    ctx: RequestContext,
    id: string,
    { return_to, code_challenge }: LoginQuery,
    cookie: string | undefined,
  ): Promise<Redirect> {
    const provider = this.publicUrl === undefined ? undefined : await this.policy.provider(id);
    if (!provider) throw problem('not_found');
    const returnTo = this.returns.check(return_to);
    const [state, browser] = [newSecret(), newSecret()];
    const stateHash = sha256(state);
    try {
      const location = await this.protocol.authorizationUrl(provider, this.callback, bindingOf(browser, state));
      const request = { provider: id, issuer: provider.issuer, return_to: returnTo };
      await addRequest(this.db, stateHash, sha256(browser), { ...request, code_challenge: code_challenge ?? null });
      return { location, cookies: [...this.cookies.clearOldest(cookie), this.cookies.set(stateHash, browser)] };
    } catch (error) {
      return this.refuse(ctx, error, id, returnTo);
    }
  }

  /**
   * Completes a sign-in with the parameters that the provider sent with the browser.
   * @param query the raw query string of the callback
   * @param cookie `Cookie` header
   * @returns the redirect to the client with a code, or with `error=sso_failed`
   * @throws sso_failed where there is no such sign-in of this browser, so that it is not known where to return to
   */
  async complete(ctx: RequestContext, query: string, cookie: string | undefined): Promise<Redirect> {
    const states = new URLSearchParams(query).getAll('state');
    const state = states.length === 1 && isSecret(states[0]!) ? states[0]! : undefined;
    const stateHash = sha256(state ?? '');
    const held = state === undefined ? undefined : this.cookies.read(cookie, stateHash);
    const request = held && (await takeRequest(this.db, stateHash, held.hash));
    if (state === undefined || !request) {
      this.log.warn({ request_id: ctx.requestId, reason: 'unknown_state' }, REFUSED);
      throw failed();
    }
    try {
      const callback = new URL(`${this.callback}?${query}`);
      const provider = await this.providerOf(request);
      const { claims, idToken } = await this.protocol.redeem(
        provider,
        callback,
        bindingOf(held.browser, state),
        (claims) => lacksClaims(claims, provider),
      );
      const claimed = claimedBy(claims, provider);
      const code = newSecret();
      await this.transactions.run(ctx, async (uow) => {
        await addCode(uow, sha256(code), {
          state_hash: stateHash,
          browser_hash: held.hash,
          code_challenge: request.code_challenge,
          identity_id: await this.signIns.enter(uow, claimed, provider),
          provider: provider.id,
          id_token: idToken.length > MAX_ID_TOKEN ? null : this.secrets.seal(ID_TOKEN, Buffer.from(idToken)),
        });
      });
      return { location: withParameter(request.return_to, 'code', code) };
    } catch (error) {
      return {
        ...this.refuse(ctx, error, request.provider, request.return_to),
        cookies: [this.cookies.clear(stateHash)],
      };
    }
  }

  /**
   * Exchanges the code of a completed sign-in for a session. A code is used up by the first request with it.
   * @param cookie `Cookie` header
   * @returns the answer of a log-in, and the cookie to be removed
   * @throws sso_failed
   */
  async exchange(
    ctx: RequestContext,
    { code, code_verifier: verifier }: CodeBody,
    cookie: string | undefined,
    client: ClientInfo,
  ): Promise<{ answer: TokenAnswer; cookie: string }> {
    const row = await takeCode(this.db, sha256(code));
    const isBound =
      row !== undefined &&
      (row.code_challenge === null
        ? this.cookies.read(cookie, row.state_hash)?.hash.equals(row.browser_hash) === true
        : verifier !== undefined && sha256(verifier).toString('base64url') === row.code_challenge);
    if (!isBound) {
      const reason = row === undefined ? 'unknown_code' : 'code_of_other_client';
      this.log.warn({ request_id: ctx.requestId, reason }, REFUSED);
      throw failed();
    }
    const { identity_id, provider, id_token: idToken, state_hash } = row;
    const answer = await this.auth.signIn(ctx, client, async (uow) => {
      const userId = await lockSignedIn(uow, identity_id);
      return userId === undefined ? undefined : { userId, method: 'sso', provider, idToken };
    });
    if (!answer) {
      this.log.warn({ request_id: ctx.requestId, provider, reason: 'account_disabled' }, REFUSED);
      throw failed();
    }
    return { answer, cookie: this.cookies.clear(state_hash) };
  }

  /**
   * Where the browser ends the session at the provider of a session.
   * @returns null where the session has none, or the provider has no such address or does not respond
   */
  async logoutUrl(sessionId: string, returnTo: string | undefined): Promise<string | null> {
    const target = this.returns.check(returnTo);
    const session = await readSsoSession(this.db, sessionId);
    const provider = session && this.publicUrl !== undefined && (await this.policy.provider(session.provider));
    if (!provider) return null;
    const hint = session.id_token === null ? undefined : this.secrets.unseal(ID_TOKEN, session.id_token)?.toString();
    try {
      return (await this.protocol.endSessionUrl(provider, target, hint)) ?? null;
    } catch (error) {
      this.log.warn({ provider: provider.id, reason: reasonOf(error) }, 'a provider gave no address for log-out');
      return null;
    }
  }

  private get callback(): string {
    return `${this.publicUrl ?? ''}${CALLBACK_PATH}`;
  }

  /** @throws SsoRefusal where the settings have changed since the sign-in began */
  private async providerOf({ provider: id, issuer }: SsoRequest): Promise<SsoProvider> {
    const provider = await this.policy.provider(id);
    if (provider?.issuer !== issuer) throw new SsoRefusal('provider_changed');
    return provider;
  }

  /** Logs why a sign-in is refused; the client learns only that it was. @throws errors of the service itself */
  private refuse({ requestId }: RequestContext, error: unknown, provider: string, returnTo: string): Redirect {
    const known = error instanceof SsoRefusal || error instanceof Problem ? error : databaseProblem(error);
    if (known === undefined || (known instanceof Problem && known.status >= 500)) throw error;
    const reason = known instanceof SsoRefusal ? known.reason : known.code;
    this.log.warn({ request_id: requestId, provider, reason, detail: known.detail }, REFUSED);
    return { location: withParameter(returnTo, 'error', 'sso_failed') };
  }
}
