import { BlockList, isIP } from 'node:net';
import { readTarget, type OutboundTarget } from '../../../config/outbound-target.js';

/** Address ranges without public hosts: IANA's special-purpose registry, multicast and reserved ranges. */
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
/**
 * Only global unicast IPv6 addresses are allowed, except ranges for protocols (including Teredo), documentation and
 * 6to4.
 */
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

/** The eight 16-bit groups of an IPv6 address; empty for any other text. */
function groups(address: string): number[] {
  // The URL parser accepts every notation and returns that of RFC 5952.
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
 * The IPv4 address that an IPv6 address leads to: for IPv4-mapped addresses, and NAT64 with the well-known prefix (RFC
 * 6052).
 */
function embedded(address: string): string | undefined {
  const g = groups(address);
  const isMapped = g.slice(0, 5).every((group) => group === 0) && g[5] === 0xffff;
  const isTranslated = g[0] === 0x64 && g[1] === 0xff9b && g.slice(2, 6).every((group) => group === 0);
  if (g.length !== 8 || !(isMapped || isTranslated)) return undefined;
  return [g[6]! >> 8, g[6]! & 255, g[7]! >> 8, g[7]! & 255].join('.');
}

/** Whether an address, in the notation of the resolver, is public. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closedV4.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  const inner = embedded(address);
  return inner === undefined
    ? openV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6')
    : !closedV4.check(inner, 'ipv4');
}

/** Decides which addresses the service may connect to: every public address, and those the operator allows. */
export class OutboundGuard {
  private readonly targets: readonly (OutboundTarget & { range?: BlockList })[];

  /** @param allow validated entries of OUTBOUND_ALLOW */
  constructor(allow: readonly string[]) {
    this.targets = allow
      .map(readTarget)
      .filter((target) => target !== undefined)
      .map((target) =>
        'name' in target ? target : { ...target, range: ranges(target.family, [[target.address, target.prefix]]) },
      );
  }

  /** Whether the operator allows every address that the host's name resolves to. @param host as in the URL */
  trusts(host: string, port: number): boolean {
    const name = host.toLowerCase().replace(/\.$/, '');
    return this.targets.some((target) => 'name' in target && target.name === name && (target.port ?? port) === port);
  }

  /** Whether a connection to the address is allowed. */
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
