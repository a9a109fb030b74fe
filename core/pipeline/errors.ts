import type { FieldError } from '@lintel/sdk';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { databaseProblem } from '../foundation/db/constraints.js';
import { Problem, problem, validationFailed } from '../foundation/errors.js';
import { problemBody } from '../foundation/http/edge.js';
import { InvalidPart } from '../foundation/http/compilers.js';
import { unmatchedTags } from '../foundation/http/if-match.js';

const OTHER_PARTS = ['params', 'querystring', 'body'] as const;
const VALUE_OF = { params: 'params', querystring: 'query', body: 'body' } as const;

/** Fastify stops at the first invalid part of a request; this collects the errors of all parts. */
function allFaults(request: FastifyRequest, first: InvalidPart): Problem {
  if (first.part === 'params') return problem('not_found');
  const errors: FieldError[] = [...first.errors];
  for (const part of OTHER_PARTS) {
    if (part === first.part) continue;
    // Bodies with several media types do not have a single validator.
    const validate: unknown = request.getValidationFunction(part);
    const outcome: unknown = typeof validate === 'function' ? validate(request[VALUE_OF[part]]) : undefined;
    const error = (outcome as { error?: unknown } | undefined)?.error;
    if (error instanceof InvalidPart && part === 'params') return problem('not_found');
    if (error instanceof InvalidPart) errors.push(...error.errors);
  }
  return validationFailed(errors);
}

const FASTIFY_CODES: Record<string, () => Problem> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => problem('payload_too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => problem('unsupported_media_type'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => problem('malformed_json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => problem('bad_request'),
  FST_ERR_BAD_URL: () => problem('bad_request'),
  FST_ERR_ASYNC_CONSTRAINT: () => problem('bad_request'),
};

/**
 * Converts any thrown value to a problem.
 * @returns a Problem; for an internal error a 500 without details
 */
function toProblem(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof InvalidPart) return allFaults(request, error);
  const { code, statusCode } = error as FastifyError;
  const known = FASTIFY_CODES[code ?? ''];
  if (known) return known();
  const fromDatabase = databaseProblem(error, request.method === 'GET' ? 'query' : 'body');
  if (fromDatabase) return fromDatabase;
  if (statusCode === 413) return problem('payload_too_large');
  if (statusCode === 415) return problem('unsupported_media_type');
  if (statusCode && statusCode >= 400 && statusCode < 500) return problem('bad_request', { cause: error });
  return problem('internal_error', { cause: error });
}

/** A condition that could not match says why. */
function explained(p: Problem, { headers }: FastifyRequest): Problem {
  const header = headers['if-match'];
  const reason = p.code === 'precondition_failed' && header !== undefined ? unmatchedTags(header) : undefined;
  return reason === undefined
    ? p
    : problem('precondition_failed', { ...p.extensions, headers: p.headers, cause: p.cause, detail: reason });
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, p: Problem): FastifyReply {
  const body = problemBody(p, request.url.split('?')[0], request.id);
  // A header set for the successful response would be wrong in an error response.
  reply.removeHeader('location');
  return reply.code(p.status).headers(p.headers).type('application/problem+json').send(body);
}

const segmentsOf = (path: string): number => path.split('/').length;

/** A pattern that matches the paths of a route; what follows a parameter, such as `.svg`, belongs to the path. */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split(/:\w+/)
      .map((s) => s.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&'))
      .join('[^/]+')}$`,
  );

/** The problem for a path that exists only with other methods. @param methods methods of the path */
export const notAllowed = (methods: Iterable<string>): Problem =>
  problem('method_not_allowed', { headers: { allow: [...methods].sort().join(', ') } });

declare module 'fastify' {
  interface FastifyInstance {
    /** Methods of the routes of enabled modules with exactly this path and no parameters. */
    literalMethods(path: string): string[];
  }
}

/** Sends all errors as RFC 9457 problem bodies; the text of a 5xx is hidden and logged with the request id. */
export default fp(
  async (app: FastifyInstance) => {
    /** All routes, by the number of segments of their path. */
    const paths = new Map<number, { pattern?: RegExp; method: string; route: RouteOptions }[]>();
    /** Routes without parameters, by path: `/cards/bulk` is not a card with the id "bulk". */
    const literal = new Map<string, { method: string; route: RouteOptions }[]>();
    // Read late, because a module's own hook marks its routes after this hook has run.
    const isOff = ({ config }: RouteOptions): boolean => config?.module !== undefined && app.moduleOff(config.module);
    const literalMethods = (path: string): string[] =>
      (literal.get(path) ?? []).filter(({ route }) => !isOff(route)).map(({ method }) => method);

    app.addHook('onRoute', (route) => {
      if (!/[:*]/.test(route.url)) {
        const known = literal.get(route.url) ?? [];
        literal.set(route.url, [...known, ...[route.method].flat().map((method) => ({ method, route }))]);
      }
      const segments = segmentsOf(route.url);
      const same = paths.get(segments) ?? [];
      paths.set(segments, [...same, ...[route.method].flat().map((method) => ({ method, route }))]);
    });

    app.decorate('literalMethods', literalMethods);

    app.setErrorHandler((error, request, reply) => {
      const p = explained(toProblem(error, request), request);
      if (p.status === 500) request.log.error({ err: p.cause ?? error }, p.title);
      else if (p.status > 500 && p.cause !== undefined) request.log.warn({ err: p.cause }, p.title);
      return sendProblem(request, reply, p);
    });

    app.setNotFoundHandler((request, reply) => {
      const path = request.url.split('?')[0]!;
      const own = literalMethods(path);
      const methods = new Set(
        own.length > 0
          ? own
          : (paths.get(segmentsOf(path)) ?? [])
              .filter((r) => (r.pattern ??= patternOf(r.route.url)).test(path) && !isOff(r.route))
              .map((r) => r.method),
      );
      // If the path belongs to a disabled module and has this method, it is answered as unknown.
      if (methods.size === 0 || methods.has(request.method)) return sendProblem(request, reply, problem('not_found'));
      return sendProblem(request, reply, notAllowed(methods));
    });
  },
  { name: 'errors' },
);
