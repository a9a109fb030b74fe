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

/** What a client is made of. */
export interface LintelOptions {
  /** Of the service, without `/api/v1`, such as `http://localhost:8920`. */
  url: string;
  /** The access token, or what gives the one to use now; without one only what is open to all is answered. */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** Milliseconds until an answer is there; 30,000 when absent. A request may have a shorter time by its `signal`. */
  timeoutMs?: number;
  /** How often a request is sent at most, where the service asks for a pause; 3 when absent. */
  attempts?: number;
  /** Milliseconds of the longest such pause that is waited for; 60,000 when absent. */
  longestPauseMs?: number;
  /** In the place of the global `fetch`. */
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

/** The header by which a change is made only while the resource has the version that was read. */
export const ifMatch = ({ version }: { version: number }): { 'If-Match': string } => ({ 'If-Match': `"${version}"` });

/** The header by which a POST or PATCH happens once, however often it is sent: it may be sent again by itself then. */
export const once = (): { 'Idempotency-Key': string } => ({ 'Idempotency-Key': crypto.randomUUID() });

/**
 * The API of one service, with the rights of one token. Paths are those of the OpenAPI document below `/api/v1`; what a
 * request takes and what it answers is typed by them. Every method throws a `ProblemError` where the request is refused, a
 * `TimeoutError` where no answer comes in time, and what `fetch` throws where there is no service.
 */
export class LintelClient {
  /** Of openapi-fetch, for what the methods here do not tell, such as headers of an answer; it throws as they do. */
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

  /** Reads. @param init `params`, and `parseAs: 'text' | 'blob' | 'stream'` for what is no JSON @returns the body */
  get<P extends PathOf<'get'>, I extends Init<P, 'get'>>(
    path: P,
    ...[init]: Arguments<I>
  ): Promise<Answer<P, 'get', I>> {
    return this.#send('get', path, init);
  }

  /** Makes something, or acts on it. @param init `params` and `body` @returns the body of the answer */
  post<P extends PathOf<'post'>>(path: P, ...[init]: Arguments<Init<P, 'post'>>): Promise<Answer<P, 'post'>> {
    return this.#send('post', path, init);
  }

  /** Changes what is there by a merge patch, or a card by a list of JSON Patch operations. @returns it as it is then */
  patch<P extends PathOf<'patch'>>(path: P, ...[init]: Arguments<Init<P, 'patch'>>): Promise<Answer<P, 'patch'>> {
    return this.#send('patch', path, init);
  }

  /** Replaces. @param init `params` and `body` @returns the body of the answer */
  put<P extends PathOf<'put'>>(path: P, ...[init]: Arguments<Init<P, 'put'>>): Promise<Answer<P, 'put'>> {
    return this.#send('put', path, init);
  }

  /** Deletes, or takes away. @param init `params` */
  delete<P extends PathOf<'delete'>>(path: P, ...[init]: Arguments<Init<P, 'delete'>>): Promise<Answer<P, 'delete'>> {
    return this.#send('delete', path, init);
  }

  /**
   * Everything of a list, read page by page as it is asked for: nothing twice and nothing left out while others write.
   * @param init as of `get`; `page_size` of the query is 200 when absent
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
   * Reads a resource, and changes it only as it was read: where it changed meanwhile it is read and changed anew.
   * @param params of the path; undefined where it has none
   * @param change makes the merge patch from what was read
   * @param attempts how often it is tried
   * @returns the resource as it is then
   * @throws ProblemError with status 412 where others changed it every time
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
    // An answer that is no success was thrown: `data` is there, or the answer has no body.
    return (await request(method, path, { ...given, headers })).data as T;
  }
}
