/** `@lintel/client` against a running service, and its types against the service's document. */
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import {
  LintelClient,
  ProblemError,
  ifMatch,
  once,
  type Card,
  type CardBulkOperation,
  type CardItem,
} from '@lintel/client';
import { CLIENT_TYPES } from '../docs.js';
import { registerAdmin, testApp } from '../support/app.js';
import { clientTypes } from '../support/client-types.js';

const { app, origin, close } = await testApp();
t.teardown(close);
const { token } = await registerAdmin(origin);
const lintel = new LintelClient({ url: origin, token });
const refusal = async (work: Promise<unknown>): Promise<ProblemError> => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ProblemError) return error;
  throw new Error('it was not refused', { cause: error });
};

type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;
/** Starts a proxy in front of the service. @param intercept answers a request itself, or forwards it */
async function proxyWith(intercept: Intercept): Promise<string> {
  const server = createServer((request, response) => {
    if (intercept(request, response)) return;
    const { method, url, headers } = request;
    const onward = httpRequest(new URL(url!, origin), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const wait = (response: ServerResponse, status: number, after = '0'): true => {
  response.writeHead(status, { 'retry-after': after }).end();
  return true;
};

const seen: string[] = [];
let refusals = 0;
const busy = await proxyWith((request, response) => {
  seen.push(`${request.method} ${request.url}`);
  return refusals-- > 0 && wait(response, refusals % 2 === 0 ? 503 : 429);
});
const dead = await proxyWith(() => true);

t.test('core/client/schema.ts matches the OpenAPI document of the service', async (t) => {
  t.equal(
    readFileSync(CLIENT_TYPES, 'utf8'),
    await clientTypes(app.openapiDocument()),
    'write it anew: node dist/test/docs.js --write',
  );
});

t.test('creates, reads, changes and deletes', async (t) => {
  const card = await lintel.post('/cards', { body: { type: 'Application', name: 'Billing' } });
  const { id } = card;
  t.match(await lintel.get('/cards/{id}', { params: { path: { id } } }), { name: 'Billing', version: 1 });
  const changed: Card = await lintel.patch('/cards/{id}', {
    params: { path: { id }, header: ifMatch(card) },
    body: { alias: 'B' },
  });
  t.match(changed, { alias: 'B', version: 2 });
  const stale = await refusal(
    lintel.patch('/cards/{id}', { params: { path: { id }, header: ifMatch(card) }, body: { alias: 'C' } }),
  );
  t.match(stale, { status: 412, code: 'precondition_failed', problem: { current_version: 2 } });
  t.match(stale.requestId, /./);
  t.match(
    await lintel.patch('/cards/{id}', {
      params: { path: { id } },
      body: [{ op: 'replace', path: '/alias', value: 'D' }],
    }),
    { alias: 'D' },
    'by JSON Patch',
  );
  t.equal(await lintel.delete('/cards/{id}', { params: { path: { id } } }), undefined);
  t.match(await refusal(lintel.get('/cards/{id}', { params: { path: { id } } })), { status: 404, code: 'not_found' });
});

t.test('a validation error lists each invalid field', async (t) => {
  const body = { type: 'Application', name: '', parent_id: 'none' };
  const error = await refusal(lintel.post('/cards', { body }));
  t.match(error, { status: 422, code: 'validation_failed', name: 'ProblemError' });
  t.same(error.errors.map(({ field, in: part }) => [field, part]).sort(), [
    ['/name', 'body'],
    ['/parent_id', 'body'],
  ]);
  t.match(error.message, /^POST \/api\/v1\/cards gave 422: .*; \/name /);
});

t.test('a list is read completely, page by page', async (t) => {
  const names = Array.from({ length: 7 }, (_, i) => `Paged ${i}`);
  await lintel.post('/cards/bulk', {
    body: { operations: names.map((name): CardBulkOperation => ({ op: 'create', card: { type: 'Provider', name } })) },
  });
  const query = { type: 'Provider', sort_by: 'name', page_size: 3 };
  const read: string[] = [];
  for await (const card of lintel.all('/cards', { params: { query } })) read.push(card.name);
  t.same(read, names);
  const sparse: CardItem[] = [];
  for await (const card of lintel.all('/cards', { params: { query: { ...query, fields: 'name' } } })) {
    sparse.push(card);
    if (sparse.length === 2) break;
  }
  t.same(
    sparse.map((card) => Object.keys(card)),
    [
      ['id', 'name'],
      ['id', 'name'],
    ],
  );
  const filters: object = { 'attributes.numberOfUsers[gte]': '100' };
  await lintel.post('/cards', { body: { type: 'Application', name: 'Large', attributes: { numberOfUsers: 200 } } });
  await lintel.post('/cards', { body: { type: 'Application', name: 'Small', attributes: { numberOfUsers: 2 } } });
  const large = await lintel.get('/cards', { params: { query: { type: 'Application', ...filters } } });
  t.same(
    large.items.map(({ name }) => name),
    ['Large'],
    'filters the document has no list of',
  );
  const types: string[] = [];
  for await (const { key } of lintel.all('/metamodel/types')) types.push(key);
  t.ok(types.includes('Application'), 'a list of no parameters');
});

t.test('a change applies to the version read, and is repeated after a concurrent change', async (t) => {
  const { id } = await lintel.post('/cards', { body: { type: 'Application', name: 'Contended' } });
  let tries = 0;
  const changed = await lintel.change('/cards/{id}', { id }, async ({ name, version }) => {
    if (++tries === 1) await lintel.patch('/cards/{id}', { params: { path: { id } }, body: { name: 'Other' } });
    return { name: `${name} ${version}` };
  });
  t.match([changed, tries], [{ name: 'Other 2', version: 3 }, 2]);
  const beaten = lintel.change(
    '/cards/{id}',
    { id },
    async ({ version }) => {
      await lintel.patch('/cards/{id}', { params: { path: { id } }, body: { alias: `${version}` } });
      return { description: 'never' };
    },
    2,
  );
  t.match(await refusal(beaten), { status: 412 });
});

t.test('a request answered with 429 or 503 is repeated if that is safe', async (t) => {
  const patient = new LintelClient({ url: `${busy}/`, token: () => Promise.resolve(token) });
  const sent = async (n: number, work: () => Promise<unknown>): Promise<string[]> => {
    refusals = n;
    seen.length = 0;
    await work();
    refusals = 0;
    return [...seen];
  };
  t.same(await sent(2, () => patient.get('/auth/me')), Array(3).fill('GET /api/v1/auth/me'));
  t.same(
    await sent(3, async () => t.match(await refusal(patient.get('/auth/me')), { status: 503, code: '' })),
    Array(3).fill('GET /api/v1/auth/me'),
    'and no more attempts',
  );
  const body = { type: 'Application', name: 'Once' };
  t.same(
    await sent(1, async () => t.match(await refusal(patient.post('/cards', { body })), { status: 503 })),
    ['POST /api/v1/cards'],
    'a POST is not repeated',
  );
  t.same(
    await sent(1, () => patient.post('/cards', { params: { header: once() }, body })),
    Array(2).fill('POST /api/v1/cards'),
    'with a key it does not',
  );
  const hasty = new LintelClient({ url: busy, token, longestPauseMs: -1 });
  t.same(
    await sent(1, async () => t.match(await refusal(hasty.get('/auth/me')), { status: 503 })),
    ['GET /api/v1/auth/me'],
    'not after a pause longer than wanted',
  );
});

t.test('an idempotency key makes one card of two requests', async (t) => {
  const init = { params: { header: once() }, body: { type: 'Application', name: 'Twin' } };
  t.equal((await lintel.post('/cards', init)).id, (await lintel.post('/cards', init)).id);
});

t.test('waiting is limited by the timeout of the client and by a signal', async (t) => {
  const hasty = new LintelClient({ url: dead, token, timeoutMs: 50 });
  await t.rejects(hasty.get('/auth/me'), { name: 'TimeoutError' });
  const abort = new AbortController();
  const patient = new LintelClient({ url: dead, token });
  const asked = patient.get('/auth/me', { signal: abort.signal });
  abort.abort(new Error('enough'));
  await t.rejects(asked, { message: 'enough' });
});

t.test('without a token, and with an answer that is not of the service', async (t) => {
  const guest = new LintelClient({ url: origin });
  t.match(await refusal(guest.get('/auth/me')), { status: 401 });
  t.match(await guest.get('/settings'), { app_title: /./ });
  const proxy = await proxyWith((_request, response) => {
    response.writeHead(502, { 'content-type': 'application/json' }).end('<html>');
    return true;
  });
  t.match(await refusal(new LintelClient({ url: proxy }).get('/settings')), {
    status: 502,
    code: '',
    detail: '<html>',
  });
});

t.test('responses other than JSON are read by parseAs', async (t) => {
  const csv = await lintel.get('/cards/export', { params: { query: { format: 'csv' } }, parseAs: 'text' });
  t.match(csv, /^\W?id,type/);
});
