/** Predecessors in the notation of Microsoft Project, such as `3FS+2d;5SS`. */
import { DEPENDENCY_TYPES, type DependencyType } from '../schedule/types.js';

/** A predecessor by the number of its row. */
export interface Predecessor {
  number: string;
  type: DependencyType;
  lag_days: number;
}

const ENTRY = /^(\d{1,9})(FS|SS|FF|SF)?(?: ?([+-]) ?(\d{1,4}) ?d(?:ays?)?)?$/i;

/** @returns the text of one cell */
export const predecessorsText = (all: readonly Predecessor[]): string =>
  all
    .map(({ number, type, lag_days }) => {
      const lag = lag_days === 0 ? '' : `${lag_days > 0 ? '+' : '-'}${Math.abs(lag_days)}d`;
      return `${number}${type === 'FS' && lag === '' ? '' : type}${lag}`;
    })
    .join(';');

/**
 * Reads a cell: entries separated by semicolons or commas; without a type FS.
 * @returns the predecessors, or the entry that cannot be read
 */
export function readPredecessors(text: string): Predecessor[] | { wrong: string } {
  const found: Predecessor[] = [];
  for (const entry of text.split(/[;,]/).map((one) => one.trim())) {
    if (entry === '') continue;
    const match = ENTRY.exec(entry);
    if (!match) return { wrong: entry };
    const [, number, type = 'FS', sign, days = '0'] = match;
    const lag = Number(days) * (sign === '-' ? -1 : 1);
    if (Math.abs(lag) > 999) return { wrong: entry };
    const known = DEPENDENCY_TYPES.find((one) => one === type.toUpperCase())!;
    found.push({ number: String(Number(number)), type: known, lag_days: lag === 0 ? 0 : lag });
  }
  return found;
}
