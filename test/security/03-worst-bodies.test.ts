/**
 * Bodies of few bytes and many values neither block the service nor fill its memory.
 * Runs in a process of its own: it measures memory and the event loop.
 */
import { connect } from 'node:net';
import t from 'tap';
import { registerAdmin, testApp, type AnyBody } from '../support/app.js';
import { threadTime } from '../support/processor-time.js';

const { origin, close } = await testApp();
t.teardown(close);
const { api, token } = await registerAdmin(origin);
const MIB = 1_048_576;
/** Longest blocking of the event loop, which service and client share here, as processor time; without the limits it was many seconds. */
const STALL_MS = 1_500;
const GROWTH_BYTES = 300 * MIB;

/** Sends a body, reads the answer, and measures blocking of the event loop (ms of processor time) and growth of memory (bytes) meanwhile. */
async function post(
  path: string,
  body: Buffer,
): Promise<{ status: number; body: AnyBody; stall: number; growth: number }> {
  const { hostname, port } = new URL(origin);
  const before = process.memoryUsage.rss();
  let most = before;
  const memory = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 50);
  let stall = 0;
  let last = threadTime();
  const endRound = (): void => {
    const now = threadTime();
    stall = Math.max(stall, now - last);
    last = now;
  };
  const rounds = setInterval(endRound, 5);
  const text = await new Promise<string>((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    socket
      .on('data', (part) => parts.push(part))
      .on('error', reject)
      .on('close', () => resolve(Buffer.concat(parts).toString()));
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nAccept-Encoding: identity\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
  });
  clearInterval(rounds);
  endRound();
  clearInterval(memory);
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const content = /transfer-encoding: chunked/i.test(head) ? '{}' : rest.join('\r\n\r\n');
  return {
    status: Number(head.split(' ')[1]),
    body: JSON.parse(content) as AnyBody,
    stall,
    growth: Math.max(most, process.memoryUsage.rss()) - before,
  };
}

let keys = 0;
const unique = (bytes: number): string => {
  const parts: string[] = [];
  for (let n = 0; n < bytes; ) {
    parts.push(`"k${(keys++).toString(36)}":0`);
    n += parts.at(-1)!.length + 1;
  }
  return parts.join();
};
const rows = (operation: (i: number) => string, n = 10_000, mode = 'all_or_nothing'): string =>
  `{"mode":"${mode}","operations":[${Array.from({ length: n }, (_, i) => operation(i)).join()}]}`;
const invalid = () => '{"op":1,"id":2,"ref":3,"version":"x","card":4,"relations":5,"child_strategy":6}';
const strange = (i: number) =>
  `{"op":"create","card":{"type":"Application","name":"n${i}","attributes":{${Array.from({ length: 60 }, (_, k) => `"u${k}":0`).join()}}}}`;

