import type { ValueClass } from './attribute-fields-repository.js';
import { KEY_SYNTAX } from '../../metamodel/index.js';

/**
 * Longer texts are compared by their first characters, because cursors and index entries contain the compared value.
 */
const COMPARED = 200;
/** Number of characters used before case and accents are folded, from which the compared characters are taken. */
const LOOKED_AT = 2 * COMPARED;

/**
 * A field key that may be part of an SQL text.
 * @throws where it is not a valid key of the metamodel
 */
export function fieldKey(key: string): string {
  if (!KEY_SYNTAX.test(key)) throw new Error(`${JSON.stringify(key)} is no field key`);
  return key;
}

/**
 * The value as JSON. Keys come from the metamodel and consist of letters and digits, so that they can be part of the
 * SQL text.
 */
export const jsonOf = (key: string, row = 'c.'): string => `${row}attributes->'${fieldKey(key)}'`;
const textOf = (key: string, row: string): string => `${row}attributes->>'${fieldKey(key)}'`;

/** The value as text; null where it is not a string. */
export const stringOf = (key: string): string =>
  `(case when jsonb_typeof(${jsonOf(key)}) = 'string' then ${textOf(key, 'c.')} end)`;

/** An expression for a comparable value; null where the value is absent or has another type. */
export interface Comparable {
  sql: string;
  type: 'numeric' | 'text';
  collate?: string;
}

/**
 * The expression by which values of a field are compared. Indexes use exactly this expression, otherwise the planner
 * cannot use them. It must be immutable and must not fail for any value, because storing such a value would fail.
 * @param like how the field defines its values; text where types define the key differently
 * @param row prefix of the column: the table alias in a list, empty in an index
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

/** The same with its collation, for conditions and ORDER BY. */
export const compared = ({ sql, collate }: Comparable): string =>
  collate === undefined ? sql : `${sql} collate ${collate}`;

/** The type's key as a literal: with a bound parameter the planner could not use a partial index of that type. */
export const isOfType = (type: string): string => `c.content_type = '${fieldKey(type)}'`;
