import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { clientKey } from '../foundation/http/client-address.js';
import { LARGE_BYTES } from '../foundation/http/large-bodies.js';

/** Minimum speed at which a large body with a slot must arrive, after an initial grace period. */
const LEAST_BYTES_PER_SECOND = 131_072;
const PACE_GRACE_MS = 5_000;
const PACE_LOOK_MS = 1_000;

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
  const look = setInterval(() => {
    if (raw.complete || raw.destroyed) {
      clearInterval(look);
      return;
    }
    const ms = performance.now() - began;
    if (ms < PACE_GRACE_MS || raw.socket.bytesRead - before >= (ms / 1_000) * LEAST_BYTES_PER_SECOND) return;
    clearInterval(look);
    request.giveUpBody();
  }, PACE_LOOK_MS).unref();
}

/**
 * Lets requests with large bodies wait for a slot before the body is read. A route that stores its body while it
 * arrives needs none.
 */
export default fp(
  async (app: FastifyInstance) => {
    const { largeBodies } = app.services;
    app.addHook('preParsing', async (request, reply) => {
      if (request.is404 || request.routeOptions.config.streamsBody || !isLarge(request)) return;
      const gone = new AbortController();
      const onClose = (): void => gone.abort();
      reply.raw.once('close', onClose);
      // The timeout for the body starts when the slot is granted.
      clearTimeout(request.bodyDeadline);
      const leave = await largeBodies.enter(request.identity?.actor.id ?? clientKey(request.ip), gone.signal);
      if (reply.raw.destroyed || reply.raw.closed) {
        leave();
        return;
      }
      reply.raw.once('close', leave);
      request.startBodyDeadline();
      watchPace(request);
    });
  },
  { name: 'large-bodies', dependencies: ['slow-bodies', 'access'] },
);