const CASES: [what: string, path: string, status: number, code: string | undefined, body: () => string][] = [
  [
    '31 MB of numbers',
    '/api/v1/cards/bulk',
    422,
    'validation_failed',
    () => `{"operations":[${'0,'.repeat(15.5 * MIB)}0]}`,
  ],
  [
    '4 MB of numbers',
    '/api/v1/relations/bulk',
    422,
    'validation_failed',
    () => `{"operations":[${'0,'.repeat(2 * MIB)}0]}`,
  ],
  [
    '4 MB of numbers in one operation',
    '/api/v1/risks/bulk',
    413,
    'body_too_complex',
    () => `{"operations":[{"op":"create","risk":{"title":[${'0,'.repeat(2 * MIB)}0]}}]}`,
  ],
  ['1 MiB of unknown keys', '/api/v1/cards', 413, 'body_too_complex', () => `{${unique(MIB - 1_000)}}`],
  [
    '1 MiB of unknown attributes',
    '/api/v1/cards',
    413,
    'body_too_complex',
    () => `{"type":"Application","name":"x","attributes":{${unique(MIB - 1_000)}}}`,
  ],
  [
    '1 MiB of empty objects',
    '/api/v1/auth/refresh',
    413,
    'body_too_complex',
    () => `{"a":[${'{},'.repeat(MIB / 3 - 100)}0]}`,
  ],
  [
    'a number of a megabyte',
    '/api/v1/cards',
    422,
    'validation_failed',
    () => `{"type":"Application","name":"x","attributes":{"costTotalAnnual":1${'0'.repeat(MIB - 200)}}}`,
  ],
  [
    'numbers beyond all bounds',
    '/api/v1/cards',
    422,
    'validation_failed',
    () => `{"type":"Application","name":"x","attributes":{"a":[${'1e400,'.repeat(15_000)}0]}}`,
  ],
  [
    '10,000 operations with ever new keys',
    '/api/v1/cards/bulk',
    413,
    'body_too_complex',
    () =>
      rows(
        () => `{"op":"create","card":{"type":"Application","name":"x","attributes":{${unique(1_300)}}}}`,
        9_000,
        'per_row',
      ),
  ],
  ['10,000 invalid operations', '/api/v1/cards/bulk', 422, 'validation_failed', () => rows(invalid)],
  ['10,000 invalid operations by row', '/api/v1/cards/bulk', 200, undefined, () => rows(invalid, 10_000, 'per_row')],
  [
    '10,000 operations with 60 unknown attributes by row',
    '/api/v1/cards/bulk',
    200,
    undefined,
    () => rows(strange, 10_000, 'per_row'),
  ],
];

// The first call compiles schemas, which must not count.
await api.post('/cards/bulk', {
  mode: 'per_row',
  operations: [{ op: 'create', card: { type: 'Application', attributes: { x: 1 } } }],
});

for (const [what, path, status, code, body] of CASES) {
  await t.test(what, async (t) => {
    const answer = await post(path, Buffer.from(body()));
    t.equal(answer.status, status, JSON.stringify(answer.body).slice(0, 300));
    if (code !== undefined) t.equal(answer.body.code, code);
    t.ok(answer.stall < STALL_MS, `the event loop was blocked for ${Math.round(answer.stall)} ms`);
    t.ok(answer.growth < GROWTH_BYTES, `memory grew by ${Math.round(answer.growth / MIB)} MiB`);
  });
}

await t.test(
  'a request within the limits is processed: 10,000 operations with 30 attributes and 10 relations each',
  async (t) => {
    const attributes = Array.from({ length: 30 }, (_, k) => `"attribute${k}":"value ${k}"`).join();
    const relations = Array.from(
      { length: 10 },
      (_, k) =>
        `{"type":"applicationToBusinessCapability","target":{"type":"BusinessCapability","external_id":"cap-${k}"},"attributes":{"supportType":"leading"}}`,
    ).join();
    const answer = await post(
      '/api/v1/cards/bulk',
      Buffer.from(
        rows(
          (i) =>
            `{"op":"update","ref":"r${i}","id":"0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21","card":{"name":"n${i}","attributes":{${attributes}}},"relations":[${relations}]}`,
        ),
      ),
    );
    t.match(
      answer.body,
      { code: 'validation_failed', detail: 'Nothing was stored: 10000 of 10000 operations failed.' },
      'all operations were processed',
    );
    t.ok(answer.stall < STALL_MS, `the event loop was blocked for ${Math.round(answer.stall)} ms`);
  },
);

await t.test('a body with the largest allowed number of values is validated', async (t) => {
  const body = (n: number) =>
    api.send('POST', '/cards', `{"a":[${Array(n).fill('0').join()}]}`, {
      headers: { 'content-type': 'application/json' },
    });
  t.equal((await body(19_997)).status, 422);
  const over = await body(19_998);
  t.match(over, { status: 413, body: { code: 'body_too_complex', limit: 20_000 } });
});
