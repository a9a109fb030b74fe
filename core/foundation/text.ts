const MARKS = /\p{M}+/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/gu;

/**
 * Full case folding with JavaScript's functions: upper case, then lower case, so that ß equals ss and the final sigma
 * equals the inner one; ẞ is already upper case and would otherwise become ß.
 * https://www.unicode.org/reports/tr21/tr21-5.html (caseless matching)
 */
const caseFold = (text: string): string => text.replaceAll('ẞ', 'ß').toUpperCase().toLowerCase().replaceAll('ς', 'σ');

/** The key by which names are unique and sorted: NFKC and full case folding, compared bytewise. */
export function nameKey(text: string): string {
  return caseFold(text.normalize('NFKC')).normalize('NFKC');
}

/**
 * Normalises text for search: folds case and accents, and replaces everything except letters and digits by single
 * blanks.
 */
export function searchFold(text: string): string {
  return caseFold(text.normalize('NFKD').replace(MARKS, ''))
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(NOT_WORD, ' ')
    .trim();
}

/** The stored search columns of a card: its names, and all its words. */
export function searchColumns({
  name,
  alias,
  external_id,
  description,
}: {
  name: string;
  alias: string | null;
  external_id: string | null;
  description: string | null;
}): { search_name: string; search_text: string } {
  const names = [name, alias].filter(Boolean).join(' ');
  return {
    search_name: searchFold(names),
    search_text: indexedWords(searchFold([names, external_id, description].filter(Boolean).join(' '))),
  };
}

/** Maximum number of characters of a word in the word index, whose entries are limited to 2,046 bytes. */
const MOST_OF_WORD = 400;

/** Truncates the words of a folded text to the length that the word index can store. */
function indexedWords(folded: string): string {
  return folded.length <= MOST_OF_WORD
    ? folded
    : folded.replace(/[^ ]{401,}/gu, (word) => [...word].slice(0, MOST_OF_WORD).join(''));
}

/** Characters that end a line or change the text direction, which names may contain. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
/** Maximum length of a line, in UTF-16 units. */
const MOST_OF_LINE = 250;

/** A text as one line, as required for a mail subject. */
export function oneLine(text: string): string {
  const line = text.toWellFormed().replace(UNSAFE, ' ').replace(/ {2,}/g, ' ').trim();
  return line.length <= MOST_OF_LINE ? line : `${line.slice(0, MOST_OF_LINE - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Control characters other than tabs and line ends; see `isPlainText`. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Whether a text can be stored and shown everywhere: whole characters, and no control characters but tabs and line ends. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !CONTROL.test(text);

/** Whether a text is one line, as names are. */
export const isOneLine = (text: string): boolean => !/\p{Cc}/u.test(text);
