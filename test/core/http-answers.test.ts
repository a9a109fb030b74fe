/** Members and headers of every response, and the endpoints of the platform. */
import { createHook } from 'node:async_hooks';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, get as httpGet } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import t from 'tap';
import { client, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';
import { requestText, sendRaw } from '../support/raw.js';
import { Metrics } from '../../core/foundation/http/metrics.js';
import type { Document } from '../../core/foundation/http/openapi-document.js';

const OK = 'https://ok.example.org';
const METRICS = 'metrics-token-of-the-test';
const { app, origin, database, close } = await testApp({
  config: { allowedOrigins: [OK, 'https://two.example.org'], metricsToken: METRICS },
});
t.teardown(close);
const development = await testApp({ config: { environment: 'development' } });
t.teardown(development.close);
const admin = await registerAdmin(origin);
const { api } = admin;
const guest = client(origin);
const document = (await guest.get<Document>('/api/openapi.json')).body;

const SECURITY = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-cache',
};

/** Reads a response without decoding, which fetch cannot do. */
async function undecoded(
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }> {
  return await new Promise((resolve, reject) => {
    httpGet(new URL(path, origin), { headers: { authorization: `Bearer ${admin.token}`, ...headers } }, (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode!, headers: response.headers, bytes }),
        reject,
      );
    }).once('error', reject);
  });
}

t.test('every kind of response has the security headers', async (t) => {
  const answers: [what: string, headers: Headers, status: number][] = [];
  for (const [what, expected, answer] of [
    ['health', 200, await guest.get('/api/health')],
    ['list', 200, await api.get('/cards')],
    ['401', 401, await guest.get('/cards')],
    ['404', 404, await api.get('/nope')],
    ['405', 405, await api.put('/cards', {})],
    ['422', 422, await api.get('/cards?page=0')],
    ['400', 400, await api.send('POST', '/cards', '{', { headers: { 'content-type': 'application/json' } })],
    ['413', 413, await api.post('/cards', { name: 'x'.repeat(1_100_000) })],
    ['415', 415, await api.send('POST', '/cards', 'x', { headers: { 'content-type': 'text/plain' } })],
    ['an unreadable URL', 400, await sendRaw(origin, requestText('GET', '/api/v1/cards/%zz'))],
    ['no HTTP', 400, await sendRaw(origin, 'NONSENSE\r\n\r\n')],
    [
      'headers without end',
      431,
      await sendRaw(origin, requestText('GET', '/api/health', { 'X-Long': 'x'.repeat(20_000) })),
    ],
    ['a path parameter without end', 404, await api.get(`/cards/${'x'.repeat(3000)}`)],
  ] as [string, number, { status: number; headers: Headers }][]) {
    t.equal(answer.status, expected, what);
    answers.push([what, answer.headers, answer.status]);
  }
  for (const [what, headers, status] of answers) {
    t.match(Object.fromEntries(headers), SECURITY, what);
    t.ok(headers.get('strict-transport-security'), what);
    t.match(headers.get('vary'), /authorization/, what);
    t.ok(headers.get('x-request-id'), what);
    t.equal(headers.get('x-powered-by'), null, what);
    t.equal(headers.get('server'), null, what);
    if (status >= 400) t.match(headers.get('content-type'), /^application\/problem\+json/, what);
  }
});

t.test('errors are problem details', async (t) => {
  for (const [answer, status, code] of [
    [await api.get('/nope?secret=1'), 404, 'not_found'],
    [await guest.get('/cards'), 401, 'invalid_token'],
    [await api.get('/cards?page=0'), 422, 'validation_failed'],
  ] as const) {
    const { body, headers } = answer;
    t.match(body, { type: `/problems/${code}`, status, code, request_id: headers.get('x-request-id') });
    for (const key of ['title', 'detail', 'instance']) t.equal(typeof body[key], 'string', key);
    t.notMatch(body['instance'] as string, /\?/, 'no query, which may hold secrets');
  }
  t.match((await guest.get('/cards')).headers.get('www-authenticate'), /^Bearer error="invalid_token"/);
  const raw = JSON.parse((await sendRaw(origin, 'NONSENSE\r\n\r\n')).body) as AnyBody;
  t.match(raw, { status: 400, code: 'bad_request' }, 'also for invalid HTTP');
});

