/** Faults of providers of language models, on both protocols: each is a result with its reason, is counted once, and stops nothing else. */
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { ModelCall, ModelResult } from '@lintel/sdk';
import { systemContext } from '../../core/foundation/context.js';
import {
  END,
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
import { serverEvents } from '../../core/settings/models/sse.js';
import { registerAdmin, sql, testApp } from '../support/app.js';

const provider = await startProvider();
const node = await testApp({ config: { outboundAllow: [`127.0.0.1:${provider.port}`] } });
t.teardown(async () => {
  await node.close();
  provider.close();
});
const { api: admin } = await registerAdmin(node.origin);
const set = async (settings: object): Promise<void> => {
  const { status, body } = await admin.patch('/settings/ai', settings);
  t.equal(status, 200, JSON.stringify(body));
};
const ask = async (call: Partial<ModelCall> = {}): Promise<ModelResult> =>
  await node.app.services.languageModel.ask(
    systemContext('test'),
    'insightlens',
    { purpose: 'explain', system: 'Be short.', prompt: 'What is Lintel?', ...call },
    call.signal,
  );
const streamed = async (call: Partial<ModelCall> = {}): Promise<ModelResult> =>
  await ask({ onText: () => undefined, ...call });
const last = async (): Promise<Record<string, unknown>> =>
  (
    await sql<Record<string, unknown>>(
      node.database,
      'select * from ai_calls order by created_at desc, id desc limit 1',
    )
  )[0]!;

interface Dialect {
  settings: object;
  /** An answer as a whole. */
  whole(text: string, usage?: object): Answering;
  /** An answer as a stream. */
  parts(texts: string[], usage?: object): Answering;
  /** One event with text. */
  delta(text: string): string;
  /** An event without text. */
  empty: string;
  /** What ends a stream. */
  end: string;
  /** Reports of usage that cannot be. */
  strange: object[];
}
const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const BOUND = { input_price: 1, output_price: 1, max_output_tokens: 100, monthly_spend_cap: null };
const DIALECTS: Record<string, Dialect> = {
  openai: {
    settings: { provider: 'openai', base_url: provider.base, model: 'small', api_key: 'sk', ...BOUND },
    whole: chat,
    parts: (texts, usage) =>
      usage
        ? chatStream(
            texts,
            event({ choices: [{ delta: {}, finish_reason: 'stop' }] }) +
              event({ choices: [], usage }) +
              'data: [DONE]\n\n',
          )
        : chatStream(texts),
    delta,
    empty: event({ choices: [{ delta: {}, finish_reason: null }] }),
    end: END,
    strange: [
      { prompt_tokens: -5, completion_tokens: -1 },
      { prompt_tokens: 1e300, completion_tokens: 1e300 },
      { prompt_tokens: 2_000_000_000, completion_tokens: 2_000_000_000 },
      { prompt_tokens: '7', completion_tokens: null },
      { prompt_tokens: 1.5, completion_tokens: [1] },
    ],
  },
  anthropic: {
    settings: { provider: 'anthropic', base_url: provider.base, model: 'small', api_key: 'sk', ...BOUND },
    whole: message,
    parts: messageStream,
    delta: (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    empty: event({ type: 'ping' }),
    end: event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }) + event({ type: 'message_stop' }),
    strange: [
      { input_tokens: -5, output_tokens: -1 },
      { input_tokens: 1e300, output_tokens: 1e300 },
      { input_tokens: 2_000_000_000, cache_read_input_tokens: 2_000_000_000, output_tokens: 2_000_000_000 },
      { input_tokens: '7', output_tokens: null },
      { input_tokens: 1.5, output_tokens: [1] },
    ],
  },
};

