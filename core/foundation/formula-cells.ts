/**
 * Spreadsheets run a cell that begins with = + - @ as a formula, also in full-width forms and after a tab or a line end
 * (CWE-1236). The export puts an apostrophe before such a text, which makes it plain text; a text that already has
 * apostrophes before such a sign gets one more, so that an import that removes one restores every value. The export in
 * SQL and the import use the same signs.
 */
const SIGNS = '[=+@\\t\\r\\n＝＋－＠-]';

/**
 * Matches texts that are exported with an additional apostrophe, as a regular expression for JavaScript and PostgreSQL.
 */
export const FORMULA = `^'*${SIGNS}`;
/** The first and last of the full-width signs in code point order. */
export const FULL_WIDTH = { first: '＋', last: '＠' } as const;

const GUARDED = new RegExp(`^'+${SIGNS}`);

/** Restores the value of a cell that an export wrote. */
export const unguarded = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);
