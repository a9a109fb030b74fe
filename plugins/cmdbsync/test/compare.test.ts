/** The comparison of three values, against a table of all cases that is written separately. */
import t from 'tap';
import { cardInput, valuesOfCard } from '../comparing/card-values.js';
import { canonical, digestOf, same } from '../comparing/canonical.js';
import { compare } from '../comparing/three-way.js';

/** Values that are written differently and are the same, and values that look the same and are not. */
const SORTS: readonly (readonly unknown[])[] = [
  [null, undefined],
  ['a', 'a'],
  ['1'],
  [1, 1.0],
  [0, -0],
  [true],
  ['true'],
  [''],
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [['b', 'a']],
  [
    { a: 1, b: { c: 2, d: 3 } },
    { b: { d: 3, c: 2 }, a: 1 },
  ],
];

t.test('values are the same if their JSON is, whatever the order of members', async (t) => {
  const all = SORTS.flatMap((sort, i) => sort.map((value) => ({ value, i })));
  for (const a of all)
    for (const b of all) {
      const what = `${canonical(a.value)} and ${canonical(b.value)}`;
      t.equal(same(a.value, b.value), a.i === b.i, what);
      t.equal(digestOf(a.value) === digestOf(b.value), a.i === b.i, `digests of ${what}`);
    }
});

/**
 * What is to be done, by three letters for the values at the last synchronisation (`-`: none), of the other system and of the card.
 * Equal letters are equal values. `=`: nothing.
 */
const CASES: Readonly<Record<string, '=' | 'owner' | 'conflict'>> = {
  '-xx': '=',
  '-xy': 'owner',
  xxx: '=',
  xxy: 'owner',
  xyx: 'owner',
  xyy: '=',
  xyz: 'conflict',
};

t.test('every case with every owner, and with every refused value', async (t) => {
  const pick = (i: number): unknown => SORTS[i % SORTS.length]![0];
  for (const [letters, expected] of Object.entries(CASES))
    for (const owner of ['cmdb', 'ea'] as const)
      for (const refused of ['-', 'x', 'y', 'z', 'w'])
        for (let shift = 0; shift < SORTS.length; shift++) {
          const valueOf = (letter: string): unknown => pick('xyzw'.indexOf(letter) + shift);
          const [b, c, e] = [...letters] as [string, string, string];
          const sides = {
            base: b === '-' ? {} : { name: valueOf(b) },
            kept: refused === '-' ? {} : { name: valueOf(refused) },
            cmdb: { name: valueOf(c) },
            ea: { name: valueOf(e) },
          };
          const before = structuredClone(sides);
          const { diffs, base } = compare([{ target: 'name', owner }], sides);
          const isRefused = refused === c;
          const what = `${letters}, owned by ${owner}, refused ${refused}, ${shift}`;
          if (expected === '=' || isRefused) t.strictSame(diffs, [], what);
          else
            t.strictSame(
              diffs,
              [
                {
                  field: 'name',
                  ...(b !== '-' && { base: valueOf(b) }),
                  cmdb: valueOf(c),
                  ea: valueOf(e),
                  take: expected === 'owner' ? owner : 'conflict',
                },
              ],
              what,
            );
          const agreed = c === e ? { name: valueOf(c) } : sides.base;
          t.strictSame(base, agreed, `the base after ${what}`);
          t.strictSame(sides, before, 'the values that were passed are unchanged');
        }
});

t.test('fields are compared by themselves, those that the record lacks are not', async (t) => {
  const fields = ['name', 'description', 'attributes.a', 'lifecycle.active'].map((target) => ({
    target,
    owner: 'cmdb' as const,
  }));
  const { diffs, base } = compare(fields, {
    base: { name: 'n', description: 'd', 'attributes.a': 1 },
    kept: {},
    cmdb: { name: 'n', description: 'x', 'attributes.a': 2 },
    ea: { name: 'n', description: 'd', 'attributes.a': 2, 'lifecycle.active': '2025-01-01' },
  });
  t.strictSame(diffs, [{ field: 'description', base: 'd', cmdb: 'x', ea: 'd', take: 'cmdb' }]);
  t.strictSame(base, { name: 'n', description: 'd', 'attributes.a': 2 });
});

t.test('values of cards by target, and back', async (t) => {
  const values = {
    name: 'N',
    description: null,
    alias: 'A',
    external_id: 'E',
    subtype: 's',
    'lifecycle.active': '2025-01-01',
    'lifecycle.endOfLife': null,
    'attributes.a.b': [1],
    'attributes.c': null,
  };
  const input = cardInput(values);
  t.strictSame(input, {
    name: 'N',
    description: null,
    alias: 'A',
    external_id: 'E',
    subtype: 's',
    lifecycle: { active: '2025-01-01', endOfLife: null },
    attributes: { 'a.b': [1], c: null },
  });
  const card = { id: 'i', type: 'T', status: 'ACTIVE', ...input } as unknown as Parameters<typeof valuesOfCard>[0];
  t.strictSame(valuesOfCard(card, Object.keys(values)), values);
  t.strictSame(cardInput({ id: 'x', status: 'ARCHIVED', type: 'T' }), {}, 'other members are not written');
});
