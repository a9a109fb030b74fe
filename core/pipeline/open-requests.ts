import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { clientKey } from '../foundation/http/client-address.js';
import { countFor, type RequestKind, type RequestUse } from '../foundation/request-use.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request uses; it counts for its client address, and for its user when that is known. */
    use: RequestUse;
  }
}

/** Maximum time in milliseconds for which a read may hold a connection to the database, and the same for a costly one. */
const READ_MS = 10_000;
const COSTLY_READ_MS = 30_000;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Counted for a response of unknown size, which is sent as it is made: as much as waits in its buffers. */
const STREAM_BYTES = 65_536;

function kindOf({ method, routeOptions: { config } }: FastifyRequest): RequestKind {
  return {
    isRead: READS.has(method),
    readMs: config.costly === true ? COSTLY_READ_MS : READ_MS,
    isLasting: config.lasting === true,
  };
}

const sizeOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : payload ? STREAM_BYTES : 0;

/**
 * Counts for each user what the open requests use: everything that follows runs for its request, so that its connections to the
 * database count too. A request whose user has not read earlier responses waits before it is processed.
 */
export default fp(
  async (app: FastifyInstance) => {
    const { openRequests } = app.services;
    app.decorateRequest('use');
    app.addHook('onRequest', (request, reply, done) => {
      request.use = openRequests.begin(clientKey(request.ip), reply.raw, kindOf(request));
      countFor(request.use, done);
    });
    app.addHook('preHandler', (request, _reply, done) => {
      const { load, signal } = request.use;
      if (load.hasRoom('unsentBytes')) done();
      else load.room('unsentBytes', signal).then(() => done(), done);
    });
    app.addHook('onSend', (request, _reply, payload, done) => {
      // A hook before that of `onRequest` may have answered.
      const use = request.use as RequestUse | undefined;
      if (use) openRequests.count(use, 'bodyBytes', 0);
      if (use?.isGone === false) openRequests.count(use, 'unsentBytes', sizeOf(payload));
      done();
    });
  },
  { name: 'open-requests', dependencies: ['headers', 'errors'] },
);
