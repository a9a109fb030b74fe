/** Cards that are more alike are found before those that are less alike. */
import t from 'tap';
import type { CardInput, Group, Pair } from '../duplicates/definition.js';
import { PairFinder } from '../duplicates/finder.js';
import { rootOf } from '../duplicates/word-forms.js';
import { drawing } from './planted/landscape.js';

const TEXT = 'Records requests of visitors, plans their arrival and informs all involved branches in time';
const OTHERS = ['Alpha Ledger', 'Beta Planner', 'Gamma Store'];
const cardOf = (id: string, more: Partial<CardInput>): CardInput => ({
  ...{ id, name: '', alias: null, text: null, parent: null, related: [], linked: [] },
  ...more,
});
const relatedTo = (...cards: readonly (readonly [string, Group])[]): CardInput['related'] =>
  cards.map(([id, group]) => ({ id, group }));

/** Compares two cards among others. */
function compare(a: Partial<CardInput>, b: Partial<CardInput>, others: readonly string[] = OTHERS): Pair | undefined {
  const finder = new PairFinder();
  finder.add([cardOf('a', a), cardOf('b', b), ...others.map((name, i) => cardOf(`z${i}`, { name }))]);
  return finder.match(0, finder.size).find((pair) => pair.a === 'a' && pair.b === 'b');
}

/** Both with one description and one capability. */
const found = (a: string, b: string, others?: readonly string[]): Pair | undefined => {
  const more = { text: TEXT, related: relatedTo(['c', 'capabilities']) };
  return compare({ name: a, ...more }, { name: b, ...more }, others);
};

t.test('with one description and one capability, names that are alike are found and others are not', (t) => {
  for (const [a, b, reason] of [
    ['Customer Relationship Manager', 'Customer Relations Management', 'alike_text'],
    ['Warranty Claims Desk', 'Warranty Claims Portal', 'alike_name'],
    ['Haulier Gate Console', 'Haulier Gate Portal', 'same_words'],
    ['Berth Scheduler Tool', 'Berth Scheduling Service', 'word_form'],
    ['Kranbelegung Konsole', 'Kranbelegung Plattform', 'same_words'],
    ['Portail Quai Grutier', 'Application Quai Grutier', 'same_words'],
  ] as const) {
    const pair = found(a, b);
    t.ok(pair, `${a} = ${b}`);
    t.ok(pair?.evidence.reasons.includes(reason), `${a} = ${b}: ${pair?.evidence.reasons.join()}`);
  }
  for (const [a, b] of [
    ['Zeppelin', 'Depot Tour Organiser'],
    ['Haulier Gate Console', 'Quarry Tariff Portal'],
    ['Haulier Console', 'Quarry Portal'],
  ] as const)
    t.equal(found(a, b), undefined, `${a} ≠ ${b}`);
  t.equal(
    compare({ name: 'Haulier Gate Console' }, { name: 'Haulier Gate Portal' }),
    undefined,
    'without a description',
  );
  t.end();
});

t.test('a word that is in many names of the inventory tells as little as a generic one', (t) => {
  const [a, b] = ['Haulier Gate Lumo', 'Haulier Gate Kerb'];
  t.equal(found(a, b), undefined, 'two rare words');
  const others = Array.from(
    { length: 60 },
    (_, i) => `Item${'abcdefghij'[i % 10]}${'klmnop'[i % 6]} ${i % 2 ? 'Lumo' : 'Kerb'}`,
  );
  t.ok(found(a, b, others), 'two words that are in a third of the names each');
  t.end();
});

t.test('words that the inventory uses to tell its names apart make two, whatever the cards share', (t) => {
  const related = relatedTo(['c', 'capabilities'], ['u', 'users'], ['s', 'suppliers']);
  const pair = (others: readonly string[]): Pair | undefined =>
    compare(
      { name: 'Kiln Control Falkau', text: TEXT, related },
      { name: 'Kiln Control Riedau', text: TEXT, related },
      others,
    );
  t.ok(pair(OTHERS), 'nothing is known about the words');
  const sites = ['Falkau', 'Riedau'].flatMap((site) =>
    ['Press', 'Furnace', 'Paint Line'].map((plant) => `${plant} ${site}`),
  );
  t.equal(pair(sites), undefined, 'names of two plants');
  t.equal(
    compare({ name: 'Inbound Gateway', text: TEXT, related }, { name: 'Outbound Gateway', text: TEXT, related }),
    undefined,
    'opposites',
  );
  t.end();
});

