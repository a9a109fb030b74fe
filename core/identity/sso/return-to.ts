import { invalid } from '../../foundation/errors.js';

/** Where browsers may be sent after a sign-in or log-out. */
export class ReturnAddresses {
  private readonly base: URL;

  /** @param origins additional ones, as in `Origin` headers */
  constructor(
    publicUrl: string,
    private readonly origins: readonly string[],
  ) {
    this.base = new URL(`${publicUrl}/`);
  }

  /**
   * The address to return to.
   * @param text a path below PUBLIC_URL, such as `/cards?type=Application`, or an address there or on an allowed origin; by
   *   default PUBLIC_URL
   * @throws validation_failed for any other
   */
  check(text: string | undefined): string {
    if (text === undefined) return this.base.href;
    const refused = (reason: string) => invalid({ in: 'query', field: 'return_to', reason });
    // The URL parser would read backslashes as slashes, and drop tabs and line breaks.
    if (/[\\\p{Cc}\s]/u.test(text) || text.startsWith('//')) throw refused('is not a path or an address');
    const isPath = text.startsWith('/');
    const full = isPath ? `${this.base.href.slice(0, -1)}${text}` : text;
    if (!URL.canParse(full)) throw refused('is not a path or an address');
    const url = new URL(full);
    if (url.username !== '' || url.password !== '' || url.hash !== '')
      throw refused('must not contain a user, a password or a fragment');
    const isBelow = url.origin === this.base.origin && `${url.pathname}/`.startsWith(this.base.pathname);
    const isAllowed = !isPath && this.origins.includes(url.origin);
    if (!isBelow && !isAllowed) throw refused('must be below PUBLIC_URL, or on an origin of ALLOWED_ORIGINS');
    return url.href;
  }
}

/** An address with one further parameter, which replaces those of the same name. */
export function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
}
