import { Readable } from 'node:stream';
import jwt, { type FastifyJWTOptions } from '@fastify/jwt';
import type { Access } from '@lintel/sdk';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Problem, problem } from '../foundation/errors.js';
import { isUuid } from '../foundation/ids.js';
import {
  AUDIENCE,
  ensureSession,
  invalidToken,
  ISSUER,
  REQUIRED_CLAIMS,
  type Claims,
  type TokenKey,
} from '../identity/auth/index.js';
import { notAllowed } from './errors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Checks the user of the request again, for handlers that read the body themselves: a session, token or permission that ended meanwhile must
     * not serve for what was sent. Updates `ctx`. @throws 401, 403
     */
    readmit(): Promise<void>;
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    namespaces: string;
  }
}

const VERIFIED_TOKENS_KEPT = 10_000;
const AUTHORIZATION = 'authorization';
/** Milliseconds after the beginning of a request from which its user is checked again when the body has been read. */
const ADMITTED_MS = 250;
/** Milliseconds between the checks of a stream. */
const STREAM_CHECK_MS = 1_000;

/**
 * Fail closed: a route that does not declare its access prevents the start, and every request is checked here before
 * its body is read. A caller who has the permission for some card types only passes: the service checks the card's
 * type. If a card is concerned, the caller's stakeholder roles on it, and inherited roles above it, are also checked.
 */
export default fp(
  async (app: FastifyInstance) => {
    await useTokens(app);
    app.decorateRequest('identity', null);
    app.decorateRequest('readmit', async function readmit(this: FastifyRequest) {
      const { access } = this.routeOptions.config;
      if (access === undefined || access === 'public') return;
      await admit(app, this, access);
      const { actor, permissions } = this.identity!;
      this.ctx = { ...this.ctx, actor, permissions };
    });

    app.addHook('onRoute', (route) => {
      if (route.config?.access === undefined)
        throw new Error(`route ${String(route.method)} ${route.url} declares no access`);
    });

    app.addHook('onRequest', async (request) => {
      checkMethod(app, request);
      if (isDoubled(request))
        throw problem('bad_request', { detail: 'The Authorization header occurs more than once.' });
      lowerIds(request.params);
      const access = request.routeOptions.config.access;
      if (request.is404 || access === 'public') return;
      // A route registered before this plugin without declaring its access is always forbidden.
      if (access === undefined) throw problem('forbidden');
      await admit(app, request, access);
    });

    // A session, token or permission that ended while the body was read must not serve for the write.
    app.addHook('preHandler', (request, reply, done) => {
      const { access } = request.routeOptions.config;
      const isLate = request.body !== undefined && reply.elapsedTime > ADMITTED_MS;
      if (!isLate || request.is404 || access === undefined || access === 'public') done();
      else admit(app, request, access).then(() => done(), done);
    });

    // With a promise in this hook, the response would not be sent yet when its handler ends, and Fastify would wait for it.
    app.addHook('onSend', (request, reply, payload, done) => {
      if (payload instanceof Readable) watchEvents(app, request, reply);
      done();
    });
  },
  { name: 'access', dependencies: ['errors', 'headers', 'health', 'metrics', 'docs', 'open-requests'] },
);

/** Authenticates a request, and checks that its user may use the route. @throws 401, 403 */
async function admit(app: FastifyInstance, request: FastifyRequest, access: Exclude<Access, 'public'>): Promise<void> {
  const ticket = request.routeOptions.config.ticket ? (request.query as { ticket?: unknown }).ticket : undefined;
  request.identity =
    (ticket === undefined
      ? await app.services.auth.identify(request)
      : await app.services.streamTickets.redeem(ticket, request.ip)) ?? null;
  if (!request.identity)
    throw invalidToken(
      ticket !== undefined
        ? 'The ticket is unknown, already used or expired, or its session has ended.'
        : request.headers.authorization
          ? 'The token is malformed, expired or revoked, may not be used from this address, or its session has ended.'
          : 'A bearer token is required.',
    );
  app.services.openRequests.identify(request.use, request.identity.actor.id);
  if (request.routeOptions.config.sessionOnly === true) ensureSession(request.identity);
  if (access !== 'authenticated') await authorise(app, request, access);
}

/** Ends a stream of events, which may take minutes, with its session, token or permission. */
function watchEvents(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): void {
  const { access } = request.routeOptions.config;
  if (access === undefined || access === 'public' || !request.identity) return;
  if (!String(reply.getHeader('content-type')).startsWith('text/event-stream')) return;
  const timer = setInterval(() => {
    readmit(app, request, access).catch((error: unknown) => {
      // Without the database nothing is known: the next check decides.
      if (error instanceof Problem && error.status < 500) reply.raw.destroy();
    });
  }, STREAM_CHECK_MS).unref();
  reply.raw.once('close', () => clearInterval(timer));
}

