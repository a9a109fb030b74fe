/** On every route an undocumented body is refused, and so are two Authorization headers. */
import { request as httpRequest } from 'node:http';
import t from 'tap';
import { registerAdmin, testApp, type AnyBody } from '../support/app.js';
import { requestText, sendRaw } from '../support/raw.js';

const { app, origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const ID = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';
/** The path of a route with valid parameters. */
const pathOf = (url: string) =>
  url
    .replace(/:(key|role|subscription)\b/g, 'member')
    .replace(/:(position|number)\b|(?<=events\/):id/, '1')
    .replace(/(\/settings\/modules\/):id/, '$1risks')
    .replace(/:feed\b/, 'kev')
    .replace(/:provider\b/, 'company')
    .replace(/:regulation\b/, 'gdpr')
    .replace(/:\w+/g, ID);
const bearer = { Authorization: `Bearer ${admin.token}` };

/** Used instead of fetch, which sends no body with GET. */
const send = (method: string, path: string, body: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(
      new URL(path, origin),
      {
        method,
        agent: false,
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (answer) => {
        let text = '';
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part;
          })
          .on('end', () => resolve({ status: answer.statusCode!, text }));
      },
    );
    request.on('error', reject).end(body);
  });

t.test('members of a body that no route describes are a 422', async (t) => {
  const document = app.openapiDocument();
  const bare = app.routeTable.filter(
    ({ operationId, url }) =>
      url.startsWith('/api/v1/') &&
      Object.values(document.paths).some((item) =>
        Object.values(item).some((o) => o.operationId === operationId && o.requestBody === undefined),
      ),
  );
  t.ok(
    bare.length > 60 &&
      bare.some(({ method }) => method === 'POST') &&
      bare.some(({ url }) => url.startsWith('/api/v1/risks')),
    `${bare.length} operations`,
  );
  // Logging out would end the session of the other calls.
  for (const { method, url } of bare.filter(({ operationId }) => operationId !== 'logout')) {
    const { status, text } = await send(method, pathOf(url), '{"surprise":1}');
    // A route that only reads files refuses JSON as another media type.
    if (status === 415) {
      t.match(url, /logo/);
      continue;
    }
    t.equal(status, 422, `${method} ${url}: ${text.slice(0, 200)}`);
    if (status !== 422) continue;
    const { errors } = JSON.parse(text) as AnyBody;
    t.ok(
      errors.some(({ in: part, field }) => part === 'body' && ['', '/surprise'].includes(field)),
      `${method} ${url}`,
    );
  }
});

t.test('an empty body counts as none', async (t) => {
  const { id } = (await admin.api.post('/cards', { type: 'Application', name: 'Kept' })).body;
  const action = (body?: string) => send('POST', '/api/v1/events/stream-ticket', body ?? '');
  for (const body of [undefined, '{}', ' { } ', 'null']) t.equal((await action(body)).status < 300, true, String(body));
  for (const body of ['[]', '0', 'false', '""', '"x"', '[{}]']) t.equal((await action(body)).status, 422, body);
  t.equal((await action('{')).status, 400);
  t.equal(
    (await send('DELETE', `/api/v1/cards/${id}`, '{"child_strategy":"cascade"}')).status,
    422,
    'a parameter of the query in the body',
  );
  t.equal((await admin.api.get(`/cards/${id}`)).status, 200, 'and nothing was done');
  t.equal((await send('DELETE', `/api/v1/cards/${id}`, '{}')).status, 204);
  t.equal((await send('GET', '/api/v1/cards', '')).status, 200, 'a length of 0 is no body');
  t.equal((await send('POST', '/api/v1/nowhere', '{"a":1}')).status, 404);
  const faults = JSON.parse(
    (await send('DELETE', `/api/v1/cards/${id}?child_strategy=no`, '{"a":1,"b~/":2}')).text,
  ) as AnyBody;
  t.strictSame(
    faults.errors.map(({ field, in: part }) => `${part} ${field}`).sort(),
    ['body /a', 'body /b~0~1', 'query child_strategy'],
    'with the faults of the query',
  );
});

t.test('two Authorization headers are a 400, whatever their values', async (t) => {
  const ask = (path: string, headers: string) =>
    sendRaw(origin, requestText('GET', path).replace('\r\n\r\n', `\r\n${headers}\r\n\r\n`));
  const one = `Authorization: ${bearer.Authorization}`;
  for (const [path, headers] of [
    ['/api/v1/auth/me', `${one}\r\n${one}`],
    ['/api/v1/auth/me', `${one}\r\naUTHORIZATION: Bearer x`],
    ['/api/v1/auth/me', `authorization: \r\n${one}`],
    ['/api/v1/settings', `${one}\r\n${one}`],
    ['/api/v1/nowhere', `${one}\r\n${one}`],
  ] as const) {
    const { status, body } = await ask(path, headers);
    t.strictSame(
      [status, (JSON.parse(body) as AnyBody).code],
      [400, 'bad_request'],
      `${path} ${headers.replaceAll(admin.token, '…')}`,
    );
  }
  t.equal((await ask('/api/v1/auth/me', one)).status, 200);
  t.equal((await ask('/api/v1/auth/me', `${one}\r\nX-Authorization: x`)).status, 200);
});
