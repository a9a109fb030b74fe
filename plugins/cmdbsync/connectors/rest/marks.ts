import { ConnectorError } from '@lintel/sdk';
import type { Listed } from './paging/source.js';
import { memberOf } from './paging/following.js';
import type { RestTable } from './settings.js';

const LONGEST = 500;

/**
 * The mark of a first page from which a later read continues: a time a little before the answer, or an opaque text.
 * @throws ConnectorError `invalid_answer` if the answer does not have it
 */
export function watermarkOf({ since }: RestTable, { body, headers }: Listed): string | undefined {
  if (!since) return undefined;
  const invalid = (text: string): ConnectorError => new ConnectorError('invalid_answer', text);
  const found: unknown = since.field === '' ? headers['date'] : memberOf(body, since.field);
  if (since.field === '' && found === undefined) return undefined;
  if ((typeof found !== 'string' && typeof found !== 'number') || String(found).length > LONGEST)
    throw invalid('The answer has no valid mark of the time.');
  if (since.format === 'opaque') return String(found);
  const at = timeOf(found, since.format) - since.margin_seconds * 1_000;
  if (Number.isNaN(at)) throw invalid('The time in the answer cannot be read.');
  if (since.format === 'iso') return new Date(at).toISOString();
  return String(since.format === 'epoch_seconds' ? Math.floor(at / 1_000) : at);
}

/** Milliseconds since 1970. A number, or digits, are in the unit of the format. */
function timeOf(value: string | number, format: string): number {
  if (typeof value === 'string' && !/^-?\d{1,16}(\.\d+)?$/.test(value)) return Date.parse(value);
  return Number(value) * (format === 'epoch_seconds' ? 1_000 : 1);
}

/** The number of all records that an answer tells. @throws ConnectorError `invalid_answer` if it does not tell it */
export function totalOf({ total }: RestTable, { body }: Listed): number | undefined {
  if (total === '') return undefined;
  const found = Number(memberOf(body, total) ?? Number.NaN);
  if (!Number.isSafeInteger(found) || found < 0)
    throw new ConnectorError('invalid_answer', `The answer has no number of records in ${total}.`);
  return found;
}
