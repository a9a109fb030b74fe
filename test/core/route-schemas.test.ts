/**
 * Schemas are compiled with the first request of their route. This test checks that those of the platform and of its modules can be
 * compiled; those of other modules are checked at the start.
 */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import t from 'tap';
import { schemaFault, strictAjv } from '../../core/foundation/http/ajv.js';
import { routeFaults } from '../../core/foundation/http/schema-cost.js';
import { testApp } from '../support/app.js';

const { app, close } = await testApp();
t.teardown(close);
const ajv = strictAjv();
const serializerOf = SerializerSelector()({}, {});

type Schema = Record<string, unknown>;
/** The schema itself, or those of its media types. */
const each = (schema: unknown): Schema[] => {
  const { content } = schema as { content?: Record<string, { schema: Schema }> };
  return content ? Object.values(content).map((media) => media.schema) : [schema as Schema];
};

t.test('every schema of every route compiles', async (t) => {
  t.ok(app.routeTable.length > 150, 'those of modules are among them');
  for (const { operationId, method, url, schema } of app.routeTable) {
    for (const part of ['params', 'querystring', 'headers', 'body'] as const)
      for (const one of schema[part] === undefined ? [] : each(schema[part])) {
        t.equal(schemaFault(one), undefined, `${operationId}: ${part}`);
        t.doesNotThrow(() => ajv.compile(one), `${operationId}: ${part}`);
      }
    for (const [status, answer] of Object.entries(schema.response as Record<string, unknown>))
      for (const one of each(answer)) {
        t.equal(schemaFault(one), undefined, `${operationId}: ${status}`);
        t.doesNotThrow(
          () => serializerOf({ schema: one, method, url, httpStatus: status }),
          `${operationId}: ${status}`,
        );
      }
  }
});

t.test('no schema of a route allows a request whose validation takes long', async (t) => {
  for (const { operationId, schema } of app.routeTable) t.strictSame(routeFaults(schema), [], operationId);
  const costly = { body: { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } } };
  t.match(routeFaults(costly), [/properties\/a is an array without `maxItems`/, /is text without `maxLength`/]);
});

t.test('only schemas that cannot be compiled are reported', async (t) => {
  const cases: [object, RegExp | undefined][] = [
    [{ type: 'nothing' }, /schema\/type/],
    [{ type: 'object', properties: { a: 5 } }, /schema\/properties\/a/],
    [{ type: 'object', required: 'a' }, /schema\/required/],
    [{ type: 'string', pattern: '(' }, /regular expression/],
    [{ type: 'string', maxLength: '5' }, /schema\/maxLength/],
    [{ enum: 'a' }, /schema\/enum/],
    [{ $ref: '#/definitions/a' }, /definitions\/a/],
    [{ type: 'array', items: { $ref: 'elsewhere' } }, /elsewhere/],
    [{ $ref: '#/definitions/a', definitions: { a: { type: 'string' } } }, undefined],
    [{ type: ['string', 'null'], 'x-note': 1 }, undefined],
    [{}, undefined],
  ];
  for (const [schema, says] of cases) {
    const fault = schemaFault(schema);
    if (says) t.match(fault, says, JSON.stringify(schema));
    else t.equal(fault, undefined, JSON.stringify(schema));
    if (!says) t.doesNotThrow(() => strictAjv().compile(schema), JSON.stringify(schema));
  }
});
