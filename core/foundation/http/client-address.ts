import type { IncomingMessage } from 'node:http';
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
 * The key by which requests of a client are counted: the whole IPv4 address, or the /64 of an IPv6 address, because one
 * subscriber usually has a whole /64.
 * @param ip address of the connection, or as reported by a trusted proxy
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

/**
 * The address of the client of an unparsed request, as `request.ip` has it.
 * @param proxies number of proxies in front of the service whose headers are trusted
 */
export function addressOf({ socket, headers }: IncomingMessage, proxies: number): string {
  const peer = socket.remoteAddress ?? '';
  if (proxies === 0) return peer;
  const reported = String(headers['x-forwarded-for'] ?? '').split(',');
  return reported.at(-proxies)?.trim() || reported[0]!.trim() || peer;
}

const LOOPBACK = /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/i;
/** Headers that proxies add; any of them shows that the request came through a proxy. */
const FORWARDING = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/;

/**
 * Whether a request comes from this machine without a proxy. Proxy headers are used only to reject, because a client
 * may have sent them.
 * @param peer address of the connection
 * @param headers header names in lower case
 */
export function isFromLoopback(peer: string | undefined, headers: object): boolean {
  return peer !== undefined && LOOPBACK.test(peer) && !Object.keys(headers).some((name) => FORWARDING.test(name));
}

/** The client that uses a session. */
export interface ClientInfo {
  address: string;
  agent: string | null;
}
