/** The OpenAPI document: what a route must say, and how the document follows the modules that are on. */
import t from 'tap';
import { describedRoute } from '../../core/pipeline/openapi.js';
import {
  completeDocument,
  filterDocument,
  type Document,
  type RouteEntry,
} from '../../core/foundation/http/openapi-document.js';
import { client, registerAdmin, testApp } from '../support/app.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const guest = client(origin);

const sound = {
  method: 'GET',
  url: '/api/v1/things',
  handler: () => undefined,
  config: { access: 'public' as const },
  schema: { operationId: 'listThings', summary: 'Things', tags: ['things'], response: { 200: { type: 'object' } } },
};

t.test('a route that does not describe itself is refused by name', async (t) => {
  const none = new Map<string, RouteEntry>();
  t.match(describedRoute(sound, 'GET', none), {
    method: 'GET',
    url: '/api/v1/things',
    operationId: 'listThings',
    access: 'public',
  });
  for (const [without, says] of [
    ['operationId', /lacks operationId/],
    ['summary', /lacks summary/],
    ['tags', /lacks tags/],
    ['response', /lacks a response/],
  ] as const) {
    const { [without]: _, ...schema } = sound.schema;
    t.throws(() => describedRoute({ ...sound, schema }, 'GET', none), { message: says }, without);
    t.throws(
      () => describedRoute({ ...sound, schema }, 'GET', none),
      { message: /GET \/api\/v1\/things/ },
      `${without}: which route`,
    );
  }
  t.throws(() => describedRoute({ ...sound, schema: { ...sound.schema, tags: [] } }, 'GET', none), {
    message: /lacks tags/,
  });
  t.throws(
    () => describedRoute({ ...sound, schema: { ...sound.schema, response: { 404: {} } } }, 'GET', none),
    { message: /lacks a response of|lacks a response schema/ },
    'an error is no answer',
  );
  t.throws(() => describedRoute({ ...sound, config: {} }, 'GET', none), { message: /lacks its access/ });
  const taken = new Map([['listThings', { ...describedRoute(sound, 'GET', none), url: '/api/v1/other' }]]);
  t.throws(() => describedRoute(sound, 'GET', taken), {
    message: 'operationId listThings of GET /api/v1/things is that of GET /api/v1/other already',
  });
});

t.test('a document is completed from the routes and cut to what is used', async (t) => {
  const operation = (operationId: string, schema: string, module?: string) => ({
    operationId,
    tags: [operationId],
    ...(module && { 'x-module': module }),
    parameters: [{ in: 'path', name: 'id' }],
    responses: { 200: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } } } },
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { anyOf: [{ type: 'object', examples: [{ a: 1 }] }, { type: 'null' }] } },
      },
    },
  });
  const document: Document = {
    tags: [{ name: 'a' }, { name: 'b' }],
    paths: { '/a/{id}': { patch: operation('a', 'A') }, '/b/{id}': { patch: operation('b', 'B', 'module') } },
    components: {
      schemas: {
        A: {
          properties: {
            kind: {
              anyOf: [
                { type: 'string', const: 'x' },
                { type: 'string', const: 'y' },
              ],
            },
          },
        },
        B: { $ref: '#/components/schemas/C' },
        C: {},
      },
      securitySchemes: { bearer: {} },
    },
  };
  const config = { conditional: true, idempotent: true };
  const routes = new Map<string, RouteEntry>([
    [
      'a',
      {
        method: 'PATCH',
        url: '/api/v1/a/:id',
        operationId: 'a',
        access: { permission: 'a.edit', card: 'id', cardPermission: 'card.a' },
        config,
      },
    ],
    [
      'b',
      {
        method: 'PATCH',
        url: '/api/v1/b/:id',
        operationId: 'b',
        access: 'public',
        config: { module: 'module', rateLimit: { perMinute: 1 } },
      },
    ],
  ]);
  const whole = completeDocument(document, routes);
  const a = whole.paths['/a/{id}']!['patch']!;
  t.same(a.security, [{ bearer: [] }]);
  t.match(a, {
    'x-permission': 'a.edit',
    description: 'Needs the permission `a.edit`, or `card.a` as a stakeholder of the card.',
    requestBody: { required: false },
  });
  t.same(Object.keys(a.responses).sort(), [
    '200',
    '400',
    '401',
    '403',
    '404',
    '409',
    '412',
    '413',
    '415',
    '422',
    '428',
    '503',
    'default',
  ]);
  t.same(a.parameters!.slice(1), [
    { $ref: '#/components/parameters/IfMatch' },
    { $ref: '#/components/parameters/IdempotencyKey' },
  ]);
  t.same(Object.keys(a.requestBody!.content), ['application/json', 'application/merge-patch+json']);
  t.same(a.requestBody!.content['application/json']!.example, { a: 1 });
  t.same((whole.components['schemas']!['A'] as { properties: unknown }).properties, {
    kind: { type: 'string', enum: ['x', 'y'] },
  });
  const b = whole.paths['/b/{id}']!['patch']!;
  t.same(b.security, []);
  t.ok('429' in b.responses && !('428' in b.responses));

  const cut = filterDocument(whole, (module) => module === 'module');
  t.same(Object.keys(cut.paths), ['/a/{id}']);
  t.same(cut.tags, [{ name: 'a' }]);
  t.same(Object.keys(cut.components['schemas']!), ['A', 'Problem']);
  t.notOk('RateLimited' in cut.components['responses']!, 'what only the other used is gone');
  t.ok('bearer' in cut.components['securitySchemes']!);
  const all = filterDocument(whole, () => false);
  t.same(Object.keys(all.components['schemas']!), ['A', 'B', 'C', 'Problem'], 'over several steps too');
});

t.test('a module that is off is in no document, and its paths are unknown whatever the method', async (t) => {
  const read = async () => {
    const { headers, body } = await guest.get<Document>('/api/openapi.json');
    return {
      tag: headers.get('etag'),
      document: body,
      paths: Object.keys(body.paths).filter((p) => /\/adrs?\b/.test(p)),
    };
  };
  const before = await read();
  t.ok(before.paths.length >= 2, before.paths.join(' '));
  t.match(
    before.document.tags?.find(({ name }) => name === 'adr'),
    { description: /./ },
  );
  t.equal((await admin.api.put('/adr', {})).status, 405);

  t.equal((await admin.api.patch('/settings/modules/adr', { enabled: false })).status, 200);
  const off = await read();
  t.same(off.paths, []);
  t.notOk(off.document.tags?.some(({ name }) => name === 'adr'));
  t.not(off.tag, before.tag);
  for (const [method, path] of [
    ['GET', '/adr'],
    ['PUT', '/adr'],
    ['OPTIONS', '/adr'],
    ['POST', '/adr'],
  ] as const) {
    for (const api of [admin.api, guest]) {
      const { status, headers, body } = await api.send(method, path);
      t.same([status, body.code, headers.get('allow')], [404, 'not_found', null], `${method} ${path}`);
    }
  }
  t.equal((await admin.api.patch('/settings/modules/adr', { enabled: true })).status, 200);
  const again = await read();
  t.same([again.tag, again.paths], [before.tag, before.paths], 'and it is as it was');
});
