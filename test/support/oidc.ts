/**
 * OpenID providers for tests, over https with the certificate of `test/fixtures/tls`, which a service trusts by
 * NODE_EXTRA_CA_CERTS: the real one of npm, and one whose responses the test chooses. A browser with cookies for both sides.
 */
import { createHash, createHmac, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as overHttp, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, request as overHttps } from 'node:https';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import Provider, { type Context } from 'oidc-provider';
import { nextAddress } from './http.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const tls = (name: string): string => join(root, 'test/fixtures/tls', name);
/** The certificate to trust. */
export const CA_FILE = tls('localhost-cert.pem');
const ca = readFileSync(CA_FILE);

export const PUBLIC_URL = 'https://lintel.example';
export const CALLBACK = `${PUBLIC_URL}/api/v1/auth/sso/callback`;
export const CLIENT = { client_id: 'lintel', client_secret: 'secret-of-the-client-with-more-than-32-characters' };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
export interface Server {
  issuer: string;
  close(): void;
}

async function listen(handler: Handler): Promise<Server> {
  const server = createServer({ key: readFileSync(tls('localhost-key.pem')), cert: ca }, handler).listen(
    0,
    'localhost',
  );
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    issuer: `https://localhost:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export interface SigningKey {
  kid: string;
  key: KeyObject;
}
export function newKey(kid: string): SigningKey {
  return { kid, key: generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey };
}
const jwkOf = ({ kid, key }: SigningKey) => ({
  ...createPublicKey(key).export({ format: 'jwk' }),
  kid,
  use: 'sig',
  alg: 'RS256',
});

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT by RS256, or by what `alg` says. */
export function tokenOf(claims: object, { kid, key }: SigningKey, alg = 'RS256'): string {
  const input = `${base64url({ alg, kid, typ: 'JWT' })}.${base64url(claims)}`;
  if (alg === 'none') return `${input}.`;
  if (alg === 'RS256') return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
  // The public key as the secret of an HMAC.
  const pem = createPublicKey(key).export({ format: 'pem', type: 'spki' });
  return `${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`;
}

/** What a client may present with a code. */
interface Grant {
  nonce: string;
  challenge: string;
}

/** A provider whose responses the test chooses. By default it answers as it should. */
export class ChosenProvider {
  readonly key = newKey('chosen');
  /** Changes the claims of the next ID tokens. */
  claims: Record<string, unknown> = {};
  alg = 'RS256';
  /** Signs the next ID tokens instead of `key`. */
  signer: SigningKey | undefined;
  metadata: Record<string, unknown> = {};
  /** Called before every response; the response is sent when it resolves. */
  before: (path: string) => Promise<void> | void = () => undefined;
  readonly requests: { path: string; body: string; authorization: string | undefined }[] = [];
  private readonly grants = new Map<string, Grant>();
  private made = 0;

  private constructor(private server: Server) {}

  static async start(): Promise<ChosenProvider> {
    const holder: { made?: ChosenProvider } = {};
    const server = await listen((request, response) => void holder.made?.answer(request, response));
    return (holder.made = new ChosenProvider(server));
  }

  get issuer(): string {
    return this.server.issuer;
  }

  close(): void {
    this.server.close();
  }

  reset(): void {
    this.claims = {};
    this.alg = 'RS256';
    this.signer = undefined;
    this.metadata = {};
    this.before = () => undefined;
  }

  /**
   * Signs in at the provider.
   * @param location where the service sent the browser
   * @returns the query with which the browser is sent back
   */
  grant(location: string): Record<string, string> {
    const { searchParams: query } = new URL(location);
    const code = `code-${this.made++}`;
    this.grants.set(code, { nonce: query.get('nonce')!, challenge: query.get('code_challenge')! });
    return { code, state: query.get('state')!, iss: this.issuer };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!;
    const body = await text(request);
    this.requests.push({ path, body, authorization: request.headers.authorization });
    await this.before(path);
    if (response.destroyed) return;
    const { status, value } = this.valueOf(path, new URLSearchParams(body));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  }

  private valueOf(path: string, form: URLSearchParams): { status: number; value: object } {
    const { issuer } = this;
    if (path === '/.well-known/openid-configuration')
      return {
        status: 200,
        value: {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
          authorization_response_iss_parameter_supported: true,
          ...this.metadata,
        },
      };
    if (path === '/keys') return { status: 200, value: { keys: [jwkOf(this.key)] } };
    const code = form.get('code') ?? '';
    const grant = this.grants.get(code);
    this.grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (path !== '/token' || grant?.challenge !== challenge) return { status: 400, value: { error: 'invalid_grant' } };
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: CLIENT.client_id,
      sub: 'subject',
      iat: now,
      exp: now + 300,
      nonce: grant.nonce,
      email: 'chosen@example.org',
      email_verified: true,
      name: 'Chosen User',
      ...this.claims,
    };
    const id_token = tokenOf(claims, this.signer ?? this.key, this.alg);
    return { status: 200, value: { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token } };
  }
}

/** The provider of npm, where the test decides who signs in. */
export class RealProvider {
  /** Claims of accounts by `sub`. */
  readonly accounts = new Map<string, Record<string, unknown>>();
  /** The account that signs in next. */
  subject = 'ada';
  private provider: Provider | undefined;
  private handle: Handler = () => undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<RealProvider> {
    const holder: { made?: RealProvider } = {};
    const server = await listen((request, response) => holder.made?.serve(request, response));
    const made = (holder.made = new RealProvider(server));
    made.useKey(newKey('first'));
    return made;
  }

  get issuer(): string {
    return this.server.issuer;
  }

  close(): void {
    this.server.close();
  }

  /** Replaces the key that signs. */
  useKey({ kid, key }: SigningKey): void {
    const scopes = 'openid email profile groups';
    this.provider = new Provider(this.issuer, {
      clients: [
        {
          ...CLIENT,
          redirect_uris: [CALLBACK],
          post_logout_redirect_uris: [`${PUBLIC_URL}/`],
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
      jwks: { keys: [{ ...key.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }] },
      cookies: { keys: ['key of the cookies'] },
      scopes: scopes.split(' '),
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
      interactions: { url: () => '/interaction' },
      findAccount: (_context: Context, sub: string) =>
        this.accounts.has(sub) ? { accountId: sub, claims: () => ({ sub, ...this.accounts.get(sub) }) } : undefined,
      async loadExistingGrant({ oidc: { client, session, provider } }: Context) {
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope(scopes);
        await grant.save();
        return grant;
      },
    });
    const callback = this.provider.callback();
    this.handle = (request, response) => void callback(request, response);
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    if (!request.url!.startsWith('/interaction')) return this.handle(request, response);
    void this.provider!.interactionFinished(
      request,
      response,
      this.accounts.has(this.subject) ? { login: { accountId: this.subject } } : { error: 'access_denied' },
      { mergeWithLastSubmission: false },
    );
  }
}

interface Page {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A browser: it keeps cookies by host, and follows redirects between the provider and the service. */
export class Browser {
  readonly cookies = new Map<string, Map<string, string>>();
  private readonly from = nextAddress();

  /** @param origin where the service is reached that is at PUBLIC_URL for browsers */
  constructor(private readonly origin: string) {}

  async get(url: string): Promise<Page> {
    return await this.send('GET', url);
  }

  async post(url: string, body: unknown): Promise<Page> {
    return await this.send('POST', url, body);
  }

  /** Follows redirects until one leads to an address that begins with `end`. @returns that address */
  async follow(url: string, end: string): Promise<string> {
    let at = url;
    for (let hops = 0; hops < 10; hops++) {
      const { status, headers, body } = await this.get(at);
      if (headers.location === undefined) throw new Error(`${at} gave ${status}: ${body}`);
      at = new URL(headers.location, at).href;
      if (at.startsWith(end)) return at;
    }
    throw new Error(`still redirected: ${at}`);
  }

  private async send(method: string, url: string, body?: unknown): Promise<Page> {
    const target = new URL(url);
    const isService = target.origin === PUBLIC_URL;
    const jar = this.cookies.get(target.host) ?? new Map<string, string>();
    this.cookies.set(target.host, jar);
    const real = isService ? new URL(target.pathname + target.search, this.origin) : target;
    const request = (isService ? overHttp : overHttps)(real, {
      method,
      agent: false,
      ...(isService ? { localAddress: this.from } : { ca }),
      headers: {
        ...(jar.size > 0 && { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
    }).end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    for (const cookie of response.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (/max-age=0/i.test(cookie) || value === '') jar.delete(name!);
      else jar.set(name!, value!);
    }
    return { status: response.statusCode!, headers: response.headers, body: await text(response) };
  }
}
