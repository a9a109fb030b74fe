/** Values and depth are counted before parsing, and a bulk request parsed by operation has the same result as the whole text. */
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import t from 'tap';
import { BulkReader } from '../../core/foundation/http/bulk-reader.js';
import { fingerprintOf } from '../../core/foundation/http/fingerprint.js';
import { JsonScanner } from '../../core/foundation/http/json-scanner.js';
import { Problem } from '../../core/foundation/errors.js';

const LIMITS = { operations: 10_000, values: 3_000_000 };
const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 });
const blanks = fc.constantFrom(undefined, 1, '\t', '\n\r\n');

/** The bytes of a text in chunks of the given sizes; the rest is the last one. */
function chunksOf(text: string, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let rest = Buffer.from(text);
  for (const size of sizes) {
    chunks.push(rest.subarray(0, size));
    rest = rest.subarray(size);
  }
  return [...chunks, rest];
}

function countsOf(value: unknown, depth = 0): { values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, depth };
  const inner = Object.values(value).map((child) => countsOf(child, depth + 1));
  const own = inner.length === 0 ? 2 : 1;
  return {
    values: own + (Array.isArray(value) ? 0 : inner.length) + inner.reduce((sum, c) => sum + c.values, 0),
    depth: Math.max(depth + 1, ...inner.map((c) => c.depth)),
  };
}

async function read(text: string, sizes: readonly number[] = []): Promise<unknown> {
  const reader = new BulkReader(LIMITS);
  for (const chunk of chunksOf(text, sizes)) await reader.take(chunk);
  return reader.end().value;
}

async function refusal(text: string, limits = LIMITS): Promise<Problem | undefined> {
  const reader = new BulkReader(limits);
  try {
    for (const chunk of chunksOf(text, [])) await reader.take(chunk);
    reader.end();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

t.test('values are counted by the decoded text, regardless of chunk boundaries', (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), blanks, cuts, (value, blank, sizes) => {
      const scanner = new JsonScanner(1_000_000);
      for (const chunk of chunksOf(JSON.stringify(value, null, blank), sizes)) scanner.scan(chunk);
      return scanner.values === countsOf(JSON.parse(JSON.stringify(value))).values && scanner.depth === 0;
    }),
    { numRuns: 500 },
  );
  const scan = (text: string, limit: number) => () => new JsonScanner(limit).scan(Buffer.from(text));
  t.doesNotThrow(scan('[1,2,3]', 4));
  t.throws(scan('[1,2,3]', 3), { code: 'body_too_complex', status: 413 });
  t.throws(
    scan(`[${'1e400,'.repeat(50)}9${'9'.repeat(100_000)}]`, 50),
    { code: 'body_too_complex' },
    'numbers of any form are counted',
  );
  t.doesNotThrow(scan(`"${'[{,:\\"'.repeat(1_000)}"`, 1), 'text is text');
  t.throws(scan('['.repeat(65), 1_000), { code: 'validation_failed' }, 'depth');
  t.doesNotThrow(scan('['.repeat(64), 1_000));
  t.end();
});

t.test('a bulk request read in chunks equals the whole text', async () => {
  const body = fc.record(
    {
      mode: fc.constantFrom('per_row', 'all_or_nothing'),
      operations: fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 }),
      more: fc.jsonValue({ maxDepth: 3 }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(body, blanks, cuts, fc.boolean(), async (value, blank, sizes, reversed) => {
      const text = JSON.stringify(reversed ? Object.fromEntries(Object.entries(value).reverse()) : value, null, blank);
      // Forbidden keys are refused by another check.
      fc.pre(!/__proto__|constructor|prototype/.test(text));
      const got = await read(text, sizes).catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'validation_failed') return fc.pre(false);
        throw error;
      });
      return JSON.stringify(got) === JSON.stringify(JSON.parse(text));
    }),
    { numRuns: 400 },
  );
});

