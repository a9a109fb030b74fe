import { literal } from '../../foundation/db/copy.js';
import { FORMULA, FULL_WIDTH } from '../../foundation/formula-cells.js';

/** Sorts after all texts that begin with a full-width sign. */
const NEXT = String.fromCharCode(FULL_WIDTH.last.charCodeAt(0) + 1);

/**
 * SQL of a text as a CSV cell, guarded against formulas. All dangerous characters sort before the letters, or between
 * two full-width signs, so most texts need only two comparisons.
 * @param unless SQL condition for values that are not text, such as numbers
 */
export function guardedSql(text: string, unless?: string): string {
  return `case when (${text} collate "C" < 'A' or ${text} collate "C" >= '${FULL_WIDTH.first}' and ${text} collate "C" < '${NEXT}') and ${text} ~ ${literal(FORMULA)}${unless ? ` and not ${unless}` : ''} then '''' || ${text} else ${text} end`;
}

const QUOTED = /[",\r\n]/;

/** A CSV line from texts, by RFC 4180 except for its end: LF alone, like the lines COPY writes. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
