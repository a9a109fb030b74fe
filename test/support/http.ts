import { request as httpRequest } from 'node:http';
import { text as readText } from 'node:stream/consumers';

/**
 * Members of most responses. A member that is absent at run time is undefined and fails the assertion on it. For other
 * members a test passes a type: `api.get<Page<Card>>('/cards')`.
 */
export interface AnyBody {
  [member: string]: unknown;
  id: string;
  version: number;
  name: string;
  type: string;
  items: AnyBody[];
  total: number;
  next_cursor: string | null;
  code: string;
  detail: string;
  request_id: string;
  errors: { field: string; reason: string; in: string }[];
}

export interface Answer<T = AnyBody> {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, otherwise text; undefined if empty. */
  body: T;
}

export interface RequestOptions {
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
  /** The source address, a loopback address, for limits per address; see `nextAddress`. */
  from?: string;
}

export interface Client {
  get<T = AnyBody>(path: string, options?: RequestOptions): Promise<Answer<T>>;
  post<T = AnyBody>(path: string, body?: unknown, options?: RequestOptions): Promise<Answer<T>>;
  patch<T = AnyBody>(path: string, body: unknown, options?: RequestOptions): Promise<Answer<T>>;
  put<T = AnyBody>(path: string, body: unknown, options?: RequestOptions): Promise<Answer<T>>;
  del<T = AnyBody>(path: string, options?: RequestOptions): Promise<Answer<T>>;
  /** Sends any method; text and bytes are sent unchanged, with the given Content-Type or without one. */
  send<T = AnyBody>(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer<T>>;
}

/**
 * A client over real HTTP.
 * @param origin such as `http://127.0.0.1:8920`
 * @param token bearer token of every request, unless a request has its own `authorization`
 * Paths are under `/api/v1`, unless they begin with `/api/`.
 */
export function client(origin: string, token?: string): Client {
  const send = async <T>(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<Answer<T>> => {
    const url = new URL(path.startsWith('/api/') ? path : `/api/v1${path}`, origin);
    for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, String(value));
    const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
    const content =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    if (content !== undefined && content !== body) headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    const answer =
      options.from === undefined
        ? await overFetch(method, url, headers, content)
        : await overSocket(method, url, headers, content, options.from);
    return { ...answer, body: parse(answer) as T };
  };
  return {
    send,
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, body, options),
    patch: (path, body, options) => send('PATCH', path, body, options),
    put: (path, body, options) => send('PUT', path, body, options),
    del: (path, options) => send('DELETE', path, undefined, options),
  };
}

type Raw = Answer<string>;

async function overFetch(method: string, url: URL, headers: Headers, body: string | Buffer | undefined): Promise<Raw> {
  const response = await fetch(url, { method, headers, body, redirect: 'manual' });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** Used instead of fetch, which cannot set the source address. */
async function overSocket(
  method: string,
  url: URL,
  headers: Headers,
  body: string | Buffer | undefined,
  localAddress: string,
): Promise<Raw> {
  return await new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: Object.fromEntries(headers), localAddress, agent: false });
    request.once('error', reject);
    request.once('response', (response) => {
      const received = new Headers();
      for (const [name, values] of Object.entries(response.headersDistinct))
        for (const value of values ?? []) received.append(name, value);
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: received, body: text }),
        reject,
      );
    });
    request.end(body);
  });
}

function parse({ headers, body }: Raw): unknown {
  if (body === '') return undefined;
  return /[/+]json\b/.test(headers.get('content-type') ?? '') ? JSON.parse(body) : body;
}

let addresses = 0;

/** A loopback address not used by other requests of this process, so that limits per address start from zero. */
export function nextAddress(): string {
  addresses++;
  return `127.${100 + (process.pid % 100)}.${Math.floor(addresses / 250) % 250}.${1 + (addresses % 250)}`;
}

/** Removes the stored data of a module, with its current version. */
export async function removeModule(api: Client, id: string): Promise<Answer> {
  const {
    body: { version },
  } = await api.get(`/settings/modules/${id}`);
  return await api.del(`/settings/modules/${id}`, { query: { confirm: id }, headers: { 'if-match': `"${version}"` } });
}
