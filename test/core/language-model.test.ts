/** The language model of modules: protocols, failures of the provider, structured answers, and the spend cap of two nodes. */
import t from 'tap';
import type { ModelCall, ModelResult } from '@lintel/sdk';
import { systemContext } from '../../core/foundation/context.js';
import {
  chat,
  chatStream,
  delta,
  message,
  messageStream,
  says,
  startProvider,
  stream,
  type Answering,
} from '../../plugins/insightlens/test/provider.js';
import { client, makeUser, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';

const KEY = 'sk-secret-key-of-the-provider';
const provider = await startProvider();
const config = { outboundAllow: [`127.0.0.1:${provider.port}`] };
const first = await testApp({ config });
const second = await testApp({ config, database: first.database });
t.teardown(async () => {
  await Promise.all([first.close(), second.close()]);
  provider.close();
});
const admin = await registerAdmin(first.origin);
const set = async (settings: object): Promise<void> => {
  const { status, body } = await admin.api.patch('/settings/ai', settings);
  t.equal(status, 200, JSON.stringify(body));
};
const ask = async (call: Partial<ModelCall> = {}, node = first): Promise<ModelResult> =>
  await node.app.services.languageModel.ask(
    systemContext('test'),
    'insightlens',
    { purpose: 'explain', system: 'Be short.', prompt: 'What is Lintel?', ...call },
    call.signal,
  );
const streamed = async (call: Partial<ModelCall> = {}): Promise<{ parts: string[]; result: ModelResult }> => {
  const parts: string[] = [];
  const result = await ask({ onText: (text) => void parts.push(text), ...call });
  return { parts, result };
};
const last = async (): Promise<Record<string, unknown>> =>
  (
    await sql<Record<string, unknown>>(
      first.database,
      'select * from ai_calls order by created_at desc, id desc limit 1',
    )
  )[0]!;

t.test('without a provider nothing is sent', async (t) => {
  t.match(await ask(), { ok: false, model: null, reason: 'not_configured' });
  t.equal(await first.app.services.languageModel.isConfigured(), false);
  t.strictSame(await sql(first.database, 'select from ai_calls'), []);
});

const OPENAI = { provider: 'openai', base_url: provider.base, model: 'small', api_key: KEY };

t.test('each API is asked in its own way, as a whole and as a stream', async (t) => {
  const expected = { ok: true, model: 'small', text: 'An answer.', is_cut: false };
  const tokens = { input_tokens: 100, output_tokens: 10, is_estimated: false };
  for (const [settings, whole, parts, url, headers] of [
    [OPENAI, chat, chatStream, '/v1/chat/completions', { authorization: `Bearer ${KEY}` }],
    [
      { ...OPENAI, provider: 'azure', base_url: provider.base, api_version: '2025-01-01-preview' },
      chat,
      chatStream,
      '/v1/openai/deployments/small/chat/completions?api-version=2025-01-01-preview',
      { 'api-key': KEY },
    ],
    [{ ...OPENAI, provider: 'ollama', api_key: null }, chat, chatStream, '/v1/chat/completions', {}],
    [
      { ...OPENAI, provider: 'anthropic' },
      message,
      messageStream,
      '/v1/v1/messages',
      { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    ],
  ] as const) {
    await set(settings);
    provider.answers(whole('An answer.'));
    t.match(await ask(), { ...expected, usage: tokens }, settings.provider);
    t.match(provider.calls, [{ url, headers, body: { max_tokens: 2_000 } }]);
    provider.answers(parts(['An ', 'ans', 'wer', '.']));
    const { parts: got, result } = await streamed({ maxTokens: 50 });
    t.strictSame(got, ['An ', 'ans', 'wer', '.']);
    t.match(result, { ...expected, usage: tokens }, settings.provider);
    t.match(provider.calls, [{ body: { stream: true, max_tokens: 50 } }]);
    t.match(await last(), { state: 'done', answer: 'An answer.', input_tokens: 100, output_tokens: 10 });
  }
});

t.test('a failure of the provider is a result with its reason, and the key is in none of them', async (t) => {
  await set({ ...OPENAI, timeout_seconds: 1, max_output_tokens: 100, input_price: 1, output_price: 2 });
  const retried =
    (status: number, headers = {}): Answering =>
    (response, call, index) =>
      index === 0
        ? says(status, { error: { message: KEY } }, headers)(response, call, index)
        : chat('Ok.')(response, call, index);
  const never: Answering = () => undefined;
  const endless: Answering = (response) => {
    stream(response);
    const timer = setInterval(() => response.write(delta('again ')), 5);
    response.on('close', () => clearInterval(timer));
  };
  const big: Answering = (response) => chat('x'.repeat(10_000_000))(response, {} as never, 0);
  const cases: [string, Answering, object, number, boolean][] = [
    ['429 with Retry-After', retried(429, { 'retry-after': '0' }), { ok: true, text: 'Ok.' }, 2, false],
    [
      '429 with a later Retry-After',
      says(429, {}, { 'retry-after': '60' }),
      { ok: false, reason: 'unavailable' },
      1,
      false,
    ],
    ['529', retried(529), { ok: true, text: 'Ok.' }, 2, false],
    ['401', says(401, { error: { message: `bad key ${KEY}` } }), { ok: false, reason: 'rejected' }, 1, false],
    ['a redirect', says(302, '', { location: 'http://example.org' }), { ok: false, reason: 'rejected' }, 1, false],
    ['slow', never, { ok: false, reason: 'timeout' }, 1, false],
    ['no JSON', says(200, '<html>'), { ok: false, reason: 'invalid_answer' }, 1, false],
    ['other JSON', says(200, { hello: 1 }), { ok: false, reason: 'invalid_answer' }, 1, false],
    ['10 MB', big, { ok: false, reason: 'too_long' }, 1, false],
    [
      'an answer cut off',
      (r) => r.writeHead(200, { 'content-length': '999' }).write('{', () => r.destroy()),
      { reason: 'incomplete' },
      1,
      false,
    ],
    ['a stream cut off', (r) => stream(r).end(delta('Half')), { ok: false, reason: 'incomplete' }, 1, true],
    [
      'a stream that breaks',
      (r) => stream(r).write(delta('Half'), () => r.destroy()),
      { reason: 'incomplete' },
      1,
      true,
    ],
    [
      'an error in a stream',
      (r) => stream(r).end(`${delta('Half')}data: {"error":{"message":"${KEY}"}}\n\n`),
      { reason: 'unavailable' },
      1,
      true,
    ],
    ['an endless stream', endless, { ok: false, reason: 'timeout' }, 1, true],
    ['an endless line', (r) => stream(r).end(`data: ${'x'.repeat(80_000)}`), { reason: 'too_long' }, 1, true],
    [
      'a filtered answer',
      (r) => stream(r).end('data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}\n\n'),
      { reason: 'unavailable' },
      1,
      true,
    ],
  ];
  for (const [name, answering, expected, calls, streams] of cases) {
    provider.answers(answering);
    const result = streams ? (await streamed()).result : await ask();
    t.match(result, expected, name);
    t.equal(provider.calls.length, calls, `${name}: attempts`);
    const logged = await last();
    t.match(logged, { state: result.ok ? 'done' : 'failed', attempts: calls }, name);
    t.notMatch(JSON.stringify([result, logged]), new RegExp(KEY), name);
    // Of a request that was accepted but not answered, the upper bound counts.
    if (!result.ok && !['rejected'].includes(result.reason) && !name.startsWith('429'))
      t.ok(result.usage.cost! > 0.2 && result.usage.is_estimated, `${name}: ${result.usage.cost}`);
  }
  const ended = new AbortController();
  provider.answers(() => ended.abort());
  t.match(await ask({ signal: ended.signal }), { ok: false, reason: 'cancelled' });
  provider.answers(chatStream(['a', 'b']));
  await t.rejects(ask({ onText: () => Promise.reject(new Error('gone')) }), /gone/);
  t.match(await last(), { state: 'failed', reason: 'cancelled' });
  t.match(await ask({ prompt: 'x'.repeat(200_001) }), { ok: false, reason: 'prompt_too_long' });
});

t.test('a structured answer matches its schema, and is repaired at most once', async (t) => {
  const schema = {
    type: 'object',
    properties: { names: { type: 'array', items: { type: 'string' }, maxItems: 2 } },
    required: ['names'],
    additionalProperties: false,
  };
  provider.answers(chat('```json\n{"names":["a"]}\n```'));
  t.match(await ask({ schema }), { ok: true, value: { names: ['a'] } });
  t.match(provider.calls, [{ body: { response_format: { type: 'json_object' } } }]);
  provider.answers((response, call, index) =>
    chat(index === 0 ? '{"names":[1]}' : '{"names":["b"]}')(response, call, index),
  );
  t.match(await ask({ schema }), { ok: true, value: { names: ['b'] }, usage: { input_tokens: 200 } });
  t.match(
    provider.calls[1]!.body.messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user'],
  );
  t.match(provider.calls[1]!.body.messages[3]!.content, /\/names\/0/);
  for (const wrong of ['{"names":[1]}', 'no JSON', '[]']) {
    provider.answers(chat(wrong));
    t.match(await ask({ schema }), { ok: false, reason: 'invalid_answer', usage: { input_tokens: 200 } }, wrong);
    t.equal(provider.calls.length, 2);
  }
});

t.test('the spend cap holds with four calls at once on each of two nodes', async (t) => {
  // At most 100 tokens of the answer for 1 dollar each; the price of the prompt is 0.
  await sql(first.database, 'delete from ai_calls');
  await set({
    input_price: 0,
    output_price: 1_000,
    max_output_tokens: 100,
    monthly_spend_cap: 350,
    timeout_seconds: 30,
  });
  const waiting: (() => void)[] = [];
  provider.answers((response, call, index) => void waiting.push(() => chat('Ok.')(response, call, index)));
  let refused = 0;
  const calls = [first, second].flatMap((node) =>
    Array.from({ length: 4 }, async () => {
      const result = await ask({}, node);
      if (!result.ok) refused++;
      return result;
    }),
  );
  await until(() => Promise.resolve(refused === 5 && waiting.length === 3));
  t.match((await admin.api.get('/settings/ai/usage')).body, { spent: 0, reserved: 300, monthly_spend_cap: 350 });
  for (const go of waiting.splice(0)) go();
  const results = await Promise.all(calls);
  t.strictSame(
    [results.filter(({ ok }) => ok).length, results.filter((one) => !one.ok && one.reason === 'cap_reached').length],
    [3, 5],
  );
  t.match((await admin.api.get('/settings/ai/usage')).body, { spent: 30, reserved: 0, calls: 3 }, 'what was used');
  provider.answers(chat('Ok.'));
  // Of a node that was killed: it counts until it expires.
  const kill = async (expires: string): Promise<void> => {
    await sql(
      first.database,
      `update ai_calls set state = 'open', cost = null, reserved = 300, expires_at = now() + $1::interval where id = (select min(id::text)::uuid from ai_calls)`,
      [expires],
    );
  };
  await kill('1 minute');
  t.match(await ask(), { ok: false, reason: 'cap_reached' });
  t.match((await admin.api.get('/settings/ai/usage')).body, { spent: 20, reserved: 300 });
  await kill('-1 minute');
  // The provider may have answered it, so that it is part of what the month has cost, and no longer under way.
  t.match(await ask(), { ok: false, reason: 'cap_reached' });
  t.match((await admin.api.get('/settings/ai/usage')).body, { spent: 320, reserved: 0 });
  const { items } = (await admin.api.get('/settings/ai/calls', { query: { state: 'failed' } })).body;
  t.match(items, [{ state: 'failed', cost: 300 }]);
  await sql(first.database, `insert into ai_months (month) select month - interval '1 month' from ai_months`);
  await sql(first.database, `update ai_calls set month = month - interval '1 month'`);
  t.match(await ask(), { ok: true }, 'in the next month');
  // A cap that is lowered counts from the next request on.
  await set({ monthly_spend_cap: 109 });
  t.match(await ask(), { ok: false, reason: 'cap_reached' });
  await set({ input_price: null });
  t.match(await ask(), { ok: false, reason: 'no_prices' });
  await set({ monthly_spend_cap: 0, input_price: 1 });
  t.match(await ask(), { ok: false, reason: 'cap_reached' });
});

t.test('the spend cap holds with four jobs at once on two nodes', async (t) => {
  await sql(first.database, 'delete from ai_calls');
  await set({
    input_price: 0,
    output_price: 1_000,
    max_output_tokens: 100,
    monthly_spend_cap: 250,
    timeout_seconds: 60,
  });
  const waiting: (() => void)[] = [];
  const advice = chat(JSON.stringify({ summary: 'Ok.', options: [], risks: [] }));
  provider.answers((response, call, index) => void waiting.push(() => advice(response, call, index)));
  const path = '/insightlens/architect/proposals';
  const authors = await Promise.all(Array.from({ length: 4 }, () => makeUser(admin, 'architect')));
  const ids = await Promise.all(
    authors.map(async ({ token }, i) => {
      const { origin } = i % 2 === 0 ? first : second;
      return (await client(origin, token).post(path, { requirement: 'Sell online' })).body.id;
    }),
  );
  const read = async (): Promise<AnyBody[]> =>
    await Promise.all(ids.map(async (id, i) => (await authors[i]!.api.get(`${path}/${id}`)).body));
  const ready = async (n: number): Promise<false | AnyBody[]> => {
    const ended = (await read()).filter(({ state }) => state === 'ready');
    return ended.length === n && ended;
  };
  for (const { model } of await until(() => ready(2))) t.match(model, { used: false, reason: 'cap_reached' });
  await until(() => Promise.resolve(waiting.length === 2));
  for (const go of waiting.splice(0)) go();
  const used = (await until(() => ready(4))).filter(({ model }) => (model as { used: boolean }).used);
  t.equal(used.length, 2);
  t.equal(provider.calls.length, 2);
  t.match((await admin.api.get('/settings/ai/usage')).body, { spent: 20, reserved: 0, calls: 2 });
});
