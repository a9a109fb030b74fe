/** A server with the Table API and the token endpoint of ServiceNow over tables in memory, whose faults are switched on by the test. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { OAuth } from './servicenow-oauth.js';
import { TableApi, failure, type Reply } from './servicenow-table-api.js';
import { Tables } from './servicenow-tables.js';

/** What goes wrong, until the test takes it back. */
export interface Faults {
  /** The requests that it concerns, by method, path and query; default: those of the Table API for tables that are not of the system. */
  on?: RegExp;
  /** So many of these requests are answered as usual first. */
  after?: number;
  /** And so many thereafter are not; default: all. */
  times?: number;
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** In place of the usual one. */
  body?: string;
  /** The response ends in the middle. */
  cutOff?: boolean;
  /** The request has its effect, but its response does not arrive. */
  lost?: boolean;
  /** Milliseconds before the response. */
  delayMs?: number;
  /** X-Total-Count, whatever the number of records. */
  total?: number;
  /** Tokens that were issued before the request are not valid any more. */
  expireTokens?: boolean;
  /** Called before the request is answered. */
  meanwhile?: () => void;
}

const DATA = /^\S+ \/api\/now\/table\/(?!sys_)/;

export class ServiceNowServer {
  readonly tables = new Tables();
  readonly oauth = new OAuth();
  readonly api: TableApi;
  faults: Faults = {};
  /** `METHOD path?query` of all requests, without the token endpoint. */
  readonly requests: string[] = [];
  origin = '';
  private concerned = 0;
  private readonly server = createServer((request, response) => void this.serve(request, response));

  /** @param port 0 for a free one */
  static async start(port = 0): Promise<ServiceNowServer> {
    const server = new ServiceNowServer();
    server.server.listen(port, '127.0.0.1');
    await once(server.server, 'listening');
    server.origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    return server;
  }

  private constructor() {
    this.api = new TableApi(this.tables, () => this.origin);
  }

  /** Switches faults on; none takes them back. */
  fail(faults: Faults = {}): void {
    this.concerned = 0;
    this.faults = faults;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** The requests of a method, and of a path that begins so. */
  count(method: string, path = '/api/now/table/'): number {
    return this.requests.filter((request) => request.startsWith(`${method} ${path}`)).length;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const url = new URL(request.url ?? '/', this.origin);
    const method = request.method ?? 'GET';
    const line = `${method} ${url.pathname}${decodeURIComponent(url.search.replaceAll('+', ' '))}`;
    const fault = this.faultOf(line);
    if (fault.delayMs !== undefined) await delay(fault.delayMs);
    fault.meanwhile?.();
    if (fault.expireTokens) this.oauth.expire();
    if (url.pathname !== '/oauth_token.do') this.requests.push(line);
    const usual = fault.status === undefined && fault.body === undefined;
    const reply: Reply = usual
      ? this.reply(method, url, request.headers.authorization, request.headers['content-type'], text)
      : { status: fault.status ?? 200, ...(fault.body === undefined && { body: failure('Fault').body }) };
    if (fault.lost) return void response.destroy();
    const bytes = Buffer.from(fault.body ?? (reply.body === undefined ? '' : JSON.stringify(reply.body)));
    response.writeHead(reply.status, {
      'content-type': fault.body?.startsWith('<') ? 'text/html' : 'application/json;charset=UTF-8',
      'content-length': bytes.length,
      date: new Date(Date.now() + this.tables.clockAhead).toUTCString(),
      ...reply.headers,
      ...(fault.total !== undefined &&
        reply.headers?.['x-total-count'] !== undefined && { 'x-total-count': String(fault.total) }),
      ...fault.headers,
    });
    if (fault.cutOff) {
      response.write(bytes.subarray(0, bytes.length / 2));
      response.destroy();
    } else response.end(bytes);
  }

  private faultOf(request: string): Faults {
    const { on = DATA, after = 0, times = Infinity } = this.faults;
    if (!on.test(request)) return {};
    this.concerned += 1;
    return this.concerned > after && this.concerned <= after + times ? this.faults : {};
  }

  private reply(
    method: string,
    url: URL,
    authorization: string | undefined,
    type: string | undefined,
    text: string,
  ): Reply {
    if (url.pathname === '/oauth_token.do') return this.oauth.reply(method, type, text);
    if (!this.oauth.isAllowed(authorization))
      return failure('User Not Authenticated', 401, 'Required to provide Auth information');
    return this.api.reply(method, url, text);
  }
}
