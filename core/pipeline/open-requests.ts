import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TimeSlice } from '@lintel/sdk';
import fp from 'fastify-plugin';
import { clientKey } from '../foundation/http/client-address.js';
import { beginFairly, mayBegin } from '../foundation/loop-queue.js';
import { Semaphore } from '../foundation/semaphore.js';
import { countFor, type RequestKind, type RequestUse } from '../foundation/request-use.js';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Waits until the request may be processed: few of a user are at a time, and work that takes long in one turn of the event loop waits for the
     * next turn. @returns undefined where it may be at once @throws rate_limited when it takes too long
     */
    takeTurn(): Promise<void> | undefined;
    /** Whether the request has its turn among those of its user. */
    hasTurn: boolean;
    /** What the request uses; it counts for its client address, and for its user when that is known. */
    use: RequestUse;
  }
}

/** Maximum time in milliseconds for which a read may hold a connection to the database, and the same for a costly one. */
const READ_MS = 10_000;
const COSTLY_READ_MS = 30_000;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Requests of a user that are processed at a time, and the maximum wait of others in milliseconds. */
const MOST_PROCESSED = 32;
const WAIT_MS = 30_000;
/** Counted for a response of unknown size, which is sent as it is made: as much as waits in its buffers. */
const STREAM_BYTES = 65_536;
/** The bytes of a shorter text are not counted one by one. */
const SHORT = 4_096;
/** A response that is made of more bytes of rows waits for its turn to be serialised. */
const LARGE_BYTES = 262_144;

function kindOf({ method, routeOptions: { config } }: FastifyRequest): RequestKind {
  return {
    isRead: READS.has(method),
    readMs: config.costly ? COSTLY_READ_MS : READ_MS,
  };
}

/** The key of the client address, which is unknown if the connection has been closed. */
const addressOf = ({ ip }: { ip?: string | undefined }): string => (ip === undefined ? '' : clientKey(ip));

/** Bytes of a response. */
const sizeOf = (payload: unknown): number => {
  if (typeof payload === 'string') return payload.length < SHORT ? payload.length : Buffer.byteLength(payload);
  if (Buffer.isBuffer(payload)) return payload.length;
  return payload ? STREAM_BYTES : 0;
};

/**
 * Counts for each user what the open requests use: everything that follows runs for its request, so that its connections to the
 * database count too. A request whose user has not read earlier responses waits before it is processed.
 */
export default fp(
  async (app: FastifyInstance) => {
    const { openRequests, continuity } = app.services;
    app.decorateRequest('use');
    app.addHook('onRequest', (request, reply, done) => {
      request.use = openRequests.begin(() => addressOf(request), reply.raw, kindOf(request));
      request.use.generation = continuity.generation;
      countFor(request.use, done);
    });
    limitProcessed(app);
    // After the turn, so that the few requests that have one begin when there is room, and not all that wait.
    app.addHook('preHandler', (request, _reply, done) => {
      const { use } = request;
      if (use.user === undefined || use.load.hasRoom('unsentBytes')) done();
      else use.load.room('unsentBytes', use.signal).then(() => done(), done);
    });
    // Otherwise several large responses would be serialised in one turn of the event loop.
    app.addHook('preSerialization', (request, _reply, payload, done) => {
      const use = request.use as RequestUse | undefined;
      if (use === undefined || use.unsentBytes < LARGE_BYTES) done(null, payload);
      else new TimeSlice().next().then(() => done(null, payload), done);
    });
    app.addHook('onSend', (request, _reply, payload, done) => {
      // A hook before that of `onRequest` may have answered.
      const use = request.use as RequestUse | undefined;
      if (use) openRequests.count(use, 'bodyBytes', 0);
      // The response to a pipelined request does not notice the end of its connection.
      if (payload instanceof Readable) use?.whenEnded(() => payload.destroy());
      if (use?.isGone === false) openRequests.count(use, 'unsentBytes', sizeOf(payload));
      done();
    });
  },
  { name: 'open-requests', dependencies: ['headers', 'errors', 'places'] },
);

/**
 * Lets further requests of a user wait while many are being processed: those of another user would otherwise wait for all of them, because one
 * thread processes the requests of a node. A request with a body takes its turn before the body is parsed.
 */
function limitProcessed(app: FastifyInstance): void {
  const turns = new Semaphore({
    what: 'requests in progress',
    most: Infinity,
    each: MOST_PROCESSED,
    waitMs: WAIT_MS,
    waitingEach: Infinity,
  });
  app.decorateRequest('hasTurn', false);
  const begin = (use: RequestUse): Promise<void> => new Promise((resolve) => beginFairly(() => use.load.user, resolve));
  app.decorateRequest('takeTurn', function takeTurn(this: FastifyRequest) {
    const { use } = this;
    if (use.user !== undefined) {
      this.hasTurn = true;
      const end = turns.tryTake(use.user);
      if (!end)
        return turns.take(use.user, use).then((later) => {
          this.holdUntilReady(later);
          return begin(use);
        });
      this.holdUntilReady(end);
    }
    return mayBegin() ? undefined : begin(use);
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const { user } = request.use;
    if (user === undefined || request.is404 || request.hasTurn) {
      done();
      return;
    }
    const end = turns.tryTake(user);
    if (end) {
      request.holdUntilReady(end);
      done();
    } else request.takeTurn()!.then(() => done(), done);
  });
}
