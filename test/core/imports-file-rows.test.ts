import t from 'tap';
import { FileRows, UNPLACED } from '../../core/inventory/imports/rows/file-rows.js';
import { KeyTable } from '../../core/inventory/imports/rows/key-table.js';
import type { Reference, StagedCard } from '../../core/inventory/imports/types.js';

const MANY = 20_000;

const card = (n: number, name: string, parent?: Reference, externalId?: string): StagedCard => ({
  kind: 'card',
  n,
  line: n,
  input: { type: 'Application', name, ...(externalId !== undefined && { external_id: externalId }) },
  ...(parent && { parent }),
});
const byName = (name: string): Reference => ({ type: 'Application', name });
const byPath = (path: string[], name: string): Reference => ({ type: 'Application', path, name });
const byKey = (externalId: string): Reference => ({ type: 'Application', external_id: externalId });

async function fileOf(rows: readonly StagedCard[]): Promise<FileRows> {
  const file = new FileRows();
  for (const row of rows) file.add(row);
  await file.link();
  return file;
}

t.test('a table of keys finds each of many keys, and no other', (t) => {
  const table = new KeyTable();
  const all = [...Array(MANY).keys()].map((i) => i + 1);
  t.strictSame(
    all.filter((n) => table.set(`key ${n}`, n) !== 0),
    [],
  );
  t.strictSame(
    all.filter((n) => table.get(`key ${n}`) !== n),
    [],
  );
  t.strictSame(
    all.filter((n) => table.get(`no key ${n}`) !== 0),
    [],
  );
  t.equal(table.set('key 7', 70), 7);
  t.equal(table.get('key 7'), 70);
  t.end();
});

t.test('by external id and path the first row is found, by a name alone the only one', async (t) => {
  const file = await fileOf([
    card(1, 'A', undefined, 'x'),
    card(3, 'B', undefined, 'x'),
    card(4, 'C', byName('A')),
    card(5, ' ａ ', byKey('x')),
    card(6, 'D', byPath([], 'A')),
    card(7, 'C', byPath([], 'A')),
  ]);
  const found = (reference: Reference) => file.find(reference)?.n;
  t.equal(found(byKey('x')), 1);
  t.equal(found(byKey('y')), undefined);
  t.equal(found(byName('b')), 3);
  t.equal(found(byName('A')), undefined, 'two rows have it');
  t.equal(found(byName('C')), undefined);
  t.equal(found(byPath([], 'A')), 1);
  t.equal(found(byPath(['A'], 'C')), 7);
  t.equal(found({ type: 'Capability', name: 'B' } as Reference), undefined);
  t.equal(found({ row: 2 }), undefined, 'a row with a relation');
  t.equal(found({ row: 99 }), undefined);
  t.equal(file.parentOf(4), undefined, 'of several, none');
  t.equal(file.parentOf(5)?.n, 1);
  t.equal(file.parentOf(6)?.n, 1);
});

t.test('a reference is shortened only if later rows cannot change what it names', (t) => {
  const file = new FileRows();
  file.add(card(1, 'A', undefined, 'x'));
  t.strictSame(file.shortened(byKey('x')), { row: 1 });
  t.strictSame(file.shortened(byPath([], 'A')), { row: 1 });
  for (const same of [byKey('y'), byName('A'), { id: 'x' }]) t.strictSame(file.shortened(same), same);
  t.end();
});

t.test('levels do not depend on the order of the rows', async (t) => {
  const levels = (file: FileRows, last: number) => [...Array(last).keys()].map((i) => file.get(i + 1)?.level);
  const tree = [
    card(1, 'leaf', byKey('middle')),
    card(2, 'middle', byKey('top'), 'middle'),
    card(3, 'other', byName('leaf')),
    card(4, 'top', undefined, 'top'),
    card(5, 'self', byName('self')),
  ];
  t.strictSame(
    levels(await fileOf(tree), 5),
    [2, 1, 3, 0, 0],
    'by its own name, a row names a card that exists already',
  );
  const broken = [
    card(1, 'A', byKey('b'), 'a'),
    card(2, 'B', byKey('a'), 'b'),
    card(3, 'C', byKey('b')),
    card(4, 'D', byKey('d'), 'd'),
    card(5, 'E', { row: 9 }),
    card(6, 'F', byKey('none')),
  ];
  t.strictSame(levels(await fileOf(broken), 6), [...Array<number>(5).fill(UNPLACED), 0]);
  const deep = [...Array(150).keys()].map((i) => card(i + 1, `N${i}`, i === 0 ? undefined : { row: i }, `n${i}`));
  for (const rows of [deep, [...deep].reverse().map((row, i) => ({ ...row, n: i + 1, parent: byKey(`n${148 - i}`) }))])
    t.strictSame(
      levels(await fileOf(rows), 150)
        .map((level) => level!)
        .sort((a, b) => a - b),
      [...Array(101).keys(), ...Array<number>(49).fill(UNPLACED)],
    );
});
