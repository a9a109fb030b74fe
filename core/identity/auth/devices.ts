import { isIPv4 } from 'node:net';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { clientKey, type ClientInfo } from '../../foundation/http/client-address.js';
import { mayMail, queueAccountMail } from '../mails/index.js';
import { markDevice } from './device-repository.js';

/**
 * Maximum number of notices to a user in an hour. The User-Agent is chosen by the client, and the address of a new account
 * is not confirmed: without a maximum, anyone could send any number of mails to any address.
 */
const MOST_NOTICES = 5;

/** Browsers contain the names of others in their User-Agent: the most specific ones are first. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

/**
 * The family of a browser or program, without its version, which changes often.
 * @param agent the User-Agent
 * @returns at most 40 letters, digits, blanks and `._-`; `–` where it is not known
 */
export function agentFamily(agent: string | null): string {
  const text = agent ?? '';
  const known = FAMILIES.find(([pattern]) => pattern.test(text))?.[1];
  return known ?? /^[A-Za-z0-9][\w.-]{0,39}/.exec(text)?.[0] ?? '–';
}

/** The network of an address, as users of one provider or office share it: /24 of IPv4, /48 of IPv6. */
export function networkOf(ip: string): string {
  const key = clientKey(ip);
  if (isIPv4(key)) return `${key.split('.').slice(0, 3).join('.')}.0/24`;
  return key.includes(':') ? `${key.split(':').slice(0, 3).join(':')}::/48` : key;
}

/**
 * Records the device of a log-in, and queues a mail to the user where it is unknown: none of the log-ins of the last 90
 * days has both its family and its network.
 */
export async function noticeDevice(
  uow: UnitOfWork,
  userId: string,
  sessionId: string,
  { address, agent }: ClientInfo,
): Promise<void> {
  const isNews = await markDevice(uow, userId, agentFamily(agent), networkOf(address));
  if (isNews && (await mayMail(uow, `sign-in of ${userId}`, MOST_NOTICES)))
    await queueAccountMail(uow, 'sign_in', sessionId);
}