t.test('X-Request-Id is accepted and returned, and generated if it is invalid', async (t) => {
  const id = 'from-the-caller_1';
  t.equal((await guest.get('/api/health', { headers: { 'x-request-id': id } })).headers.get('x-request-id'), id);
  const refused = await guest.get('/cards', { headers: { 'x-request-id': id } });
  t.same([refused.headers.get('x-request-id'), refused.body.request_id], [id, id]);
  const made = new Set<string | null>();
  for (const bad of [undefined, undefined, 'x'.repeat(201), 'with blank', '{"forged":"line"}\t', 'ümlaut']) {
    const { status, headers } = await sendRaw(
      origin,
      requestText('GET', '/api/health', bad === undefined ? {} : { 'X-Request-Id': bad }),
    );
    t.equal(status, 200, String(bad).slice(0, 20));
    t.not(headers.get('x-request-id'), bad);
    made.add(headers.get('x-request-id'));
  }
  t.equal(made.size, 6, 'each response has its own');
  for (const traceparent of [
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    'garbage',
    '00-00000000000000000000000000000000-0000000000000000-00',
  ]) {
    t.equal((await guest.get('/api/health', { headers: { traceparent } })).status, 200, traceparent);
  }
});

t.test('CORS is for the configured origins, compared exactly', async (t) => {
  const from = (from: string) => ({ headers: { origin: from } });
  for (const answer of [
    await api.get('/cards', from(OK)),
    await guest.get('/cards', from(OK)),
    await api.get('/nope', from(OK)),
    await api.get('/cards?page=0', from(OK)),
  ]) {
    t.equal(answer.headers.get('access-control-allow-origin'), OK, String(answer.status));
    const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(/, ?/) ?? [];
    for (const name of [
      'etag',
      'link',
      'location',
      'retry-after',
      'ratelimit',
      'ratelimit-policy',
      'x-request-id',
      'idempotent-replayed',
    ])
      t.ok(exposed.includes(name), name);
    t.match(answer.headers.get('vary'), /origin/i);
    t.equal(answer.headers.get('access-control-allow-credentials'), null, 'no cookies');
  }
  const preflight = (from: string) =>
    guest.send('OPTIONS', '/cards', undefined, {
      headers: {
        origin: from,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,content-type,if-match,idempotency-key,last-event-id',
      },
    });
  const yes = await preflight('https://two.example.org');
  t.equal(yes.status, 204);
  t.equal(yes.headers.get('access-control-allow-origin'), 'https://two.example.org');
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    t.match(yes.headers.get('access-control-allow-methods'), method);
  for (const name of ['authorization', 'content-type', 'if-match', 'idempotency-key', 'last-event-id'])
    t.match(yes.headers.get('access-control-allow-headers')?.toLowerCase(), name);
  for (const evil of [
    'https://evil.example.org',
    `${OK}.evil.com`,
    'http://ok.example.org',
    'https://OK.example.org',
    `${OK}:443`,
    `${OK}/`,
    'null',
    'https://notok.example.org',
    '*',
  ]) {
    for (const answer of [await api.get('/cards', from(evil)), await preflight(evil)]) {
      t.same(
        [...answer.headers.keys()].filter((name) => name.startsWith('access-control')),
        [],
        `${evil} ${answer.status}`,
      );
    }
  }
  t.equal((await preflight('https://evil.example.org')).status, 405);
  t.equal(
    (await client(development.origin).get('/api/health', from(OK))).headers.get('access-control-allow-origin'),
    null,
    'without ALLOWED_ORIGINS there is none',
  );
});

