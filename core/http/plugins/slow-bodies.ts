import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { clientError } from '../edge.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Runs out where the body does not arrive whole in time. */
    bodyDeadline: NodeJS.Timeout | undefined;
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean => headers['transfer-encoding'] !== undefined || !['0', undefined].includes(headers['content-length']);

/**
 * Gives up requests whose body does not arrive whole in time. Node's own limit holds for all routes alike, so it is set
 * for uploads; their handler reads the body itself, after validation, when the deadline here is over.
 */
export default fp(async (app: FastifyInstance) => {
  const ms = app.services.config.bodyTimeoutSeconds * 1_000;
  app.decorateRequest('bodyDeadline');
  const over = async (request: FastifyRequest): Promise<void> => clearTimeout(request.bodyDeadline);
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) return;
    request.bodyDeadline = setTimeout(() => {
      reply.hijack();
      clientError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.raw.socket);
    }, ms).unref();
  });
  app.addHook('preValidation', over);
  app.addHook('onResponse', over);
  app.addHook('onRequestAbort', over);
}, { name: 'slow-bodies' });
