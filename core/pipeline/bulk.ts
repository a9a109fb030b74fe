import type { FastifyInstance, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { BulkCheck, type Validate } from '../foundation/http/bulk-check.js';

/** Default maximum number of values of a bulk request: about 300 for each of 10,000 operations. */
const BULK_VALUES = 3_000_000;
/** Default maximum size of a bulk request in bytes. */
const BULK_BYTES = 32 * 1024 * 1024;

type Compile = NonNullable<RouteOptions['validatorCompiler']>;

/**
 * Routes with `config.bulk`: operations are read, validated and, in `per_row` mode, rejected individually. The schema
 * of the body describes the whole for the OpenAPI document; envelope and operation schema are compiled separately.
 */
export default fp(
  async (app: FastifyInstance) => {
    app.decorateRequest('refusedOperations');
    app.addHook('onRoute', function (this: FastifyInstance, route) {
      if (!route.config?.bulk) return;
      const compiler: Compile = route.validatorCompiler ?? this.validatorCompiler!;
      const [method, name] = [String(route.method), `${String(route.method)} ${route.url}`];
      const check = new BulkCheck(
        route.schema?.body,
        (schema) =>
          compiler({ schema, method, url: route.url, httpPart: 'body' } as Parameters<Compile>[0]) as Validate,
        name,
      );
      route.validatorCompiler = (given) => (given.httpPart === 'body' ? () => true : compiler(given));
      route.bodyLimit ??= BULK_BYTES;
      route.config = {
        ...route.config,
        bodyValues: route.config.bodyValues ?? BULK_VALUES,
        mostOperations: check.mostOperations,
      };
      route.preValidation = [route.preValidation ?? []].flat().concat(async (request) => {
        const { body, refused } = await check.check(request.body, request.unsafeOperations);
        request.body = body;
        request.refusedOperations = refused;
      });
    });
  },
  { name: 'bulk', dependencies: ['validation', 'body'] },
);