t.test('large responses are compressed if the client accepts it', async (t) => {
  for (let i = 0; i < 10; i++)
    await api.post('/cards', { type: 'Application', name: `Compress ${i}`, description: 'words '.repeat(100) });
  const plain = await undecoded('/api/v1/cards', { 'accept-encoding': 'identity' });
  t.equal(plain.headers['content-encoding'], undefined);
  const expected = JSON.parse(plain.bytes.toString()) as unknown;
  for (const [accepted, encoding, decode] of [
    ['gzip', 'gzip', gunzipSync],
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br', 'gzip', gunzipSync],
    ['*', 'gzip', gunzipSync],
    ['br;q=1, gzip;q=0.1', 'br', brotliDecompressSync],
  ] as const) {
    const answer = await undecoded('/api/v1/cards', { 'accept-encoding': accepted });
    t.equal(answer.headers['content-encoding'], encoding, accepted);
    t.same(JSON.parse(decode(answer.bytes).toString()), expected, accepted);
    t.ok(answer.bytes.length < plain.bytes.length / 3, `${answer.bytes.length} of ${plain.bytes.length} bytes`);
    t.match(answer.headers['vary'], /accept-encoding/i);
  }
  t.equal(
    (await undecoded('/api/health', { 'accept-encoding': 'gzip' })).headers['content-encoding'],
    undefined,
    'small ones are not',
  );
  const refused = await undecoded('/api/openapi.json', { 'accept-encoding': 'gzip;q=0' });
  t.equal(refused.headers['content-encoding'], undefined, 'q=0 is no');
  const made = await api.post('/cards', { type: 'Application', name: 'Tagged', description: 'words '.repeat(400) });
  const tagged = await undecoded(`/api/v1/cards/${made.body.id}`, { 'accept-encoding': 'gzip' });
  t.equal(tagged.headers['content-encoding'], 'gzip');
  t.equal(tagged.headers['etag'], made.headers.get('etag'), 'the entity tag does not depend on the compression');
});

t.test('health does not query the database', async (t) => {
  const { pool } = app.services.db;
  await until(() => pool.idleCount === pool.totalCount);
  let taken = 0;
  const count = (): void => {
    taken++;
  };
  pool.on('acquire', count);
  const before = taken;
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: 500 }, () => guest.get('/api/health')));
  const ms = performance.now() - began;
  pool.off('acquire', count);
  t.ok(answers.every((a) => a.status === 200));
  t.match(answers[0]!.body, { status: 'ok', version: /^\d+\.\d+\.\d+/, uptime_s: Number });
  // The service itself polls meanwhile, which takes a few connections.
  t.ok(taken - before < 20 + ms / 10, `${taken - before} connections were taken in ${Math.round(ms)} ms`);
});

