import type { Value } from '../records/definition.js';
import { MappingFault, textOf } from './values.js';

export const DATE_FORMATS = ['iso', 'dd.mm.yyyy', 'mm/dd/yyyy', 'epoch_seconds'] as const;

const DAY_MS = 86_400_000;

/** @returns YYYY-MM-DD; undefined if there is no such day */
function dayOf(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text ? undefined : text;
}

function parsed(text: string, format: string): string | undefined {
  if (format === 'epoch_seconds') {
    const at = /^-?\d{1,12}(\.\d+)?$/.test(text) ? new Date(Number(text) * 1_000) : undefined;
    const day = at && !Number.isNaN(at.getTime()) ? at.toISOString() : '';
    return /^\d{4}-/.test(day) ? day.slice(0, 10) : undefined;
  }
  if (format === 'dd.mm.yyyy') {
    const [, d, m, y] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:\D|$)/.exec(text) ?? [];
    return y === undefined ? undefined : dayOf(y, m!, d!);
  }
  if (format === 'mm/dd/yyyy') {
    const [, m, d, y] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:\D|$)/.exec(text) ?? [];
    return y === undefined ? undefined : dayOf(y, m!, d!);
  }
  const [, y, m, d] = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]|$)/.exec(text) ?? [];
  return y === undefined ? undefined : dayOf(y, m!, d!);
}

/** A date of the other system as YYYY-MM-DD; of a date with a time, its day. @throws MappingFault */
export function readDate(value: Value, format: string): string | null {
  const text = textOf(value).trim();
  if (text === '') return null;
  const day = parsed(text, format);
  if (day === undefined) throw new MappingFault(`is not a date in the format ${format}`);
  return day;
}

/** A date as the other system has it. @param day YYYY-MM-DD */
export function writeDate(day: string, format: string): Value {
  const [y, m, d] = day.split('-') as [string, string, string];
  if (format === 'epoch_seconds') return (Date.parse(`${day}T00:00:00Z`) / DAY_MS) * (DAY_MS / 1_000);
  if (format === 'dd.mm.yyyy') return `${d}.${m}.${y}`;
  return format === 'mm/dd/yyyy' ? `${m}/${d}/${y}` : day;
}
