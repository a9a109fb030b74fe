import type { FieldError } from '@lintel/sdk';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { MAX_FIELD_ERRORS, problem } from '../foundation/errors.js';
import { BODY_VALUES, hasBody, readBody } from '../foundation/http/body-stream.js';
import { BulkReader } from '../foundation/http/bulk-reader.js';
import { InvalidPart } from '../foundation/http/compilers.js';
import { clientError } from '../foundation/http/edge.js';
import { whereNeeded } from '../foundation/http/hooks.js';
import { JsonScanner } from '../foundation/http/json-scanner.js';
import { parseJson, unsafeBody } from '../foundation/http/json-text.js';
import { LARGE_BYTES } from '../foundation/http/large-bodies.js';
import { JSON_PATCH } from '../foundation/http/schemas.js';
import { pointerToken } from '../foundation/json-pointer.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Timer that expires when the body has not arrived completely in time. */
    bodyTimer: NodeJS.Timeout | undefined;
    /** Starts that timer, again if it is running. */
    startBodyTimer(): void;
    /** Waits for a slot for a large body, and keeps it until the response is ready. */
    holdLargeSlot(): Promise<void>;
    /** Responds that the body did not arrive in time, and closes the connection. */
    abortBody(): void;
  }
}

/** Minimum speed at which a large body with a slot must arrive, after an initial grace period. */
const LEAST_BYTES_PER_SECOND = 131_072;
const PACE_GRACE_MS = 5_000;
const PACE_CHECK_MS = 1_000;
/** Methods whose bodies Fastify does not read. */
const UNREAD = new Set(['GET', 'HEAD']);
const NO_BODY: FieldError = { field: '', reason: 'must be absent: this request has no body', in: 'body' };
const MAX_KEY = 500;

/** Reads the bodies of requests, within limits of time, size, number of values and number of large bodies. */
export default fp(
  async (app: FastifyInstance) => {
    limitDuration(app);
    queueLargeBodies(app);
    countSmallBodies(app);
    readJson(app);
    rejectUnexpected(app);
  },
  { name: 'body', dependencies: ['access', 'places'] },
);

/**
 * Aborts requests whose body does not arrive completely in time. Node's own limit applies to all routes, so it is set
 * for uploads; their handlers read the body themselves, after validation, when this timer has been cleared.
 */
function limitDuration(app: FastifyInstance): void {
  const ms = app.services.config.bodyTimeoutSeconds * 1_000;
  app.decorateRequest('bodyTimer');
  app.decorateRequest('startBodyTimer');
  app.decorateRequest('abortBody');
  app.addHook('onRequest', (request, reply, done) => {
    if (!hasBody(request)) {
      done();
      return;
    }
    request.abortBody = () => {
      reply.hijack();
      request.endPlaces();
      clientError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.raw.socket);
    };
    request.startBodyTimer = () => {
      clearTimeout(request.bodyTimer);
      request.bodyTimer = setTimeout(request.abortBody, ms).unref();
    };
    request.startBodyTimer();
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    clearTimeout(request.bodyTimer);
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    clearTimeout(request.bodyTimer);
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    clearTimeout(request.bodyTimer);
    done();
  });
}

/**
 * Lets requests with large bodies wait for a slot before the body is read. A route that stores its body while it
 * arrives needs none.
 */
function queueLargeBodies(app: FastifyInstance): void {
  const { largeBodies } = app.services;
  app.decorateRequest('holdLargeSlot', async function holdLargeSlot(this: FastifyRequest) {
    this.holdUntilReady(await largeBodies.enter(this.use.load.user, this.use.signal));
  });
  const needsSlot = (request: FastifyRequest): boolean =>
    !request.is404 && !request.routeOptions.config.streamsBody && isLarge(request);
  const enter = whereNeeded(needsSlot, async (request) => {
    // The timeout for the body starts when the slot is granted.
    clearTimeout(request.bodyTimer);
    await request.holdLargeSlot();
    request.startBodyTimer();
    watchPace(request);
  });
  app.addHook('preParsing', (request, reply, _payload, done) => enter(request, reply, done));
}

/** Lets a request wait while the bodies of other requests of its user take much memory. Large bodies have slots instead. */
function countSmallBodies(app: FastifyInstance): void {
  const { openRequests } = app.services;
  const isCounted = (request: FastifyRequest): boolean =>
    hasBody(request) && !request.is404 && !request.routeOptions.config.streamsBody && !isLarge(request);
  const count = whereNeeded(isCounted, async (request) => {
    const { use } = request;
    const bytes = Number(request.headers['content-length'] ?? request.routeOptions.bodyLimit);
    const take = (): void => openRequests.count(use, 'bodyBytes', bytes);
    if (use.load.hasRoom('bodyBytes')) {
      take();
      return;
    }
    clearTimeout(request.bodyTimer);
    await use.load.room('bodyBytes', use.signal, take);
    request.startBodyTimer();
  });
  app.addHook('preParsing', (request, reply, _payload, done) => count(request, reply, done));
}

