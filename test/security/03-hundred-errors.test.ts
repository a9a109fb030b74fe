/** Runs in a process of its own: it measures processor time. */
import t from 'tap';
import { strictAjv } from '../../core/foundation/http/ajv.js';
import { registerAdmin, testApp } from '../support/app.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

/** The text of an object with unknown members. */
const wide = (members: number): string => `{${Array.from({ length: members }, (_, n) => `"k${n}":1`).join(',')}}`;

/** Runs work and measures the processor time of this process in ms: of service and client together. */
async function measured<T>(work: () => T | Promise<T>): Promise<{ ms: number; value: T }> {
  const before = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1_000, value };
}

t.test('validation stops after 100 errors, and reports that there are more', async (t) => {
  const BODIES: [path: string, body: string, field: RegExp][] = [
    ['/adr', wide(9_000), /^\/(k\d+|title)$/],
    ['/cards', wide(9_000), /^\/(k\d+|name|type)$/],
    [
      '/cards',
      JSON.stringify({
        type: 'Application',
        name: 'x',
        attributes: Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`k${n}`, 1])),
      }),
      /^\/attributes\/k\d+$/,
    ],
    [
      '/adr',
      JSON.stringify({
        title: 'x',
        options: Array.from({ length: 50 }, () => ({ title: '', pros: [1, 2], bogus: 1 })),
      }),
      /^\/options\/\d+\//,
    ],
  ];
  for (const [path, body, field] of BODIES) {
    await admin.api.post(path, {});
    const { ms, value: answer } = await measured(() => admin.api.send('POST', path, body, JSON_TYPE));
    t.equal(answer.status, 422);
    t.equal(answer.body.errors.length, 100);
    t.equal(answer.body.has_more_errors, true);
    t.match(answer.body.detail, /the first 100 .* there are more/i);
    for (const error of answer.body.errors) t.match(error.field, field);
    t.ok(ms < 1_500, `${path} with ${body.length} characters took ${ms.toFixed(0)} ms`);
  }
});

t.test('1 MiB of unknown keys is refused at once', async (t) => {
  const { ms, value: answer } = await measured(() => admin.api.send('POST', '/adr', wide(90_000), JSON_TYPE));
  t.match(answer, { status: 413, body: { code: 'body_too_complex' } });
  t.ok(ms < 1_500, `took ${ms.toFixed(0)} ms`);
  const check = strictAjv().compile({ type: 'object', additionalProperties: false, properties: {} });
  const parsed = JSON.parse(wide(90_000)) as unknown;
  const alone = await measured(() => check(parsed));
  t.ok(
    check.errors!.length < 600 && alone.ms < 1_000,
    `${check.errors!.length} errors after ${alone.ms.toFixed(0)} ms`,
  );
});

t.test('100 or fewer errors are all reported, without an indication of more', async (t) => {
  const answer = await admin.api.post('/adr', {
    title: 'x',
    ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, 1])),
  });
  t.match(answer, { status: 422, body: { detail: '100 invalid fields' } });
  t.equal(answer.body.errors.length, 100);
  t.notOk('has_more_errors' in answer.body);
  const several = await admin.api.post(
    '/adr',
    { title: '', context: 1, drivers: [1, 'x', 2], bogus: true },
    { query: { nothing: 1 } },
  );
  t.strictSame(several.body.errors.map(({ field }) => field).sort(), [
    '/bogus',
    '/context',
    '/drivers/0',
    '/drivers/2',
    '/title',
    'nothing',
  ]);
});

t.test('a row of a bulk request reports its first 20 errors', async (t) => {
  const attributes = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`k${n}`, 1]));
  const { status, body } = await admin.api.post('/cards/bulk', {
    mode: 'per_row',
    operations: [
      { op: 'create', card: { type: 'Application', name: 'x', attributes } },
      { op: 'create', card: { type: 'Application', name: 'y' } },
    ],
  });
  t.equal(status, 200);
  const [bad, good] = (
    body as unknown as { results: { outcome: string; errors: { field: string; reason: string }[] }[] }
  ).results;
  t.match(good, { outcome: 'created' });
  t.equal(bad!.outcome, 'failed');
  t.equal(bad!.errors.length, 20);
});

t.test('loops end: a hundred times as many invalid items cost no more', async (t) => {
  const SCHEMAS: [what: string, schema: object, make: (length: number) => unknown][] = [
    [
      'items',
      {
        type: 'array',
        items: {
          type: 'object',
          required: ['a', 'b'],
          properties: { a: { type: 'array', items: { type: 'string' } } },
        },
      },
      (n) => Array.from({ length: n }, () => ({ a: [1, 2, 3] })),
    ],
    [
      'items of a union',
      {
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'object', additionalProperties: false }] },
      },
      (n) => Array.from({ length: n }, () => ({ x: 1, y: 2 })),
    ],
    [
      'patternProperties',
      { type: 'object', patternProperties: { '^k': { type: 'string', minLength: 1 } } },
      (n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i])),
    ],
    [
      'propertyNames',
      { type: 'object', propertyNames: { maxLength: 1 } },
      (n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i])),
    ],
    [
      'additionalProperties',
      { type: 'object', additionalProperties: false },
      (n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i])),
    ],
    [
      'additionalProperties with a schema',
      { type: 'object', additionalProperties: { type: 'string' } },
      (n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i])),
    ],
  ];
  for (const [what, schema, make] of SCHEMAS) {
    const check = strictAjv().compile(schema);
    t.equal(check(make(100_000)), false);
    t.ok(
      check.errors!.length < 1_500,
      `${what}: ${check.errors!.length} errors are collected of 100,000 invalid members`,
    );
    t.equal(check(make(30)), false);
    t.ok(check.errors!.length >= 30, `${what}: all of 30`);
  }
});
