import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { bareHost } from './url.js';

export interface Address {
  address: string;
  family: number;
}

/** Resolves a host to its addresses; replaceable in tests. */
export type Resolve = (host: string) => Promise<Address[]>;

export const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** The addresses of a URL's host: the literal one, or all that its name resolves to. */
export async function addressesOf(url: URL, resolve: Resolve): Promise<Address[]> {
  const host = bareHost(url);
  const family = isIP(host);
  return family === 0 ? await resolve(host) : [{ address: host, family }];
}

/** A look-up function that returns the addresses already checked, so that a second DNS answer cannot lead elsewhere. */
export function only(addresses: readonly Address[]): LookupFunction {
  return (_host, options, callback) => {
    const wanted =
      options.family === 4 || options.family === 6
        ? addresses.filter(({ family }) => family === options.family)
        : addresses;
    const [first] = wanted;
    if (!first) callback(Object.assign(new Error('no address of this family'), { code: 'ENOTFOUND' }), '', 0);
    else if (options.all) callback(null, [...wanted]);
    else callback(null, first.address, first.family);
  };
}
