/**
 * Precision and recall of duplicates and suppliers, without a language model: on a constructed landscape, and on public data. The seeds are
 * not those with which the analyses were developed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TimeSlice } from '@lintel/sdk';
import t from 'tap';
import { parse } from 'yaml';
import { DATA_DIR, dataAbsent } from '../../../test/support/app.js';
import type { CardInput } from '../duplicates/definition.js';
import { PairFinder } from '../duplicates/finder.js';
import { groupKeys, NameLinks } from '../suppliers/grouping.js';
import { readName } from '../suppliers/names.js';
import { drawing, KINDS, LOOK_ALIKES, plantedLandscape } from './planted/landscape.js';
import { APPLICATION_KINDS, respelled, rewritten, SUPPLIER_KINDS } from './planted/names.js';

const SEEDS = [31337, 271828, 161803];
const LEAST = { precision: 0.9, recall: 0.85 };

const keyOf = (a: string, b: string): string => (a < b ? `${a}|${b}` : `${b}|${a}`);
interface Figures {
  precision: number;
  recall: number;
}
/** Compares found pairs with those that are true. @param open pairs about which the truth says nothing */
function figuresOf(
  found: ReadonlySet<string>,
  truth: ReadonlySet<string>,
  open: ReadonlySet<string> = new Set(),
): Figures & { text: string } {
  const judged = [...found].filter((pair) => !open.has(pair));
  const right = judged.filter((pair) => truth.has(pair)).length;
  const precision = judged.length === 0 ? 1 : right / judged.length;
  const recall = truth.size === 0 ? 1 : right / truth.size;
  return {
    precision,
    recall,
    text: `${truth.size} true pairs, ${judged.length} found, ${right} of them true: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
  };
}
const isGood = ({ precision, recall }: Figures): boolean => precision >= LEAST.precision && recall >= LEAST.recall;
const findPairs = (cards: readonly CardInput[]): Set<string> => {
  const finder = new PairFinder();
  finder.add(cards);
  return new Set(finder.match(0, cards.length).map(({ a, b }) => keyOf(a, b)));
};

t.test('200 planted duplicates among 5,000 applications, and 240 pairs that look alike', async (t) => {
  for (const seed of SEEDS) {
    const { cards, duplicates, lookAlikes } = plantedLandscape(seed, 5_000);
    t.equal(cards.length, 5_000);
    t.equal(duplicates.length, 200);
    t.equal(lookAlikes.length, 240);
    const found = findPairs(
      cards.map(({ id, name, text, capabilities, users, suppliers, successorOf }) => ({
        ...{ id, name, text, alias: null, parent: null, linked: successorOf === undefined ? [] : [successorOf] },
        related: [
          ...capabilities.map((one) => ({ id: one, group: 'capabilities' as const })),
          ...users.map((one) => ({ id: one, group: 'users' as const })),
          ...suppliers.map((one) => ({ id: one, group: 'suppliers' as const })),
        ],
      })),
    );
    const figures = figuresOf(found, new Set(duplicates.map(({ a, b }) => keyOf(a, b))));
    t.comment(`seed ${seed}: ${figures.text}`);
    const count = (pairs: typeof duplicates, kind: string): string => {
      const own = pairs.filter((pair) => pair.kind === kind);
      return `${kind} ${own.filter(({ a, b }) => found.has(keyOf(a, b))).length}/${own.length}`;
    };
    t.comment(
      `  found by kind: ${Object.keys(KINDS)
        .map((kind) => count(duplicates, kind))
        .join(', ')}`,
    );
    t.comment(
      `  look alike, wrongly found: ${Object.keys(LOOK_ALIKES)
        .map((kind) => count(lookAlikes, kind))
        .join(', ')}`,
    );
    t.ok(isGood(figures), `seed ${seed}`);
  }
});

/** Groups names, and returns the pairs in one group by their numbers. */
async function groupPairs(names: readonly string[]): Promise<Set<string>> {
  const byKey = new Map<string, { others: Set<string>; of: number[] }>();
  for (const [i, name] of names.entries()) {
    const read = readName(name);
    if (!read) continue;
    const one = byKey.get(read.key) ?? { others: new Set(), of: [] };
    byKey.set(read.key, one);
    one.of.push(i);
    for (const other of read.others) one.others.add(other);
  }
  const input = [...byKey].map(([key, { others, of }]) => ({
    key,
    others: [...others],
    count: of.length,
    supplier: null,
  }));
  const pairs = new Set<string>();
  for (const { keys } of await groupKeys(input, new NameLinks([]), new TimeSlice())) {
    const members = keys.flatMap((key) => byKey.get(key)!.of);
    for (const x of members) for (const y of members) if (x < y) pairs.add(keyOf(String(x), String(y)));
  }
  return pairs;
}

interface Provider {
  Cloud_Service_Provider_Name: string;
  Cloud_Service_Provider_Package: string;
  Independent_Assessor: string | null;
  CSO_Description: string | null;
  Package_ID: string;
}
const providers = (): Provider[] =>
  (
    JSON.parse(readFileSync(join(DATA_DIR, 'inventory-fedramp', 'providers.json'), 'utf8')) as {
      data: { Providers: Provider[] };
    }
  ).data.Providers;
interface Item {
  name: string;
  category: string;
  homepage_url?: string;
  repo_url?: string;
  crunchbase?: string;
  description?: string;
}
function items(): Item[] {
  const { landscape } = parse(readFileSync(join(DATA_DIR, 'landscape-cncf', 'landscape.yml'), 'utf8')) as {
    landscape: { name: string; subcategories: { items: Item[] }[] }[];
  };
  return landscape.flatMap(({ name: category, subcategories }) =>
    subcategories.flatMap(({ items: own }) => own.map((item) => ({ ...item, category }))),
  );
}
const FEDRAMP = { skip: dataAbsent };

t.test('suppliers: names of FedRAMP and CNCF, each with other spellings', FEDRAMP, async (t) => {
  const members = items()
    .filter(({ name }) => name.endsWith(' (member)'))
    .map(({ name }) => name.replace(' (member)', ''));
  for (const [set, real] of [
    ['FedRAMP', [...new Set(providers().map((one) => one.Cloud_Service_Provider_Name.trim()))]],
    ['CNCF members', [...new Set(members)]],
  ] as const)
    for (const seed of SEEDS) {
      const draw = drawing(seed);
      const names = [...real];
      const truth = new Set<string>();
      const kinds = new Map<string, string>();
      for (const [i, name] of real.entries()) {
        const kind = SUPPLIER_KINDS[draw(SUPPLIER_KINDS.length)]!;
        const other = respelled(name, kind, draw);
        if (other === undefined) continue;
        const pair = keyOf(String(i), String(names.push(other) - 1));
        truth.add(pair);
        kinds.set(pair, kind);
      }
      const found = await groupPairs(names);
      const figures = figuresOf(found, truth);
      t.comment(`${set}, seed ${seed}, ${real.length} names: ${figures.text}`);
      const missed = [...truth].filter((pair) => !found.has(pair));
      t.comment(
        `  missed: ${missed
          .slice(0, 8)
          .map(
            (pair) =>
              `${kinds.get(pair)!} ${pair
                .split('|')
                .map((i) => names[Number(i)])
                .join(' = ')}`,
          )
          .join('; ')}`,
      );
      t.comment(
        `  wrong: ${[...found]
          .filter((pair) => !truth.has(pair))
          .slice(0, 8)
          .map((pair) =>
            pair
              .split('|')
              .map((i) => names[Number(i)])
              .join(' = '),
          )
          .join('; ')}`,
      );
      t.ok(isGood(figures), `${set}, seed ${seed}`);
    }
});

t.test('suppliers: members of CNCF and the names of their organisations elsewhere', FEDRAMP, async (t) => {
  const known = items().flatMap(({ name, crunchbase }) => {
    const slug = crunchbase
      ?.split('/')
      .at(-1)
      ?.replace(/-[0-9a-f]{4}$/, '');
    return name.endsWith(' (member)') && slug
      ? [{ name: name.replace(' (member)', ''), slug: slug.replaceAll('-', ' ') }]
      : [];
  });
  const names = known.flatMap(({ name, slug }) => [name, slug]);
  const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const truth = new Set<string>();
  const open = new Set<string>();
  for (const [i, { name, slug }] of known.entries()) {
    // An organisation with quite another name there cannot be recognised by the name.
    const isAlike = letters(name).slice(0, 4) === letters(slug).slice(0, 4);
    (isAlike ? truth : open).add(keyOf(String(2 * i), String(2 * i + 1)));
    // Several members of one organisation.
    for (const [j, other] of known.entries())
      if (i < j && slug === other.slug)
        for (const x of [2 * i, 2 * i + 1]) for (const y of [2 * j, 2 * j + 1]) open.add(keyOf(String(x), String(y)));
  }
  const found = await groupPairs(names);
  const figures = figuresOf(found, truth, open);
  t.comment(`${known.length} members, ${open.size} pairs open: ${figures.text}`);
  t.comment(
    `  wrong: ${[...found]
      .filter((pair) => !truth.has(pair) && !open.has(pair))
      .slice(0, 12)
      .map((pair) =>
        pair
          .split('|')
          .map((i) => names[Number(i)])
          .join(' = '),
      )
      .join('; ')}`,
  );
  t.comment(
    `  missed: ${[...truth]
      .filter((pair) => !found.has(pair))
      .slice(0, 30)
      .map((pair) =>
        pair
          .split('|')
          .map((i) => names[Number(i)])
          .join(' = '),
      )
      .join('; ')}`,
  );
  t.ok(isGood(figures));
});

const cardOf = (id: number, name: string, text: string | null = null): CardInput => ({
  ...{ id: `card ${String(id).padStart(6, '0')}`, name, text, alias: null, parent: null, related: [], linked: [] },
});
const idOf = (n: number): string => cardOf(n, '').id;

t.test('duplicates: real names of applications and products, with other spellings of some', FEDRAMP, async (t) => {
  const folder = join(DATA_DIR, 'inventory-canada-ore');
  const releases = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(?:code|software)\/.*\.yml$/.test(file))
    .flatMap((file) => {
      const { releases: own } = parse(readFileSync(join(folder, file), 'utf8')) as {
        releases?: { name: { en?: string }; description?: { whatItDoes?: { en?: string } } }[];
      };
      return (own ?? []).flatMap(({ name, description }) =>
        name.en ? [{ name: name.en, text: description?.whatItDoes?.en ?? null }] : [],
      );
    });
  const sets = {
    FedRAMP: providers().map((one) => ({ name: one.Cloud_Service_Provider_Package, text: one.CSO_Description })),
    CNCF: items()
      .filter(({ category }) => category !== 'CNCF Members')
      .map(({ name, description }) => ({ name, text: description ?? null })),
    'Canada ORE': releases,
  };
  for (const [set, real] of Object.entries(sets))
    for (const seed of SEEDS) {
      const draw = drawing(seed);
      const names = new Map(real.map((one) => [one.name.trim().toLowerCase(), one]));
      const cards = [...names.values()].map(({ name, text }, i) => cardOf(i, name, text));
      const truth = new Set<string>();
      for (const [i, { name, text }] of [...cards].entries()) {
        // Each third name of a large set; the others stay alone.
        if (i % 3 > 0 && names.size > 100) continue;
        const other = rewritten(name, APPLICATION_KINDS[draw(APPLICATION_KINDS.length)]!, draw);
        if (other === undefined) continue;
        // Half of them have the second half of the description.
        const words = text?.split(/\s+/) ?? [];
        cards.push(cardOf(cards.length, other, draw(2) ? words.slice(words.length / 2).join(' ') : null));
        truth.add(keyOf(idOf(i), idOf(cards.length - 1)));
      }
      const found = findPairs(cards);
      const figures = figuresOf(found, truth);
      t.comment(`${set}, seed ${seed}, ${names.size} names: ${figures.text}`);
      const show = (pair: string): string =>
        pair
          .split('|')
          .map((id) => cards.find((card) => card.id === id)!.name)
          .join(' = ');
      t.comment(
        `  wrong: ${[...found]
          .filter((pair) => !truth.has(pair))
          .slice(0, 10)
          .map(show)
          .join('; ')}`,
      );
      t.comment(
        `  missed: ${[...truth]
          .filter((pair) => !found.has(pair))
          .slice(0, 10)
          .map(show)
          .join('; ')}`,
      );
      t.ok(isGood(figures), `${set}, seed ${seed}`);
    }
});

t.test('duplicates: no two releases of a product are one', FEDRAMP, (t) => {
  const folder = join(DATA_DIR, 'lifecycles-endoflife');
  const cards = readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .flatMap((file) => {
      const front = readFileSync(join(folder, file), 'utf8').split(/^---$/m)[1]!;
      const { title, releases } = parse(front) as {
        title: string;
        releases?: { releaseCycle: string; releaseLabel?: string }[];
      };
      return (releases ?? []).map(
        ({ releaseCycle, releaseLabel }) =>
          `${title} ${(releaseLabel ?? releaseCycle).replaceAll(/__\w+__/g, releaseCycle)}`,
      );
    })
    .filter((name, i, all) => all.indexOf(name) === i)
    .map((name, i) => cardOf(i, name));
  const found = [...findPairs(cards)];
  t.comment(`${cards.length} releases, ${found.length} pairs found`);
  t.comment(
    found
      .slice(0, 40)
      .map((pair) =>
        pair
          .split('|')
          .map((id) => cards.find((card) => card.id === id)!.name)
          .join(' = '),
      )
      .join('; '),
  );
  t.ok(found.length <= cards.length / 100, 'at most one in a hundred');
  t.end();
});
