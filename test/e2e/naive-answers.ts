/**
 * The expected answers of the service, computed by simple loops over all cards and relations. Search is implemented
 * from its rule: every word must match, as a word prefix in name, alias, external id or description, or as a part of
 * name or alias; case and accents are ignored; a search of one or two letters matches beginnings of names.
 */
import type { ExpectedCard, ExpectedRelation } from './expected-inventory.js';

/** Letters whose case folding is more than lower case. */
const FOLDED: Record<string, string> = { ß: 'ss', ς: 'σ', ı: 'i' };

/** Text without case, accents and variants of a letter. */
export function plain(text: string): string {
  if (!/[^ -~\s]/.test(text)) return text.toLowerCase();
  let folded = '';
  for (const sign of text.normalize('NFKD')) {
    if (/\p{M}/u.test(sign)) continue;
    for (const lower of sign.toLowerCase().normalize('NFKD'))
      folded += FOLDED[lower] ?? (/\p{M}/u.test(lower) ? '' : lower);
  }
  return folded;
}

/** Runs of letters and digits. */
export const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** The texts of a card for searches: words with a blank before each. */
export interface Searchable {
  card: ExpectedCard;
  /** The words of the name. */
  name: string;
  /** The words of name and alias. */
  names: string;
  /** The words of name, alias, external id and description. */
  all: string;
}

export function searchable(card: ExpectedCard): Searchable {
  const { name, alias, external_id, description } = card;
  const spaced = (...texts: (string | null)[]): string =>
    texts
      .flatMap((text) => wordsOf(text ?? ''))
      .map((word) => ` ${word}`)
      .join('');
  return { card, name: spaced(name), names: spaced(name, alias), all: spaced(name, alias, external_id, description) };
}

/** Whether a card is a hit. @param search the text or its words */
export function matches({ name, names, all }: Searchable, search: string | readonly string[]): boolean {
  const sought = typeof search === 'string' ? wordsOf(search) : search;
  const [only] = sought;
  if (only === undefined) return false;
  const isShort = (word: string): boolean => [...word].length <= 2;
  if (sought.length === 1 && isShort(only)) return name.startsWith(` ${only}`);
  return sought.every((word) => all.includes(` ${word}`) || (!isShort(word) && names.includes(word)));
}

/** The names from the root down to the parent. */
export function pathOf(cards: ReadonlyMap<string, ExpectedCard>, { parent }: ExpectedCard): string[] {
  const path: string[] = [];
  for (let above = parent; above !== null; above = cards.get(above)!.parent) path.unshift(cards.get(above)!.name);
  return path;
}

/** Keys of a card and of all below it. */
export function subtreeOf(cards: ReadonlyMap<string, ExpectedCard>, root: string): Set<string> {
  const below = new Set<string>();
  for (const card of cards.values()) {
    for (let above: string | null = card.key; above !== null; above = cards.get(above)!.parent)
      if (above === root) below.add(card.key);
  }
  return below;
}

export type Direction = 'downstream' | 'upstream' | 'both';

export interface NaiveImpact {
  /** Number of steps from the start, by card. */
  depths: Map<string, number>;
  /** `<type>|<source>|<target>` of every relation followed. */
  edges: Set<string>;
}

export const linkKey = ({ type, source, target }: Pick<ExpectedRelation, 'type' | 'source' | 'target'>): string =>
  `${type}|${source}|${target}`;

/** A breadth-first search that reads every relation at every step. @param today YYYY-MM-DD; relations that ended before are not followed */
export function naiveImpact(
  relations: readonly ExpectedRelation[],
  start: string,
  direction: Direction,
  depth: number,
  today: string,
): NaiveImpact {
  const depths = new Map([[start, 0]]);
  const edges = new Set<string>();
  const valid = relations.filter(({ valid_to }) => valid_to === null || valid_to >= today);
  for (let step = 1; step <= depth; step++) {
    const near = new Set(depths.keys());
    for (const link of valid) {
      for (const [from, to] of [
        [link.source, link.target],
        [link.target, link.source],
      ] as const) {
        if (direction === (from === link.source ? 'upstream' : 'downstream') || !near.has(from)) continue;
        edges.add(linkKey(link));
        if (!depths.has(to)) depths.set(to, step);
      }
    }
  }
  depths.delete(start);
  return { depths, edges };
}

/** The number of occurrences of each value, the most frequent first, as in facets. */
export function tally(values: Iterable<string | null>): Map<string | null, number> {
  const counts = new Map<string | null, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
