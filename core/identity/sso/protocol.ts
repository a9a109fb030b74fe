import { LRUCache } from 'lru-cache';
import type * as Oidc from 'openid-client';
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import { Problem } from '../../foundation/errors.js';
import type { Outbound } from '../../foundation/outbound/index.js';
import { mergedClaims } from './claims.js';
import { guardedFetch } from './guarded-fetch.js';
import { SsoRefusal, type SsoProvider } from './provider.js';

/** Maximum duration of all requests to a provider for one step of a sign-in, in milliseconds. */
const STEP_MS = 12_000;
/** How long the metadata of an issuer is kept, in milliseconds. Keys are read at every sign-in, so that they can be rotated. */
const METADATA_MS = 300_000;
const METADATA_KEPT = 50;
/** Seconds by which the clock of a provider may differ. */
const CLOCK_TOLERANCE = 30;
/** Signature algorithms with a public key. The others would accept what anyone, or any client of the provider, can make. */
const SIGNATURES = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const MAX_REASON = 300;
const MAX_CAUSES = 5;

/** What a sign-in is bound to. */
export interface Binding {
  state: string;
  nonce: string;
  /** PKCE, RFC 7636. */
  verifier: string;
}

/** What each exchange with a provider uses. */
interface Step {
  oidc: typeof Oidc;
  config: Configuration;
  fetch: ReturnType<typeof guardedFetch>;
}

/** What the provider returned for a code. */
export interface Redeemed {
  /** Claims of the ID token, and those of the UserInfo endpoint that it lacks. */
  claims: Readonly<Record<string, unknown>>;
  idToken: string;
}

/** The messages of an error from the provider or from the library, which contain no tokens and codes. */
export function reasonOf(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error && messages.length < MAX_CAUSES; at = at.cause) {
    const { error: code, error_description: description } = at as { error?: unknown; error_description?: unknown };
    messages.push([at.message, code, description].filter((text) => typeof text === 'string').join(' '));
  }
  return [...new Set(messages)]
    .join(': ')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .slice(0, MAX_REASON);
}

/** OpenID Connect with a provider: authorization code flow with PKCE, by discovery. */
export class OidcProtocol {
  private readonly metadata = new LRUCache<string, ServerMetadata>({ max: METADATA_KEPT, ttl: METADATA_MS });

  constructor(private readonly outbound: Outbound) {}