t.test('text is invalid JSON in chunks exactly if it is invalid as a whole', async (t) => {
  const sound = '{"mode":"per_row","operations":[{"op":"create","a":["x",1,{}]}, 2 ,[3]],"z":{"operations":[4]}}';
  const signs = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '"operations":[', ' ', '1');
  const edits = fc.array(fc.record({ at: fc.nat(sound.length), drop: fc.nat(2), put: fc.option(signs, { nil: '' }) }), {
    minLength: 1,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(edits, cuts, async (list, sizes) => {
      let text = sound;
      for (const { at, drop, put } of list) text = text.slice(0, at) + put + text.slice(at + drop);
      let expected: string | undefined;
      try {
        expected = JSON.stringify(JSON.parse(text));
      } catch {
        expected = undefined;
      }
      const got = await read(text, sizes).then(
        (value) => JSON.stringify(value),
        (error: unknown) => {
          if (!(error instanceof Problem)) throw error;
          // Duplicate keys and numbers that cannot be represented are refused although they are valid JSON.
          return error.code === 'malformed_json' ? undefined : expected === undefined ? undefined : expected;
        },
      );
      return got === expected;
    }),
    { numRuns: 2_000 },
  );
  for (const text of [
    '{"operations":[1,]}',
    '{"operations":[,1]}',
    '{"operations":[1 2]}',
    '{"operations":[1}',
    '{"operations":[1]',
    '{"operations":[{"a":[}]}]}',
    '{"a\\"operations":[1',
    '[1,2',
  ])
    t.equal((await refusal(text))?.code, 'malformed_json', text);
  t.same(await read('{"a,\\"operations":[1]}'), { 'a,"operations': [1] }, 'a key that only ends with the name');
  t.same(await read('{"\\u006fperations":[1,2]}'), { operations: [1, 2] });
  t.equal(await read(''), undefined);
});

t.test('limits of a bulk request', async (t) => {
  const bulk = (operations: string) => `{"operations":[${operations}]}`;
  t.match(
    await refusal(bulk(Array(10_001).fill('0').join())),
    { code: 'validation_failed', errors: [{ field: '/operations' }] },
    'operations',
  );
  t.equal(await refusal(bulk(Array(10_000).fill('0').join())), undefined);
  t.equal(
    (await refusal(bulk(`[${Array(50_001).fill('0').join()}]`)))?.code,
    'body_too_complex',
    'values of one operation',
  );
  t.equal(
    (await refusal(`{"more":[${Array(50_001).fill('0').join()}],"operations":[]}`))?.code,
    'body_too_complex',
    'values beside them',
  );
  t.equal(
    (await refusal(bulk(Array(1_000).fill('[1,2,3]').join()), { ...LIMITS, values: 3_000 }))?.code,
    'body_too_complex',
    'values of all',
  );
  t.equal((await refusal(bulk(`"${'x'.repeat(1_100_000)}"`)))?.code, 'payload_too_large', 'bytes of one operation');
  const keys = (n: number) =>
    Array.from(
      { length: n / 100 },
      (_, i) => `{${Array.from({ length: 100 }, (_k, k) => `"k${i}_${k}":0`).join()}}`,
    ).join();
  t.equal((await refusal(bulk(keys(20_100))))?.code, 'body_too_complex', 'different keys');
  t.equal(await refusal(bulk(keys(20_000))), undefined);
  t.equal(
    await refusal(
      bulk(
        Array(10_000)
          .fill(`{${Array.from({ length: 100 }, (_k, k) => `"k${k}":0`).join()}}`)
          .join(),
      ),
    ),
    undefined,
    'the same keys again and again',
  );
});

t.test('a digest computed in parts equals that of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.jsonValue({ maxDepth: 4 }),
        fc.record({
          mode: fc.string(),
          operations: fc.array(fc.jsonValue({ maxDepth: 3 })),
          z: fc.jsonValue({ maxDepth: 2 }),
        }),
        fc.constant(undefined),
      ),
      async (body) => {
        const request = { method: 'POST', url: '/x', headers: {}, body } as FastifyRequest;
        const whole = createHmac('sha256', 'k')
          .update(JSON.stringify(['POST', '/x', null, body ?? null]))
          .digest('hex');
        return (await fingerprintOf(request, 'k')).toString('hex') === whole;
      },
    ),
    { numRuns: 300 },
  );
});
