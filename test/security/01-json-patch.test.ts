/** A JSON Patch takes time proportional to its text, for all operations, and is computed without locks. */
import t from 'tap';
import pg from 'pg';
import { toMergePatch } from '../../core/foundation/json-patch.js';
import { writablePatch } from '../../core/inventory/cards/write/writable-patch.js';
import { Problem } from '../../core/foundation/errors.js';
import { lockWaiters, makeUser, registerAdmin, testApp, until, type Session } from '../support/app.js';
import { threadTime } from '../support/processor-time.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
let made = 0;
const make = async (card = {}) =>
  (await admin.api.post('/cards', { type: 'Application', name: `Patched ${++made}`, ...card })).body;
const patch = (session: Session, id: string, operations: unknown, headers = {}) =>
  session.api.send('PATCH', `/cards/${id}`, JSON.stringify(operations), {
    headers: { 'content-type': 'application/json-patch+json', ...headers },
  });

const CARD = {
  subtype: null,
  description: 'd',
  parent_id: null,
  lifecycle: { plan: '2024-01-01' },
  attributes: { a: 1, list: ['x', 'y', 'z'] },
  external_id: null,
  alias: null,
  name: 'N',
};
/** The merge patch of the operations for the card, or the first error. */
function outcome(operations: unknown[], document: Record<string, unknown> = CARD): unknown {
  try {
    return toMergePatch(document, operations);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.errors ? `${error.errors[0]!.field}: ${error.errors[0]!.reason}` : error.code;
  }
}

