import { literal } from '../../foundation/db/copy.js';
import { FORMULA, FULL_WIDTH } from '../../foundation/formula-cells.js';

/** What sorts behind all texts that begin with a full-width sign. */
const NEXT = String.fromCharCode(FULL_WIDTH.last.charCodeAt(0) + 1);

/**
 * A text as a cell has it, as SQL. All that is dangerous sorts before the letters, or between two full-width signs: most texts
 * cost two comparisons.
 * @param unless SQL of what is no text whatever it begins with, as a number is
 */
export function guardedSql(text: string, unless?: string): string {
  return `case when (${text} collate "C" < 'A' or ${text} collate "C" >= '${FULL_WIDTH.first}' and ${text} collate "C" < '${NEXT}') and ${text} ~ ${literal(FORMULA)}${unless ? ` and not ${unless}` : ''} then '''' || ${text} else ${text} end`;
}

const QUOTED = /[",\r\n]/;

/** A line of CSV from texts, by RFC 4180 but for its end: LF alone, as COPY ends the lines that follow. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
