import t from 'tap';
import { compareSections, compareTables } from '../comparison/compare.js';
import { diffLines } from '../comparison/lines.js';
import type { ReadableTable } from '../tables/reader.js';
import type { StoredSection } from '../sections/schema.js';

const sections = (line: (i: number) => string): StoredSection[] =>
  Array.from({ length: 40 }, (_, i) => ({
    key: `s${i}`,
    title: 'Section',
    guidance: '',
    text: Array.from({ length: 25_000 }, (_line, k) => line(k)).join('\n'),
    entries: [],
    tables: [],
  }));

t.test('other requests run while the longest documents are compared', async (t) => {
  const [before, after] = [sections(() => 'x'), sections((i) => (i % 120 === 60 ? 'y' : 'x'))];
  let turns = 0;
  const turn = (): void => {
    turns++;
    timer = setImmediate(turn);
  };
  let timer = setImmediate(turn);
  const changes = await compareSections(before, after);
  clearImmediate(timer);
  t.equal(changes.length, 40);
  t.ok(turns >= 10, `${turns} turns`);
});

t.test('texts without a common line take little more than reading their lines', async (t) => {
  const textOf = (factor: number): string => Array.from({ length: 25_000 }, (_, k) => (k * factor) % 10).join('\n');
  const texts = [textOf(1), textOf(3)] as const;
  const timeOf = (work: () => unknown): number => {
    const begun = process.cpuUsage();
    for (let i = 0; i < 20; i++) work();
    const { user, system } = process.cpuUsage(begun);
    return user + system;
  };
  const reading = (): unknown => texts.map((text) => text.split(/\r\n|\n|\r/));
  const comparing = (): unknown => diffLines(...texts);
  for (const work of [reading, comparing]) timeOf(work);
  const ratio = timeOf(comparing) / timeOf(reading);
  t.comment(`${ratio.toFixed(1)} times as long`);
  t.ok(ratio < 4, `${ratio.toFixed(1)} times as long`);
});

t.test('the tables of two documents have at most 5,000 changed rows together', (t) => {
  const rows = Array.from({ length: 600 }, (_, n) => ({ card_id: `c${n}`, key: null, cells: [] }));
  const table = {
    section: 's',
    kind: 'cards',
    title: 'Table',
    columns: [],
    footer: null,
    note: null,
    withheld: false,
  } as const;
  const tables = Array.from({ length: 40 }, (_, i): ReadableTable => ({ ...table, columns: [], id: `t${i}`, rows }));
  const changes = compareTables([], tables);
  t.strictSame(
    changes.map(({ rows, truncated }) => [rows.added.length, truncated]),
    tables.map((_, i) => [i < 10 ? 500 : 0, true]),
  );
  t.match(compareTables([], [{ ...tables[0]!, rows: rows.slice(0, 500) }]), [{ truncated: false }]);
  t.end();
});
