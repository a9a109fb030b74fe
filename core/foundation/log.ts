import type { FastifyBaseLogger } from 'fastify';

/** The structured logger of the app: one JSON object per line, without secrets or tokens. */
export type Log = FastifyBaseLogger;
