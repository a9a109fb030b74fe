import { problem, type Problem } from '../errors.js';

const MAX_LENGTH = 8_192;

/** The problem for a URL that is not allowed. */
export const refused = (detail: string): Problem => problem('outbound_refused', { detail });

/**
 * Parses and checks the URL of a request; the URL parser normalises all notations of host and path.
 * @param from the URL that redirected here
 * @throws outbound_refused
 */
export function checkedUrl(text: string, from?: URL): URL {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !URL.canParse(text, from?.href))
    throw refused('The address is no URL.');
  const url = new URL(text, from?.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused('The scheme of the address is neither http nor https.');
  if (url.username !== '' || url.password !== '') throw refused('The address contains credentials.');
  if (from?.protocol === 'https:' && url.protocol === 'http:')
    throw refused(`${from.host} redirects from https to http.`);
  return url;
}

/** The host of a URL without the brackets of an IPv6 address. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** The port of a URL, or the default port of its scheme. */
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));
