import type { FastifyReply, FastifyRequest } from 'fastify';

type Done = (error?: Error) => void;

/**
 * A hook that works only for requests that need it. Other requests continue at once: the promises of a hook that does nothing take a noticeable part
 * of the time of a short request.
 */
export const whereNeeded =
  (
    isNeeded: (request: FastifyRequest) => boolean,
    work: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
  ): ((request: FastifyRequest, reply: FastifyReply, done: Done) => void) =>
  (request, reply, done) => {
    if (isNeeded(request)) work(request, reply).then(() => done(), done);
    else done();
  };
