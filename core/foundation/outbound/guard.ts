import { BlockList, isIP } from 'node:net';
import { readTarget, type OutboundTarget } from '../../../config/outbound-target.js';

/** Ranges of no public host: IANA's registry of special-purpose addresses, multicast and what is reserved. */
const CLOSED_V4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** All of IPv6 is closed but global unicast, and there what is for protocols (Teredo too), for documentation, or 6to4. */
const OPEN_V6: readonly [string, number][] = [['2000::', 3]];
const CLOSED_V6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

function ranges(family: 'ipv4' | 'ipv6', list: readonly [string, number][]): BlockList {
  const made = new BlockList();
  for (const [address, prefix] of list) made.addSubnet(address, prefix, family);
  return made;
}
const closedV4 = ranges('ipv4', CLOSED_V4);
const openV6 = ranges('ipv6', OPEN_V6);
const closedV6 = ranges('ipv6', CLOSED_V6);

/** Eight groups of sixteen bits; none where it is no IPv6 address. */
function groups(address: string): number[] {
  // The URL parser knows every notation there is and writes the one of RFC 5952.
  const url = `http://[${address.split('%')[0]!}]/`;
  if (!URL.canParse(url)) return [];
  const [head = '', tail] = new URL(url).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail ?? ''].map((part) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)),
  ) as [number[], number[]];
  return tail === undefined
    ? before
    : [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/**
 * The IPv4 address a packet to an IPv6 address really goes to: of IPv4-mapped ones, and of NAT64 by its well-known
 * prefix (RFC 6052).
 */
function embedded(address: string): string | undefined {
  const g = groups(address);
  const isMapped = g.slice(0, 5).every((group) => group === 0) && g[5] === 0xffff;
  const isTranslated = g[0] === 0x64 && g[1] === 0xff9b && g.slice(2, 6).every((group) => group === 0);
  if (g.length !== 8 || !(isMapped || isTranslated)) return undefined;
  return [g[6]! >> 8, g[6]! & 255, g[7]! >> 8, g[7]! & 255].join('.');
}

/** Whether an address, in the notation of a resolver, is one anybody may reach. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closedV4.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  const inner = embedded(address);
  return inner === undefined
    ? openV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6')
    : !closedV4.check(inner, 'ipv4');
}

/** Tells where this service may call: every public address, and what the operator names beside. */
export class OutboundGuard {
  private readonly targets: readonly (OutboundTarget & { range?: BlockList })[];

  /** @param allow entries of OUTBOUND_ALLOW, checked before */
  constructor(allow: readonly string[]) {
    this.targets = allow
      .map(readTarget)
      .filter((target) => target !== undefined)
      .map((target) =>
        'name' in target ? target : { ...target, range: ranges(target.family, [[target.address, target.prefix]]) },
      );
  }

  /** Whether the operator trusts whatever the host's name resolves to. @param host as the URL has it */
  trusts(host: string, port: number): boolean {
    const name = host.toLowerCase().replace(/\.$/, '');
    return this.targets.some((target) => 'name' in target && target.name === name && (target.port ?? port) === port);
  }

  /** Whether a connection to the address may be made. */
  permits(address: string, port: number): boolean {
    if (isPublic(address)) return true;
    const plain = embedded(address) ?? address;
    const family = isIP(plain) === 4 ? 'ipv4' : 'ipv6';
    return this.targets.some(
      (target) =>
        'family' in target &&
        target.family === family &&
        (target.port ?? port) === port &&
        target.range?.check(plain, family) === true,
    );
  }
}
