/** Every operation with generated calls, valid and hostile; and that the checks of responses can fail. */
import t from 'tap';
import { operationsOf } from '../drive/document.js';
import { faultsOf } from '../drive/oracle.js';
import { driveSuite } from '../drive/suite.js';

const CALLS = 5_600;

t.test('each fault of an answer is found', async (t) => {
  const [operation] = operationsOf({
    components: {
      schemas: { Thing: { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } } },
    },
    paths: {
      '/api/v1/things/{id}': {
        get: {
          operationId: 'getThing',
          security: [{ bearer: [] }],
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
        },
      },
    },
  });
  const ask = (status: number, type: string, body: unknown, caller = {}): string[] =>
    faultsOf(
      operation!,
      {
        status,
        headers: { 'content-type': type, 'x-request-id': 'r', 'www-authenticate': 'Bearer' },
        text: JSON.stringify(body),
      },
      { anonymous: false, misrouted: false, conditional: false, ...caller },
    );
  const json = 'application/json; charset=utf-8';
  const problem = 'application/problem+json';
  const problemOf = (status: number, code: string, more = {}) => ({
    type: `/problems/${code}`,
    title: 't',
    status,
    detail: 'd',
    code,
    request_id: 'r',
    ...more,
  });

  t.same(ask(200, json, { id: '01900000-0000-7000-8000-00000000dead' }), []);
  t.same(ask(404, problem, problemOf(404, 'not_found')), []);
  t.same(ask(401, problem, problemOf(401, 'invalid_token'), { anonymous: true }), []);
  t.match(ask(200, json, { id: 'x' })[0], /not as documented.*format/);
  t.match(ask(200, 'text/html', {})[0], /comes as text\/html/);
  t.match(ask(500, problem, problemOf(500, 'internal_error'))[0], /answers 500/);
  t.match(ask(418, problem, problemOf(418, 'teapot'))[0], /not documented/);
  t.match(ask(200, json, { id: '01900000-0000-7000-8000-00000000dead' }, { anonymous: true })[0], /without a token/);
  t.match(ask(404, problem, problemOf(404, 'not_found', { request_id: 'other' }))[0], /request_id/);
  t.match(ask(404, problem, problemOf(409, 'not_found'))[0], /says 409/);
  t.match(ask(409, problem, problemOf(409, 'not_found'))[0], /is a 404/);
  t.match(ask(404, json, problemOf(404, 'not_found'))[0], /comes as application\/json/);
  t.match(ask(422, problem, problemOf(422, 'validation_failed'))[0], /names no field/);
  t.match(
    ask(409, problem, problemOf(409, 'conflict', { detail: 'violates unique constraint "x"' }))[0],
    /internal details/,
  );
});

t.test(`${CALLS} calls of all operations`, (t) => driveSuite(t, CALLS));
