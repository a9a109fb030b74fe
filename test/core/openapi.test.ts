/** The OpenAPI document: required parts of a route, and changes when modules are enabled or disabled. */
import t from 'tap';
import { describedRoute } from '../../core/pipeline/openapi.js';
import {
  completeDocument,
  filterDocument,
  type Document,
  type RouteEntry,
} from '../../core/foundation/http/openapi-document.js';
import { eachHolder, eachInner, simplify, type Schema } from '../../core/foundation/http/openapi-schemas.js';
import { operationsOf, type RawDocument } from '../drive/document.js';
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
    message: 'operationId listThings of GET /api/v1/things is already used by GET /api/v1/other',
  });
});

t.test('a document is completed from the routes, and unused parts are removed', async (t) => {
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
        schema: {},
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
        schema: {},
      },
    ],
  ]);
  const whole = completeDocument(document, routes);
  const a = whole.paths['/a/{id}']!['patch']!;
  t.same(a.security, [{ bearer: [] }, { api_token: [] }]);
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
  t.same(Object.keys(cut.components['schemas']!), ['A', 'Problem', 'FieldError']);
  t.notOk('RateLimited' in cut.components['responses']!, 'schemas used only by the other are removed');
  t.ok('bearer' in cut.components['securitySchemes']!);
  const all = filterDocument(whole, () => false);
  t.same(Object.keys(all.components['schemas']!), ['A', 'B', 'C', 'Problem', 'FieldError'], 'also indirectly');
});

t.test('a disabled module is not in the document, and its paths are unknown for every method', async (t) => {
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
  t.same([again.tag, again.paths], [before.tag, before.paths], 'it is restored');
});

t.test('schemas of requests and answers have names, and every reference has a target', async (t) => {
  const document = (await guest.get<Document>('/api/openapi.json')).body;
  const text = JSON.stringify(document);
  const schemas = document.components['schemas']!;
  for (const [, section, name] of text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g))
    t.ok(document.components[section!]?.[name!], `${section}/${name}`);
  for (const name of Object.keys(schemas)) t.match(name, /^[A-Z][A-Za-z0-9]*$/);
  const texts = Object.values(schemas).map((schema) => JSON.stringify(schema));
  t.equal(new Set(texts).size, texts.length, 'one schema has one name');
  const answer = (path: string, method: string, status: number) =>
    (document.paths[path]![method]!.responses[status] as { content: Record<string, { schema: unknown }> }).content[
      'application/json'
    ]!.schema;
  t.same(answer('/api/v1/cards/{id}', 'get', 200), { $ref: '#/components/schemas/Card' });
  t.same(answer('/api/v1/cards', 'post', 201), { $ref: '#/components/schemas/Card' });
  t.same(answer('/api/v1/cards', 'get', 200), { $ref: '#/components/schemas/CardPage' });
  t.match(schemas['CardPage'], { properties: { items: { items: { $ref: '#/components/schemas/CardItem' } } } });
  for (const name of [
    'CardCreate',
    'CardPatch',
    'CardBulk',
    'CardBulkOperation',
    'CardReference',
    'Relation',
    'Problem',
  ])
    t.ok(schemas[name], name);
  t.match(schemas['Problem'], { properties: { errors: { items: { $ref: '#/components/schemas/FieldError' } } } });
});

t.test('every object schema with members has a name', async (t) => {
  const document = (await guest.get<Document>('/api/openapi.json')).body;
  const unnamed: string[] = [];
  const look = (schema: Schema, at: string): void => {
    if (schema.properties && Object.keys(schema.properties).length > 0) unnamed.push(at);
    eachInner(schema, (inner, step) => look(inner, `${at}/${typeof step === 'string' ? step : step.property}`));
  };
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item))
      eachHolder(operation, ({ schema }) => look(schema, `${method} ${path}`));
  for (const [name, schema] of Object.entries(document.components['schemas']!))
    eachInner(schema as Schema, (inner, step) =>
      look(inner, `${name}/${typeof step === 'string' ? step : step.property}`),
    );
  t.strictSame(unnamed, []);
  t.notMatch(JSON.stringify(document), '"x-name"');
});

t.test('responses to `fields` conform to the document', async (t) => {
  const operations = operationsOf((await guest.get<RawDocument>('/api/openapi.json')).body);
  const sparse = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'fields'));
  t.strictSame(
    sparse.map(({ id }) => id),
    ['listCards'],
    'lists that take it',
  );
  const { id } = (await admin.api.post('/cards', { type: 'Application', name: 'Sparse' })).body;
  const members = Object.keys((await admin.api.get(`/cards/${id}`)).body);
  for (const fields of ['', 'id', 'name,attributes.businessCriticality', ...members]) {
    const { status, body } = await admin.api.get('/cards', { query: { ids: id, ...(fields && { fields }) } });
    t.same([status, body.total, sparse[0]!.mismatch(200, body)], [200, 1, undefined], fields);
  }
});

t.test(
  'the document has no pattern that engines of other languages refuse, and the service checks it nevertheless',
  async (t) => {
    const document = (await guest.get<Document>('/api/openapi.json')).body;
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text]) => JSON.parse(text!) as string,
    );
    t.ok(patterns.length > 20, `${patterns.length} patterns`);
    t.strictSame(
      patterns.filter((pattern) => /\\p\{|\(\?<?[=!]/i.test(pattern)),
      [],
    );
    t.equal((await admin.api.patch('/settings', { app_title: 'a\nb' })).status, 422);
  },
);

