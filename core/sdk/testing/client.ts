/**
 * Members of most response bodies. Absent members are undefined at run time. A test
 * that reads other members passes its own type: `client.get<Note>(path)`.
 */
export interface AnyBody {
  [member: string]: unknown;
  id: string;
  version: number;
  name: string;
  items: AnyBody[];
  total: number;
  next_cursor: string | null;
  code: string;
  detail: string;
  errors: { field: string; reason: string; in: string }[];
}

/** A response of the platform: status, headers, and the body. */
export interface Answer<T = AnyBody> {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, otherwise text; undefined without a body. */
  body: T;
}

/** Options of a request besides method, path and body. */
export interface RequestOptions {
  query?: Readonly<Record<string, string | number | boolean>>;
  headers?: Readonly<Record<string, string>>;
}

/** Calls the platform over HTTP. Paths are below `/api/v1`, unless they begin with `/api/`. */
export interface Client {
  get<T = AnyBody>(path: string, options?: RequestOptions): Promise<Answer<T>>;
  post<T = AnyBody>(path: string, body?: unknown, options?: RequestOptions): Promise<Answer<T>>;
  patch<T = AnyBody>(path: string, body: unknown, options?: RequestOptions): Promise<Answer<T>>;
  put<T = AnyBody>(path: string, body: unknown, options?: RequestOptions): Promise<Answer<T>>;
  delete<T = AnyBody>(path: string, options?: RequestOptions): Promise<Answer<T>>;
  /** Any method. Text and bytes are sent unchanged, with the given Content-Type; a FormData as a form. */
  send<T = AnyBody>(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer<T>>;
}

const isRaw = (body: unknown): body is string | Uint8Array | FormData =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;

/**
 * @param origin such as `http://127.0.0.1:8920`
 * @param token bearer token of every request, unless a request has its own `authorization`
 */
export function client(origin: string, token?: string): Client {
  const send = async <T>(
    method: string,
    path: string,
    body?: unknown,
    { query = {}, headers: given = {} }: RequestOptions = {},
  ): Promise<Answer<T>> => {
    const url = new URL(path.startsWith('/api/') ? path : `/api/v1${path}`, origin);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
    if (body !== undefined && !isRaw(body)) headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(given)) headers.set(name, value);
    const content = body === undefined || isRaw(body) ? body : JSON.stringify(body);
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(content !== undefined && { body: content as string }),
    });
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : isJson ? JSON.parse(text) : text) as T,
    };
  };
  return {
    send,
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, body, options),
    patch: (path, body, options) => send('PATCH', path, body, options),
    put: (path, body, options) => send('PUT', path, body, options),
    delete: (path, options) => send('DELETE', path, undefined, options),
  };
}
