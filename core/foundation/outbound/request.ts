import { isIP } from 'node:net';
import type { OutboundAnswer, OutboundPort, OutboundRequest } from '@lintel/sdk';
import { Problem, problem } from '../errors.js';
import { demandPlain, exchange, open, type Limits, type Message, type Opened, type Reply } from './exchange.js';
import { OutboundGuard } from './guard.js';
import { KeptConnections } from './kept-connections.js';
import { addressesOf, systemResolve, type Address, type Resolve } from './resolve.js';
import { withRetries } from './retries.js';
import { parsedAtOnce, parsedInSlices } from './json.js';
import { bareHost, checkedUrl, portOf, refused } from './url.js';

const TIMEOUT_MS = 10_000;
const MOST_MS = 600_000;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that control the connection; a caller that sets them could smuggle a second request. */
const OURS =
  /^(host|connection|keep-alive|content-length|transfer-encoding|upgrade|te|trailer|expect|accept-encoding|proxy-.*)$/;
/** Headers also sent to another origin after a redirect; any other header may contain credentials. */
const CROSS_ORIGIN = new Set(['accept', 'accept-language', 'content-type', 'content-language', 'user-agent']);
/** The reason by error code; other codes are reported as a broken connection. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'has no address',
  EAI_AGAIN: 'has no address at the moment',
  ECONNREFUSED: 'refuses the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  HPE_HEADER_OVERFLOW: 'answers with too many headers',
};

/** What only the core may demand of a request. */
interface CoreRequest extends OutboundRequest, Pick<Limits, 'cut'> {
  /** Uses a connection that was kept open, and keeps it open. Only for requests that the receiver may get twice. */
  keepsConnection?: boolean;
}

/** Sends all outgoing requests of the service to external systems. */
export class Outbound implements OutboundPort {
  private readonly guard: OutboundGuard;
  private readonly kept = new KeptConnections();

  /**
   * @param allow entries of OUTBOUND_ALLOW
   * @param resolve resolves host names
   */
  constructor(
    allow: readonly string[],
    private readonly resolve: Resolve = systemResolve,
  ) {
    this.guard = new OutboundGuard(allow);
  }

  /**
   * Sends a request and reads the response, regardless of its status. Each address is checked before a connection is
   * used: the first one, those of redirects, and all that their names resolve to.
   * @param given.cut truncates a body longer than `maxBytes`; the body may then be compressed
   * @throws outbound_refused where the address is not allowed, outbound_failed where no complete response arrives
   */
  async request(url: string, given: CoreRequest = {}): Promise<OutboundAnswer> {
    const { retries, timeoutMs = TIMEOUT_MS } = given;
    if (!retries) return await this.once(url, given);
    return await withRetries(given, retries, (leftMs) =>
      this.once(url, { ...given, timeoutMs: Math.min(timeoutMs, leftMs) }),
    );
  }

