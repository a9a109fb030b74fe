import type { FastifyBaseLogger } from 'fastify';

/** The structured logger of the app: one JSON object a line, without secrets or tokens. */
export type Log = FastifyBaseLogger;
