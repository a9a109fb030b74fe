import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { clientError } from '../foundation/http/edge.js';
import { hasBody } from '../foundation/http/body-stream.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Runs out where the body does not arrive whole in time. */
    bodyDeadline: NodeJS.Timeout | undefined;
    /** Begins that time. */
    startBodyDeadline(): void;
    /** Answers that the body did not arrive in time, and cuts the connection. */
    giveUpBody(): void;
  }
}

/**
 * Gives up requests whose body does not arrive whole in time. Node's own limit holds for all routes alike, so it is set
 * for uploads; their handler reads the body itself, after validation, when the deadline here is over.
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
