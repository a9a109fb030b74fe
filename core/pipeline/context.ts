import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { NO_PERMISSIONS } from '../foundation/context.js';
import { invalid, problem } from '../foundation/errors.js';
import { uuidv7 } from '../foundation/ids.js';
import { fingerprintOf } from '../foundation/http/fingerprint.js';
import type { RequestContext } from '@lintel/sdk';

/** RFC 9110, 8.8.3 and 13.1.1: entity tags in a list, which may have empty elements. */
const ENTITY_TAGS =
  /^[\t ,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[\t ]*,[\t ,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[\t ,]*$/;
const ENTITY_TAG = /(W\/)?"([^"]*)"/g;
/** `12` or `12.4f3a`: only the number is compared; the rest identifies a redacted or derived view. */
const VERSION = /^([1-9]\d{0,8})(?:\.[\w-]+)?$/;
const KEY = /^[\x21-\x7e]{1,200}$/;

/** The versions in If-Match. Weak tags never match, nor do tags in another format. */
function ifMatch(request: FastifyRequest): ReadonlySet<number> | undefined {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  if (!ENTITY_TAGS.test(header))
    throw invalid({
      field: 'if-match',
      reason: 'must be the ETag of the resource, such as "3", a comma-separated list of them, or *',
      in: 'header',
    });
  const strong = [...header.matchAll(ENTITY_TAG)].filter(([, weak]) => weak === undefined);
  return new Set(strong.flatMap(([, , tag]) => VERSION.exec(tag!)?.[1] ?? []).map(Number));
}

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
      const condition = config.conditional ? ifMatch(request) : undefined;
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
