import { BlockList, isIP } from 'node:net';

const RANGE = /^([0-9a-fA-F:.]{2,45})(?:\/(\d{1,3}))?$/;
/** IPv4 addresses as IPv6 sockets report them. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** @returns undefined for a text that is neither an address nor a range of addresses */
function parse(text: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [, address = '', length] = RANGE.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const most = version === 4 ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  return bits > most ? undefined : { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Whether a text is an address or a range in CIDR notation, of IPv4 or IPv6, such as `192.0.2.0/24`. */
export const isAddressRange = (text: string): boolean => parse(text) !== undefined;

/** Ranges of client addresses. */
export class AddressRanges {
  private readonly list = new BlockList();

  /** @param ranges as accepted by `isAddressRange`; any others contain no address */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const known = parse(range);
      if (known) this.list.addSubnet(known.address, known.bits, known.family);
    }
  }

  /** @param ip address of the connection, or as reported by a trusted proxy */
  includes(ip: string): boolean {
    const [plain = ''] = (MAPPED.exec(ip)?.[1] ?? ip).split('%');
    const version = isIP(plain);
    return version !== 0 && this.list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  }
}
