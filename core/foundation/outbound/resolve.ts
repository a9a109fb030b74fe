import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { bareHost } from './url.js';

export interface Address {
  address: string;
  family: number;
}

/** Finds the addresses of a host; the tests have one of their own. */
export type Resolve = (host: string) => Promise<Address[]>;

export const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** Where a URL leads: an address it names, or all those its name has now. */
export async function addressesOf(url: URL, resolve: Resolve): Promise<Address[]> {
  const host = bareHost(url);
  const family = isIP(host);
  return family === 0 ? await resolve(host) : [{ address: host, family }];
}

/** Looks nothing up: gives the addresses that were looked at, so that no second answer can lead elsewhere. */
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