await t.test('copies that double the size of the card are refused immediately', async (t) => {
  const card = await make();
  await admin.api.post(`/cards/${card.id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });
  const doubling = [
    { op: 'add', path: '/attributes/a', value: { x: 'xxxxxxxxxxxxxxxx' } },
    ...Array.from({ length: 21 }, (_, n) => ({ op: 'copy', from: '/attributes', path: `/attributes/b${n}` })),
  ];
  const attack = patch(viewer, card.id, doubling);
  const begun = performance.now();
  const health = await admin.api.get('/api/health');
  const waited = performance.now() - begun;
  const { status, body } = await attack;
  t.strictSame(
    [health.status, status, body.errors],
    [
      200,
      422,
      [
        {
          field: '/1/from',
          reason: 'refers to an object or a list; copy accepts scalar values only, use add instead',
          in: 'body',
        },
      ],
    ],
  );
  t.ok(waited < 2_000, `health answered after ${waited.toFixed()} ms`);
  t.strictSame((await admin.api.get(`/cards/${card.id}`)).body.version, 1);
});

await t.test('operations of RFC 6902, pointers, indexes and keys', (t) => {
  const attributes = (...operations: unknown[]) => {
    const made = outcome(operations) as Record<string, unknown>;
    return made['attributes'] ?? made;
  };
  const list = (...operations: unknown[]) =>
    (attributes(...operations) as Record<string, unknown>)['list'] ?? attributes(...operations);
  const at = (path: string, value: unknown = 'n') => ({ op: 'add', path: `/attributes/list/${path}`, value });
  t.strictSame(
    [
      list(at('-')),
      list(at('0')),
      list(at('3')),
      list({ op: 'replace', path: '/attributes/list/1', value: 'n' }),
      list({ op: 'remove', path: '/attributes/list/2' }),
    ],
    [
      ['x', 'y', 'z', 'n'],
      ['n', 'x', 'y', 'z'],
      ['x', 'y', 'z', 'n'],
      ['x', 'n', 'z'],
      ['x', 'y'],
    ],
  );
  for (const wrong of ['4', '01', '1e0', '-1', '+1', ' 1', '1.0', '0x1', '99999999999999999999', 'length', ''])
    t.strictSame(outcome([at(wrong)]), '/0/path: names no place in the list', wrong);
  for (const path of [
    '/attributes/list/-',
    '/attributes/list/3',
    '/attributes/list/01',
    '/attributes/list/length',
    '/attributes/a/b',
    '/attributes/toString',
    '/nope',
    '/__proto__',
  ]) {
    for (const op of ['remove', 'replace', 'test'])
      t.strictSame(outcome([{ op, path, value: 1 }]), '/0/path: does not exist', `${op} ${path}`);
  }
  t.strictSame(attributes({ op: 'move', from: '/attributes/a', path: '/attributes/b' }), { a: null, b: 1 });
  t.strictSame(list({ op: 'move', from: '/attributes/list/0', path: '/attributes/list/2' }), ['y', 'z', 'x']);
  t.strictSame(
    outcome([
      { op: 'copy', from: '/description', path: '/alias' },
      { op: 'remove', path: '/description' },
    ]),
    { alias: 'd', description: null },
  );
  for (const op of ['copy', 'move'])
    for (const from of ['', '/attributes', '/attributes/list', '/lifecycle']) {
      t.strictSame(
        outcome([
          { op: 'test', path: '/name', value: 'N' },
          { op, from, path: '/attributes/b' },
        ]),
        `/1/from: refers to an object or a list; ${op} accepts scalar values only, use add instead`,
      );
    }
  t.strictSame(
    [
      outcome([{ op: 'copy', path: '/alias' }]),
      outcome([{ op: 'copy', from: '/alias/x', path: '/alias' }]),
      outcome([{ op: 'add', path: '/alias' }]),
    ],
    ['/0/from: is required', '/0/from: does not exist', '/0/value: is required'],
  );
  for (const path of ['name', '/a~', '/a~2', 'x/name'])
    t.strictSame(outcome([{ op: 'add', path, value: 1 }]), '/0/path: must be a JSON pointer', path);
  const escaped = { ...CARD, attributes: { 'a/b': 1, 'm~n': 2 } };
  t.strictSame(
    outcome(
      [
        { op: 'test', path: '/attributes/a~1b', value: 1 },
        { op: 'test', path: '/attributes/m~0n', value: 2 },
        { op: 'remove', path: '/attributes/a~1b' },
      ],
      escaped,
    ),
    { attributes: { 'a/b': null } },
  );
  for (const key of [
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'a~1b',
    'a~0b',
    '1a',
    '',
    'a b',
    'k'.repeat(64),
  ]) {
    t.match(outcome([{ op: 'add', path: `/attributes/${key}`, value: 1 }]), /^\/0\/path: contains an invalid key/, key);
  }
  t.match(outcome([{ op: 'add', path: '/attributes/a', value: { 'b c': 1 } }]), /^\/0\/value: contains an invalid key/);
  t.strictSame(
    [
      outcome([{ op: 'add', path: '/status', value: 'ARCHIVED' }]),
      outcome([{ op: 'replace', path: '', value: [] }]),
      outcome([{ op: 'replace', path: '', value: { version: 1 } }]),
      outcome([{ op: 'add', path: '/constructor', value: 1 }]),
      outcome([{ op: 'remove', path: '' }]),
    ],
    [
      '/0/path: does not refer to a writable member',
      '/0/path: does not refer to a writable member',
      '/0/path: does not refer to a writable member',
      '/0/path: contains an invalid key: constructor',
      '/0/path: cannot be removed',
    ],
  );
  t.strictSame(({} as Record<string, unknown>)['polluted'], undefined);
  t.strictSame(
    [
      outcome([{ op: 'test', path: '', value: CARD }]),
      outcome([{ op: 'test', path: '/attributes', value: { list: ['x', 'y', 'z'], a: 1 } }]),
      outcome([{ op: 'test', path: '/attributes', value: { a: 1 } }]),
      outcome([{ op: 'test', path: '/attributes/list', value: { 0: 'x', 1: 'y', 2: 'z' } }]),
      outcome([{ op: 'test', path: '/attributes/a', value: -0 + 1 }]),
    ],
    [{}, {}, 'patch_test_failed', 'patch_test_failed', {}],
  );
  const value = { inner: ['x'] };
  t.strictSame(
    attributes({ op: 'add', path: '/attributes/b', value }, { op: 'add', path: '/attributes/b/inner/-', value: 'y' }),
    { b: { inner: ['x', 'y'] } },
  );
  t.strictSame(
    [value, CARD.attributes],
    [{ inner: ['x'] }, { a: 1, list: ['x', 'y', 'z'] }],
    'neither the request nor the card is changed',
  );
  t.end();
});

await t.test('what a patch adds is bounded, at the operation that passes the bound', (t) => {
  const add = (value: unknown) => ({ op: 'add', path: '/attributes/a', value });
  t.strictSame(
    outcome(Array.from({ length: 201 }, () => ({ op: 'test', path: '/name', value: 'N' }))),
    ': must not have more than 200 operations',
  );
  t.strictSame(outcome(Array.from({ length: 10_000 }, () => add(1))), ': must not have more than 200 operations');
  t.match(
    outcome([add(1), add(Array.from({ length: 10_000 }, () => 0))]),
    /^\/1\/value: is too much: a patch may add 10000 values/,
  );
  t.match(
    outcome([add('x'.repeat(600_000)), add('x'.repeat(600_000))]),
    /^\/1\/value: is too much: a patch may add 1048576 characters/,
  );
  t.match(
    outcome([
      add('x'.repeat(50_000)),
      ...Array.from({ length: 199 }, (_, n) => ({ op: 'copy', from: '/attributes/a', path: `/attributes/b${n}` })),
    ]),
    /^\/3\/from: is too much: a patch may copy and move 100000 characters/,
  );
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { x: deep(levels - 1) });
  t.match(
    outcome([add(deep(40)), { op: 'add', path: `/attributes/a${'/x'.repeat(40)}`, value: deep(40) }]),
    /^\/1\/value: must not nest deeper than 64 levels/,
  );
  t.match(outcome([{ op: 'test', path: '/x'.repeat(250), value: 1 }]), /^\/0\/path: must not be deeper than 64 levels/);
  t.end();
});

await t.test('the most expensive permitted patches are computed in less than half a second', (t) => {
  const card = JSON.stringify({
    ...CARD,
    attributes: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field${n}`, n])),
  });
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
  const two = (n: number): unknown => (n === 0 ? 1 : { l: two(n - 1), r: two(n - 1) });
  const worst: Record<string, unknown[]> = {
    'tests against a wide object': [
      { op: 'add', path: '/attributes', value: keys(9_000) },
      ...Array.from({ length: 199 }, () => ({ op: 'test', path: '/attributes', value: keys(400) })),
    ].slice(0, 200),
    'tests that hold until their end': [
      { op: 'add', path: '/attributes', value: keys(2_000) },
      ...Array.from({ length: 60 }, () => ({ op: 'test', path: '/attributes', value: keys(2_000) })),
    ],
    'a long list, at its beginning': [
      { op: 'add', path: '/attributes/a', value: Array.from({ length: 9_000 }, () => 0) },
      ...Array.from({ length: 199 }, () => ({ op: 'add', path: '/attributes/a/0', value: 0 })),
    ],
    'keys that come and go': [
      { op: 'add', path: '/attributes', value: keys(9_000) },
      ...Array.from({ length: 199 }, (_, n) => ({ op: 'move', from: `/attributes/k${n}`, path: `/attributes/m${n}` })),
    ],
    'a tree': [{ op: 'add', path: '/attributes/a', value: two(12) }],
    'invalid dates': [{ op: 'add', path: '/lifecycle', value: keys(9_900) }],
    'half a million numbers': [{ op: 'add', path: '/attributes/a', value: Array.from({ length: 500_000 }, () => 0) }],
    'a test of half a million numbers': [
      { op: 'test', path: '/attributes', value: Array.from({ length: 500_000 }, () => 0) },
    ],
    'long strings': Array.from({ length: 20 }, () => ({
      op: 'replace',
      path: '/description',
      value: 'x'.repeat(50_000),
    })),
    'deep paths': Array.from({ length: 200 }, () => ({ op: 'test', path: '/attributes'.repeat(45), value: 1 })),
  };
  writablePatch(card, [{ op: 'test', path: '/name', value: 'N' }]);
  for (const [what, operations] of Object.entries(worst)) {
    const begun = threadTime();
    writablePatch(card, operations);
    const took = threadTime() - begun;
    t.comment(`${what}: ${took.toFixed(1)} ms`);
    t.ok(took < 500, `${what}: ${took.toFixed()} ms`);
  }
  t.end();
});

