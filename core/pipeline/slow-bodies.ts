import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { clientError } from '../foundation/http/edge.js';
import { hasBody } from '../foundation/http/body-stream.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Timer that expires when the body has not arrived completely in time. */
    bodyDeadline: NodeJS.Timeout | undefined;
    /** Starts that timer. */
    startBodyDeadline(): void;
    /** Responds that the body did not arrive in time, and closes the connection. */
    giveUpBody(): void;
  }
}

/**
 * Aborts requests whose body does not arrive completely in time. Node's own limit applies to all routes, so it is set
 * for uploads; their handlers read the body themselves, after validation, when this timer has been cleared.
 */
export default fp(
  async (app: FastifyInstance) => {
    const ms = app.services.config.bodyTimeoutSeconds * 1_000;
    app.decorateRequest('bodyDeadline');
    app.decorateRequest('startBodyDeadline');
    app.decorateRequest('giveUpBody');
    const over = async (request: FastifyRequest): Promise<void> => clearTimeout(request.bodyDeadline);
    app.addHook('onRequest', async (request, reply) => {
      if (!hasBody(request)) return;
      request.giveUpBody = () => {
        reply.hijack();
        clientError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.raw.socket);
      };
      request.startBodyDeadline = () => {
        clearTimeout(request.bodyDeadline);
        request.bodyDeadline = setTimeout(request.giveUpBody, ms).unref();
      };
      request.startBodyDeadline();
    });
    app.addHook('preValidation', over);
    app.addHook('onResponse', over);
    app.addHook('onRequestAbort', over);
  },
  { name: 'slow-bodies' },
);
