import { createHmac, randomBytes } from 'node:crypto';
import { sha256 } from '../../foundation/digest.js';
import type { Binding } from './protocol.js';

/** Lifetime of a sign-in that has begun, in seconds. */
export const REQUEST_SECONDS = 600;
/** Lifetime of a code for a session, in seconds. */
export const CODE_SECONDS = 60;
/** Cookies of sign-ins that a browser keeps. A request whose headers have more than 16 KiB is refused, so that many would lock it out. */
const MOST_COOKIES = 10;
/** Length of a secret in base64url: 32 random bytes. */
const SECRET = /^[\w-]{43}$/;
/** The part of a cookie's name that differs between sign-ins. */
const OWN_PART = /^[\w-]{16}$/;

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
  private readonly prefix: string;

  constructor(publicUrl: string) {
    this.isSecure = publicUrl.startsWith('https:');
    this.prefix = `${this.isSecure ? '__Host-' : ''}lintel-sso-`;
  }

  /** @param stateHash as stored */
  name(stateHash: Buffer): string {
    return `${this.prefix}${stateHash.toString('base64url').slice(0, 16)}`;
  }

  /** The value of a `Set-Cookie` header. */
  set(stateHash: Buffer, browser: string): string {
    return this.header(this.name(stateHash), browser, REQUEST_SECONDS + CODE_SECONDS);
  }

  /** The value of a `Set-Cookie` header that removes it. */
  clear(stateHash: Buffer): string {
    return this.header(this.name(stateHash), '', 0);
  }

  /**
   * The values of `Set-Cookie` headers that remove the oldest cookies, so that there is room for one more. Browsers send the
   * older ones first (RFC 6265, 5.4).
   * @param header `Cookie`
   */
  clearOldest(header: string | undefined): string[] {
    const names = (header ?? '').split(';').map((pair) => pair.split('=', 1)[0]!.trim());
    const own = names.filter((name) => name.startsWith(this.prefix) && OWN_PART.test(name.slice(this.prefix.length)));
    return own.slice(0, Math.max(0, own.length - MOST_COOKIES + 1)).map((name) => this.header(name, '', 0));
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

  private header(name: string, value: string, seconds: number): string {
    return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${this.isSecure ? '; Secure' : ''}`;
  }
}
