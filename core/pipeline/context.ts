import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { NO_PERMISSIONS } from '../foundation/context.js';
import { invalid, problem } from '../foundation/errors.js';
import { uuidv7 } from '../foundation/ids.js';
import { fingerprintOf } from '../foundation/http/fingerprint.js';
import type { RequestContext } from '@lintel/sdk';
import { ifMatch } from '../foundation/http/if-match.js';

const KEY = /^[\x21-\x7e]{1,200}$/;

/** draft-ietf-httpapi-idempotency-key-header */
async function idempotency(request: FastifyRequest, secret: string): Promise<RequestContext['idempotency']> {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !KEY.test(key))
    throw invalid({ field: 'idempotency-key', reason: 'must be 1 to 200 visible ASCII characters', in: 'header' });
  return { key, fingerprint: await fingerprintOf(request, secret), replayed: false };
}

/** Creates `request.ctx` once the body has been read: actor, permissions, If-Match, Idempotency-Key, dry run. */
export default fp(
  async (app: FastifyInstance) => {
    app.decorateRequest('ctx');
    const setContext = (request: FastifyRequest, key: RequestContext['idempotency']): void => {
      const { config } = request.routeOptions;
      const condition = config.conditional ? ifMatch(request.headers['if-match']) : undefined;
      if (
        config.conditional &&
        request.headers['if-match'] === undefined &&
        app.services.settings.current.require_if_match &&
        request.method !== 'GET'
      )
        throw problem('precondition_required');
      request.ctx = {
        requestId: request.id,
        changeId: uuidv7(),
        origin: 'api',
        actor: request.identity?.actor ?? null,
        permissions: request.identity?.permissions ?? NO_PERMISSIONS,
        ifMatch: condition,
        requiresVersion: config.conditional === 'required',
        idempotency: key,
        dryRun: (request.query as { dry_run?: boolean } | undefined)?.dry_run === true,
        whenFull: request.method === 'DELETE' || config.whenFull === true,
        lifetime: request.use,
      };
    };
    const isKeyed = ({ headers, routeOptions }: FastifyRequest): boolean =>
      headers['idempotency-key'] !== undefined && routeOptions.config.idempotent === true;
    app.addHook('preHandler', (request, _reply, done) => {
      if (isKeyed(request)) {
        idempotency(request, app.services.tokenKeys.current)
          .then((key) => setContext(request, key))
          .then(() => done(), done);
        return;
      }
      setContext(request, undefined);
      done();
    });
    app.addHook('onSend', (request, reply, _payload, done) => {
      if (request.ctx?.idempotency?.replayed) reply.header('idempotent-replayed', 'true');
      done();
    });
  },
  { name: 'context', dependencies: ['access'] },
);
