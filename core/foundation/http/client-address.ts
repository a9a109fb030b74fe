import { isIPv4, isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The eight groups of an IPv6 address. */
function groups(address: string): string[] {
  const [head = '', tail] = address
    .toLowerCase()
    .replace(/:(\d+\.\d+\.\d+\.\d+)$/, ':0:0')
    .split('::');
  const left = head === '' ? [] : head.split(':');
  if (tail === undefined) return left;
  const right = tail === '' ? [] : tail.split(':');
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}

/**
 * What a client is counted by: the whole IPv4 address, or the /64 of an IPv6 address, of which one subscriber
 * usually has all.
 * @param ip as the connection or a trusted proxy names it
 */
export function clientKey(ip: string): string {
  const mapped = MAPPED.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  const [address = ''] = ip.split('%');
  if (isIPv4(address) || !isIPv6(address)) return address.slice(0, 64);
  return `${groups(address)
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

const LOOPBACK = /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/i;
/** What proxies say of the client; one that is there tells that a proxy is. */
const FORWARDING = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/;

/**
 * Whether a request comes from this machine, and from no proxy on it: what proxies write is not believed here, because
 * a client may have written it.
 * @param peer address of the connection
 * @param headers by names in lower case
 */
export function isFromLoopback(peer: string | undefined, headers: object): boolean {
  return peer !== undefined && LOOPBACK.test(peer) && !Object.keys(headers).some((name) => FORWARDING.test(name));
}

/** Where a session is used from. */
export interface ClientInfo {
  address: string;
  agent: string | null;
}
