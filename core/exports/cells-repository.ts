import { literal } from '../db/copy.js';

/**
 * Spreadsheets run a cell that begins with = + - @ TAB or CR as a formula (CWE-1236). An apostrophe before it makes it
 * a text; texts that have one there already get another, so that an import that takes one away has the value back.
 */
const FORMULA = literal(/^'*[=+@\t\r-]/.source);

/**
 * A text as a cell has it, as SQL. All that is dangerous sorts before the letters: most texts cost one comparison.
 * @param unless SQL of what is no text whatever it begins with, as a number is
 */
export function guardedSql(text: string, unless?: string): string {
  return `case when ${text} collate "C" < 'A' and ${text} ~ ${FORMULA}${unless ? ` and not ${unless}` : ''} then '''' || ${text} else ${text} end`;
}

const QUOTED = /[",\r\n]/;

/** A line of CSV from texts, by RFC 4180 but for its end: LF alone, as COPY ends the lines that follow. */
export const csvLine = (cells: readonly string[]): string => `${cells.map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
