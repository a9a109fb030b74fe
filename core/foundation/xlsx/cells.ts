import type { Hyperlinks } from './links.js';
import { STYLES } from './parts.js';
import { cellText } from './text.js';
import type { XlsxKind, XlsxLink, XlsxValue } from './types.js';

const NUMBER = /^-?\d{1,300}(\.\d{1,300})?(e[+-]?\d{1,3})?$/i;
/** Larger whole numbers, such as identifiers, would lose digits: spreadsheets store numbers in double precision. */
const EXACT_DIGITS = 15;
const LARGEST = 9.99e307;

const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const DAY_MS = 86_400_000;
/** Day 0 of the days that spreadsheets count; correct from March 1900, because they count a day that 1900 did not have. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const FIRST_MS = Date.UTC(1900, 2, 1);
const LAST_MS = Date.UTC(10_000, 0, 1);

const number = (ref: string, digits: number | string, style: number = STYLES.plain): string =>
  `<c r="${ref}"${style === STYLES.plain ? '' : ` s="${style}"`}><v>${digits}</v></c>`;

/** A cell of text; the text format prevents that it becomes a formula when a user edits it. */
export function textCell(ref: string, text: string, style: number = STYLES.text): string {
  const value = cellText(text);
  if (value === '') return '';
  const space = /^\s|\s$|\n/.test(value) ? ' xml:space="preserve"' : '';
  return `<c r="${ref}" s="${style}" t="inlineStr"><is><t${space}>${value}</t></is></c>`;
}

function numberCell(ref: string, value: XlsxValue): string | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) && Math.abs(value) < LARGEST ? number(ref, value) : undefined;
  if (typeof value !== 'string' || !NUMBER.test(value) || Math.abs(Number(value)) >= LARGEST) return undefined;
  return /^-?\d+$/.test(value) && value.replace('-', '').length > EXACT_DIGITS ? undefined : number(ref, value);
}

function dateCell(ref: string, value: XlsxValue): string | undefined {
  const text = value instanceof Date ? 'T' : value;
  if (typeof text !== 'string' || !(value instanceof Date || DAY.test(text) || TIME.test(text))) return undefined;
  const at = value instanceof Date ? value.getTime() : Date.parse(text);
  if (!(at >= FIRST_MS && at < LAST_MS)) return undefined;
  return number(ref, (at - DAY_ZERO) / DAY_MS, text.includes('T') ? STYLES.time : STYLES.day);
}

function booleanCell(ref: string, value: XlsxValue): string | undefined {
  const text = String(value);
  return text === 'true' || text === 'false' ? `<c r="${ref}" t="b"><v>${text === 'true' ? 1 : 0}</v></c>` : undefined;
}

const isLink = (value: XlsxValue): value is XlsxLink =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

function linkCell(ref: string, value: XlsxValue, links: Hyperlinks): string | undefined {
  if (!isLink(value) && typeof value !== 'string') return undefined;
  const { text, url } = isLink(value) ? value : { text: value, url: value };
  return textCell(ref, text, text !== '' && links.add(ref, url) ? STYLES.link : STYLES.text);
}

function plainText(value: XlsxValue): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  return isLink(value) ? value.text : String(value);
}

/**
 * The XML of a cell; empty for an empty one.
 * @param ref such as `B7`
 * @param links takes the address of a link
 */
export function cellXml(ref: string, kind: XlsxKind, value: XlsxValue, links: Hyperlinks): string {
  if (value === null || value === undefined || value === '') return '';
  const made =
    kind === 'number'
      ? numberCell(ref, value)
      : kind === 'date'
        ? dateCell(ref, value)
        : kind === 'boolean'
          ? booleanCell(ref, value)
          : kind === 'link'
            ? linkCell(ref, value, links)
            : undefined;
  // NaN and infinite numbers are no values of a spreadsheet.
  if (made === undefined && typeof value === 'number' && !Number.isFinite(value)) return '';
  return made ?? textCell(ref, plainText(value));
}

/** The letters of a column. @param index from 0 */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`;
}