await t.test('a patch is computed without a transaction', async (t) => {
  const card = await make();
  const run = () => patch(admin, card.id, [{ op: 'add', path: '/description', value: `d${++made}` }]);
  await run();
  const { answer, statements } = await watch.during(run);
  t.equal(answer.status, 200);
  t.equal(statements.length, 3, 'read the card, read it with what its score needs, write');
  t.notOk(
    statements.some(({ text }) => text === 'begin'),
    'no lock is held meanwhile',
  );
});

await t.test('a test applies to the state that is overwritten', async (t) => {
  const card = await make({ attributes: { numberOfUsers: 1 } });
  const holder = new pg.Client(database);
  await holder.connect();
  try {
    const waiting = (count: number) => until(async () => (await lockWaiters(database)) === count);
    await holder.query('begin');
    await holder.query('select from card_contents where id = $1 for update', [card.id]);
    const first = admin.api.patch(`/cards/${card.id}`, { attributes: { numberOfUsers: 5 } });
    await waiting(1);
    const judged = patch(admin, card.id, [
      { op: 'test', path: '/attributes/numberOfUsers', value: 1 },
      { op: 'replace', path: '/attributes/numberOfUsers', value: 2 },
    ]);
    await waiting(2);
    const conditional = patch(admin, card.id, [{ op: 'replace', path: '/attributes/numberOfUsers', value: 3 }], {
      'if-match': '"1"',
    });
    await waiting(3);
    await holder.query('commit');
    t.equal((await first).status, 200);
    t.strictSame([(await judged).status, (await judged).body.code], [409, 'patch_test_failed']);
    t.strictSame(
      [
        (await conditional).status,
        (await conditional).body['current_version'],
        (await conditional).body['changed_fields'],
      ],
      [412, 2, ['attributes.numberOfUsers']],
    );
    t.strictSame((await admin.api.get(`/cards/${card.id}`)).body['attributes'], { numberOfUsers: 5 });
  } finally {
    await holder.end();
  }
});

