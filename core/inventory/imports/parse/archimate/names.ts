import { nameKey } from '../../../../foundation/text.js';

const MAX_NAME = 500;

/** An element that needs a unique name at its position. */
export interface Named {
  element: number;
  /** Its name in the model. */
  base: string;
  /** Names are unique within a group: type and parent. */
  group: string;
  /** The card's current name, where it already is at this position. */
  current?: string;
}

/** Replaces whitespace and line ends by single blanks, and truncates to the maximum length of a card's name. */
export function plainName(text: string): string {
  return cut(text.replace(/\s+/g, ' ').trim(), MAX_NAME);
}

/** Truncates to a number of code units, without splitting a surrogate pair. */
export function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : text
        .slice(0, max)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd();
}

/** A name with a number as suffix; number 1 has none. */
function numbered(base: string, n: number): string {
  if (n === 1) return base;
  const suffix = ` (${n})`;
  return cut(base, MAX_NAME - suffix.length) + suffix;
}

/** Whether a card's name is this name with or without a number; it is then kept. */
export function isNumbered(name: string, base: string): boolean {
  if (name === base) return true;
  const n = Number(/ \((\d{1,6})\)$/.exec(name)?.[1] ?? 0);
  return n > 1 && numbered(base, n) === name;
}

/**
 * Assigns unique names: existing ones are kept, the others are assigned in document order, the second with the suffix `
 * (2)`.
 * @param taken whether a card outside the model has the name, by group and key
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
