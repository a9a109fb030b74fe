import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Keeps a place among a limited number until the work of the request ends: the response is ready to be sent. Sending it is not
     * part of the work, because the client determines how long that takes.
     * @param end gives up the place
     */
    holdUntilReady(end: () => void): void;
    /** Gives up all places, for a request that is not answered by Fastify. */
    endPlaces(): void;
    /** The places held; null when the response is ready, after which no place is held any more. */
    places: (() => void)[] | undefined | null;
  }
}

/**
 * Gives up all places of a request when its response is ready, or when a response that is made while it is sent ends. A handler
 * goes on after its client has disconnected, and keeps its places until it ends.
 */
export default fp(
  async (app: FastifyInstance) => {
    app.decorateRequest('places');
    app.decorateRequest('holdUntilReady', function holdUntilReady(this: FastifyRequest, end) {
      if (this.places === null) end();
      else (this.places ??= []).push(end);
    });
    app.decorateRequest('endPlaces', function endPlaces(this: FastifyRequest) {
      const { places } = this;
      this.places = null;
      for (const end of places ?? []) end();
    });
    app.addHook('onSend', (request, _reply, payload, done) => {
      if (payload instanceof Readable) payload.once('close', () => request.endPlaces());
      else request.endPlaces();
      done();
    });
  },
  { name: 'places', dependencies: ['headers', 'errors'] },
);