/** Checks a request that is being answered again; its access token may have expired meanwhile. @throws 401, 403 */
async function readmit(
  app: FastifyInstance,
  request: FastifyRequest,
  access: Exclude<Access, 'public'>,
): Promise<void> {
  const identity = await app.services.sessions.get(request.identity!.actor.sessionId);
  if (!identity) throw invalidToken('Its session has ended.');
  request.identity = identity;
  if (access !== 'authenticated') await authorise(app, request, access);
}

/** Only one algorithm, and only tokens with an expiry: the library would accept a token without one. */
const options = ({ id, secret }: TokenKey): FastifyJWTOptions => ({
  namespace: id,
  secret,
  sign: { algorithm: 'HS256', kid: id },
  verify: {
    algorithms: ['HS256'],
    requiredClaims: [...REQUIRED_CLAIMS],
    allowedIss: ISSUER,
    allowedAud: AUDIENCE,
    cache: VERIFIED_TOKENS_KEPT,
  },
});

/**
 * Tokens are signed with the current key, and verified with the key that they name, current or earlier; tokens of
 * earlier versions of the service name none, and are verified with every key.
 */
async function useTokens(app: FastifyInstance): Promise<void> {
  const { auth, tokenKeys } = app.services;
  const keys = tokenKeys.all.filter(({ id }, i, all) => all.findIndex((other) => other.id === id) === i);
  for (const key of keys) await app.register(jwt, options(key));
  auth.useTokens({
    sign: (claims) => app.jwt[keys[0]!.id]!.sign(claims),
    verify(token) {
      const kid = keys.length > 1 ? keyIdOf(token) : undefined;
      for (const { id } of keys) {
        if (kid !== undefined && kid !== id) continue;
        try {
          return app.jwt[id]!.verify<Claims>(token);
        } catch {
          /* The token is invalid for this key. */
        }
      }
      return undefined;
    },
  });
}

/** The `kid` in the header of a token, unverified; undefined where there is none. */
function keyIdOf(token: string): unknown {
  try {
    const header = JSON.parse(Buffer.from(token.split('.', 1)[0]!, 'base64url').toString()) as { kid?: unknown } | null;
    return header?.kid;
  } catch {
    return undefined;
  }
}

/**
 * A path that is a route without parameters is not a parameter value: `PATCH /cards/bulk` is a 405, not a card named
 * "bulk".
 */
function checkMethod(app: FastifyInstance, request: FastifyRequest): void {
  if (request.is404 || !request.routeOptions.url?.includes(':')) return;
  const methods = app.literalMethods(request.url.split('?')[0]!);
  if (methods.length > 0 && !methods.includes(request.method)) throw notAllowed(methods);
}

/** With duplicate Authorization headers Node.js uses the first; a proxy may have checked the other one. */
function isDoubled({ headers, raw: { rawHeaders } }: FastifyRequest): boolean {
  if (headers.authorization === undefined) return false;
  let times = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === AUTHORIZATION.length && rawHeaders[i]!.toLowerCase() === AUTHORIZATION) times++;
  return times > 1;
}

/**
 * UUIDs are case-insensitive (RFC 9562, section 4); they are lower-cased here, so that they can be compared as text.
 */
function lowerIds(params: unknown): void {
  const values = (params ?? {}) as Record<string, string>;
  for (const [name, value] of Object.entries(values)) if (isUuid(value)) values[name] = value.toLowerCase();
}

async function authorise(
  app: FastifyInstance,
  request: FastifyRequest,
  access: Exclude<Access, string>,
): Promise<void> {
  const { actor, permissions } = request.identity!;
  const { access: gate } = app.services;
  if (gate.holdsAnywhere({ permissions }, access.permission)) return;
  if (access.card !== undefined) {
    const card = (request.params as Record<string, string>)[access.card] ?? '';
    if (isUuid(card) && (await gate.holdsOnCard({ id: actor.id, permissions }, card, access.cardPermission))) return;
  }
  if (
    access.anyCard !== undefined &&
    (await app.services.rbac.cardsWith({ id: actor.id, permissions }, access.anyCard)).held.size > 0
  )
    return;
  throw problem('forbidden', {
    detail: `The permission ${access.permission} is required.`,
    required_permission: access.permission,
    ...(access.card !== undefined && { or_card_permission: access.cardPermission }),
  });
}
