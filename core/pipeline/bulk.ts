import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { BulkCheck, type Validate } from '../foundation/http/bulk-check.js';
import { BulkTurn } from '../foundation/http/bulk-turn.js';
import { BulkWriter } from '../foundation/http/bulk-writer.js';
import { clientKey } from '../foundation/http/client-address.js';
import { sendText } from '../foundation/http/respond.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The slot of a bulk request. */
    bulkTurn: BulkTurn | undefined;
  }
}

/** Default maximum number of values of a bulk request: about 300 for each of 10,000 operations. */
const BULK_VALUES = 3_000_000;
/** Default maximum size of a bulk request in bytes. */
const BULK_BYTES = 32 * 1024 * 1024;
/** A bulk request with so many operations needs a slot: the work depends on their number, and not on the bytes of the body. */
const MANY_OPERATIONS = 500;

type ValidatorCompiler = NonNullable<RouteOptions['validatorCompiler']>;
type SerializerCompiler = NonNullable<RouteOptions['serializerCompiler']>;

/**
 * Routes with `config.bulk`: operations are read, validated and, in `per_row` mode, rejected individually, and the result is written row
 * by row. The schema of the body describes the whole for the OpenAPI document; envelope and operation schema are compiled separately.
 * A request with many operations is read and processed when a slot is free.
 */
export default fp(
  async (app: FastifyInstance) => {
    app.decorateRequest('refusedOperations');
    app.decorateRequest('bulkTurn');
    app.addHook('onRoute', function (this: FastifyInstance, route) {
      if (!route.config?.bulk) return;
      checkByOperation(this, route);
      queueMany(app, route);
      answerByRow(this, route);
    });
  },
  { name: 'bulk', dependencies: ['validation', 'body'] },
);

function checkByOperation(scope: FastifyInstance, route: RouteOptions): void {
  const compiler: ValidatorCompiler = route.validatorCompiler ?? scope.validatorCompiler!;
  const [method, name] = [String(route.method), `${String(route.method)} ${route.url}`];
  const check = new BulkCheck(
    route.schema?.body,
    (schema) =>
      compiler({ schema, method, url: route.url, httpPart: 'body' } as Parameters<ValidatorCompiler>[0]) as Validate,
    name,
  );
  route.validatorCompiler = (given) => (given.httpPart === 'body' ? () => true : compiler(given));
  route.bodyLimit ??= BULK_BYTES;
  route.config = {
    ...route.config,
    bodyValues: route.config!.bodyValues ?? BULK_VALUES,
    mostOperations: check.mostOperations,
  };
  route.preValidation = [route.preValidation ?? []].flat().concat(async (request) => {
    const { body, refused } = await check.check(request.body, request.unsafeOperations);
    request.body = body;
    request.refusedOperations = refused;
  });
}

/** Gives each request its turn, which waits for a slot while the body is read, and ends when the response is ready. */
function queueMany(app: FastifyInstance, route: RouteOptions): void {
  const { largeBulks } = app.services;
  route.preParsing = [route.preParsing ?? []].flat().concat(async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = request.identity?.actor.id ?? clientKey(request.ip);
    request.bulkTurn = new BulkTurn(largeBulks, MANY_OPERATIONS, caller, reply.raw, {
      stop: () => clearTimeout(request.bodyTimer),
      start: () => request.startBodyTimer(),
    });
  });
  // Errors before the handler is called, too.
  route.onSend = [route.onSend ?? []].flat().concat(async (request: FastifyRequest) => request.bulkTurn?.end());
}

function answerByRow(scope: FastifyInstance, route: RouteOptions): void {
  const compiler = (route.serializerCompiler ?? scope.serializerCompiler) as SerializerCompiler;
  const { method, url, handler } = route;
  const responses = route.schema?.response as Record<string, unknown> | undefined;
  const writer = BulkWriter.of(responses?.['200'], (schema) =>
    compiler({ schema, method: String(method), url, httpStatus: '200' } as Parameters<SerializerCompiler>[0]),
  );
  route.handler = async function (request, reply) {
    const work = async (): Promise<unknown> => {
      const answer: unknown = await handler.call(this, request, reply);
      return writer && isAnswer(answer) ? await writer.write(answer) : answer;
    };
    const answer = await request.bulkTurn!.during(work);
    return writer && typeof answer === 'string' ? sendText(reply, answer) : answer;
  };
}

const isAnswer = (answer: unknown): answer is { results: readonly unknown[] } =>
  Array.isArray((answer as { results?: unknown } | undefined)?.results);
