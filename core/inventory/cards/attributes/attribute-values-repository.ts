import type { ValueClass } from './attribute-fields-repository.js';
import { fieldKey } from './field-key.js';

/** A longer text is compared by its beginning: a cursor and an entry of an index hold what they stand for. */
const COMPARED = 200;
/** Of so much of it, before case and accents are taken away: what is compared comes from there. */
const LOOKED_AT = 2 * COMPARED;

/** The value as JSON. Keys come from the metamodel and are of letters and digits, so that they can stand in the text. */
export const jsonOf = (key: string, row = 'c.'): string => `${row}attributes->'${fieldKey(key)}'`;
const textOf = (key: string, row: string): string => `${row}attributes->>'${fieldKey(key)}'`;

/** The value as text, null where it is none. */
export const stringOf = (key: string): string =>
  `(case when jsonb_typeof(${jsonOf(key)}) = 'string' then ${textOf(key, 'c.')} end)`;

/** A value as it is compared; null where there is none, or one of another shape. */
export interface Comparable {
  sql: string;
  type: 'numeric' | 'text';
  collate?: string;
}

/**
 * How values of a field compare. An index is made of this very expression, and the planner takes it for no other: it
 * must be immutable, and must fail for no value whatever, because the writing of that value would fail.
 * @param like how the field means its values; text where types mean the key differently
 * @param row what the column stands behind: the alias of the table in a list, nothing in an index
 */
export function comparable(key: string, like: ValueClass, row = 'c.'): Comparable {
  const [json, text] = [jsonOf(key, row), textOf(key, row)];
  switch (like) {
    case 'number':
      return { sql: `(case when jsonb_typeof(${json}) = 'number' then (${json})::numeric end)`, type: 'numeric' };
    case 'date':
      return { sql: `(case when ${text} like '____-__-__' then ${text} end)`, type: 'text', collate: '"C"' };
    default:
      return {
        sql: `nullif(left(lintel_fold(left(${text}, ${LOOKED_AT})), ${COMPARED}), '')`,
        type: 'text',
        collate: '"C"',
      };
  }
}

/** The same with its collation, as it stands in conditions and orders. */
export const compared = ({ sql, collate }: Comparable): string =>
  collate === undefined ? sql : `${sql} collate ${collate}`;

/** A type's key as a literal: with a bound one the planner cannot tell that an index of that type serves. */
export const isOfType = (type: string): string => `c.type = '${fieldKey(type)}'`;
