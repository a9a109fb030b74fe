import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problem, type Problem } from '../errors.js';
import { uuidv7 } from '../ids.js';

/**
 * Headers of every response, set together because none depends on the request. The API serves data, so the content
 * security policy allows nothing; the documentation page sets its own.
 */
export const STATIC_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-cache',
  // In lower case, because @fastify/compress looks for this spelling before it adds its own header.
  vary: 'authorization, accept-encoding',
};

/** The RFC 9457 body of a problem, as text. */
export function problemBody(p: Problem, instance: string | undefined, requestId: string): string {
  return JSON.stringify({
    type: `/problems/${p.code}`,
    title: p.title,
    status: p.status,
    detail: p.detail,
    instance,
    code: p.code,
    request_id: requestId,
    ...(p.errors && { errors: p.errors }),
    ...p.extensions,
  });
}

/** Responds to URLs that the router cannot parse: they match no route, so no hooks and no error handler run. */
export function frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const p = problem(error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? 'not_found' : 'bad_request');
  const body = problemBody(p, request.raw.url?.split('?')[0], request.id);
  request.log.info({ method: request.method, status: p.status, reason: error.code }, 'request');
  reply.raw.writeHead(p.status, {
    ...STATIC_HEADERS,
    'x-request-id': request.id,
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
  });
  reply.raw.end(body);
}

const REQUEST_LINE = /^[A-Z]+ (\/[^\s?#]{0,2000})/;

/** The path of an unparsed request, if the rejected packet begins with a request line; else `/`. */
const pathOf = ({ rawPacket }: { rawPacket?: unknown }): string =>
  (Buffer.isBuffer(rawPacket) && REQUEST_LINE.exec(rawPacket.toString('latin1', 0, 2_100))?.[1]) || '/';

/** Responds to what Node's HTTP parser rejects: there is a socket, but no request object. */
export function clientError(error: { code?: string | undefined; rawPacket?: unknown }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const p = problem(
      error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : error.code === 'HPE_HEADER_OVERFLOW'
          ? 'headers_too_large'
          : 'bad_request',
    );
    const id = uuidv7();
    const body = problemBody(p, pathOf(error), id);
    const headers = {
      ...STATIC_HEADERS,
      'x-request-id': id,
      'content-type': 'application/problem+json',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    };
    const head = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    socket.write(`HTTP/1.1 ${p.status} ${STATUS_CODES[p.status]}\r\n${head}\r\n${body}`);
  }
  socket.destroySoon();
}