for (const [name, dialect] of Object.entries(DIALECTS)) {
  t.test(`${name}: usage that cannot be is replaced by the upper bound`, async (t) => {
    await set({ ...dialect.settings, timeout_seconds: 5 });
    for (const usage of [...dialect.strange, {}])
      for (const [answering, streams] of [
        [dialect.whole('Ok.', usage), false],
        [dialect.parts(['Ok.'], usage), true],
      ] as const) {
        provider.answers(answering);
        const result = await (streams ? streamed() : ask());
        const what = `${JSON.stringify(usage)} ${streams ? 'as a stream' : 'as a whole'}`;
        t.match(result, { ok: true, text: 'Ok.', usage: { output_tokens: 100, is_estimated: true } }, what);
        t.ok(result.usage.input_tokens > 0 && result.usage.input_tokens < 1_000, what);
        t.match(await last(), { state: 'done', output_tokens: 100, is_estimated: true }, what);
      }
  });

  t.test(`${name}: answers that break off, never end, are compressed or come from elsewhere`, async (t) => {
    await set({ ...dialect.settings, timeout_seconds: 2 });
    const endless =
      (text: string): Answering =>
      (response) => {
        stream(response);
        const more = (): void => {
          while (!response.destroyed && response.write(text.repeat(50)));
        };
        response.on('drain', more);
        more();
      };
    const dripping: Answering = (response) => {
      stream(response);
      const timer = setInterval(() => response.write(dialect.empty), 20);
      response.on('close', () => clearInterval(timer));
    };
    const bomb: Answering = (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(20_000_000)));
    const later = (date: string, ok: Answering): Answering => {
      return (response, call, index) =>
        index === 0 ? says(429, {}, { 'retry-after': date })(response, call, index) : ok(response, call, index);
    };
    const soon = new Date(Date.now() - 60_000).toUTCString();
    const far = new Date(Date.now() + 60_000).toUTCString();
    const failing: Answering = (response, call, index) =>
      index < 2 ? says(503, '<html>')(response, call, index) : dialect.parts(['Ok.'])(response, call, index);
    const cases: [string, Answering, object, number][] = [
      ['429 with a date in the past', later(soon, dialect.parts(['Ok.'])), { ok: true }, 2],
      ['429 with a later date', later(far, dialect.parts(['Ok.'])), { ok: false, reason: 'unavailable' }, 1],
      ['503 twice, then an answer', failing, { ok: true, text: 'Ok.' }, 3],
      ['an endless stream of empty events', endless(dialect.empty), { ok: false, reason: 'too_long' }, 1],
      ['an endless stream of comments', endless(':\n\n'), { ok: false, reason: 'too_long' }, 1],
      ['an endless stream of empty lines', endless('\n'), { ok: false, reason: 'too_long' }, 1],
      ['empty events until the time limit', dripping, { ok: false, reason: 'timeout' }, 1],
      ['one line without an end', endless('x'), { ok: false, reason: 'too_long' }, 1],
      ['a text longer than its tokens', endless(dialect.delta('y'.repeat(900))), { ok: false, reason: 'too_long' }, 1],
      ['a compressed answer', bomb, { ok: false, reason: 'unavailable' }, 1],
      ['a redirect to another host', says(307, '', { location: 'http://localhost:1/' }), { reason: 'rejected' }, 1],
      [
        'another type of content',
        (r) => r.writeHead(200, { 'content-type': 'image/png' }).end('PNG'),
        { reason: 'invalid_answer' },
        1,
      ],
      ['no type of content', (r) => r.writeHead(200).end(dialect.empty), { reason: 'invalid_answer' }, 1],
      [
        'a stream that is cut off',
        (r) => stream(r).write(dialect.delta('Half'), () => r.destroy()),
        { reason: 'incomplete' },
        1,
      ],
    ];
    for (const [what, answering, expected, calls] of cases) {
      provider.answers(answering);
      const began = performance.now();
      t.match(await streamed(), expected, what);
      t.ok(performance.now() - began < 4_000, `${what}: ${performance.now() - began} ms`);
      t.equal(provider.calls.length, calls, `${what}: attempts`);
      t.equal((await last())['state'], (expected as { ok?: boolean }).ok ? 'done' : 'failed', what);
    }
    provider.answers((response) =>
      response
        .writeHead(200, { 'content-type': 'Text/Event-Stream; charset=utf-8' })
        .end(dialect.delta('Ok.') + dialect.end),
    );
    t.match(await streamed(), { ok: true, text: 'Ok.' }, 'the type of content in capitals');
  });

  t.test(`${name}: texts of answers are ones that can be stored`, async (t) => {
    await set({ ...dialect.settings, timeout_seconds: 5 });
    provider.answers(dialect.whole('a\u0000b\ud800c'));
    t.match(await ask(), { ok: true, text: 'ab\ufffdc' });
    // A character of two code units that a stream splits stays whole.
    provider.answers(dialect.parts(['a\ud83d', '\ude00b']));
    t.match(await streamed(), { ok: true, text: 'a\u{1f600}b' });
    const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } }, required: ['a'] };
    provider.answers(dialect.whole(String.raw`{"a":["x\u0000y","\ud800","\u00e9"]}`));
    t.match(await ask({ schema }), { ok: true, value: { a: ['xy', '\ufffd', 'é'] } });
  });

  t.test(`${name}: a wrong structured answer is repaired once, however long it is`, async (t) => {
    await set({ ...dialect.settings, timeout_seconds: 5, max_output_tokens: 10_000 });
    const schema = { type: 'object', additionalProperties: false };
    const spaces = `\`\`\`json\n${' '.repeat(200_000)}`;
    provider.answers(dialect.whole(spaces));
    const began = performance.now();
    t.match(await ask({ schema }), { ok: false, reason: 'invalid_answer' });
    t.ok(performance.now() - began < 1_000, `a block of code without an end: ${performance.now() - began} ms`);
    provider.answers(dialect.whole(JSON.stringify({ ['x'.repeat(150_000)]: 1 })));
    t.match(await ask({ schema }), { ok: false, reason: 'invalid_answer' });
    t.ok(provider.calls.length <= 2);
    provider.answers(dialect.whole(`[${'['.repeat(100_000)}`));
    t.match(await ask({ schema }), { ok: false, reason: 'invalid_answer' });
    t.equal(provider.calls.length, 2, 'repaired once');
  });
}

