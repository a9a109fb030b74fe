import type { Value } from '../records/definition.js';

/** Longest text of a mapped value, in UTF-16 code units. */
export const MOST_TEXT = 50_000;

type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The value of a field of a record.
 * @param path a key of the record, or the path of a member of an object, such as `site.name`
 * @returns null if there is none
 */
export function valueAt(values: Values, path: string): Value {
  if (Object.hasOwn(values, path)) return values[path] ?? null;
  // Keys may contain dots at any level, as in records whose references are resolved by path.
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    const inner = Object.hasOwn(values, head) ? values[head] : undefined;
    if (isObject(inner)) return valueAt(inner, path.slice(dot + 1));
  }
  return null;
}

/**
 * Whether a record shows a field. One that it does not have may be hidden from the account, which says nothing about its value; a member of
 * an object that is empty or does not have it is empty.
 */
export function isShown(values: Values, path: string): boolean {
  if (Object.hasOwn(values, path)) return true;
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    if (Object.hasOwn(values, head) && typeof (values[head] ?? null) === 'object') return true;
  }
  return false;
}

/** An error of one record, with a reason for users. */
export class MappingFault extends Error {}

/**
 * A value as text; empty for null.
 * @throws MappingFault for lists, objects and texts that are too long
 */
export function textOf(value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') throw new MappingFault('is a list or an object, not a single value');
  const text = String(value as string | number | boolean);
  if (text.length > MOST_TEXT) throw new MappingFault(`is longer than ${MOST_TEXT} characters`);
  return text;
}

/** Whether the database can store a text. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The beginning of a text as the database can store it. @param most UTF-16 code units */
export const storable = (text: string, most: number): string =>
  text.slice(0, most).replaceAll('\0', ' ').toWellFormed();

/** Levels of lists and objects in a value, and values in it. */
const MOST_LEVELS = 100;
const MOST_VALUES = 20_000;

/**
 * Other systems may send any text, and lists in lists.
 * @param levels that the value may have
 * @param count of the values so far
 * @throws MappingFault for a value that cannot be stored, or is too large to be compared
 */
export function demandStorable(value: unknown, levels = MOST_LEVELS, count = { values: 0 }): void {
  if (++count.values > MOST_VALUES) throw new MappingFault(`has more than ${MOST_VALUES} values`);
  if (typeof value === 'string') {
    if (!isStorable(value)) throw new MappingFault('has the character U+0000 or an unpaired surrogate');
  } else if (typeof value === 'number') {
    // JSON would have null instead, which empties the card.
    if (!Number.isFinite(value)) throw new MappingFault('is a number that is too large');
  } else if (value !== null && typeof value === 'object') {
    if (levels === 0) throw new MappingFault(`has more than ${MOST_LEVELS} levels of lists and objects`);
    for (const [name, inner] of Object.entries(value)) {
      demandStorable(name);
      demandStorable(inner, levels - 1, count);
    }
  }
}
