import type { InventoryFieldKind } from '@lintel/sdk';
import type { Value } from '../records/definition.js';
import { readDate } from './dates.js';
import { MappingFault, MOST_TEXT, textOf } from './values.js';

/** Targets without blanks at their ends, as cards store them. */
const TRIMMED = new Set(['name', 'alias', 'external_id', 'subtype']);

/**
 * A mapped value as a card stores it, so that equal values compare as equal.
 * @param kind of the target; undefined if it is not known
 * @returns null for an empty text
 * @throws MappingFault for a value that the target cannot have
 */
export function settled(value: Value, target: string, kind: InventoryFieldKind | undefined): Value {
  if (value === null || value === undefined || value === '') return null;
  switch (kind) {
    case 'text':
    case 'option': {
      const text = textOf(value);
      return (TRIMMED.has(target) || kind === 'option' ? text.trim() : text) || null;
    }
    case 'date':
      return readDate(value, 'iso');
    case 'number':
      return typeof value === 'string' ? numberOf(value) : single(value);
    case 'options':
      return (Array.isArray(value) ? (value as Value[]) : [value]).map(textOf);
    default:
      return bounded(value);
  }
}

function numberOf(text: string): number | null {
  if (text.trim() === '') return null;
  const number = Number(text);
  if (!Number.isFinite(number)) throw new MappingFault('is not a number');
  return number;
}

function single(value: Value): Value {
  if (typeof value === 'object') throw new MappingFault('is a list or an object, not a single value');
  return value;
}

function bounded(value: Value): Value {
  const length = typeof value === 'string' ? value.length : JSON.stringify(value).length;
  if (length > MOST_TEXT) throw new MappingFault(`is longer than ${MOST_TEXT} characters`);
  return value;
}