  /**
   * The address where a sign-in begins.
   * @param redirectUri callback of this service
   * @throws SsoRefusal where the provider does not respond, or its metadata cannot be used
   */
  async authorizationUrl(provider: SsoProvider, redirectUri: string, binding: Binding): Promise<string> {
    return await this.step(provider, async ({ oidc, config }) => {
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: [...new Set(['openid', 'profile', 'email', ...provider.scopes])].join(' '),
        state: binding.state,
        nonce: binding.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(binding.verifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    });
  }

  /**
   * Redeems the code in the parameters of the callback, and verifies signature and claims of the ID token.
   * @param callback address of the callback with its parameters
   * @param lacks whether claims are missing that the UserInfo endpoint may have
   * @throws SsoRefusal
   */
  async redeem(
    provider: SsoProvider,
    callback: URL,
    { state, nonce, verifier }: Binding,
    lacks: (claims: Redeemed['claims']) => boolean,
  ): Promise<Redeemed> {
    return await this.step(provider, async ({ oidc, config }) => {
      const answer = await oidc.authorizationCodeGrant(config, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = answer.claims()!;
      // The library checks when a token ends, but not whether it was issued in the future.
      if (claims.iat > Date.now() / 1000 + CLOCK_TOLERANCE)
        throw new SsoRefusal('token_from_the_future', 'the ID token was issued in the future');
      // And the authorized party only where there are several audiences.
      if (claims.azp !== undefined && claims.azp !== provider.client_id)
        throw new SsoRefusal('protocol_error', 'the ID token was issued to another client');
      const { userinfo_endpoint: userInfo } = config.serverMetadata();
      if (userInfo === undefined || !lacks(claims)) return { claims, idToken: answer.id_token! };
      const more = await oidc.fetchUserInfo(config, answer.access_token, claims.sub);
      return { claims: mergedClaims(claims, more), idToken: answer.id_token! };
    });
  }

  /**
   * Where a browser ends the session at the provider (OpenID Connect RP-Initiated Logout 1.0).
   * @param returnTo where the provider sends the browser afterwards
   * @param idToken of the session; verified when it was stored
   * @returns undefined where the provider has no such address, or is not the issuer of the token any more
   * @throws SsoRefusal where the provider does not respond
   */
  async endSessionUrl(
    provider: SsoProvider,
    returnTo: string,
    idToken: string | undefined,
  ): Promise<string | undefined> {
    // The settings have another issuer by now, which must not learn the token.
    if (idToken !== undefined && issuerOf(idToken) !== provider.issuer) return undefined;
    return await this.step(provider, async ({ oidc, config }) => {
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      return oidc.buildEndSessionUrl(config, {
        post_logout_redirect_uri: returnTo,
        ...(idToken !== undefined && { id_token_hint: idToken }),
      }).href;
    });
  }

  /**
   * Reads metadata and keys of a provider, without the cache.
   * @returns number of keys that may sign ID tokens
   * @throws SsoRefusal
   */
  async probe(provider: SsoProvider): Promise<number> {
    this.metadata.delete(provider.issuer);
    return await this.step(provider, async ({ config, fetch }) => {
      const { jwks_uri, authorization_endpoint, token_endpoint, code_challenge_methods_supported } =
        config.serverMetadata();
      if (!jwks_uri || !authorization_endpoint || !token_endpoint)
        throw new SsoRefusal('metadata_incomplete', 'the metadata lack an endpoint or the address of the keys');
      if ([jwks_uri, authorization_endpoint, token_endpoint].some((url) => !url.startsWith('https:')))
        throw new SsoRefusal('metadata_unsafe', 'an endpoint of the metadata is not https');
      // Some providers that support PKCE do not list it.
      if (code_challenge_methods_supported?.includes('S256') === false)
        throw new SsoRefusal('no_pkce', 'the provider does not support PKCE with S256');
      const answer = await fetch(jwks_uri, { method: 'GET', headers: { accept: 'application/json' } });
      const { keys } = (await answer.json()) as { keys?: { kty?: unknown; use?: unknown }[] };
      const count = Array.isArray(keys)
        ? keys.filter(({ kty, use }) => kty !== 'oct' && (use === undefined || use === 'sig')).length
        : 0;
      if (answer.status !== 200 || count === 0)
        throw new SsoRefusal('no_keys', 'the provider publishes no key that signs ID tokens');
      return count;
    });
  }

  private async step<T>(provider: SsoProvider, work: (step: Step) => Promise<T>): Promise<T> {
    try {
      const fetch = guardedFetch(this.outbound, AbortSignal.timeout(STEP_MS));
      // Many workspaces have no provider: it is loaded by the first step.
      const oidc = await import('openid-client');
      return await work({ oidc, config: await this.configuration(oidc, provider, fetch), fetch });
    } catch (error) {
      if (error instanceof SsoRefusal) throw error;
      throw new SsoRefusal(outcomeOf(error), reasonOf(error), { cause: error });
    }
  }

  /** A new one for each step: it has the keys that the provider publishes now. */
  private async configuration(oidc: Step['oidc'], provider: SsoProvider, fetch: Step['fetch']): Promise<Configuration> {
    const metadata = this.metadata.get(provider.issuer) ?? (await this.discover(oidc, provider, fetch));
    const config = new oidc.Configuration(
      metadata,
      provider.client_id,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE },
      clientAuth(oidc, provider, metadata),
    );
    config[oidc.customFetch] = fetch;
    config.timeout = STEP_MS / 1_000;
    // Without it, the library trusts the connection to the token endpoint, and does not verify the signature.
    oidc.enableNonRepudiationChecks(config);
    return config;
  }

  private async discover(oidc: Step['oidc'], provider: SsoProvider, fetch: Step['fetch']): Promise<ServerMetadata> {
    const found = await oidc.discovery(new URL(provider.issuer), provider.client_id, undefined, undefined, {
      [oidc.customFetch]: fetch,
      timeout: STEP_MS / 1_000,
    });
    const metadata = JSON.parse(JSON.stringify(found.serverMetadata())) as ServerMetadata;
    // Compared as text (OpenID Connect Discovery 1.0, 4.3): identities contain the issuer.
    if (metadata.issuer !== provider.issuer)
      throw new SsoRefusal('other_issuer', `the metadata are those of ${metadata.issuer.slice(0, 200)}`);
    const listed = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
    const id_token_signing_alg_values_supported = SIGNATURES.filter((name) => listed.includes(name));
    if (id_token_signing_alg_values_supported.length === 0)
      throw new SsoRefusal('no_signatures', 'the provider signs ID tokens with no algorithm that is accepted');
    const usable = { ...metadata, id_token_signing_alg_values_supported };
    this.metadata.set(provider.issuer, usable);
    return usable;
  }
}

function issuerOf(idToken: string): unknown {
  const [, payload = ''] = idToken.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { iss?: unknown }).iss;
}

function outcomeOf(error: unknown): string {
  for (let at = error, n = 0; at instanceof Error && n < MAX_CAUSES; at = at.cause, n++)
    if (at instanceof Problem) return at.code;
  return (error as { code?: unknown }).code === 'OAUTH_TIMEOUT' ? 'provider_timeout' : 'protocol_error';
}

function clientAuth(
  oidc: Step['oidc'],
  { kind, secret, token_auth }: SsoProvider,
  metadata: ServerMetadata,
): ClientAuth {
  if (secret === undefined) return oidc.None();
  const supported = metadata.token_endpoint_auth_methods_supported;
  const posts =
    token_auth === 'auto'
      ? kind === 'microsoft' || kind === 'google' || supported?.includes('client_secret_basic') === false
      : token_auth === 'client_secret_post';
  return posts ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}
