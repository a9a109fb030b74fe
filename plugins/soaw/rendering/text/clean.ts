/** Texts of users as every format can contain them. */

/** What XML 1.0 (section 2.2) excludes, and characters that change the direction of the text around them. */
const REMOVED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;

/** Text with line breaks as `\n`, without control characters; halves of surrogate pairs become U+FFFD. */
export const cleanText = (text: string): string =>
  text
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .toWellFormed()
    .replace(REMOVED, '');

/** Text of one line. */
export const cleanLine = (text: string): string =>
  // Not by a pattern for space around a line break, whose time grows with the square of the space.
  cleanText(text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')
    .replaceAll('\t', ' ');