t.test(
  'the document has no boolean with one value and no default with members, which generators convert to invalid code',
  async (t) => {
    const schema = (await guest.get<{ components: { schemas: object } }>('/api/openapi.json')).body.components.schemas;
    const refused: object[] = [];
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { type, const: only, enum: values, default: value } = node as Record<string, unknown>;
      const isOne = type === 'boolean' && (only !== undefined || values !== undefined);
      // A property may be named `default`: its value is a schema and not a default.
      const hasMembers = typeof type === 'string' && JSON.stringify(value ?? null).startsWith('{"');
      if (isOne || hasMembers) refused.push(node);
      for (const child of Object.values(node)) visit(child);
    };
    visit(schema);
    t.strictSame(refused, []);
  },
);

const OF_ALL = ['Problem', 'FieldError'];

t.test('names of schemas: by resource and operation, without duplicates', async (t) => {
  const thing = (name: string) => ({
    type: 'object',
    properties: { id: { type: 'string' }, [name]: { type: 'string' } },
  });
  const operation = (operationId: string, schema: object, body?: object) => ({
    operationId,
    ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses: { 200: { content: { 'application/json': { schema } } } },
  });
  const page = (item: object) => ({
    type: 'object',
    properties: { items: { type: 'array', items: item }, total: { type: 'integer' } },
  });
  const made = (operations: ReturnType<typeof operation>[], module?: string) =>
    completeDocument(
      { paths: { '/x': Object.fromEntries(operations.map((one) => [one.operationId, one])) }, components: {} } as never,
      new Map(
        operations.map(({ operationId }) => [
          operationId,
          { method: 'GET', url: '/x', operationId, access: 'public', config: module === undefined ? {} : { module } },
        ]),
      ) as never,
    ).components['schemas']!;
  const named = made([
    operation('getBox', thing('a')),
    operation('createBox', thing('a'), thing('b')),
    operation('updateBox', thing('a'), thing('c')),
    operation('listBoxes', page(thing('a'))),
    operation('listEntries', page(thing('d'))),
    operation('getEntry', thing('e')),
    operation('packBox', thing('f'), thing('g')),
  ]);
  t.strictSame(
    Object.keys(named)
      .filter((name) => !OF_ALL.includes(name))
      .sort(),
    ['Box', 'BoxCreate', 'BoxPage', 'BoxPatch', 'Entry', 'EntryItem', 'EntryPage', 'PackBoxBody', 'PackBoxResult'],
  );
  t.strictSame(
    Object.keys(made([operation('getShelf', thing('a'))], 'library')).filter((name) => !OF_ALL.includes(name)),
    ['LibraryShelf'],
  );
});

t.test('names of nested schemas: by their place, unless they state one, and separate names for bodies', async (t) => {
  const row = (more: object) => ({ type: 'object', properties: { a: { type: 'string' } }, ...more });
  const shelf = (section: object) => ({
    type: 'object',
    properties: {
      id: { type: 'string' },
      sections: { type: 'array', items: section },
      owner: { anyOf: [row({ description: 'Who' }), { type: 'null' }] },
    },
  });
  const document = completeDocument(
    {
      paths: {
        '/x': {
          get: {
            operationId: 'getShelf',
            responses: { 200: { content: { 'application/json': { schema: shelf(row({})) } } } },
          },
          post: {
            operationId: 'createShelf',
            requestBody: { content: { 'application/json': { schema: shelf(row({ required: ['a'] })) } } },
            responses: {
              200: { content: { 'application/json': { schema: shelf(row({ 'x-name': 'Plank', title: 'other' })) } } },
            },
          },
        },
      },
      components: {},
    } as never,
    new Map(
      ['getShelf', 'createShelf'].map((operationId) => [
        operationId,
        { method: 'GET', url: '/x', operationId, access: 'public', config: {} },
      ]),
    ) as never,
  );
  const names = Object.keys(document.components['schemas']!).filter((name) => !OF_ALL.includes(name));
  t.strictSame(names.sort(), [
    'CreateShelfResult',
    'Plank',
    'Shelf',
    'ShelfCreate',
    'ShelfOwner',
    'ShelfSection',
    'ShelfSectionInput',
  ]);
});

t.test('schemas are rewritten for generators, and accept the same values', async (t) => {
  const written = (schema: Schema): Schema => {
    simplify(schema);
    return schema;
  };
  t.same(written({ anyOf: [{ type: 'string', maxLength: 3 } as Schema, { type: 'null' }], description: 'A' }), {
    type: ['string', 'null'],
    maxLength: 3,
    description: 'A',
  });
  t.same(
    written({
      anyOf: [
        {
          anyOf: [
            { type: 'string', const: 'a' },
            { type: 'string', const: 'b' },
          ],
        },
        { type: 'null' },
      ],
    }),
    {
      type: ['string', 'null'],
      enum: ['a', 'b', null],
    },
  );
  const ref = { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] };
  t.same(written(structuredClone(ref)), ref, 'a reference remains a branch');
  const flags = { type: 'object', additionalProperties: { type: ['boolean', 'null'] } };
  t.same(
    written({ anyOf: [structuredClone(flags), { type: 'array' }] }),
    { anyOf: [{ type: 'object' }, { type: 'array' }] },
    'a map among several forms',
  );
  t.same(written({ anyOf: [structuredClone(flags), { type: 'null' }] }), { anyOf: [flags, { type: 'null' }] });
  t.same(written({ type: 'integer' }), { type: 'integer', format: 'int64' });
  t.same(written({ type: 'integer', maximum: 10 }), { type: 'integer', maximum: 10 });
  t.same(written({ type: 'number' }), { type: 'number', format: 'double' });
});