t.test('readiness checks the parts', async (t) => {
  const { status, body } = await guest.get('/api/ready');
  t.equal(status, 200);
  t.same(body, {
    status: 'ready',
    checks: { database: 'ok', migrations: 'ok', secrets: 'ok', modules: 'ok', storage: 'ok' },
  });

  const changed = async (checks: Record<string, string>) =>
    await until(async () => {
      const answer = await guest.get<{ checks: Record<string, string> }>('/api/ready');
      return Object.entries(checks).every(([name, value]) => answer.body.checks[name] === value) && answer;
    });
  await sql(database, `insert into lintel_migrations (name, version) values ('9999_later', '9.0.0')`);
  t.equal((await changed({ migrations: 'newer' })).status, 200, 'in a rolling upgrade the former version serves');
  await t.rejects(testApp({ database }), {
    message:
      /migrated by Lintel 9\.0\.0, and this is Lintel \d+\.\d+\.\d+.*, which does not contain the migrations 9999_later: /,
  });
  await sql(database, `delete from lintel_migrations where name = '9999_later'`);

  await sql(database, `update secrets set ciphertext = set_byte(ciphertext, 40, get_byte(ciphertext, 40) # 1)`);
  t.equal((await changed({ secrets: 'other_key' })).status, 503, 'a start would not decrypt the stored secrets');
  await t.rejects(testApp({ database }), { message: /does not open the stored secrets/ });
  await sql(database, `update secrets set ciphertext = set_byte(ciphertext, 40, get_byte(ciphertext, 40) # 1)`);
  t.equal((await changed({ secrets: 'ok' })).status, 200);

  await sql(database, `delete from lintel_migrations where name like '0001%'`);
  const behind = await until(async () => {
    const answer = await guest.get('/api/ready');
    return answer.status !== 200 && answer;
  });
  t.match(
    behind,
    { status: 503, body: { code: 'unavailable', checks: { database: 'ok', migrations: 'pending', modules: 'ok' } } },
    'a schema that is behind',
  );
  t.ok(behind.headers.get('retry-after'));
  t.equal((await guest.get('/api/health')).status, 200, 'the process is alive nevertheless');
});

t.test('the service is ready without a failed module', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-modules-'));
  await mkdir(join(folder, 'broken'));
  await writeFile(join(folder, 'broken/index.js'), 'throw new Error("on purpose");');
  const own = await testApp({ config: { pluginsDir: folder, logLevel: 'fatal' } });
  const { status, body } = await client(own.origin).get('/api/ready');
  t.same(
    [status, body['checks']],
    [200, { database: 'ok', migrations: 'ok', secrets: 'ok', modules: 'degraded', storage: 'ok' }],
  );
  await own.close();
  await rm(folder, { recursive: true });
});

t.test('while stopping, new requests get a 503', async (t) => {
  const own = await testApp();
  // A request with an incomplete body, for which the stopping server waits.
  const slow = httpRequest(new URL('/api/v1/auth/login', own.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '100' },
  });
  const answered = new Promise<number>((resolve, reject) => {
    slow.once('response', (r) => {
      r.resume();
      resolve(r.statusCode!);
    });
    slow.once('error', reject);
  });
  slow.write('{"email":');
  const keepAlive = await new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      void import('node:net').then(({ connect }) => {
        const socket = connect(Number(new URL(own.origin).port), '127.0.0.1', () =>
          socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\n'),
        );
        let text = '';
        let closing: Promise<void> | undefined;
        socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
        socket.once('error', reject);
        socket.on('data', (part) => {
          text += part.toString();
        });
        socket.once('close', () => {
          const [head, body] = text.split('\r\n\r\n') as [string, string];
          void closing?.then(
            () =>
              resolve({
                status: Number(head.split(' ')[1]),
                headers: Object.fromEntries(
                  head
                    .split('\r\n')
                    .slice(1)
                    .map((l) => l.toLowerCase().split(': ') as [string, string]),
                ),
                body,
              }),
            reject,
          );
        });
        // Half of the request is sent before the stop, the other half afterwards.
        setTimeout(() => {
          closing = own.close();
          setImmediate(() => {
            socket.write('\r\n');
            slow.end('x'.repeat(91));
          });
        }, 100);
      });
    },
  );
  t.equal(keepAlive.status, 503);
  t.match(JSON.parse(keepAlive.body), { code: 'unavailable', status: 503 });
  t.ok(keepAlive.headers['retry-after']);
  t.equal(keepAlive.headers['x-content-type-options'], 'nosniff');
  t.equal(await answered, 400, 'a request in flight is answered');
});

