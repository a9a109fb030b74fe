import t from 'tap';
import { compareSections } from '../comparison/compare.js';
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
