import { createHmac, randomBytes } from 'node:crypto';
import { sha256 } from '../../foundation/digest.js';
import type { Binding } from './protocol.js';

/** Lifetime of a sign-in that has begun, in seconds. */
export const REQUEST_SECONDS = 600;
/** Lifetime of a code for a session, in seconds. */
export const CODE_SECONDS = 60;
/** Length of a secret in base64url: 32 random bytes. */
const SECRET = /^[\w-]{43}$/;

export const newSecret = (): string => randomBytes(32).toString('base64url');
export const isSecret = (text: string): boolean => SECRET.test(text);

/**
 * Nonce and PKCE verifier are derived from the secret of the browser and the state. The service stores only hashes of these two:
 * its database does not suffice to complete a sign-in, and only this browser, with this state, leads to the same values.
 * @param browser secret in the cookie of the browser
 */
export function bindingOf(browser: string, state: string): Binding {
  const derived = (use: string): string => createHmac('sha256', browser).update(`${use} ${state}`).digest('base64url');
  return { state, nonce: derived('nonce'), verifier: derived('verifier') };
}

/**
 * The cookie of one sign-in; each has its own, so that tabs of a browser do not disturb each other. It is sent with the
 * navigation from the provider back to the service (`Lax`), never read by scripts, and with https only set by this host.
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3.2
 */
export class BrowserCookie {
  private readonly isSecure: boolean;

  constructor(publicUrl: string) {
    this.isSecure = publicUrl.startsWith('https:');
  }

  /** @param stateHash as stored */
  name(stateHash: Buffer): string {
    return `${this.isSecure ? '__Host-' : ''}lintel-sso-${stateHash.toString('base64url').slice(0, 16)}`;
  }

  /** The value of a `Set-Cookie` header. */
  set(stateHash: Buffer, browser: string): string {
    return this.header(stateHash, browser, REQUEST_SECONDS + CODE_SECONDS);
  }

  /** The value of a `Set-Cookie` header that removes it. */
  clear(stateHash: Buffer): string {
    return this.header(stateHash, '', 0);
  }

  /** Digest of the secret in the cookie of a request. @param header `Cookie` */
  read(header: string | undefined, stateHash: Buffer): { browser: string; hash: Buffer } | undefined {
    const name = this.name(stateHash);
    const values = (header ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${name}=`))
      .map((pair) => pair.slice(name.length + 1));
    const [browser] = values;
    // Two cookies of one name: another host of the domain has set one.
    if (values.length !== 1 || !isSecret(browser!)) return undefined;
    return { browser: browser!, hash: sha256(browser!) };
  }

  private header(stateHash: Buffer, value: string, seconds: number): string {
    return `${this.name(stateHash)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${this.isSecure ? '; Secure' : ''}`;
  }
}