t.test('metrics are available to this machine and with the token', async (t) => {
  const local = await guest.get<string>('/api/metrics');
  t.equal(local.status, 200);
  t.match(local.headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
  await api.get('/cards/0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21');
  const text = (await guest.get<string>('/api/metrics')).body;
  t.match(text, /^process_cpu_user_seconds_total \d/m);
  t.match(text, /^http_requests_total\{method="GET",route="\/api\/v1\/cards\/:id",status="404"\} 1$/m);
  t.match(text, /^http_request_duration_seconds_count\{method="GET",route="\/api\/health"\} \d+$/m);
  t.match(text, /^lintel_database_connections \d+$/m);
  t.notMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}-7/, 'no ids as labels');
  for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via']) {
    const passedOn = await guest.get('/api/metrics', { headers: { [name]: '127.0.0.1' } });
    t.equal(passedOn.status, 403, `${name}: passed on by a proxy is not this machine`);
    t.equal(passedOn.body.code, 'forbidden');
  }
  const forwarded = { 'x-forwarded-for': '203.0.113.7' };
  t.equal(
    (await guest.get('/api/metrics', { headers: { ...forwarded, authorization: `Bearer ${METRICS}` } })).status,
    200,
  );
  for (const wrong of ['Bearer wrong', `Bearer ${METRICS}x`, METRICS, `Bearer ${admin.token}`])
    t.equal(
      (await guest.get('/api/metrics', { headers: { ...forwarded, authorization: wrong } })).status,
      403,
      wrong.slice(0, 20),
    );
});

t.test('metrics show events that wait for their position', async (t) => {
  const figure = async (name: string): Promise<number> => {
    const { status, body } = await guest.get<string>('/api/metrics');
    t.equal(status, 200);
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)![1]);
  };
  const [rows, age] = ['lintel_event_outbox_rows', 'lintel_event_outbox_age_seconds'];
  await until(async () => (await figure(rows)) === 0 && (await figure(age)) === 0);
  const holder = await app.services.db.dedicated('test');
  t.teardown(() => holder.end());
  // No positions are assigned while the head is locked.
  await holder.query('begin; select from event_head for update');
  for (let i = 0; i < 3; i++) await api.post('/cards', { type: 'Application', name: `Waits ${i}` });
  t.equal(await figure(rows), 3);
  await until(async () => (await figure(age)) > 0.2);
  await holder.query('rollback');
  await until(async () => (await figure(rows)) === 0 && (await figure(age)) === 0);
});

t.test('metrics of a database that does not answer are omitted, and the others are returned', async (t) => {
  const metrics = new Metrics();
  metrics.together([{ name: 'hanging', help: 'h' }], () => new Promise(() => undefined));
  metrics.together([{ name: 'failing', help: 'h' }], () => Promise.reject(new Error('away')));
  let asked = 0;
  metrics.together(
    [
      { name: 'one', help: 'h' },
      { name: 'two', help: 'h' },
    ],
    async () => [++asked, 2],
  );
  const text = await metrics.text();
  for (const line of [/^hanging Nan$/m, /^failing Nan$/m, /^one 1$/m, /^two 2$/m]) t.match(text, line);
});

t.test('the OpenAPI document describes every route', async (t) => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, method, operation })),
  );
  t.same(
    operations.map((o) => o.name).sort(),
    app.routeTable.map((r) => `${r.method} ${r.url.replace(/:(\w+)/g, '{$1}')}`).sort(),
  );
  t.equal(new Set(operations.map((o) => o.operation.operationId)).size, operations.length, 'operationIds are unique');
  for (const { name, method, operation } of operations) {
    const responses = Object.keys(operation.responses);
    t.ok(
      responses.some((status) => /^[23]/.test(status)) && responses.includes('default'),
      `${name}: success and errors`,
    );
    if (operation.security!.length > 0) t.ok(responses.includes('401'), `${name}: 401`);
    const content = operation.requestBody?.content ?? {};
    const media = content['application/json'];
    if (!media) continue;
    t.ok(responses.includes('422') && responses.includes('415'), `${name}: errors of a body`);
    t.ok(media.example !== undefined || media.examples !== undefined, `${name}: an example`);
    t.equal('application/merge-patch+json' in content, method === 'patch', `${name}: merge patch`);
  }
  t.match(document, {
    openapi: '3.1.0',
    info: { title: 'Lintel', version: /^\d+\.\d+\.\d+/ },
    servers: [{ url: '/' }],
  });
});