  private async once(url: string, given: CoreRequest): Promise<OutboundAnswer> {
    const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, maxRedirects = MAX_REDIRECTS, signal, cut } = given;
    const kept = given.keepsConnection ? this.kept : undefined;
    const over = new AbortController();
    const timer = setTimeout(() => over.abort('the timeout expired'), Math.min(Math.max(timeoutMs, 1), MOST_MS));
    const stop = (): void => over.abort('it was cancelled');
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    try {
      const limits = { signal: over.signal, maxBytes, cut, kept };
      return await this.follow(checkedUrl(url), messageOf(given), limits, maxRedirects);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  /**
   * Sends a request once, and returns the response before its body has arrived, for an answer that is read while it is sent.
   * Redirects are not followed, and a compressed answer is refused.
   * @param signal bounds everything, the reading of the body included
   * @throws outbound_refused, outbound_failed
   */
  async open(
    url: string,
    given: Pick<OutboundRequest, 'method' | 'headers' | 'body'>,
    signal: AbortSignal,
  ): Promise<Opened> {
    const target = checkedUrl(url);
    try {
      const opened = await open(target, await withEnd(this.reachable(target), signal), messageOf(given), signal);
      try {
        demandPlain(opened);
        return opened;
      } catch (error) {
        opened.close();
        throw error;
      }
    } catch (error) {
      throw failure(error, target, signal);
    }
  }

  private async follow(first: URL, message: Message, limits: Limits, maxRedirects: number): Promise<OutboundAnswer> {
    const isRedirect = (status: number): boolean => maxRedirects > 0 && REDIRECTS.has(status);
    let url = first;
    for (let hops = 0; ; hops++) {
      const reply = await this.hop(url, message, limits, isRedirect);
      const { location } = reply.headers;
      if (!isRedirect(reply.status) || location === undefined) return answerOf(reply, url);
      if (hops >= maxRedirects)
        throw problem('outbound_failed', { detail: `${url.host} redirects more than ${maxRedirects} times.` });
      const next = checkedUrl(location, url);
      message = redirected(message, reply.status, next.origin === url.origin);
      url = next;
    }
  }

  private async hop(
    url: URL,
    message: Message,
    limits: Limits,
    isRedirect: (status: number) => boolean,
  ): Promise<Reply> {
    try {
      const addresses = await withEnd(this.reachable(url), limits.signal);
      return await exchange(url, addresses, message, limits, (status) => !isRedirect(status));
    } catch (error) {
      throw failure(error, url, limits.signal);
    }
  }

  /**
   * The allowed addresses for a connection of another protocol, such as to a mail server; no others may be used.
   * @param signal bounds the name look-up
   * @throws outbound_refused, outbound_failed
   */
  async addresses(host: string, port: number, signal: AbortSignal): Promise<Address[]> {
    const url = checkedUrl(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`);
    try {
      return await withEnd(this.reachable(url), signal);
    } catch (error) {
      throw failure(error, url, signal);
    }
  }

  /** The allowed addresses of the URL's host. @throws outbound_refused where there are none */
  private async reachable(url: URL): Promise<Address[]> {
    const port = portOf(url);
    const all = await addressesOf(url, this.resolve);
    const open = this.guard.trusts(bareHost(url), port)
      ? all
      : all.filter(({ address }) => this.guard.permits(address, port));
    // The address itself is not reported, because it would reveal the internal network.
    if (open.length === 0) throw refused(`${url.host} is not a public address, and OUTBOUND_ALLOW does not list it.`);
    return open;
  }
}

function messageOf({ method = 'GET', headers = {}, body }: OutboundRequest): Message {
  const verb = method.toUpperCase();
  if (!METHODS.has(verb)) throw refused('The method is not allowed.');
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  for (const [name, value] of Object.entries(own)) {
    if (OURS.test(name)) throw refused(`The header ${name} cannot be set by the caller.`);
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw refused('A header is not valid.');
  }
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  return {
    method: verb,
    headers: {
      'user-agent': 'Lintel',
      accept: '*/*',
      ...own,
      'accept-encoding': 'identity',
      ...(bytes && { 'content-length': String(bytes.length) }),
    },
    body: bytes,
  };
}

/** The request that follows a redirect, as browsers send it (Fetch, 4.4), but with fewer headers to another origin. */
function redirected({ method, headers, body }: Message, status: number, sameOrigin: boolean): Message {
  const becomesGet =
    method !== 'GET' &&
    method !== 'HEAD' &&
    (status === 303 || (method === 'POST' && (status === 301 || status === 302)));
  const kept = Object.entries(headers).filter(
    ([name]) =>
      (sameOrigin || CROSS_ORIGIN.has(name) || OURS.test(name)) && !(becomesGet && name.startsWith('content-')),
  );
  return {
    method: becomesGet ? 'GET' : method,
    headers: Object.fromEntries(kept),
    body: becomesGet ? undefined : body,
  };
}

function answerOf({ status, headers, body }: Reply, url: URL): OutboundAnswer {
  return {
    status,
    headers,
    body,
    url: url.href,
    text: () => body.toString('utf8'),
    json: () => parsedAtOnce(body, url),
    readJson: async () => await parsedInSlices(body, url),
  };
}

function failure(error: unknown, { host }: URL, signal: AbortSignal): Problem {
  if (error instanceof Problem) return error;
  const reason = signal.aborted ? `did not answer: ${String(signal.reason)}` : reasonOf(error);
  return problem('outbound_failed', { detail: `${host} ${reason}.`, cause: error });
}

function reasonOf(error: unknown): string {
  // An AggregateError means that the host has several addresses, and all failed.
  const { code } = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException;
  if (code !== undefined && /CERT|TLS|SSL|ALTNAME|SIGNATURE/.test(code))
    return 'has no certificate that can be trusted';
  return REASONS[code ?? ''] ?? (code === 'ETIMEDOUT' ? 'cannot be reached' : 'closed the connection');
}

/** Waits for work that cannot be cancelled, until the signal aborts. */
async function withEnd<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop!: () => void;
  const end = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
