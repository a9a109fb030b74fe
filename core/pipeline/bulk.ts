import type { FastifyInstance, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { BulkCheck, type Validate } from '../foundation/http/bulk-check.js';
import { BulkWriter } from '../foundation/http/bulk-writer.js';
import type { LargeBodies } from '../foundation/http/large-bodies.js';
import { sendText } from '../foundation/http/respond.js';

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
    app.addHook('onRoute', function (this: FastifyInstance, route) {
      if (!route.config?.bulk) return;
      checkByOperation(this, route, app.services.largeBulks);
      answerByRow(this, route);
    });
  },
  { name: 'bulk', dependencies: ['validation', 'body', 'places'] },
);

/** Checks the operations one by one, when the request has a slot if there are many: from then on the work does not depend on the client. */
function checkByOperation(scope: FastifyInstance, route: RouteOptions, slots: LargeBodies): void {
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
    const { load, signal } = request.use;
    if (countOf(request.body) >= MANY_OPERATIONS) request.holdUntilReady(await slots.enter(load.user, signal));
    const { body, refused } = await check.check(request.body, request.unsafeOperations);
    request.body = body;
    request.refusedOperations = refused;
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

const countOf = (body: unknown): number => {
  const { operations } = (body ?? {}) as { operations?: unknown };
  return Array.isArray(operations) ? operations.length : 0;
};

const isAnswer = (answer: unknown): answer is { results: readonly unknown[] } =>
  Array.isArray((answer as { results?: unknown } | undefined)?.results);
