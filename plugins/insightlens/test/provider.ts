/** A provider of language models as tests need it: the OpenAI-compatible API and that of Anthropic, with answers that tests choose. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

/** A request as the provider has received it. */
export interface ProviderCall {
  url: string;
  headers: IncomingHttpHeaders;
  body: { messages: { role: string; content: string }[]; stream?: boolean; system?: string } & Record<string, unknown>;
}
export type Answering = (response: ServerResponse, call: ProviderCall, index: number) => unknown;

export interface Provider {
  port: number;
  /** Base URL of its API. */
  base: string;
  calls: ProviderCall[];
  /** Sets what it answers from now on, and forgets its calls. */
  answers(answering: Answering): void;
  close(): void;
}

export async function startProvider(): Promise<Provider> {
  const calls: ProviderCall[] = [];
  let answering: Answering = (response) => response.end();
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    void textOf(request).then((body) => {
      const call = { url: request.url!, headers: request.headers, body: JSON.parse(body) as ProviderCall['body'] };
      answering(response, call, calls.push(call) - 1);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A test that fails before it ends must not keep its process running.
  server.unref();
  const { port } = server.address() as { port: number };
  return {
    port,
    base: `http://127.0.0.1:${port}/v1`,
    calls,
    answers(next) {
      calls.length = 0;
      answering = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
};
const USAGE = { prompt_tokens: 100, completion_tokens: 10 };

/** A chat completion. */
export const chat =
  (content: string, usage: object | undefined = USAGE): Answering =>
  (response) =>
    json(response, 200, { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }], usage });
/** A refusal, or anything else. */
export const says =
  (status: number, body: unknown, headers = {}): Answering =>
  (response) =>
    json(response, status, body, headers);

const event = (data: unknown): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
export const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });
export const delta = (content: string): string => event({ choices: [{ delta: { content }, finish_reason: null }] });
/** The end of a stream of chat completions. */
export const END = [
  event({ choices: [{ delta: {}, finish_reason: 'stop' }] }),
  event({ choices: [], usage: USAGE }),
  event('[DONE]'),
].join('');
/** A chat completion as a stream, which splits its events anywhere. */
export const chatStream =
  (parts: readonly string[], end = END): Answering =>
  (response) => {
    const bytes = Buffer.from(parts.map(delta).join('') + end);
    stream(response);
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
    response.end();
  };
/** An answer in the form that the call asks for. */
export const either =
  (text: string): Answering =>
  (response, call, index) =>
    (call.body.stream ? chatStream(text.match(/[\s\S]{1,5}/g) ?? []) : chat(text))(response, call, index);

/** A message of Anthropic. */
export const message =
  (text: string, usage: object = { input_tokens: 90, cache_read_input_tokens: 10, output_tokens: 10 }): Answering =>
  (response) =>
    json(response, 200, { type: 'message', content: [{ type: 'text', text }], stop_reason: 'end_turn', usage });
/** The same as a stream. */
export const messageStream =
  (parts: readonly string[], usage: object = { input_tokens: 100, output_tokens: 10 }): Answering =>
  (response) => {
    const events: [string, object][] = [
      ['message_start', { message: { usage: { ...usage, output_tokens: 1 } } }],
      ['ping', {}],
      ...parts.map((text): [string, object] => [
        'content_block_delta',
        { index: 0, delta: { type: 'text_delta', text } },
      ]),
      ['message_delta', { delta: { stop_reason: 'end_turn' }, usage }],
      ['message_stop', {}],
    ];
    stream(response).end(
      events.map(([type, data]) => `event: ${type}\r\ndata: ${JSON.stringify({ type, ...data })}\r\n\r\n`).join(''),
    );
  };
