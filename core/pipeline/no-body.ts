import type { FieldError } from '@lintel/sdk';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { hasBody } from '../foundation/http/body-stream.js';
import { InvalidPart } from '../foundation/http/compilers.js';

const MOST_ERRORS = 100;
/** Methods whose bodies Fastify does not read. */
const UNREAD = new Set(['GET', 'HEAD']);
const NO_BODY: FieldError = { field: '', reason: 'must be absent: there is no body here', in: 'body' };

/** The errors for a body on a route that accepts none. */
function saidBy(body: unknown): FieldError[] {
  if (body === undefined || body === null) return [];
  if (typeof body !== 'object' || Array.isArray(body) || Buffer.isBuffer(body)) return [NO_BODY];
  return Object.keys(body)
    .slice(0, MOST_ERRORS)
    .map(
      (key): FieldError => ({
        field: `/${key.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 500)}`,
        reason: 'is unknown',
        in: 'body',
      }),
    );
}

/**
 * Rejects a body sent to a route that describes none, because it would be ignored without notice. `{}` and `null`,
 * which many clients send with every action, are accepted.
 */
export default fp(
  async (app: FastifyInstance) => {
    app.addHook('preValidation', async (request: FastifyRequest) => {
      if (request.is404 || request.routeOptions.schema?.body !== undefined) return;
      const errors = UNREAD.has(request.method) ? (hasBody(request) ? [NO_BODY] : []) : saidBy(request.body);
      if (errors.length > 0) throw new InvalidPart('body', errors);
    });
  },
  { name: 'no-body', dependencies: ['slow-bodies'] },
);