/** Whether a body is large, or may be: without Content-Length its size is known only at its end. */
function isLarge({ headers, routeOptions: { bodyLimit } }: FastifyRequest): boolean {
  return headers['content-length'] === undefined
    ? headers['transfer-encoding'] !== undefined && bodyLimit > LARGE_BYTES
    : Number(headers['content-length']) > LARGE_BYTES && bodyLimit > LARGE_BYTES;
}

/** Aborts a request whose body arrives too slowly. */
function watchPace(request: FastifyRequest): void {
  const { raw } = request;
  const began = performance.now();
  const before = raw.socket.bytesRead;
  const timer = setInterval(() => {
    if (raw.complete || raw.destroyed) {
      clearInterval(timer);
      return;
    }
    const ms = performance.now() - began;
    if (ms < PACE_GRACE_MS || raw.socket.bytesRead - before >= (ms / 1_000) * LEAST_BYTES_PER_SECOND) return;
    clearInterval(timer);
    request.abortBody();
  }, PACE_CHECK_MS).unref();
}

/**
 * Reads JSON bodies: rejects invalid JSON (400), unsafe JSON (422) and more values than the route accepts (413),
 * counted before parsing; other media types are a 415. Bulk requests are parsed operation by operation, large ones while they arrive.
 */
function readJson(app: FastifyInstance): void {
  app.decorateRequest('unsafeOperations');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json', JSON_PATCH],
    async (request: FastifyRequest) => {
      // The body of a request for an unknown path is not read; Node.js discards it.
      if (request.is404) return undefined;
      const { config, bodyLimit } = request.routeOptions;
      const isPatch = (request.headers['content-type'] ?? '').toLowerCase().startsWith(JSON_PATCH);
      if (isPatch && !config.jsonPatch) throw problem('unsupported_media_type');
      if (!['', 'identity'].includes(request.headers['content-encoding'] ?? ''))
        throw problem('unsupported_media_type', { detail: 'Bodies are read uncompressed.' });
      const values = config.bodyValues ?? BODY_VALUES;
      const bulk = config.mostOperations === undefined ? undefined : { values, operations: config.mostOperations };
      if (bulk && isLarge(request)) return await readLargeBulk(request, bodyLimit, new BulkReader(bulk));
      const bytes = await readBytes(request, bodyLimit, values);
      return bulk ? await parseBulk(request, bytes, new BulkReader(bulk)) : parseWhole(bytes);
    },
  );
}

/**
 * Reads a body, and takes the turn to parse it. Before, only its bytes are in memory: each value takes many times as much, and so a
 * body with more values than usual is a large one.
 */
async function readBytes(request: FastifyRequest, most: number, values: number): Promise<Buffer> {
  const scanner = new JsonScanner(values);
  const parts: Buffer[] = [];
  await readBody(request, most, (chunk) => {
    scanner.scan(chunk);
    parts.push(chunk);
  });
  clearTimeout(request.bodyTimer);
  if (scanner.values > BODY_VALUES && !isLarge(request)) await request.holdLargeSlot();
  const turn = request.takeTurn();
  if (turn) await turn;
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

function parseWhole(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  if (text.length === 0) return undefined;
  const { value, errors } = parseJson(text);
  if (errors.length > 0) throw unsafeBody(errors);
  return value;
}

async function readLargeBulk(request: FastifyRequest, most: number, reader: BulkReader): Promise<unknown> {
  await readBody(request, most, (chunk) => reader.take(chunk));
  clearTimeout(request.bodyTimer);
  await request.takeTurn();
  return endBulk(request, reader);
}

async function parseBulk(request: FastifyRequest, bytes: Buffer, reader: BulkReader): Promise<unknown> {
  await reader.take(bytes);
  return endBulk(request, reader);
}

function endBulk(request: FastifyRequest, reader: BulkReader): unknown {
  const { value, unsafe } = reader.end();
  request.unsafeOperations = unsafe;
  return value;
}

/**
 * Rejects a body sent to a route that describes none, because it would be ignored without notice. `{}` and `null`,
 * which many clients send with every action, are accepted.
 */
function rejectUnexpected(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.is404 || request.routeOptions.schema?.body !== undefined) {
      done();
      return;
    }
    const errors = UNREAD.has(request.method) ? (hasBody(request) ? [NO_BODY] : []) : unexpectedMembers(request.body);
    done(errors.length > 0 ? new InvalidPart('body', errors) : undefined);
  });
}

/** The errors for a body on a route that accepts none. */
function unexpectedMembers(body: unknown): FieldError[] {
  if (body === undefined || body === null) return [];
  if (typeof body !== 'object' || Array.isArray(body) || Buffer.isBuffer(body)) return [NO_BODY];
  return Object.keys(body)
    .slice(0, MAX_FIELD_ERRORS)
    .map((key): FieldError => ({ field: `/${pointerToken(key).slice(0, MAX_KEY)}`, reason: 'is unknown', in: 'body' }));
}
