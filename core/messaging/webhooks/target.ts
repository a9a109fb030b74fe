import { isIP } from 'node:net';
import { Problem, invalid } from '../../foundation/errors.js';
import { bareHost, portOf, type Outbound } from '../../foundation/outbound/index.js';

const CHECK_MS = 5_000;

/**
 * Validates the URL of a receiver. An address that is never allowed is rejected here; what a name resolves to is
 * checked at each delivery, because it may change.
 * @returns the normalised URL, which is stored
 * @throws validation_failed
 */
export async function checkedTarget(outbound: Outbound, text: string): Promise<string> {
  const refuse = (reason: string) => invalid({ field: '/url', reason });
  if (!URL.canParse(text)) throw refuse('is no URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('must be http or https');
  if (url.username !== '' || url.password !== '') throw refuse('must not contain credentials');
  url.hash = '';
  if (url.href.length > 2_048) throw refuse('must have at most 2,048 characters');
  const host = bareHost(url);
  if (isIP(host) !== 0)
    await outbound.addresses(host, portOf(url), AbortSignal.timeout(CHECK_MS)).catch((error: unknown) => {
      throw error instanceof Problem ? refuse('is not a public address, and OUTBOUND_ALLOW does not list it') : error;
    });
  return url.href;
}

/** The part of a URL that may be published in events: path and query may contain a key. */
export const publicPart = (url: string): string => new URL(url).origin;
