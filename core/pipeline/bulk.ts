import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { BulkCheck, type Validate } from '../foundation/http/bulk-check.js';
import type { OnceMany } from '../foundation/http/bulk-reader.js';
import { BulkWriter } from '../foundation/http/bulk-writer.js';
import { sendText } from '../foundation/http/respond.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a bulk request: lets it wait for a slot. */
    onceMany: OnceMany | undefined;
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
    app.decorateRequest('onceMany');
    app.addHook('onRoute', function (this: FastifyInstance, route) {
      if (!route.config?.bulk) return;
      checkByOperation(this, route);
      queueMany(app, route);
      answerByRow(this, route);
    });
  },
  { name: 'bulk', dependencies: ['validation', 'body', 'places'] },
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

/** Lets a request with many operations wait for a slot while its body is read, and hold it until the response is ready. */
function queueMany(app: FastifyInstance, route: RouteOptions): void {
  const { largeBulks } = app.services;
  route.preParsing = [route.preParsing ?? []].flat().concat(async (request: FastifyRequest) => {
    request.onceMany = {
      operations: MANY_OPERATIONS,
      proceed: async () => {
        // The timeout for the body continues when the slot is granted.
        clearTimeout(request.bodyTimer);
        request.holdUntilReady(await largeBulks.enter(request.use.load.user, request.use.signal));
        request.startBodyTimer();
      },
    };
  });
}

function answerByRow(scope: FastifyInstance, route: RouteOptions): void {
  const compiler = (route.serializerCompiler ?? scope.serializerCompiler) as SerializerCompiler;
  const { method, url, handler } = route;
  const responses = route.schema?.response as Record<string, unknown> | undefined;
  const writer = BulkWriter.of(responses?.['200'], (schema) =>
    compiler({ schema, method: String(method), url, httpStatus: '200' } as Parameters<SerializerCompiler>[0]),
  );
  if (!writer) return;
  route.handler = async function (request, reply) {
    const answer: unknown = await handler.call(this, request, reply);
    return isAnswer(answer) ? sendText(reply, await writer.write(answer)) : answer;
  };
}

const isAnswer = (answer: unknown): answer is { results: readonly unknown[] } =>
  Array.isArray((answer as { results?: unknown } | undefined)?.results);
