/**
 * Spreadsheets run a cell that begins with = + - @ as a formula, also in their full-width forms and behind a tab or a line
 * end (CWE-1236). An apostrophe before it makes it a text; texts that have apostrophes before such a sign already get another
 * one, so that an import that takes one away has every value back. The export in SQL and the import go by the same signs.
 */
const SIGNS = '[=+@\\t\\r\\n＝＋－＠-]';

/** Texts that are written with an apostrophe before them, as a regular expression of JavaScript and of PostgreSQL. */
export const FORMULA = `^'*${SIGNS}`;
/** The least and the greatest of the full-width signs, in the order of code points. */
export const FULL_WIDTH = { first: '＋', last: '＠' } as const;

const GUARDED = new RegExp(`^'+${SIGNS}`);

/** The value of a cell as an export wrote it. */
export const unguarded = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);
