/** Values as texts, written as the language of the document does; independent of the language data of Node.js. */
import type { Cell } from '../model.js';
import type { Words } from '../words.js';
import { cleanText } from './clean.js';

/** A space at which no line breaks. */
const NBSP = '\u00a0';

interface Notation {
  group: string;
  decimal: string;
  date: (year: string, month: string, day: string) => string;
  money: (amount: string, currency: string) => string;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const after = (amount: string, currency: string): string => `${amount}${NBSP}${currency}`;
const slashes = (year: string, month: string, day: string): string => `${day}/${month}/${year}`;

const NOTATIONS: Readonly<Record<string, Notation>> = {
  // With the name of the month, since numbers are read in two orders in English.
  en: {
    group: ',',
    decimal: '.',
    date: (year, month, day) => `${Number(day)}${NBSP}${MONTHS[Number(month) - 1]}${NBSP}${year}`,
    money: (amount, currency) => `${currency}${NBSP}${amount}`,
  },
  de: { group: '.', decimal: ',', date: (year, month, day) => `${day}.${month}.${year}`, money: after },
  fr: { group: NBSP, decimal: ',', date: slashes, money: after },
  es: { group: '.', decimal: ',', date: slashes, money: after },
  it: { group: '.', decimal: ',', date: slashes, money: after },
};

const notationOf = (words: Words): Notation => NOTATIONS[words.tag.slice(0, 2)]!;

/** A decimal number of any length with its thousands apart; other texts as they are. */
function grouped(number: string, { group, decimal }: Notation, leastDigits: number): string {
  const parts = /^([-+]?)(\d+)(?:\.(\d+))?$/.exec(number);
  if (!parts) return cleanText(number);
  const [, sign = '', whole = '', fraction] = parts;
  const digits = whole.length < leastDigits ? whole : whole.replace(/\B(?=(\d{3})+$)/g, group);
  // The minus sign, which is as wide as a digit and at which no line breaks.
  return `${sign === '-' ? '\u2212' : sign}${digits}${fraction === undefined ? '' : decimal + fraction}`;
}

/** A day, or the day of a time stamp in UTC, in the notation of the language; other texts as they are. */
export function dateText(date: string, words: Words): string {
  const parts = /^(\d{4})-(0[1-9]|1[0-2])-(\d{2})(?![\d])/.exec(date);
  return parts ? notationOf(words).date(parts[1]!, parts[2]!, parts[3]!) : cleanText(date);
}

/** A time stamp of ISO 8601 in UTC, to the minute. */
export function timeText(time: string, words: Words): string {
  const clock = /T(\d{2}:\d{2})/.exec(time)?.[1];
  return clock === undefined ? dateText(time, words) : `${dateText(time, words)} ${clock}${NBSP}UTC`;
}

/** What a cell shows. */
export function cellText(cell: Cell | undefined, words: Words): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'string') return cleanText(cell);
  // Numbers of four digits can be years.
  if (typeof cell === 'number') return grouped(String(cell), notationOf(words), 5);
  if ('withheld' in cell) return words.withheld;
  if ('date' in cell) return dateText(cell.date, words);
  const { money } = notationOf(words);
  return money(grouped(cell.money, notationOf(words), 4), cleanText(cell.currency));
}
