import createFetch, { type Client } from 'openapi-fetch';
import { problemOf, ProblemError } from './problem.js';
import { send, type Sending } from './retry.js';
import type { paths } from './schema.js';
import type {
  Answer,
  Arguments,
  ChangeablePath,
  Init,
  ItemOf,
  ListPath,
  Method,
  PatchOf,
  PathOf,
  PathParams,
} from './types.js';

export type * from './schema.js';
export type * from './types.js';
export { ProblemError } from './problem.js';

/** Options of a client. */
export interface LintelOptions {
  /** URL of the service, without `/api/v1`, such as `http://localhost:8920`. */
  url: string;
  /** The access token, or a function that returns the current one; without a token only public endpoints can be used. */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** Timeout of an attempt in milliseconds; default: 30,000. A request can be aborted earlier by its `signal`. */
  timeoutMs?: number;
  /** Maximum number of attempts if the service sends `Retry-After`; default: 3. */
  attempts?: number;
  /** Maximum `Retry-After` for which the client waits, in milliseconds; default: 60,000. */
  longestPauseMs?: number;
  /** Replaces the global `fetch`. */
  fetch?: Sending['fetch'];
}

interface Page {
  items: unknown[];
  next_cursor: string | null;
}
interface AnyInit {
  params?: { query?: Record<string, unknown> };
  headers?: Record<string, string>;
  body?: unknown;
}

const JSON_PATCH = 'application/json-patch+json';
const STALE = 412;

/** The `If-Match` header: the change is made only if the resource still has the version that was read. */
export const ifMatch = ({ version }: { version: number }): { 'If-Match': string } => ({ 'If-Match': `"${version}"` });

/** A new `Idempotency-Key`: a POST or PATCH is executed once even if it is sent repeatedly, so that the client can retry it. */
export const once = (): { 'Idempotency-Key': string } => ({ 'Idempotency-Key': crypto.randomUUID() });

/**
 * The API of one service, with the permissions of one token. Paths are those of the OpenAPI document below `/api/v1`; they
 * determine the types of requests and responses. Every method throws a `ProblemError` for an error response, a
 * `TimeoutError` after the timeout, and the error of `fetch` if the service cannot be reached.
 */
export class LintelClient {
  /** The openapi-fetch client, for example for response headers; it throws the same errors. */
  readonly raw: Client<paths>;

  constructor({
    url,
    token,
    timeoutMs = 30_000,
    attempts = 3,
    longestPauseMs = 60_000,
    fetch = globalThis.fetch,
  }: LintelOptions) {
    const sending: Sending = { fetch, timeoutMs, attempts, longestPauseMs };
    this.raw = createFetch<paths>({
      baseUrl: `${url.replace(/\/+$/, '')}/api/v1`,
      fetch: (request) => send(request, sending),
    });
    this.raw.use({
      async onRequest({ request }) {
        const now = typeof token === 'function' ? await token() : token;
        if (now !== undefined) request.headers.set('authorization', `Bearer ${now}`);
      },
      async onResponse({ request, response }) {
        if (!response.ok) throw await problemOf(request, response);
      },
    });
  }

  /** Reads. @param init `params`, and `parseAs: 'text' | 'blob' | 'stream'` for responses other than JSON @returns the body */
  get<P extends PathOf<'get'>, I extends Init<P, 'get'>>(
    path: P,
    ...[init]: Arguments<I>
  ): Promise<Answer<P, 'get', I>> {
    return this.#send('get', path, init);
  }

  /** Creates a resource, or performs an action. @param init `params` and `body` @returns the body of the response */
  post<P extends PathOf<'post'>>(path: P, ...[init]: Arguments<Init<P, 'post'>>): Promise<Answer<P, 'post'>> {
    return this.#send('post', path, init);
  }

  /** Changes a resource by a merge patch, or a card by a list of JSON Patch operations. @returns the changed resource */
  patch<P extends PathOf<'patch'>>(path: P, ...[init]: Arguments<Init<P, 'patch'>>): Promise<Answer<P, 'patch'>> {
    return this.#send('patch', path, init);
  }

  /** Replaces. @param init `params` and `body` @returns the body of the response */
  put<P extends PathOf<'put'>>(path: P, ...[init]: Arguments<Init<P, 'put'>>): Promise<Answer<P, 'put'>> {
    return this.#send('put', path, init);
  }

  /** Deletes. @param init `params` */
  delete<P extends PathOf<'delete'>>(path: P, ...[init]: Arguments<Init<P, 'delete'>>): Promise<Answer<P, 'delete'>> {
    return this.#send('delete', path, init);
  }

  /**
   * All items of a list, read page by page on demand, without duplicates or omissions by concurrent writes.
   * @param init as for `get`; the default `page_size` is 200
   */
  async *all<P extends ListPath, I extends Init<P, 'get'>>(
    path: P,
    ...[init]: Arguments<I>
  ): AsyncGenerator<ItemOf<P, I>, void, undefined> {
    const { params, ...rest } = (init ?? {}) as AnyInit;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { page_size: 200, ...params?.query, ...(cursor !== undefined && { cursor }) };
      const page: Page = await this.#send('get', path, { ...rest, params: { ...params, query } });
      yield* page.items as ItemOf<P, I>[];
      cursor = page.next_cursor;
    }
  }

  /**
   * Reads a resource and changes it with `If-Match`; after a concurrent change both are repeated.
   * @param params of the path; undefined if it has none
   * @param change computes the merge patch from the resource read
   * @param attempts maximum number of attempts
   * @returns the changed resource
   * @throws ProblemError with status 412 if it was changed concurrently at every attempt
   */
  async change<P extends ChangeablePath>(
    path: P,
    params: PathParams<P>,
    change: (current: Answer<P, 'get'>) => PatchOf<P> | Promise<PatchOf<P>>,
    attempts = 5,
  ): Promise<Answer<P, 'patch'>> {
    for (let attempt = 1; ; attempt++) {
      const current = await this.#send<Answer<P, 'get'> & { version: number }>('get', path, {
        params: { path: params },
      });
      const body = await change(current);
      try {
        return await this.#send('patch', path, { params: { path: params, header: ifMatch(current) }, body });
      } catch (error) {
        if (!(error instanceof ProblemError) || error.status !== STALE || attempt >= attempts) throw error;
      }
    }
  }

  async #send<T>(method: Method, path: string, init: unknown): Promise<T> {
    const given = (init ?? {}) as AnyInit;
    const headers = {
      ...(method === 'patch' && Array.isArray(given.body) && { 'content-type': JSON_PATCH }),
      ...given.headers,
    };
    const request = this.raw.request as unknown as (
      method: Method,
      path: string,
      init: AnyInit,
    ) => Promise<{ data?: T }>;
    // Error responses have been thrown: `data` is defined, or the response has no body.
    return (await request(method, path, { ...given, headers })).data as T;
  }
}
