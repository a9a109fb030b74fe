import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { client, makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';

interface Call {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

/** A provider whose answers are set by the tests. */
const calls: Call[] = [];
let answer: (response: ServerResponse) => void = (response) => response.end();
const provider = createServer((request, response) => {
  void text(request).then((body) => {
    calls.push({
      method: request.method!,
      url: request.url!,
      headers: request.headers,
      body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>),
    });
    answer(response);
  });
}).listen(0, '127.0.0.1');
await once(provider, 'listening');
const { port } = provider.address() as { port: number };
const BASE = `http://127.0.0.1:${port}`;

const KEY = 'sk-very-secret-key-of-the-provider';
const app = await testApp({ config: { outboundAllow: [`127.0.0.1:${port}`] } });
t.teardown(async () => {
  await app.close();
  provider.closeAllConnections();
  provider.close();
});
const admin = await registerAdmin(app.origin);
const viewer = await makeUser(admin, 'viewer');

interface Trial {
  ok: boolean;
  latency_ms: number;
  detail: string;
}
const test = async (): Promise<Trial> => (await admin.api.post<Trial>('/settings/ai/test')).body;
const say = (status: number, body: unknown) => {
  answer = (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
};
const CAP = { monthly_spend_cap: 12.5, input_price: 0.01, output_price: 0.02 };
const UNSET = {
  provider: 'none',
  base_url: null,
  model: null,
  api_version: null,
  timeout_seconds: 60,
  monthly_spend_cap: null,
  input_price: null,
  output_price: null,
  max_output_tokens: 2_000,
  token_limit: null,
  log_retention_days: 30,
  api_key: { is_set: false },
  version: 1,
};

t.test('only managers see and change it', async (t) => {
  t.strictSame((await admin.api.get<object>('/settings/ai')).body, UNSET);
  for (const path of ['/settings/ai', '/settings/smtp']) {
    t.equal((await client(app.origin).get(path)).status, 401);
    t.match(await viewer.api.get(path), { status: 403, body: { required_permission: 'settings.manage' } });
    t.equal((await viewer.api.patch(path, {})).status, 403);
    t.equal((await viewer.api.post(`${path}/test`)).status, 403);
  }
  t.match(await test(), { ok: false, detail: 'No provider is set.' });
  t.equal(calls.length, 0);
});

t.test('invalid values are refused, and all errors are reported', async (t) => {
  const faults = await admin.api.patch('/settings/ai', {
    provider: 'skynet',
    base_url: 'file:///etc/passwd',
    model: 'a b',
    timeout_seconds: 0,
    monthly_spend_cap: -1,
    api_key: '',
    api_version: 'new',
    key: 'x',
  });
  t.strictSame(faults.body.errors.map((e) => e.field).sort(), [
    '/api_key',
    '/api_version',
    '/base_url',
    '/key',
    '/model',
    '/monthly_spend_cap',
    '/provider',
    '/timeout_seconds',
  ]);
  t.strictSame(
    (await admin.api.patch('/settings/ai', { provider: 'vllm' })).body.errors.map((e) => e.field),
    ['/base_url', '/model'],
  );
  for (const base_url of [
    'http://user:password@127.0.0.1/v1',
    'http://x?y=1',
    'http://x#y',
    'ftp://x',
    'http://',
    'http://[::1',
    'http://a b',
  ])
    t.equal((await admin.api.patch('/settings/ai', { base_url })).status, 422, base_url);
  t.strictSame((await admin.api.get<object>('/settings/ai')).body, UNSET);
});

t.test('the key is stored and never returned', async (t) => {
  const body = { provider: 'openai', base_url: `${BASE}/v1/`, model: 'small', api_key: KEY, ...CAP };
  const changed = await admin.api.patch('/settings/ai', body, {
    headers: { 'if-match': '"1"', 'idempotency-key': 'key-1' },
  });
  const expected = {
    ...UNSET,
    provider: 'openai',
    base_url: `${BASE}/v1/`,
    model: 'small',
    ...CAP,
    api_key: { is_set: true },
    version: 2,
  };
  t.strictSame(changed.body, expected);
  const replay = await admin.api.patch('/settings/ai', body, {
    headers: { 'if-match': '"1"', 'idempotency-key': 'key-1' },
  });
  t.equal(replay.headers.get('idempotent-replayed'), 'true');
  t.strictSame(replay.body, expected);
  t.match(await admin.api.patch('/settings/ai', { api_key: 'other' }, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { changed_fields: ['api_key'] },
  });
  t.match((await admin.api.patch('/settings/ai', { model: 'small' })).body, { version: 2 }, 'nothing changed');
  const [event] = await until(async () => {
    const {
      body: { items },
    } = await admin.api.get('/events', { query: { type: 'settings.updated' } });
    return items.length > 0 && items;
  });
  t.match(event, { subject: { kind: 'settings', id: 'ai' } });
  t.match((event!['data'] as { changes: object[] }).changes.at(-1), {
    field: 'api_key',
    old: { is_set: false },
    new: { is_set: true },
  });
  for (const table of ['events', 'event_outbox', 'settings', 'idempotency_keys', 'secrets']) {
    const [found] = await sql<{ n: number }>(
      app.database,
      `select count(*)::int as n from ${table} x where x::text like $1 or x::text like $2`,
      [`%${KEY}%`, `%${Buffer.from(KEY).toString('hex')}%`],
    );
    t.equal(found!.n, 0, `not in ${table}`);
  }
});

t.test('each provider is called according to its API', async (t) => {
  say(200, { choices: [{ message: { content: 'OK' } }] });
  t.match(await test(), { ok: true, detail: `small at 127.0.0.1:${port} answers.` });
  t.match(calls.at(-1), {
    method: 'POST',
    url: '/v1/chat/completions',
    headers: { authorization: `Bearer ${KEY}` },
    body: { model: 'small' },
  });
  for (const provider of ['vllm', 'ollama']) {
    await admin.api.patch('/settings/ai', { provider });
    t.equal((await test()).ok, true);
    t.match(calls.at(-1), { url: '/v1/chat/completions', body: { model: 'small', max_tokens: 1 } });
  }
  await admin.api.patch('/settings/ai', { provider: 'azure', base_url: BASE, api_version: '2025-01-01-preview' });
  t.equal((await test()).ok, true);
  t.match(calls.at(-1), {
    url: '/openai/deployments/small/chat/completions?api-version=2025-01-01-preview',
    headers: { 'api-key': KEY, authorization: undefined },
  });
  say(200, { content: [{ type: 'text', text: 'OK' }] });
  await admin.api.patch('/settings/ai', { provider: 'anthropic' });
  t.equal((await test()).ok, true);
  t.match(calls.at(-1), {
    url: '/v1/messages',
    headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    body: { model: 'small', max_tokens: 1 },
  });
});

t.test('an external failure is a result without the key', async (t) => {
  const tries: [status: number, body: unknown, detail: string][] = [
    [401, { error: { message: `no key\n ${KEY}` } }, `127.0.0.1:${port} answered 401: no key …`],
    [404, { error: 'no model' }, `127.0.0.1:${port} answered 404: no model`],
    [500, '<html>', `127.0.0.1:${port} answered 500: no reason was given`],
    [200, 'null', `127.0.0.1:${port} responds, but not like the API of anthropic.`],
    [200, '<html>', `127.0.0.1:${port} responds, but not like the API of anthropic.`],
  ];
  for (const [status, body, detail] of tries) {
    say(status, body);
    t.match(await test(), { ok: false, detail });
  }
  answer = (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
  t.match(
    await test(),
    { ok: false, detail: `127.0.0.1:${port} answered 307: no reason was given` },
    'a redirect would take the key along',
  );
  answer = (response) => response.destroy();
  t.match(await test(), { ok: false, detail: `127.0.0.1:${port} closed the connection.` });
  answer = (response) => response.writeHead(200).end(Buffer.alloc(300_000));
  t.match(await test(), { ok: false, detail: /more than/ });
  await admin.api.patch('/settings/ai', { timeout_seconds: 1 });
  answer = () => undefined;
  t.match(await test(), { ok: false, detail: /did not answer/ });
});

t.test('the key is sent only to the server for which it was entered', async (t) => {
  const before = calls.length;
  const moved = await admin.api.patch('/settings/ai', { base_url: 'http://127.0.0.1:9' });
  t.match(moved, { status: 422, body: { errors: [{ field: '/api_key', reason: /must be sent again/ }] } });
  t.equal(
    (await admin.api.patch('/settings/ai', { base_url: null })).status,
    422,
    'the default address of the provider counts as another server',
  );
  t.equal((await admin.api.patch('/settings/ai', { base_url: BASE.replace('http:', 'https:') })).status, 422);
  t.equal(
    (await admin.api.patch('/settings/ai', { provider: 'none', base_url: null })).status,
    200,
    'none is no place',
  );
  t.equal(
    (await admin.api.patch('/settings/ai', { base_url: 'http://127.0.0.1:9' })).status,
    422,
    'also not by changing it twice',
  );
  t.equal(
    (await admin.api.patch('/settings/ai', { provider: 'vllm', base_url: 'http://127.0.0.1:9', api_key: 'another' }))
      .status,
    200,
  );
  t.match(await test(), { ok: false, detail: /OUTBOUND_ALLOW/ });
  t.match((await admin.api.patch('/settings/ai', { base_url: BASE, api_key: null })).body, {
    api_key: { is_set: false },
  });
  say(200, { choices: [] });
  t.equal((await test()).ok, true);
  t.equal(calls.at(-1)!.headers.authorization, undefined);
  t.equal(calls.length, before + 1);
  t.strictSame(await sql(app.database, `select name from secrets where name like 'settings.%'`), []);
});

t.test('a test counts to the spend cap, and is not sent if it could exceed it', async (t) => {
  const settings = {
    provider: 'openai',
    base_url: BASE,
    model: 'small',
    timeout_seconds: 60,
    max_output_tokens: 1_000,
  };
  await admin.api.patch('/settings/ai', { ...settings, monthly_spend_cap: null });
  const spent = async () => (await admin.api.get<{ spent: number; reserved: number }>('/settings/ai/usage')).body;
  const last = async () => (await admin.api.get('/settings/ai/calls')).body.items[0]!;
  const before = (await spent()).spent;
  say(200, { choices: [], usage: { prompt_tokens: 100, completion_tokens: 50 } });
  t.equal((await test()).ok, true);
  const call = {
    module: 'settings',
    purpose: 'connection_test',
    user_id: admin.user.id,
    provider: 'openai',
    model: 'small',
  };
  t.match(await last(), {
    ...call,
    state: 'done',
    input_tokens: 100,
    output_tokens: 50,
    is_estimated: false,
    cost: 0.002,
  });
  say(401, {});
  await test();
  t.match(await last(), { ...call, state: 'failed', reason: 'rejected', cost: 0 });
  answer = (response) => response.destroy();
  await test();
  t.match(
    await last(),
    { ...call, state: 'failed', is_estimated: true, output_tokens: 1_000 },
    'it may have been answered',
  );
  const after = await spent();
  t.equal(after.reserved, 0);
  t.ok(after.spent > before + 0.02);
  say(200, { choices: [] });
  await admin.api.patch('/settings/ai', { monthly_spend_cap: after.spent });
  const sent = calls.length;
  t.match(await test(), { ok: false, detail: 'The call could exceed the spend cap of the month.' });
  await admin.api.patch('/settings/ai', { input_price: null });
  t.match(await test(), { ok: false, detail: 'A spend cap is set, but not the prices of tokens.' });
  t.equal(calls.length, sent);
  t.strictSame((await spent()).spent, after.spent);
});

t.test('both sections require If-Match if the workspace does', async (t) => {
  await admin.api.patch('/settings', { require_if_match: true });
  for (const path of ['/settings/ai', '/settings/smtp'])
    t.equal((await admin.api.patch(path, path.endsWith('ai') ? { model: 'x' } : { port: 25 })).status, 428);
  t.equal((await admin.api.del('/settings/logo')).status, 428);
});
