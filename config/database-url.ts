import { isIPv6 } from 'node:net';

/** A server of a `DATABASE_URL`. */
export interface DatabaseHost {
  /** A name, an address without brackets, or the folder of a socket. */
  host: string;
  port: number;
}

/** What a `DATABASE_URL` says of the servers to connect to. */
export interface DatabaseHosts {
  /** At least two, in their order; empty where the URL names one server, or none, as the client library reads it. */
  hosts: DatabaseHost[];
  /** A URL of one server with the same user, password, database and parameters; of several the first. */
  url: string;
  /** Whether a server whose transactions are read-only by a setting is refused, as a standby is. */
  mustReadWrite: boolean;
  /** Maximum time, in ms, to connect to one server; undefined for that of the service. */
  connectMs: number | undefined;
}

/** The URL cannot be used; the message says why, to follow the name of the variable, and does not contain the URL. */
export class DatabaseUrlError extends Error {}

const MAX_HOSTS = 16;
const DEFAULT_PORT = 5432;
const NOT_A_URL =
  'must be a URL such as postgres://user:password@host:5432/database, or with several hosts: postgres://user:password@host1:5432,host2:5432/database';
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/i;
const HOST_AND_PORT = /^(\[[^[\]]*\]|[^:[\]]*)(?::(\d*))?$/;
const NAME = /^[A-Za-z0-9._-]+$/;

/**
 * Reads the hosts of a URL in the two forms of libpq: `h1:5432,h2:5433` in place of the host, and as lists in the parameters
 * `host` and `port`, which replace those.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 * @throws DatabaseUrlError
 */
export function readDatabaseUrl(text: string): DatabaseHosts {
  const [, start, authority, path = '', query = ''] = PARTS.exec(text.trim()) ?? [];
  if (start === undefined || authority === undefined) throw new DatabaseUrlError(NOT_A_URL);
  const parameters = new URLSearchParams(query);
  const last = (name: string): string => parameters.getAll(name).at(-1) ?? '';
  const target = last('target_session_attrs') || 'any';
  if (!['any', 'primary', 'read-write'].includes(target))
    throw new DatabaseUrlError(
      'must have target_session_attrs=read-write, primary or any: the service needs a server that accepts writes',
    );
  const session = { mustReadWrite: target === 'read-write', connectMs: connectMs(last('connect_timeout')) };
  const listed = last('host') + last('port') + authority;
  const hosts = listed.includes(',') ? readHosts(authority, last('host'), last('port')) : [];
  const [first] = hosts;
  const url = first ? urlOf(first, (host) => `${start}localhost${path}?${query && `${query}&`}${host}`) : text;
  if (!URL.canParse(url)) throw new DatabaseUrlError(NOT_A_URL);
  return { hosts, url, ...session };
}

/** The parameters replace the host and the port of a URL; of a parameter that is given twice the client library reads the last. */
function urlOf({ host, port }: DatabaseHost, withHost: (parameters: string) => string): string {
  return withHost(`host=${encodeURIComponent(host)}&port=${port}`);
}

function readHosts(authority: string, hostList: string, portList: string): DatabaseHost[] {
  const items = authority.split(',').map((item) => HOST_AND_PORT.exec(item));
  const hosts = hostList === '' ? items.map((item) => hostOf(item?.[1] ?? '')) : hostList.split(',').map(listedHost);
  const given = portList === '' ? items.map((item) => item?.[2] ?? '') : portList.split(',');
  if (given.length !== 1 && given.length !== hosts.length)
    throw new DatabaseUrlError('must have one port for all hosts, or as many ports as hosts');
  if (hosts.length > MAX_HOSTS) throw new DatabaseUrlError(`must have at most ${MAX_HOSTS} hosts`);
  const ports = given.map(portOf);
  return hosts.map((host, n) => ({ host, port: ports.length === 1 ? ports[0]! : ports[n]! }));
}

/** In the place of the host an IPv6 address has brackets, and the slashes of a folder are percent-encoded. */
function hostOf(text: string): string {
  if (text.startsWith('[')) {
    const address = text.slice(1, -1);
    if (isIPv6(address)) return address;
  } else {
    const host = decode(text);
    if (isFolder(host) || NAME.test(host)) return host;
  }
  throw noHost();
}

function listedHost(host: string): string {
  if (isFolder(host) || NAME.test(host) || isIPv6(host)) return host;
  throw noHost();
}

function isFolder(host: string): boolean {
  return /^\/\P{Cc}*$/u.test(host);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw noHost();
  }
}

function noHost(): DatabaseUrlError {
  return new DatabaseUrlError(
    'must have hosts that are names, addresses or absolute folders of sockets, separated by commas without spaces; an IPv6 address has brackets, except in the parameter host',
  );
}

function portOf(text: string): number {
  if (text === '') return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new DatabaseUrlError('must have ports from 1 to 65535');
  return port;
}

/** As for libpq, 0 stands for its own limit. */
function connectMs(text: string): number | undefined {
  if (!/^\d{0,6}$/.test(text)) throw new DatabaseUrlError('must have a connect_timeout in whole seconds');
  return Number(text) === 0 ? undefined : Number(text) * 1_000;
}