await t.test('no concurrent change is lost', async (t) => {
  const card = await make({ attributes: { numberOfUsers: 0 } });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      patch(admin, card.id, [
        {
          op: 'add',
          path: `/lifecycle/${['plan', 'phaseIn', 'active', 'phaseOut'][n % 4]}`,
          value: `202${n % 4}-01-${String(n + 1).padStart(2, '0')}`,
        },
      ]),
    ),
  );
  t.strictSame([...new Set(answers.map(({ status }) => status))], [200]);
  t.strictSame(
    answers.map(({ body }) => body.version).sort((a, b) => a - b),
    Array.from({ length: 12 }, (_, n) => n + 2),
    'each creates a version',
  );
  let counted = 0;
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let i = 0; i < 5; i++) {
        const now = (await admin.api.get<{ attributes: { numberOfUsers: number } }>(`/cards/${card.id}`)).body
          .attributes.numberOfUsers;
        const { status } = await patch(admin, card.id, [
          { op: 'test', path: '/attributes/numberOfUsers', value: now },
          { op: 'replace', path: '/attributes/numberOfUsers', value: now + 1 },
        ]);
        if (status === 200) counted++;
        else t.equal(status, 409);
      }
    }),
  );
  t.strictSame((await admin.api.get(`/cards/${card.id}`)).body['attributes'], { numberOfUsers: counted });
});

await t.test('copies and moves of long texts are bounded: they are written again without being sent', (t) => {
  const long = { ...CARD, attributes: Object.fromEntries([...'abc'].map((key) => [key, key.repeat(40_000)])) };
  const step = (op: string, from: string, to: string) => ({
    op,
    from: `/attributes/${from}`,
    path: `/attributes/${to}`,
  });
  const refusal = '/2/from: is too much: a patch may copy and move 100000 characters';
  for (const op of ['copy', 'move']) {
    const steps = [step(op, 'a', 'x'), step(op, 'b', 'y'), step(op, 'c', 'z')];
    t.not(outcome(steps.slice(0, 2), long), refusal);
    t.match(outcome(steps.slice(0, 2), long), { attributes: { x: long.attributes['a'] } });
    t.equal(outcome(steps, long), refusal, op);
  }
  t.end();
});
