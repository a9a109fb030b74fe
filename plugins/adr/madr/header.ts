import type { Entry } from './front-matter.js';
import type { Line } from './lines.js';
import { NAMES } from './words.js';

/** Lines that are looked at, and characters of a line. */
const MOST_LINES = 40;
const MOST_TEXT = 1_000;

/** A named value of the header: `* Status: accepted`, `**Status:** accepted`, `Status: accepted`, or a row of a table. */
const named = (names: readonly string[]): RegExp =>
  new RegExp(
    `^[ \\t]{0,9}(?:(?:[-*+>]|\\d{1,3}[.)])[ \\t]{1,9})?(\\|?)[ \\t]{0,9}[*_\`]{0,3}(?:${names.join('|')})[*_\`]{0,3}[ \\t]{0,9}[:|][*_\`]{0,3}[ \\t]{0,99}[*_\`]{0,3}`,
    'iu',
  );
const PATTERNS = { status: named(NAMES.status), date: named(NAMES.date) };
/** What may follow a value: emphasis, and the marks of a line break. */
const BEHIND = /[*_`\\\s]$|<br ?\/?>$/i;

/** The value that a text begins with a name of; undefined where it begins with another one, or nothing follows. */
export function namedValue(kind: keyof typeof PATTERNS, text: string, start: number): Entry | undefined {
  const [head, cell] = PATTERNS[kind].exec(text.slice(0, MOST_TEXT)) ?? [];
  if (head === undefined) return undefined;
  let value = text.slice(head.length, MOST_TEXT);
  if (cell === '|') value = value.split('|', 1)[0]!;
  for (let mark = BEHIND.exec(value); mark; mark = BEHIND.exec(value)) value = value.slice(0, mark.index);
  return value === ''
    ? undefined
    : { text: value, start: start + head.length, end: start + head.length + value.length };
}

/** A value of the header, which are the lines before the sections of a record. */
export function headerValue(kind: keyof typeof PATTERNS, lines: readonly Line[]): Entry | undefined {
  for (const line of lines.slice(0, MOST_LINES)) {
    const value = line.isOpaque ? undefined : namedValue(kind, line.text, line.start);
    if (value) return value;
  }
  return undefined;
}
