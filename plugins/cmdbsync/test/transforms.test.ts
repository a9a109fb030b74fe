import t from 'tap';
import type { FieldMap, RelationMap, Transform } from '../mappings/definition.js';
import { compileFields, isInvertible, valueAt } from '../transforms/index.js';

const field = (target: string, source: string, transform: Transform = { kind: 'direct' }): FieldMap => ({
  source,
  target,
  owner: 'cmdb',
  transform,
});
const relation = (key: string, source: string): RelationMap => ({
  key,
  source,
  target_table: 'sites',
  relation_type: 'parent',
  card_end: 'source',
});

/** The value of one target, or the reason of its error. */
function mapped(
  value: unknown,
  transform: Transform,
  target = 'attributes.x',
  kind?: 'text' | 'number' | 'date',
): unknown {
  const reader = compileFields({ fields: [field(target, 'x', transform)], relations: [] }, kind && { [target]: kind });
  const { values, errors } = reader.read({
    id: '1',
    values: { x: value, y: 'why', site: { name: 'A' }, nil: null },
  });
  return errors[0]?.reason ?? values[target];
}

t.test('paths', (t) => {
  const values = { 'a.b': 1, a: { b: 2, 'c.d': { e: 3 } }, n: null, l: [1] };
  t.equal(valueAt(values, 'a.b'), 1);
  t.equal(valueAt(values, 'a.c.d.e'), 3);
  t.equal(valueAt(values, 'a.none'), null);
  t.equal(valueAt(values, 'n.x'), null);
  t.equal(valueAt(values, 'l.0'), null);
  t.equal(valueAt(values, 'constructor.name'), null);
  t.equal(valueAt(values, '__proto__'), null);
  t.end();
});

t.test('a field that a record does not show says nothing about its value', (t) => {
  const { read } = compileFields({
    fields: [
      field('name', 'name'),
      field('alias', 'site.code'),
      field('description', '', { kind: 'template', template: '{name} ({serial})' }),
      field('external_id', '', { kind: 'template', template: 'x:{id}' }),
    ],
    relations: [relation('parent', 'parent'), relation('site', 'site')],
  });
  t.strictSame(read({ id: '1', values: { name: 'A', site: null } }), {
    values: { name: 'A', alias: null, external_id: 'x:1' },
    references: { site: [] },
    errors: [],
  });
  t.strictSame(read({ id: '1', values: { site: {}, parent: 7 } }).values, { alias: null, external_id: 'x:1' });
  t.strictSame(
    read({ id: '1', values: { site: 'id' } }),
    { values: { external_id: 'x:1' }, references: { site: ['id'] }, errors: [] },
    'a reference whose record is hidden',
  );
  t.strictSame(read({ id: '1', values: {} }), { values: { external_id: 'x:1' }, references: {}, errors: [] });
  t.end();
});

t.test('direct, by the kind of the target', (t) => {
  const direct: Transform = { kind: 'direct' };
  t.equal(mapped(5, direct), 5);
  t.equal(mapped('', direct), null);
  t.equal(mapped(undefined, direct), null);
  t.equal(mapped(5, direct, 'attributes.x', 'text'), '5');
  t.equal(mapped('5', direct, 'attributes.x', 'number'), 5);
  t.equal(mapped('five', direct, 'attributes.x', 'number'), 'is not a number');
  t.equal(mapped(' srv ', direct, 'name'), 'srv');
  t.equal(mapped('2026-01-15T10:00:00Z', direct, 'lifecycle.active'), '2026-01-15');
  t.equal(mapped('2026-02-30', direct, 'lifecycle.active'), 'is not a date in the format iso');
  t.equal(mapped({ a: 1 }, direct, 'name'), 'is a list or an object, not a single value');
  t.equal(mapped('x'.repeat(50_001), direct), 'is longer than 50000 characters');
  t.end();
});

t.test('values that cannot be stored are errors of their field', (t) => {
  const direct: Transform = { kind: 'direct' };
  const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
  for (const value of ['a\0b', 'a\ud800b', ['x\0'], { 'k\0': 1 }, { a: [{ b: '\udc00' }] }])
    t.match(mapped(value, direct), /U\+0000/, JSON.stringify(value));
  t.match(mapped(deep, direct), /levels/);
  for (const text of ['1e400', '[-1e400]'])
    t.match(mapped(JSON.parse(text), direct), /too large/, 'JSON has null instead, which would empty the card');
  t.equal(mapped('a😀b', direct), 'a😀b');
  const reader = compileFields({ fields: [], relations: [relation('r', 'x')] });
  t.match(reader.read({ id: '1', values: { x: ['a\0'] } }).errors, [{ field: 'r', reason: /U\+0000/ }]);
  t.end();
});

