import { isIP } from 'node:net';
import { Problem, invalid } from '../../foundation/errors.js';
import type { Outbound } from '../../foundation/outbound/index.js';

const CHECK_MS = 5_000;

/**
 * Reads the address of a receiver. An address that may never be called is refused here; what names resolve to is looked
 * at by each delivery, for it may change.
 * @returns the one spelling of it that is stored
 * @throws validation_failed
 */
export async function checkedTarget(outbound: Outbound, text: string): Promise<string> {
  const refuse = (reason: string) => invalid({ field: '/url', reason });
  if (!URL.canParse(text)) throw refuse('is no URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('must be http or https');
  if (url.username !== '' || url.password !== '') throw refuse('must not hold credentials');
  url.hash = '';
  if (url.href.length > 2_048) throw refuse('must have at most 2,048 characters');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) {
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    await outbound.addresses(host, port, AbortSignal.timeout(CHECK_MS)).catch((error: unknown) => {
      throw error instanceof Problem ? refuse('is not a public address, and OUTBOUND_ALLOW does not name it') : error;
    });
  }
  return url.href;
}

/** What of an address may be told in the event log: its path or query may be a key. */
export const publicPart = (url: string): string => new URL(url).origin;
