/**
 * Spreadsheets run a cell that begins with = + - @ as a formula, also in full-width forms, after a tab or a line end, and
 * after spaces, which some of them remove (CWE-1236). Every CSV file puts an apostrophe before such a text, which makes it
 * plain text; a text that already has apostrophes or quotation marks before such a sign gets one more, so that an import that
 * removes one restores every value. Cells of XLSX are typed as text, and need none.
 */
const SIGNS = '[=+@\\t\\r\\n＝＋－＠-]';
/** White space and quotation marks. Each character is one of those in `FORMULA_RANGES`. */
const SKIPPED = `[\\u0020\\v\\f\\u00a0\\u2000-\\u200b\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'"]`;

/** Matches texts that get an apostrophe, as a regular expression for JavaScript and PostgreSQL. */
export const FORMULA_CELL = `^${SKIPPED}*${SIGNS}`;

/**
 * Texts that `FORMULA_CELL` matches begin in one of these ranges of code points, `from` included and `to` excluded: comparing
 * costs less than matching. No letter of European languages is in them.
 */
export const FORMULA_RANGES: readonly { from: string; to: string }[] = [
  { from: '', to: 'A' },
  { from: '\u00a0', to: '\u00a1' },
  { from: '\u2000', to: '\u3001' },
  { from: '\ufeff', to: '\uff21' },
];

const FORMULA = new RegExp(FORMULA_CELL);
const GUARDED = new RegExp(`^'${SKIPPED}*${SIGNS}`);

/** A text as a cell of a CSV file, before it is quoted: spreadsheets do not run it as a formula. */
export const guardedCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Restores the text of a cell that `guardedCell` made. */
export const unguardedCell = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);