t.test('the OpenAPI document is tagged', async (t) => {
  const { headers } = await guest.get('/api/openapi.json');
  const tag = headers.get('etag')!;
  t.equal((await guest.get('/api/openapi.json', { headers: { 'if-none-match': tag } })).status, 304);
  t.equal((await guest.get('/api/openapi.json', { headers: { 'if-none-match': '"other"' } })).status, 200);
  const packed = await undecoded('/api/openapi.json', { 'accept-encoding': 'gzip' });
  t.equal(packed.headers['content-encoding'], 'gzip');
  t.same(JSON.parse(gunzipSync(packed.bytes).toString()), document);
});

t.test('the OpenAPI document is compressed once for each encoding, not for each request', async (t) => {
  let compressions = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (/ZLIB|BROTLI/i.test(type)) compressions++;
    },
  }).enable();
  t.teardown(() => hook.disable());
  for (const [accepted, encoding, decode] of [
    ['gzip, br', 'gzip', gunzipSync],
    ['br', 'br', brotliDecompressSync],
    ['gzip;q=0, br', 'br', brotliDecompressSync],
    ['gzip;q=0.1, br;q=0.9', 'br', brotliDecompressSync],
    ['*', 'gzip', gunzipSync],
    ['deflate, *;q=0.5', 'gzip', gunzipSync],
    ['deflate', undefined, (bytes: Buffer) => bytes],
    ['identity, gzip;q=0.5', undefined, (bytes: Buffer) => bytes],
  ] as const) {
    const before = compressions;
    const answers = await Promise.all(
      [1, 2, 3].map(() => undecoded('/api/openapi.json', { 'accept-encoding': accepted })),
    );
    t.ok(compressions - before <= 1, `${accepted}: ${compressions - before} compressions`);
    for (const { headers, bytes } of answers) {
      t.equal(headers['content-encoding'], encoding, accepted);
      t.match(headers['vary'], /accept-encoding/i);
      t.equal(Number(headers['content-length']), bytes.length);
    }
    hook.disable();
    t.same(JSON.parse(decode(answers[0]!.bytes).toString()), document);
    hook.enable();
  }
  t.ok(compressions <= 2, `${compressions} compressions for two encodings`);
  const { headers } = await undecoded('/api/openapi.json', { 'accept-encoding': 'br' });
  const known = { 'accept-encoding': 'br', 'if-none-match': headers['etag'] as string };
  t.match((await undecoded('/api/openapi.json', known)).bytes.length, 0, 'nothing is sent to a client that has it');
});

t.test('the documentation page exists only in development', async (t) => {
  for (const path of ['/api/docs', '/api/docs/', '/api/docs/json', '/api/docs/static/index.html'])
    t.equal((await api.get(path)).status, 404, path);
  const page = await client(development.origin).get<string>('/api/docs');
  t.equal(page.status, 200);
  t.match(page.headers.get('content-type'), /^text\/html/);
  const policy = page.headers.get('content-security-policy') ?? '';
  t.match(policy, /script-src 'self';/, 'its scripts are files of the service');
  for (const [, source = ''] of page.body.matchAll(/(?:src|href)="([^"]+)"/g))
    t.equal((await client(development.origin).get(source)).status, 200, source);
  t.notMatch(page.body, /<script>(?!<)/, 'no inline script, which the policy forbids');
  t.match((await client(development.origin).get<Document>('/api/docs/json')).body, { openapi: '3.1.0' });
  t.match(
    document.components['securitySchemes'],
    { bearer: { type: 'http', scheme: 'bearer' } },
    'the token is pasted without Bearer',
  );
});