t.test('the other kinds', (t) => {
  const map: Transform = { kind: 'value_map', values: { '1': 'active', '2': 'plan', '': null } };
  t.equal(mapped(1, map), 'active');
  t.equal(mapped('2', map), 'plan');
  t.equal(mapped('3', map), '3');
  t.equal(mapped('3', { ...map, otherwise: null }), null);
  t.equal(mapped('constructor', { ...map, otherwise: 'none' }), 'none');
  t.equal(mapped('2026-01-15 08:00:00', { kind: 'date' }), '2026-01-15');
  t.equal(mapped('15.1.2026', { kind: 'date', format: 'dd.mm.yyyy' }), '2026-01-15');
  t.equal(mapped('1/15/2026', { kind: 'date', format: 'mm/dd/yyyy' }), '2026-01-15');
  t.equal(mapped(1_768_435_200, { kind: 'date', format: 'epoch_seconds' }), '2026-01-15');
  t.equal(mapped('31.2.2026', { kind: 'date', format: 'dd.mm.yyyy' }), 'is not a date in the format dd.mm.yyyy');
  t.equal(
    mapped('999999999999', { kind: 'date', format: 'epoch_seconds' }),
    'is not a date in the format epoch_seconds',
  );
  t.equal(mapped('Yes', { kind: 'boolean' }), true);
  t.equal(mapped(false, { kind: 'boolean' }), false);
  t.equal(mapped('perhaps', { kind: 'boolean' }), 'is neither true nor false');
  t.equal(mapped('ja', { kind: 'boolean', true_values: ['JA'] }), true);
  t.equal(mapped('no', { kind: 'boolean', true_values: ['JA'] }), false);
  t.equal(mapped('1024', { kind: 'number', factor: 1 / 1_024 }), 1);
  t.equal(mapped('2.345', { kind: 'number', decimals: 2 }), 2.35);
  t.equal(mapped('0x10', { kind: 'number' }), 'is not a number');
  t.equal(mapped('1e999', { kind: 'number' }), 'is not a number');
  t.equal(mapped(null, { kind: 'number' }), null);
  t.equal(mapped('v', { kind: 'template', template: '{x} ({y}) {site.name} {nil}' }), 'v (why) A');
  t.equal(mapped(null, { kind: 'template', template: '{x}{nil}' }), null);
  t.equal(mapped('v', { kind: 'expression', expression: 'value + "-" + record.y' }), 'v-why');
  t.match(mapped('v', { kind: 'expression', expression: 'record.none' }), /none/);
  t.end();
});

t.test('an error of one field leaves the others', (t) => {
  const reader = compileFields({
    fields: [field('name', 'name'), field('attributes.cores', 'cores', { kind: 'number' })],
    relations: [relation('site', 'site'), relation('tags', 'tags'), relation('owner', 'owner')],
  });
  t.same(reader.sources, ['name', 'cores', 'site', 'tags', 'owner']);
  t.same(
    reader.read({
      id: '1',
      values: { name: 'a', cores: 'many', site: { id: 7 }, tags: ['1', 2, { id: '1' }], owner: {} },
    }),
    {
      values: { name: 'a' },
      references: { site: ['7'], tags: ['1', '2'] },
      errors: [
        { field: 'attributes.cores', reason: 'is not a number' },
        { field: 'owner', reason: 'has a reference without an id' },
      ],
    },
  );
  t.end();
});

t.test('what is written back is read as the same value', (t) => {
  const invertible: [Transform, unknown][] = [
    [{ kind: 'direct' }, 'a'],
    [{ kind: 'value_map', values: { '1': 'active', '2': 'plan' } }, 'plan'],
    [{ kind: 'date', format: 'dd.mm.yyyy' }, '2026-01-15'],
    [{ kind: 'date', format: 'mm/dd/yyyy' }, '2026-01-15'],
    [{ kind: 'date', format: 'epoch_seconds' }, '2026-01-15'],
    [{ kind: 'date' }, '2026-01-15'],
    [{ kind: 'boolean' }, true],
    [{ kind: 'boolean' }, false],
    [{ kind: 'number', factor: 1 / 1_024 }, 0.1],
    [{ kind: 'number', factor: 3, decimals: 2 }, 0.1],
    [{ kind: 'number', factor: 0.1 }, 0.3],
    [{ kind: 'number', factor: 1e-9 }, 98_765.432_101],
    [{ kind: 'number' }, 1_234_567_890_123.45],
  ];
  for (const [transform, value] of invertible) {
    const reader = compileFields({ fields: [field('attributes.x', 'x', transform)], relations: [] });
    const back = reader.writeBack('attributes.x', value);
    t.equal(back?.source, 'x');
    t.equal(reader.read({ id: '1', values: { x: back?.value } }).values['attributes.x'], value, transform.kind);
    t.ok(isInvertible(transform));
  }
  const not: Transform[] = [
    { kind: 'value_map', values: { a: 'x', b: 'x' } },
    { kind: 'boolean', true_values: ['ja'] },
    { kind: 'template', template: '{x}' },
    { kind: 'expression', expression: 'value' },
  ];
  for (const transform of not) {
    t.notOk(isInvertible(transform));
    const reader = compileFields({ fields: [field('name', 'x', transform)], relations: [] });
    t.equal(reader.writeBack('name', 'x'), undefined);
  }
  const partial = compileFields({
    fields: [field('name', 'x', { kind: 'value_map', values: { a: 'x' }, otherwise: 'y' })],
    relations: [],
  });
  t.equal(partial.writeBack('name', 'z'), undefined);
  t.same(partial.writeBack('name', 'x'), { source: 'x', value: 'a' });
  t.end();
});
