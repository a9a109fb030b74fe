import type { ExpectedCard } from './expected-inventory.js';
import { wordsOf } from './naive-answers.js';

/** `count` items spread evenly over a list, the same in every run. */
export function spread<T>(all: readonly T[], count: number): T[] {
  return all.length <= count
    ? [...all]
    : Array.from({ length: count }, (_, i) => all[Math.floor(((i + 0.5) * all.length) / count)]!);
}

const letters = (text: string, from: number, to?: number): string => [...text].slice(from, to).join('');

/**
 * Searches with terms of the cards: frequent and rare words, several words, prefixes, parts, whole names, names in other
 * languages, ids, one and two letters; those with other than plain letters also in the other case and decomposed.
 */
export function searchTerms(cards: readonly ExpectedCard[]): string[] {
  const frequency = new Map<string, number>();
  for (const { name, description } of cards)
    for (const word of new Set([...wordsOf(name), ...wordsOf(description ?? '')]))
      frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const words = [...frequency].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([word]) => word);
  const rare = words.filter((word) => frequency.get(word) === 1 && word.length > 3);
  const inNames = [...new Set(cards.flatMap(({ name }) => wordsOf(name)))]
    .filter((word) => [...word].length > 5)
    .sort();
  const described = cards.filter(({ description }) => wordsOf(description ?? '').length > 6);
  const aliases = cards.flatMap(({ alias }) => alias?.split(' · ') ?? []);
  const short = [...new Set(cards.flatMap(({ name }) => [letters(name, 0, 1), letters(name, 0, 2)]))].sort();
  const drawn = [
    ...words.slice(0, 12),
    ...spread(rare, 15),
    ...spread(
      words.filter((word) => frequency.get(word)! > 1),
      10,
    ),
    ...spread(described, 12).map(({ name, description }) => `${wordsOf(description!).at(-2)!} ${wordsOf(name)[0]!}`),
    ...spread(described, 8).map(({ description }) => letters(wordsOf(description!).slice(1, 6).join(', '), 0, 200)),
    ...words.slice(0, 8).map((word, i) => `${word} ${words[i * 7 + 8]!}`),
    ...spread(words, 16).map((word, i) => letters(word, 0, 2 + (i % 4))),
    ...spread(inNames, 16).map((word, i) => letters(word, 1 + (i % 2), 4 + (i % 3))),
    ...spread(short, 12),
    ...spread(described, 6).map(({ name }, i) => `${letters(name, 0, 1 + (i % 2))} ${words[i]!}`),
    ...spread(cards, 10).map(({ name }) => letters(name, 0, 200)),
    ...spread(cards, 8).map(({ external_id }) => letters(external_id, 0, 200)),
    ...spread(aliases, 16).map((alias) => letters(alias, 0, 200)),
    ...spread(aliases, 8).flatMap((alias) => wordsOf(alias)[0] ?? []),
    'zzzyx',
    '!?',
    'management zzzyx',
  ];
  const marked = drawn.filter((term) => /[^ -~]/.test(term));
  return [
    ...new Set([
      ...drawn,
      ...spread(marked, 10).flatMap((term) => [
        term.toUpperCase(),
        term.toLowerCase(),
        term.normalize('NFD'),
        wordsOf(term).join(' '),
      ]),
    ]),
  ].filter((term) => term.trim() !== '' && term.length <= 200);
}
