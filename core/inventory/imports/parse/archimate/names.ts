import { nameKey } from '../../../../foundation/text.js';

const MAX_NAME = 500;

/** An element that needs a name at a place. */
export interface Named {
  element: number;
  /** What the model calls it. */
  base: string;
  /** Names are unique in a group: type and parent. */
  group: string;
  /** The card's name now, where it has one at this place. */
  current?: string;
}

/** Blanks and line ends as one blank; what is left must fit into a card's name. */
export function plainName(text: string): string {
  return cut(text.replace(/\s+/g, ' ').trim(), MAX_NAME);
}

/** At most so many characters, and no half one at the end. */
export function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : text
        .slice(0, max)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd();
}

/** A name with a number behind it; the first one has none. */
export function numbered(base: string, n: number): string {
  if (n === 1) return base;
  const suffix = ` (${n})`;
  return cut(base, MAX_NAME - suffix.length) + suffix;
}

/** Whether a card is called so because of this name: then it keeps what it is called. */
export function isNumbered(name: string, base: string): boolean {
  if (name === base) return true;
  const n = Number(/ \((\d{1,6})\)$/.exec(name)?.[1] ?? 0);
  return n > 1 && numbered(base, n) === name;
}

/**
 * Gives every element a name of its own at its place: those that have one keep it, the others get theirs in document
 * order, the second of a name with ` (2)`.
 * @param taken whether a card that is no element of the model has the name, by group and key
 * @returns names by element
 */
export function assignNames(
  wanted: readonly Named[],
  taken: (group: string, key: string) => boolean,
): Map<number, string> {
  const names = new Map<number, string>();
  const used = new Set<string>();
  const next = new Map<string, number>();
  for (const { element, base, group, current } of wanted) {
    if (current === undefined || !isNumbered(current, base)) continue;
    names.set(element, current);
    used.add(`${group}\n${nameKey(current)}`);
  }
  for (const { element, base, group } of wanted) {
    if (names.has(element)) continue;
    const start = `${group}\n${nameKey(base)}`;
    for (let n = next.get(start) ?? 1; ; n++) {
      const name = numbered(base, n);
      const key = nameKey(name);
      if (used.has(`${group}\n${key}`) || taken(group, key)) continue;
      names.set(element, name);
      used.add(`${group}\n${key}`);
      next.set(start, n + 1);
      break;
    }
  }
  return names;
}