t.test('a line that arrives byte by byte is read in linear time', async (t) => {
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const byte of Buffer.from(`data: ${'x'.repeat(60_000)}\r\ndata: y\r\n\r\n`)) yield Buffer.of(byte);
  }
  const began = performance.now();
  const events = [];
  for await (const { data } of serverEvents(bytes(), 65_536)) events.push(data.length);
  t.strictSame(events, [60_002]);
  t.ok(performance.now() - began < 1_000, `${performance.now() - began} ms`);
});

t.test('a call is recorded before it is sent', async (t) => {
  await set({ ...DIALECTS['openai']!.settings, timeout_seconds: 5 });
  const seen: unknown[] = [];
  provider.answers((response, call, index) => {
    void last().then((row) => {
      seen.push(row['state'], Number(row['reserved']) > 0.1);
      chat('Ok.')(response, call, index);
    });
  });
  t.match(await ask(), { ok: true });
  t.strictSame(seen, ['open', true]);
});

t.test('a call that was ended before it began costs nothing', async (t) => {
  await set({ ...DIALECTS['openai']!.settings, timeout_seconds: 5 });
  provider.answers(chat('Ok.'));
  t.match(await ask({ signal: AbortSignal.abort() }), { ok: false, reason: 'cancelled', usage: { cost: 0 } });
  t.equal(provider.calls.length, 0);
});

t.test('of a request that was not sent nothing is counted, and of an answer without an end the bound', async (t) => {
  await set({ ...DIALECTS['openai']!.settings, timeout_seconds: 5 });
  const so = event({ choices: [{ delta: { content: 'Half' } }], usage: { prompt_tokens: 100, completion_tokens: 1 } });
  provider.answers((response) => stream(response).end(so));
  t.match(await streamed(), {
    reason: 'incomplete',
    usage: { input_tokens: 100, output_tokens: 100, is_estimated: true },
  });
  await set({ base_url: provider.base.replace('http:', 'https:'), api_key: 'sk' });
  t.match(await ask(), { ok: false, reason: 'unavailable', usage: { cost: 0, input_tokens: 0 } });
});

t.test('a provider that is switched off meanwhile gets no second request', async (t) => {
  await set({ ...DIALECTS['openai']!.settings, timeout_seconds: 5 });
  provider.answers((response, call, index) => {
    void set({ provider: 'none' }).then(() => chat('no JSON')(response, call, index));
  });
  t.match(await ask({ schema: { type: 'object' } }), { ok: false, reason: 'invalid_answer' });
  t.equal(provider.calls.length, 1);
});
