import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer as readBytes } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

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
    const headers: Record<string, string> = { 'accept-encoding': 'gzip, deflate' };
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
    const content =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    if (content !== undefined && content !== body) headers['content-type'] = 'application/json';
    for (const [name, value] of Object.entries(options.headers ?? {})) headers[name.toLowerCase()] = value;
    return answerOf<T>(...(await exchange(method, url, headers, content, options.from)));
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

/** Connections are kept open between requests; idle ones do not keep the process running. */
const agent = new Agent({ keepAlive: true });

/**
 * One request. `fetch` takes more than twice the processor time, and cannot set the source address.
 * @param from a request from an address has a separate connection
 * @returns the response and its body, decompressed
 */
async function exchange(
  method: string,
  url: URL,
  headers: Record<string, string>,
  body: string | Buffer | undefined,
  from: string | undefined,
): Promise<[IncomingMessage, string]> {
  return await new Promise((resolve, reject) => {
    const route = from === undefined ? { agent } : { localAddress: from, agent: false };
    const request = httpRequest(url, { method, headers, ...route });
    request.once('error', reject);
    request.once('response', (response) => {
      readBytes(response).then((bytes) => {
        try {
          resolve([response, decoded(bytes, response.headers['content-encoding'])]);
        } catch (error) {
          reject(error as Error);
        }
      }, reject);
    });
    request.end(body);
  });
}

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

function decoded(bytes: Buffer, encoding: string | undefined): string {
  const decode = encoding === undefined || bytes.length === 0 ? undefined : DECODERS[encoding];
  // As in `fetch`: without a byte order mark.
  return new TextDecoder().decode(decode ? decode(bytes) : bytes);
}

function answerOf<T>(response: IncomingMessage, text: string): Answer<T> {
  let headers: Headers | undefined;
  const isJson = /[/+]json\b/.test(response.headers['content-type'] ?? '');
  return {
    status: response.statusCode ?? 0,
    // Made at the first use, because few tests read them.
    get headers() {
      return (headers ??= headersOf(response));
    },
    body: (text === '' ? undefined : isJson ? JSON.parse(text) : text) as T,
  };
}

function headersOf(response: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return headers;
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
