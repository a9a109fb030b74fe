import type { FastifyRequest } from 'fastify';
import type { ClientInfo } from '../../foundation/http/client-address.js';

/** The client of a request, as stored with its session. */
export const clientOf = (request: FastifyRequest): ClientInfo => ({
  address: request.ip,
  agent: request.headers['user-agent']?.slice(0, 500) ?? null,
});
