/** A server with lists of JSON objects and every kind of paging, whose faults are switched on by the test. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SourceFault } from '@lintel/sdk/testing';

type Values = Record<string, unknown>;
interface Item {
  id: number;
  values: Values;
  changed: number;
}

/** A server of another system for a connector; paths tell the paging. */
export class RestServer {
  /** In the order of their ids. */
  items: Item[] = [];
  fault: SourceFault | undefined;
  hidden: string | undefined;
  /** Most records of a page. */
  most = 1_000;
  /** Authorisation that is accepted; undefined: any. */
  accepts: ((request: IncomingMessage) => boolean) | undefined;
  /** Called before each response; may answer itself. @returns whether it did */
  before: (url: URL, response: ServerResponse, request: IncomingMessage) => boolean = () => false;
  /** The requests, as method and address. */
  requests: string[] = [];
  origin = '';
  private last = 0;
  private readonly server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => this.answer(request, response, text));
  });

  static async start(): Promise<RestServer> {
    const server = new RestServer();
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    server.origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    return server;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  fill(count: number): void {
    this.items = [];
    for (let n = 1; n <= count; n++) this.put({ name: `Item ${n}`, site: { name: `Site ${n % 3}`, id: n % 3 } });
  }

  /** @returns the id */
  put(values: Values, id?: number): string {
    const found = this.items.find((item) => item.id === id);
    if (found) Object.assign(found, { values: { ...found.values, ...values }, changed: Date.now() });
    else this.items.push({ id: ++this.last, values, changed: Date.now() });
    return String(id ?? this.last);
  }

  remove(id: string): void {
    this.items = this.items.filter((item) => item.id !== Number(id));
  }

  private answer(request: IncomingMessage, response: ServerResponse, text: string): void {
    const url = new URL(request.url ?? '/', this.origin);
    const method = request.method ?? 'GET';
    this.requests.push(`${method} ${url.pathname}${url.search}`);
    if (this.before(url, response, request)) return;
    if (this.fault === 'unauthorized' || this.accepts?.(request) === false)
      return this.send(response, 401, { error: request.headers.authorization ?? 'nobody' });
    if (this.fault === 'error') return this.send(response, 500, { error: request.headers });
    if (this.fault === 'not_json') {
      response.setHeader('content-type', 'text/html');
      response.end('<html><title>Maintenance</title></html>');
      return;
    }
    const { status, body, link } = this.result(method, url, text);
    if (link !== undefined) response.setHeader('link', `<${url.pathname}?first=1>; rel="first", <${link}>; rel="next"`);
    this.send(response, status, body);
  }

  send(response: ServerResponse, status: number, body: unknown): void {
    const bytes = Buffer.from(JSON.stringify(body));
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
    if (this.fault !== 'cut_off') response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }

  private result(method: string, url: URL, text: string): { status: number; body: unknown; link?: string } {
    const [, , kind, id] = url.pathname.split('/');
    const data = text === '' ? {} : (JSON.parse(text) as Values);
    if (method === 'POST') {
      if (kind === 'created') return { status: 201, body: { result: { key: Number(this.put(data)) } } };
      return { status: 201, body: { data: this.show(this.find(this.put(data))!) } };
    }
    if (kind === 'records') {
      const item = this.find(id ?? '');
      if (!item) return { status: 404, body: { error: 'none' } };
      if (method === 'PUT') item.values = {};
      const { id: _, updated_at, ...values } = data;
      if (method !== 'GET') this.put(values, item.id);
      return { status: 200, body: { data: this.show(item) } };
    }
    return this.list(kind ?? '', url);
  }

  private find = (id: string): Item | undefined => this.items.find((item) => String(item.id) === id);

  private show({ id, values, changed }: Item): Values {
    const shown: Values = { id, ...values, updated_at: new Date(changed).toISOString() };
    if (this.hidden !== undefined) delete shown[this.hidden];
    return shown;
  }

  private list(kind: string, { searchParams: query, pathname }: URL): { status: number; body: unknown; link?: string } {
    const since = query.get('updated_since');
    const reference = query.get('external_ref');
    const all = this.items.filter(
      ({ changed, values }) =>
        (since === null || new Date(changed).toISOString() >= since) &&
        (reference === null || values['external_ref'] === reference),
    );
    const size = Math.min(Number(query.get('limit') ?? (kind === 'all' ? this.most : 3)), this.most);
    const page = (from: number): Values[] => all.slice(from, from + size).map((item) => this.show(item));
    const meta = { total: all.length, now: Math.floor(Date.now() / 1_000) };
    if (kind === 'all') return { status: 200, body: page(0) };
    if (kind === 'page') return { status: 200, body: { meta, data: page((Number(query.get('page')) - 1) * size) } };
    if (kind === 'offset') return { status: 200, body: { meta, data: page(Number(query.get('offset'))) } };
    // By the id of the last record, which no removal moves.
    const after = Number(query.get('cursor') ?? 0);
    const found = all.filter(({ id }) => id > after);
    const data = found.slice(0, size).map((item) => this.show(item));
    const next = found.length > size ? String(found[size - 1]!.id) : null;
    if (kind === 'cursor') return { status: 200, body: { data, meta: { ...meta, next } } };
    const link =
      next === null
        ? null
        : `${pathname}?limit=${size}&cursor=${next}${since === null ? '' : `&updated_since=${since}`}`;
    if (kind === 'header') return { status: 200, body: { data }, ...(link !== null && { link }) };
    return { status: 200, body: { data, links: { next: link === null ? null : this.origin + link } } };
  }
}
