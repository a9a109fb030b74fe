/** Rules for every request, tested on existing routes. */
import fc from 'fast-check';
import t from 'tap';
import { countKeys, duplicateKeys } from '../../core/foundation/http/json-text.js';
import { client, makeUser, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';
import { requestText, sendRaw } from '../support/raw.js';

const { app, origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const card = (await api.post('/cards', { type: 'Application', name: 'Ground', description: 'stays' })).body;
const bearer = { authorization: `Bearer ${admin.token}` };
const json = { 'content-type': 'application/json' };

const named = (body: AnyBody): string[] => (body.errors ?? []).map((e) => `${e.in} ${e.field}`).sort();
const cards = async (): Promise<number> => (await api.get('/cards', { query: { page_size: 1 } })).body.total;

t.test('all invalid fields of body and query are named at once', async (t) => {
  const { status, headers, body } = await api.send('POST', '/cards/bulk?dry_run=maybe&bogus=1', {
    mode: 'x',
    extra: 1,
  });
  t.equal(status, 422);
  t.match(headers.get('content-type'), /^application\/problem\+json/);
  t.equal(body.code, 'validation_failed');
  t.same(named(body), ['body /extra', 'body /mode', 'body /operations', 'query bogus', 'query dry_run']);
  t.ok(
    body.errors.every((e) => e.reason.length > 0),
    'each with its reason',
  );
});

t.test('query parameters are read strictly', async (t) => {
  const cases: [query: string, field: string][] = [
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1e3', 'page'],
    ['page=1.0', 'page'],
    ['page=%2B1', 'page'],
    ['page=01', 'page'],
    ['page=', 'page'],
    ['page=x', 'page'],
    ['page=9007199254740993', 'page'],
    ['page=99999999999999999999', 'page'],
    ['page=1&page=2', 'page'],
    ['page[]=1', 'page[]'],
    ['page_size=0', 'page_size'],
    ['page_size=201', 'page_size'],
    ['page_size=1e1', 'page_size'],
    ['page_size=5&page_size=5', 'page_size'],
    ['sort_by=password_hash', 'sort_by'],
    ['sort_by=name;drop table cards', 'sort_by'],
    ['sort_by=name&sort_by=type', 'sort_by'],
    ['sort_dir=up', 'sort_dir'],
    ['bogus=1', 'bogus'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['Page=1', 'Page'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['search=a%00b', 'search'],
    ['type=a&type=b', 'type'],
    ['updated_since=yesterday', 'updated_since'],
    ['cursor=', 'cursor'],
    ['cursor=rubbish', 'cursor'],
    ['a%00b=1', 'ab'],
  ];
  for (const [query, field] of cases) {
    const { status, body } = await api.get(`/cards?${query}`);
    t.equal(status, 422, query.slice(0, 40));
    t.same(named(body), [`query ${field}`], query.slice(0, 40));
  }
});

t.test('an integer that cannot be represented exactly is invalid, with or without a bound', async (t) => {
  const check = app.validatorCompiler!({
    schema: { type: 'object', properties: { n: { type: 'integer' } } },
    method: 'GET',
    url: '/',
    httpPart: 'querystring',
  });
  t.same(await check({ n: '9007199254740991' }), { value: { n: 9_007_199_254_740_991 } });
  t.match(await check({ n: '9007199254740993' }), {
    error: { errors: [{ field: 'n', reason: 'must be integer', in: 'query' }] },
  });
});

t.test('a route without a query refuses all parameters', async (t) => {
  for (const path of [
    `/cards/${card.id}`,
    '/settings',
    '/metamodel/types/Application',
    `/users/${admin.user.id}`,
    '/auth/me',
  ]) {
    const { status, body } = await api.get(`${path}?bogus=1`);
    t.equal(status, 422, path);
    t.same(named(body), ['query bogus'], path);
  }
});

t.test('bodies are neither coerced nor stripped of unknown members', async (t) => {
  const before = await cards();
  const sound = { type: 'Application', name: 'Coerced' };
  const cases: [body: unknown, field: string][] = [
    [{ ...sound, name: null }, '/name'],
    [{ ...sound, name: 5 }, '/name'],
    [{ ...sound, name: true }, '/name'],
    [{ ...sound, name: ['a'] }, '/name'],
    [{ ...sound, name: {} }, '/name'],
    [{ ...sound, type: null }, '/type'],
    [{ ...sound, attributes: [] }, '/attributes'],
    [{ ...sound, attributes: 'x' }, '/attributes'],
    [{ ...sound, lifecycle: null }, '/lifecycle'],
    [{ ...sound, is_admin: true }, '/is_admin'],
    [{ ...sound, created_by: admin.user.id }, '/created_by'],
    [{ ...sound, status: 'ARCHIVED' }, '/status'],
    [{ ...sound, version: 9 }, '/version'],
    [{ name: 'no type' }, '/type'],
    [{ ...sound, parent_id: 'x' }, '/parent_id'],
    [{ ...sound, 'a/b~c': 1 }, '/a~1b~0c'],
    [null, ''],
    [[], ''],
    ['text', ''],
    [5, ''],
  ];
  for (const [body, field] of cases) {
    const answer = await api.send('POST', '/cards', JSON.stringify(body), { headers: json });
    t.equal(answer.status, 422, JSON.stringify(body));
    t.same(named(answer.body), [`body ${field}`], JSON.stringify(body));
  }
  t.equal((await api.send('POST', '/cards', undefined, { headers: json })).status, 422, 'no body where one is due');
  t.equal(await cards(), before, 'nothing was stored');
});

t.test('null in a PATCH is not an empty value', async (t) => {
  const { status, body } = await api.patch(`/cards/${card.id}`, { name: null });
  t.equal(status, 422);
  t.same(named(body), ['body /name']);
  const now = (await api.get(`/cards/${card.id}`)).body;
  t.match(now, { name: 'Ground', description: 'stays', version: card.version });
});

t.test('text that cannot be stored is refused in every position', async (t) => {
  const cases: [raw: string, field: string][] = [
    ['{"type":"Application","name":"a\\u0000b"}', '/name'],
    ['{"type":"Application","name":"x","description":"\\ud800"}', '/description'],
    ['{"type":"Application","name":"x","description":"\\udc00\\ud800"}', '/description'],
    ['{"type":"Application","name":"x","attributes":{"k":["\\u0000"]}}', '/attributes/k/0'],
    ['{"type":"Application","name":"x","attributes":{"a\\u0000":1}}', '/attributes/a'],
    ['{"type":"Application","name":"x","description":"bell \\u0007"}', '/description'],
    ['{"type":"Application","name":"x","description":"form feed \\f"}', '/description'],
    ['{"type":"Application","name":"x","alias":"raw \u007f"}', '/alias'],
    ['{"type":"Application","name":"x","alias":"raw \u0085"}', '/alias'],
    ['{"type":"Application","name":"x","attributes":{"productName":"\\u001b[31m"}}', '/attributes/productName'],
    ['{"type":"Application","name":"x","attributes":{"\\u001f":1}}', '/attributes/\u001f'],
    ['{"type":"Application","name":"two\\nlines"}', '/name'],
    ['{"type":"Application","name":"tab\\tbed"}', '/name'],
    ['{"type":"Application","name":"x","attributes":{"__proto__":{"polluted":1}}}', '/attributes/__proto__'],
    [
      '{"type":"Application","name":"x","attributes":{"constructor":{"prototype":{"polluted":1}}}}',
      '/attributes/constructor',
    ],
    ['{"type":"Application","name":"x","__proto__":{"polluted":1}}', '/__proto__'],
    [
      '{"type":"Application","name":"x","attributes":{"costTotalAnnual":12345678901234567890}}',
      '/attributes/costTotalAnnual',
    ],
    ['{"type":"Application","name":"x","attributes":{"costTotalAnnual":1e400}}', '/attributes/costTotalAnnual'],
    ['{"type":"Application","name":"x","attributes":{"a/b~c":1e400}}', '/attributes/a~1b~0c'],
  ];
  for (const [raw, field] of cases) {
    const { status, body } = await api.send('POST', '/cards', raw, { headers: json });
    const shown = escape(raw);
    t.equal(status, 422, shown);
    t.same(named(body), [`body ${field}`], shown);
  }
  t.equal(({} as { polluted?: number }).polluted, undefined, 'no prototype was touched');
  const other = (await api.post('/cards', { type: 'Application', name: 'Other end' })).body;
  for (const [path, body, field] of [
    [
      '/relations',
      { type: 'related', source_id: card.id, target_id: other.id, description: 'a\u0007' },
      '/description',
    ],
    [
      '/users',
      { email: 'a@example.org', display_name: 'A\u009b', role: 'viewer', password: 'long-enough-password-1' },
      '/display_name',
    ],
    ['/metamodel/types', { key: 'Odd', label: 'Odd', description: 'a\u0001' }, '/description'],
    ['/soaw/templates/own', { name: 'two\nlines', sections: [{ key: 'a', title: 'A' }] }, '/name'],
    ['/soaw/templates/own', { name: 'x', description: 'a\u000b', sections: [] }, '/description'],
  ] as const)
    t.match(await api.post(path, body), { status: 422, body: { errors: [{ field }] } }, `${path} ${field}`);
  const kept = 'lines\nand\ttabs\r\nstay';
  t.match(await api.post('/cards', { type: 'Application', name: 'Lines', description: kept }), {
    status: 201,
    body: { description: kept },
  });
  const emoji = await api.post('/cards', {
    type: 'Application',
    name: 'Ünïcode 😀 ﬀ',
    description: 'a backslash and u0000: \\u0000',
  });
  t.equal(emoji.status, 201, 'sound text of all planes is kept');
  t.match(emoji.body, { name: 'Ünïcode 😀 ﬀ', description: 'a backslash and u0000: \\u0000' });
});

t.test('a duplicate key is refused in every position', async (t) => {
  const cases: [raw: string, ...fields: string[]][] = [
    ['{"type":"Application","name":"x","name":"y"}', '/name'],
    ['{"type":"Application","name":"x","name":"x"}', '/name'],
    ['{"type":"Application","name":"x","n\\u0061me" \t\r\n : "y"}', '/name'],
    ['{"type":"Application","name":"x","attributes":{"a":{"b":1,"b":{}},"a":2}}', '/attributes/a', '/attributes/a/b'],
    ['{"type":"Application","name":"x","attributes":{"a":[{"k":"]},"},[],{"k":[1,2],"":0,"":1}]}}', '/attributes/a/2/'],
    ['{"type":"Application","name":"x","attributes":{"a/b~c":1,"a/b~c":2}}', '/attributes/a~1b~0c'],
    ['{"type":"Application","name":"\\\\","description":"\\"name\\":","alias":"a","alias":"b"}', '/alias'],
  ];
  for (const [raw, ...fields] of cases) {
    const { status, body } = await api.send('POST', '/cards', raw, { headers: json });
    t.equal(status, 422, raw);
    t.same(
      named(body),
      fields.map((field) => `body ${field}`),
      raw,
    );
    t.ok(
      body.errors.every((e) => e.reason === 'occurs more than once'),
      raw,
    );
  }
  const patch = await api.send('PATCH', `/cards/${card.id}`, '{"alias":"a","alias":null}', {
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  t.match(patch, { status: 422, body: { errors: [{ field: '/alias' }] } });
  const many = `{${Array.from({ length: 1_000 }, (_, i) => `"k${i % 10}":${i}`).join()}}`;
  t.equal(
    (await api.send('POST', '/cards', many, { headers: json })).body.errors.length,
    20,
    'not more are named than help',
  );
  const sound = '{"type":"Application","name":"\\"name\\":\\\\","description":"{\\"a\\":1,\\"a\\":2}"}';
  t.equal(
    (await api.send('POST', '/cards', sound, { headers: json })).status,
    201,
    'similar text in strings is allowed',
  );
});

t.test('keys are counted by their decoded value', (t) => {
  const members = (value: unknown): number =>
    typeof value !== 'object' || value === null
      ? 0
      : Object.values(value).reduce<number>(
          (sum, child) => sum + members(child),
          Array.isArray(value) ? 0 : Object.keys(value).length,
        );
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t', '\n\r\n'), (value, blanks) => {
      const text = JSON.stringify(value, null, blanks);
      return countKeys(text) === members(JSON.parse(text)) && duplicateKeys(text).length === 0;
    }),
    { numRuns: 500 },
  );
  t.end();
});

t.test('deep nesting is refused, and the process continues', async (t) => {
  const nested = (depth: number, open: string, end: string): string =>
    `{"type":"Application","name":"x","attributes":${open.repeat(depth)}1${end.repeat(depth)}}`;
  for (const [raw, what] of [
    [nested(60_000, '[', ']'), 'arrays'],
    [nested(60_000, '{"a":', '}'), 'objects'],
    ['['.repeat(500_000) + ']'.repeat(500_000), 'a million brackets'],
  ] as const) {
    const { status, body } = await api.send('POST', '/cards', raw, { headers: json });
    t.equal(status, 422, what);
    t.ok(
      body.errors.every((e) => e.reason === 'must not nest deeper than 64 levels'),
      what,
    );
  }
  const reasons = async (depth: number) =>
    (await api.send('POST', '/cards', nested(depth, '[', ']'), { headers: json })).body.errors
      .map((e) => e.reason)
      .join();
  t.match(await reasons(64), 'deeper');
  t.notMatch(await reasons(63), 'deeper', 'the body itself is one of the 64');
  t.equal((await client(origin).get('/api/health')).status, 200);
});

t.test('a body that is not JSON is a 400', async (t) => {
  for (const raw of [
    '{"a":',
    '{"a":1}}',
    'nul',
    '{a:1}',
    "{'a':1}",
    '{"a":01}',
    '\uFEFF',
    '{"name":"a\u0000"}',
    Buffer.from([0xff, 0xfe, 0x00]),
  ]) {
    const { status, body } = await api.send('POST', '/cards', raw, { headers: json });
    t.equal(status, 400, String(raw));
    t.equal(body.code, 'malformed_json', String(raw));
  }
});

t.test('a body of another media type is a 415, and no variant bypasses validation', async (t) => {
  const sound = JSON.stringify({ type: 'Application', name: 'typed' });
  const refused: Record<string, string>[] = [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/jsonx' },
    { 'content-type': 'application' },
    { 'content-type': 'application/json garbage' },
    { 'content-type': 'application/json, text/plain' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { ...json, 'content-encoding': 'gzip' },
    { ...json, 'content-encoding': 'identity, gzip' },
  ];
  for (const headers of refused) {
    const answer = await api.send('POST', '/cards', Buffer.from(sound), { headers });
    t.equal(answer.status, 415, JSON.stringify(headers));
    t.equal(answer.body.code, 'unsupported_media_type', JSON.stringify(headers));
  }
  const invalid = '{"bogus":1}';
  for (const type of [
    'application/json\t',
    'application/json\tx',
    'application/json ; x',
    'application/json;',
    'application/json; charset',
    'APPLICATION/JSON',
    'application/json; charset=utf-16',
    ' application/json',
    'application/json\x0b',
    '',
  ]) {
    const { status } = await sendRaw(
      origin,
      requestText('POST', '/api/v1/cards', {
        ...bearer,
        'Content-Type': type,
        'Content-Length': String(invalid.length),
      }) + invalid,
    );
    t.ok([400, 415, 422].includes(status), `${JSON.stringify(type)}: ${status}`);
  }
  const none = await sendRaw(
    origin,
    requestText('POST', '/api/v1/cards', { ...bearer, 'Content-Length': String(sound.length) }) + sound,
  );
  t.equal(none.status, 415, 'no type at all');
  const patch = await api.send('PATCH', `/cards/${card.id}`, '{"alias":"by merge patch"}', {
    headers: { 'content-type': 'application/merge-patch+json; charset=utf-8' },
  });
  t.equal(patch.status, 200, 'merge patch by its media type');
});

t.test('a body beyond the limit is a 413 and is not stored', async (t) => {
  const before = await cards();
  const { status, body } = await api.post('/cards', {
    type: 'Application',
    name: 'big',
    description: 'x'.repeat(1_100_000),
  });
  t.equal(status, 413);
  t.equal(body.code, 'payload_too_large');
  t.equal(await cards(), before);
  const chunked = await sendRaw(
    origin,
    `${requestText('POST', '/api/v1/cards', { ...bearer, ...json, 'Transfer-Encoding': 'chunked' })}110000\r\n${'x'.repeat(0x110000)}\r\n0\r\n\r\n`,
  );
  t.equal(chunked.status, 413, 'also without a Content-Length');
});

t.test('a request that never ends is aborted', async (t) => {
  t.ok(app.server.headersTimeout > 0 && app.server.headersTimeout <= 60_000);
  const hasty = await testApp({ database, config: { bodyTimeoutSeconds: 1 } });
  const text = (path: string) =>
    requestText('POST', path, { ...bearer, ...json, 'content-length': '100' }) + '{"type":';
  const { status, body } = await sendRaw(hasty.origin, text('/api/v1/cards'));
  t.strictSame([status, (JSON.parse(body) as AnyBody).code], [408, 'request_timeout']);
  t.equal((await sendRaw(hasty.origin, text('/api/v1/auth/login'))).status, 408);
  t.ok(hasty.app.server.requestTimeout > 100_000, 'uploads have longer');
  await hasty.close();
});

t.test('an existing path answers other methods with 405 and its methods', async (t) => {
  const cases: [method: string, path: string, allow: string][] = [
    ['PUT', '/cards', 'GET, HEAD, POST'],
    ['DELETE', '/cards', 'GET, HEAD, POST'],
    ['POST', `/cards/${card.id}`, 'DELETE, GET, HEAD, PATCH'],
    ['PATCH', '/auth/login', 'POST'],
    ['DELETE', '/api/health', 'GET, HEAD'],
    ['POST', '/api/openapi.json', 'GET, HEAD'],
    ['OPTIONS', '/cards', 'GET, HEAD, POST'],
    ['GET', '/cards/bulk', 'POST'],
    ['PATCH', '/cards/bulk', 'POST'],
    ['DELETE', '/cards/facets', 'GET, HEAD'],
  ];
  for (const [method, path, allow] of cases) {
    const { status, headers, body } = await api.send(method, path, undefined);
    t.equal(status, 405, `${method} ${path}`);
    t.equal(headers.get('allow'), allow, `${method} ${path}`);
    t.equal(body.code, 'method_not_allowed');
  }
  t.equal((await client(origin).send('DELETE', '/cards')).status, 405, 'also without a token');
  t.equal((await client(origin).send('PATCH', '/cards/bulk')).status, 405, 'also where a parameter would match');
  const beside = await client(origin).send('PUT', '/diagrams/0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b');
  t.equal(beside.status, 405, 'also where a path that goes on after the parameter has the method');
  t.equal(beside.headers.get('allow'), 'DELETE, GET, HEAD, PATCH');
  const { body: long } = await sendRaw(
    origin,
    requestText('GET', '/api/v1/cards?page=1', { 'X-Long': 'x'.repeat(20_000) }),
  );
  t.match(JSON.parse(long), { status: 431, instance: '/api/v1/cards' });
  const head = await api.send('HEAD', `/cards/${card.id}`);
  t.equal(head.status, 200);
  t.ok(head.headers.get('etag'));
  t.equal(head.body, undefined);
  t.equal((await client(origin).send('HEAD', '/cards')).status, 401, 'HEAD is no way around access');
});

t.test('other spellings of a path give the same decision or a 404', async (t) => {
  const spellings = [
    '//api/v1/users',
    '/api//v1/users',
    '/api/v1//users',
    '/api/v1/users/',
    '/api/v1/users;x=1',
    '/api/v1/%75sers',
    '/api/v1/users%2f',
    '/api/v1/%2e%2e/v1/users',
    '/api/v1/./users',
    '/api/v1/cards/../users',
    '/API/V1/USERS',
    '/api/v1/Users',
    '/api/v1/users%00',
    '/api/v1/users%20',
    '/api/v1/users?',
    '/api/v1/users#',
    '/api/v1\\users',
    'http://elsewhere/api/v1/users',
    '*',
  ];
  for (const target of spellings) {
    const { status } = await sendRaw(origin, requestText('GET', target));
    t.ok([400, 401, 404].includes(status), `GET ${target} without a token: ${status}`);
  }
  for (const path of [
    '/nothing/here',
    '/cards/abc',
    "/cards/'%20or%201=1",
    `/cards/${'x'.repeat(300)}`,
    `/cards/${'x'.repeat(2000)}`,
    `/cards/${card.id}x`,
    '/cards/0',
    '/cards/%00',
    '/api/v2/cards',
    '/api/cards',
    '/api/docs',
    '/api/docs/json',
  ]) {
    const { status, body } = await api.get(path);
    t.equal(status, 404, path.slice(0, 40));
    t.equal(body.code, 'not_found', path.slice(0, 40));
  }
});

t.test('lists: bounds, links and cursors', async (t) => {
  for (let i = 1; i <= 5; i++) await api.post('/cards', { type: 'Platform', name: `List ${i}` });
  const first = await api.get('/cards', { query: { type: 'Platform', page_size: 2, sort_by: 'name' } });
  t.match(first.body, { total: 5, total_relation: 'eq', page: 1, page_size: 2 });
  t.same(
    first.body.items.map((c) => c.name),
    ['List 1', 'List 2'],
  );
  const rel = (headers: Headers): Record<string, URLSearchParams> =>
    Object.fromEntries(
      (headers.get('link') ?? '')
        .split(', ')
        .map((link) => /^<([^>]+)>; rel="(\w+)"$/.exec(link)!)
        .map(([, target, name]) => [name!, new URL(target!, origin).searchParams]),
    );
  const links = rel(first.headers);
  t.same(Object.keys(links), ['first', 'next', 'last']);
  t.match(
    Object.fromEntries(links['last']!),
    { page: '3', type: 'Platform', page_size: '2', sort_by: 'name' },
    'every filter is kept in the links',
  );
  t.same(Object.keys(rel((await api.get('/cards?type=Platform&page_size=2&page=2')).headers)), [
    'first',
    'prev',
    'next',
    'last',
  ]);
  const past = await api.get('/cards?type=Platform&page_size=2&page=4000000');
  t.match(past.body, { items: [], total: 5, page: 4_000_000, next_cursor: null });
  t.equal(past.status, 200, 'past the end is empty, no error');

  const seen: string[] = [];
  for (let cursor: string | null = first.body.next_cursor, at = first; cursor !== null; cursor = at.body.next_cursor) {
    seen.push(...at.body.items.map((c) => c.name));
    at = await api.get('/cards', { query: { type: 'Platform', page_size: 2, sort_by: 'name', cursor } });
    t.equal(at.status, 200);
    if (at.body.next_cursor === null) seen.push(...at.body.items.map((c) => c.name));
  }
  t.same(seen, ['List 1', 'List 2', 'List 3', 'List 4', 'List 5']);
  const other = await api.get('/cards', {
    query: { type: 'Application', page_size: 2, sort_by: 'name', cursor: first.body.next_cursor! },
  });
  t.equal(other.status, 422, 'a cursor of another query');
  t.equal(other.body.code, 'invalid_cursor');
});

t.test('every list has the same envelope and bounds', async (t) => {
  const lists = app.routeTable.filter(
    ({ method, url }) =>
      method === 'GET' &&
      [
        '/cards',
        '/relations',
        '/users',
        '/users/directory',
        '/events',
        '/metamodel/types',
        '/metamodel/relation-types',
        '/auth/sessions',
        '/settings/modules',
      ].includes(url.replace('/api/v1', '')),
  );
  t.equal(lists.length, 9);
  for (const { url } of lists) {
    const { status, body } = await api.get(url, { query: { page_size: 1 } });
    t.equal(status, 200, url);
    t.same(Object.keys(body).sort(), ['items', 'next_cursor', 'page', 'page_size', 'total', 'total_relation'], url);
    t.equal((await api.get(url, { query: { page_size: 201 } })).status, 422, url);
  }
});

t.test('ETag, If-None-Match and If-Match', async (t) => {
  const made = await api.post('/cards', { type: 'Application', name: 'Versioned' });
  const path = `/cards/${made.body.id}`;
  const tag = made.headers.get('etag')!;
  t.equal(tag, `"${made.body.version}"`);
  t.match(made.headers.get('location'), new RegExp(`^/api/v1/cards/${made.body.id}$`));
  for (const value of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const { status, headers, body } = await api.get(path, { headers: { 'if-none-match': value } });
    t.equal(status, 304, value);
    t.equal(headers.get('etag'), tag, value);
    t.equal(body, undefined, value);
  }
  t.equal((await api.get(path, { headers: { 'if-none-match': '"0"' } })).status, 200);
  for (const value of [
    '',
    ',',
    '3',
    'x',
    '"1',
    '1"',
    '"1" "2"',
    '"1", 2',
    `*, ${tag}`,
    `${tag}, *`,
    '"a b"',
    `w/${tag}`,
    `W/ ${tag}`,
    'W/',
    `${tag};`,
    `"9"${', '.repeat(5_000)}x`,
  ]) {
    const { status, body } = await api.patch(path, { alias: 'no' }, { headers: { 'if-match': value } });
    t.equal(status, 422, `If-Match: ${value.slice(0, 20)}`);
    t.same(named(body), ['header if-match'], value.slice(0, 20));
  }
  // Valid tags that do not match: of other versions, and weak ones.
  for (const value of [
    `W/${tag}`,
    `W/${tag}, W/"2"`,
    '"x"',
    '""',
    '"-1"',
    '"1e3"',
    '"01"',
    '"99999999999999999999"',
    `"${made.body.version}x"`,
    '"2", "3"',
    '"a,b", "c"',
  ]) {
    const { status, body } = await api.patch(path, { alias: 'no' }, { headers: { 'if-match': value } });
    t.match(
      { status, body },
      { status: 412, body: { code: 'precondition_failed', current_version: made.body.version } },
      `If-Match: ${value}`,
    );
  }
  const stale = await api.patch(path, { alias: 'no' }, { headers: { 'if-match': '"999"' } });
  t.equal(stale.status, 412);
  t.match(stale.body, { code: 'precondition_failed', current_version: made.body.version });
  t.equal(
    (await api.patch(path, { alias: 'a' }, { headers: { 'if-match': `"${made.body.version}.abc"` } })).status,
    200,
    'a tag of another view names the same version',
  );
  t.equal((await api.patch(path, { alias: 'b' }, { headers: { 'if-match': '*' } })).status, 200);
  t.equal((await api.del(path, { headers: { 'if-match': tag } })).status, 412, 'also for DELETE');
  const seen = await api.patch(
    path,
    { description: 'c' },
    { headers: { 'if-match': `"7", "${made.body.version + 1}"` } },
  );
  t.match(seen, { status: 412, body: { changed_fields: [] } }, 'no fields are named for an unknown version');
  t.match(
    (await api.patch(path, { description: 'c' }, { headers: { 'if-match': `${tag},"${made.body.version + 1}"` } }))
      .body,
    { changed_fields: ['alias'] },
    'the changes since the latest of the given versions',
  );
  for (const list of [(v: number) => `"${v}", "900"`, (v: number) => `"x",,W/"3" ,\t"900","${v}.more",`]) {
    const {
      body: { version },
    } = await api.get(path);
    t.equal(
      (await api.patch(path, { alias: `one of ${version}` }, { headers: { 'if-match': list(version) } })).status,
      200,
      'any of several',
    );
  }
  const { version: now } = (await api.get(path)).body;
  const race = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      api.patch(path, { alias: `race ${i}` }, { headers: { 'if-match': `"${now}"` } }),
    ),
  );
  t.same(race.map((r) => r.status).sort(), [200, ...Array<number>(7).fill(412)], 'of many with one version one wins');
});

t.test('If-Match takes several tags of every resource', async (t) => {
  const other = (await api.post('/cards', { type: 'Application', name: 'At the other end' })).body;
  const relation = (await api.post('/relations', { type: 'related', source_id: card.id, target_id: other.id })).body;
  for (const [path, body] of [
    [`/relations/${relation.id}`, { description: 'd' }],
    ['/settings', { app_title: 'Title' }],
    ['/auth/me', { display_name: 'Ada' }],
    [`/users/${admin.user.id}`, { display_name: 'Ada A.' }],
    ['/metamodel/types/Application', { label: 'App' }],
  ] as const) {
    const { version } = (await api.get(path)).body;
    const refused = await api.patch(path, body, { headers: { 'if-match': `W/"${version}", "${version + 1}"` } });
    t.match(
      refused,
      { status: 412, body: { current_version: version, changed_fields: Array, detail: /weak tag .* never matches/ } },
      path,
    );
    for (const [tag, detail] of [
      [`W/"${version}"`, /weak tag .* a proxy that compresses/],
      [`"${version}-gzip"`, /no ETag of the service/],
      [`"${version + 1}"`, 'Stale version'],
      ['"W/", "0"', /no ETag of the service/],
    ] as const)
      t.match(await api.patch(path, body, { headers: { 'if-match': tag } }), { status: 412, body: { detail } }, tag);
    t.match(
      await api.patch(path, body, { headers: { 'if-match': `"${version + 1}", "${version}"` } }),
      { status: 200, body: { version: version + 1 } },
      path,
    );
  }
});

t.test('Idempotency-Key: repeated requests are executed once', async (t) => {
  const send = (key: string, body: unknown = { type: 'Application', name: `Once ${key}` }) =>
    api.post('/cards', body, { headers: { 'idempotency-key': key } });
  const all = await Promise.all(Array.from({ length: 20 }, () => send('parallel')));
  const made = all.filter((a) => a.status === 201);
  t.ok(
    made.length >= 1 && all.every((a) => [201, 409].includes(a.status)),
    `statuses ${all.map((a) => a.status).join(' ')}`,
  );
  t.ok(
    all
      .filter((a) => a.status === 409)
      .every((a) => a.body.code === 'idempotency_in_progress' && a.headers.get('retry-after')),
    'the others get 409',
  );
  const again = await send('parallel');
  t.equal(again.status, 201);
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.same(new Set([...made, again].map((a) => a.body.id)).size, 1);
  t.equal(made.filter((a) => a.headers.get('idempotent-replayed') === null).length, 1, 'one of them did it');
  const [{ n }] = (await sql<{ n: number }>(database, 'select count(*)::int as n from cards where name = $1', [
    'Once parallel',
  ])) as [{ n: number }];
  t.equal(n, 1, 'one card is stored');

  const reused = await send('parallel', { type: 'Application', name: 'Something else' });
  t.equal(reused.status, 422);
  t.equal(reused.body.code, 'idempotency_key_reused');
  t.equal((await send('refused', { type: 'Application', name: 5 })).status, 422);
  t.equal((await send('refused')).status, 201, 'a refusal is not kept');
  for (const key of ['', ' ', 'x'.repeat(201), 'ü', 'a b']) {
    const { status } = await sendRaw(
      origin,
      `${requestText('POST', '/api/v1/cards', { ...bearer, ...json, 'Idempotency-Key': key, 'Content-Length': '2' })}{}`,
    );
    t.equal(status, 422, `key ${key.slice(0, 10)}`);
  }
  const patched = await api.patch(
    `/cards/${again.body.id}`,
    { alias: 'p' },
    { headers: { 'idempotency-key': 'patch' } },
  );
  const repeat = await api.patch(
    `/cards/${again.body.id}`,
    { alias: 'p' },
    { headers: { 'idempotency-key': 'patch' } },
  );
  t.equal(repeat.headers.get('idempotent-replayed'), 'true');
  t.equal(repeat.body.version, patched.body.version, 'also for PATCH');
  for (const headers of [{ 'if-match': '*' }, { 'if-match': `"${patched.body.version}"` }]) {
    const otherwise = await api.patch(
      `/cards/${again.body.id}`,
      { alias: 'p' },
      { headers: { 'idempotency-key': 'patch', ...headers } },
    );
    t.match(
      otherwise,
      { status: 422, body: { code: 'idempotency_key_reused' } },
      'with another condition it is another request',
    );
  }
  const elsewhere = await api.patch(`/cards/${card.id}`, { alias: 'p' }, { headers: { 'idempotency-key': 'patch' } });
  t.match(elsewhere, { status: 422, body: { code: 'idempotency_key_reused' } }, 'and on another card');
  const member = await makeUser(admin, 'member');
  t.equal(
    (
      await member.api.post(
        '/cards',
        { type: 'Application', name: 'Mine' },
        { headers: { 'idempotency-key': 'parallel' } },
      )
    ).status,
    201,
    'the key of another user is another key',
  );
});

t.test('a workspace can require If-Match', async (t) => {
  t.equal((await api.patch('/settings', { require_if_match: true })).status, 200);
  const missing = await until(async () => {
    const r = await api.patch(`/cards/${card.id}`, { alias: 'x' });
    return r.status === 428 && r;
  });
  t.equal(missing.body.code, 'precondition_required');
  const { headers } = await api.get(`/cards/${card.id}`);
  t.equal(
    (await api.patch(`/cards/${card.id}`, { alias: 'x' }, { headers: { 'if-match': headers.get('etag')! } })).status,
    200,
  );
  t.equal((await api.post('/cards', { type: 'Application', name: 'New ones have no version' })).status, 201);
  const settings = await api.get('/settings');
  t.equal(
    (
      await api.patch(
        '/settings',
        { require_if_match: false },
        { headers: { 'if-match': settings.headers.get('etag')! } },
      )
    ).status,
    200,
  );
});
