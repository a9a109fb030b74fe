import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

/** https://www.w3.org/TR/trace-context/: version, trace id, parent id, flags; neither id all zeros. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const MAX_PATH = 500;

/** @returns the header where it is valid, so that a client cannot inject text into the log */
export function readTraceparent(header: unknown): string | undefined {
  return typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;
}

/**
 * Writes one log line per request, when the response is complete or the client has disconnected. Only the path of the
 * URL is logged, because a query may contain a ticket. Headers and bodies are never logged.
 */
export default fp(
  async (app: FastifyInstance) => {
    app.setChildLoggerFactory((logger, bindings, options, raw) => {
      const traceparent = readTraceparent(raw.headers.traceparent);
      return logger.child(traceparent === undefined ? bindings : { ...bindings, traceparent }, options);
    });

    if (!['trace', 'debug', 'info'].includes(app.services.config.logLevel)) return;
    app.addHook('onRequest', (request, reply, done) => {
      const began = performance.now();
      // `close` is emitted both after a complete response and after a broken connection.
      reply.raw.once('close', () =>
        request.log.info(
          {
            method: request.method,
            path: request.url.split('?')[0]!.slice(0, MAX_PATH),
            status: reply.raw.statusCode,
            ms: Math.round((performance.now() - began) * 10) / 10,
            address: request.ip,
            ...(request.identity && { user_id: request.identity.actor.id }),
            ...(!reply.raw.writableFinished && { aborted: true }),
          },
          'request',
        ),
      );
      done();
    });
  },
  { name: 'logging' },
);
