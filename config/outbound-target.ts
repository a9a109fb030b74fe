import { isIP } from 'node:net';

/** One entry of OUTBOUND_ALLOW: a host by name, or a range of addresses, each on one port or on all. */
export type OutboundTarget =
  | { name: string; port: number | undefined }
  | { address: string; family: 'ipv4' | 'ipv6'; prefix: number; port: number | undefined };

const LABEL = '[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?';
const NAME = new RegExp(`^(?=.{1,253}$)${LABEL}(\\.${LABEL})*$`);
const BITS = { ipv4: 32, ipv6: 128 } as const;

/** The family of an address; undefined for an address with a zone, such as `fe80::1%eth0`, which is valid on one machine only. */
const familyOf = (address: string): 'ipv4' | 'ipv6' | undefined =>
  address.includes('%') ? undefined : ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)];

/**
 * Reads one entry: `wiki.intern`, `wiki.intern:8443`, `10.0.0.5`, `10.0.0.5:80`, `[fd00::5]:80`, `10.0.0.0/8`, `fd00::/8`.
 * @returns undefined if it is none of these
 */
export function readTarget(text: string): OutboundTarget | undefined {
  const entry = text.trim().toLowerCase();
  const range = /^([0-9a-f:.]+)\/(\d{1,3})$/.exec(entry);
  if (range) return addressTarget(range[1]!, undefined, Number(range[2]));
  if (isIP(entry)) return addressTarget(entry, undefined);
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([^[\]:/]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? addressTarget(bracketed, port) : undefined;
  if (plain === undefined) return undefined;
  if (isIP(plain)) return addressTarget(plain, port);
  // Browsers and this service parse a name whose last label is a number as an address, and do not resolve it.
  return NAME.test(plain) && !/(^|\.)(0x[0-9a-f]*|\d+)$/.test(plain) ? { name: plain, port } : undefined;
}

function addressTarget(address: string, port: number | undefined, prefix?: number): OutboundTarget | undefined {
  const family = familyOf(address);
  if (!family || (prefix !== undefined && prefix > BITS[family])) return undefined;
  return { address, family, prefix: prefix ?? BITS[family], port };
}
