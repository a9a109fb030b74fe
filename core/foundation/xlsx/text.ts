/** Maximum number of UTF-16 code units of a cell. */
const MAX_CELL = 32_767;
const CUT = '…';

/** Control characters and non-characters that XML 1.0 does not allow, and unpaired surrogates. */
const ILLEGAL = new RegExp('[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ufffe\\uffff\\p{Cs}]', 'gu');
/** Texts without these characters need no change; most have none. */
const SPECIAL = new RegExp('[&<>"\\r_\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ufffe\\uffff\\p{Cs}]', 'u');
/** Readers decode `_x000D_` as a character, so that the underscore of such a text has to be encoded. */
const ENCODED = /_(?=x[\dA-F]{4}_)/gi;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as XML, in an element or attribute: illegal characters are removed, line ends are LF. */
export function xmlText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replace(ILLEGAL, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);
}

/** A text as the value of a cell: as `xmlText`, cut to the length that a cell can have. */
export function cellText(text: string): string {
  const whole = text.length <= MAX_CELL ? text : `${beginning(text, MAX_CELL - CUT.length)}${CUT}`;
  return xmlText(whole).replace(ENCODED, '_x005F_');
}

/** The first code units of a text, without half a surrogate pair at the end. */
export function beginning(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
