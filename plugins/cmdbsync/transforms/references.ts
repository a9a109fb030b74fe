import type { Value } from '../records/definition.js';
import { MappingFault } from './values.js';

const MOST_REFERENCES = 1_000;
const LONGEST_ID = 500;

/**
 * The ids in a reference field: an id, an object with the member `id`, or a list of these.
 * @returns each once, in their order
 * @throws MappingFault for other values
 */
export function referencesOf(value: Value): string[] {
  const listed = Array.isArray(value) ? (value as unknown[]) : [value];
  if (listed.length > MOST_REFERENCES) throw new MappingFault(`has more than ${MOST_REFERENCES} references`);
  return [...new Set(listed.flatMap(idOf))];
}

function idOf(value: unknown): string[] {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : value;
  if (id === null || id === undefined || id === '') {
    // An object without an id is not an empty reference.
    if (typeof value === 'object' && value !== null) throw new MappingFault('has a reference without an id');
    return [];
  }
  if (typeof id !== 'string' && typeof id !== 'number') throw new MappingFault('is not a reference');
  const text = String(id);
  if (text.length > LONGEST_ID) throw new MappingFault(`has an id of more than ${LONGEST_ID} characters`);
  return [text];
}