t.test('forms of a word have one root, in several languages', (t) => {
  for (const forms of [
    ['relation', 'relations', 'relationship', 'relationships', 'related'],
    ['management', 'manager', 'managers'],
    ['planung', 'planungen'],
    ['beziehung', 'beziehungen'],
    ['facturation', 'facturations'],
    ['programacion', 'programaciones'],
    ['prenotazione', 'prenotazioni'],
  ])
    t.equal(new Set(forms.map(rootOf)).size, 1, `${forms.join()}: ${forms.map(rootOf).join()}`);
  for (const [a, b] of [
    ['process', 'procure'],
    ['transfer', 'transform'],
    ['inventory', 'invention'],
    ['договор', 'договоренность'],
    ['東京', '東'],
  ] as const)
    t.not(rootOf(a), rootOf(b), `${a} ≠ ${b}`);
  t.end();
});

/** Words of names and descriptions: invented ones, usual ones, generic ones. No two of them are a phrase. */
const WORDS =
  `zorvan keltis mubrac fendol garrip tosken wilbran ruxeta invoice claim budget vehicle patient archive forecast tariff berth haulier quarry
  portal desk console system platform tool service relation relations scheduler scheduling`.split(/\s+/);
const TERMS = Array.from(
  { length: 40 },
  (_, i) => `${'bdfgklmnpr'[i % 10]}${'aeio'[i % 4]}${'stvz'[Math.floor(i / 10)]}ulan`,
);

/** Two cards as they are drawn, with what may be added to them. */
interface Drawn {
  names: [string[], string[]];
  text: string[] | null;
  /** How many words of the second description are those of the first one. */
  close: number;
  related: [CardInput['related'], CardInput['related']];
}
const scoreOf = ({ names, text, close, related }: Drawn): number => {
  const [a, b] = names.map((words) => words.join(' '));
  const other = text && [...text.slice(0, close), ...text.slice(close).map((word) => `${word}x`)];
  const cards = [
    { name: a!, text: text && text.join(' '), related: related[0] },
    { name: b!, text: other && other.join(' '), related: related[1] },
  ] as const;
  return compare(...cards)?.score ?? 0;
};

t.test('more in common is never less alike', (t) => {
  const seeds = [7, 1_234, 98_765];
  const counts = { pairs: 0, found: 0, rose: 0 };
  for (const seed of seeds) {
    const draw = drawing(seed);
    const pick = <T>(list: readonly T[]): T => list[draw(list.length)]!;
    const some = <T>(list: readonly T[], most: number): T[] => [
      ...new Set(Array.from({ length: draw(most + 1) }, () => pick(list))),
    ];
    for (let n = 0; n < 60; n++) {
      const shared = some(WORDS, 3);
      const own = (): string[] =>
        some(
          WORDS.filter((word) => !shared.includes(word)),
          2,
        );
      const both = relatedTo(...some(['c1', 'u1', 's1'], 2).map(relationOf));
      const names: [string[], string[]] = [
        [...shared, ...own()],
        [...(draw(4) ? shared : [...shared].reverse()), ...own()],
      ];
      if (names.some((words) => words.length === 0)) continue;
      const text = draw(4) === 0 ? null : TERMS.slice(draw(20)).slice(0, 14);
      const drawn: Drawn = {
        ...{ names, text, close: text ? draw(text.length + 1) : 0 },
        related: [
          [...both, ...relatedTo(...some(['c2', 'u2'], 2).map(relationOf))],
          [...both, ...relatedTo(...some(['c3', 'u3'], 2).map(relationOf))],
        ],
      };
      const before = scoreOf(drawn);
      const word = pick(WORDS.filter((one) => !names.flat().includes(one)));
      const relation = relatedTo(relationOf(pick(['c9', 'u9', 's9', 'i9'])));
      const more: Record<string, Drawn> = {
        'a shared word': {
          ...drawn,
          names: [
            [word, ...names[0]],
            [word, ...names[1]],
          ],
        },
        'a shared relation': {
          ...drawn,
          related: [
            [...drawn.related[0], ...relation],
            [...drawn.related[1], ...relation],
          ],
        },
        ...(text && drawn.close < text.length && { 'a closer description': { ...drawn, close: drawn.close + 1 } }),
      };
      for (const [kind, one] of Object.entries(more)) {
        const after = scoreOf(one);
        counts.pairs++;
        if (after > 0) counts.found++;
        if (after > before) counts.rose++;
        if (after < before) t.fail(`seed ${seed}, pair ${n}: ${kind} lowers ${before} to ${after}`, { drawn, one });
      }
    }
  }
  t.comment(
    `seeds ${seeds.join(', ')}: ${counts.pairs} pairs, ${counts.found} found, ${counts.rose} with a higher score`,
  );
  t.ok(counts.found > counts.pairs / 10 && counts.rose > counts.pairs / 20, 'pairs are near the limit');
  t.end();
});

/** A card with the kind that the first letter of its id has. */
function relationOf(id: string): readonly [string, Group] {
  const kinds: Record<string, Group> = { c: 'capabilities', u: 'users', s: 'suppliers', i: 'interfaces' };
  return [id, kinds[id[0]!]!];
}
