import type { Change } from '../../changes.js';
import type { FieldError } from '@lintel/sdk';
import { isDeepStrictEqual } from 'node:util';
import type { CardType } from '../../metamodel/index.js';
import { isOneLine, nameKey } from '../../../foundation/text.js';
import { LIFECYCLE_PHASES, type CardInput, type CardState } from '../types.js';

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const NOT_PLAIN = /[^\x20-\x7e]/;
/** Maximum size of a name's key: compatibility characters expand up to eighteenfold, and an index entry has at most 2,704 bytes. */
const MAX_KEY_BYTES = 2_000;
/** Every month has 28 days; later days are checked with the calendar. */
const isDay = (text: string): boolean =>
  DAY.test(text) && (text.slice(8) <= '28' || new Date(`${text}T00:00:00Z`).toISOString().startsWith(text));

const isSame = (a: unknown, b: unknown): boolean => a === b || (typeof a === 'object' && isDeepStrictEqual(a, b));

/** Merge patch of one level (RFC 7396): null removes a member. @returns `current` itself if nothing changes */
export function merge<V>(current: Record<string, V>, patch: Record<string, V | null> | undefined): Record<string, V> {
  if (
    !patch ||
    Object.entries(patch).every(([key, value]) =>
      value === null ? !Object.hasOwn(current, key) : isSame(current[key], value),
    )
  )
    return current;
  const merged: Record<string, V> = { ...current };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = value;
  }
  return merged;
}

const withoutNulls = (values: Record<string, unknown>) =>
  Object.values(values).includes(null)
    ? Object.fromEntries(Object.entries(values).filter(([, v]) => v !== null))
    : values;

function lifecycleErrors(
  patch: Record<string, string | null>,
  merged: Record<string, string>,
  pointer: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [phase, day] of Object.entries(patch)) {
    if (!(LIFECYCLE_PHASES as readonly string[]).includes(phase))
      errors.push({
        field: `${pointer}/lifecycle/${phase}`,
        reason: `is unknown; the phases are ${LIFECYCLE_PHASES.join(', ')}`,
        in: 'body',
      });
    else if (day !== null && (typeof day !== 'string' || !isDay(day)))
      errors.push({ field: `${pointer}/lifecycle/${phase}`, reason: 'must be a date, YYYY-MM-DD', in: 'body' });
  }
  if (errors.length > 0) return errors;
  let before: string | undefined;
  for (const phase of LIFECYCLE_PHASES) {
    const day = merged[phase];
    if (day === undefined) continue;
    if (before !== undefined && day < before)
      errors.push({ field: `${pointer}/lifecycle/${phase}`, reason: `must not be before ${before}`, in: 'body' });
    before = day;
  }
  return errors;
}

/**
 * Checks the values sent for a card against the metamodel.
 * @param before the current card; undefined if it is created
 * @param pointer to the card in the body, `` for a single write
 * @param byHand whether the values come from an API request, which cannot set read-only fields
 */
export function inputErrors(
  type: CardType,
  input: CardInput,
  before: CardState | undefined,
  pointer: string,
  byHand = false,
): FieldError[] {
  const errors: FieldError[] = [];
  const bad = (field: string, reason: string) => errors.push({ field: `${pointer}/${field}`, reason, in: 'body' });
  if (input.name !== undefined || !before) {
    const name = input.name?.trim() ?? '';
    if (name.length === 0 || name.length > 500) bad('name', 'must have 1 to 500 characters that are not all blank');
    else if (name !== before?.name && !isOneLine(name)) bad('name', 'must be one line without control characters');
    else if (NOT_PLAIN.test(name) && Buffer.byteLength(nameKey(name)) > MAX_KEY_BYTES)
      bad('name', 'is too long once its characters are taken apart');
  }
  if (before && input.type !== undefined && input.type !== before.type) bad('type', 'cannot be changed');
  if (input.subtype !== undefined && input.subtype !== null && !type.subtypes.has(input.subtype))
    bad('subtype', `is no subtype of ${type.key}`);
  if (input.lifecycle)
    errors.push(...lifecycleErrors(input.lifecycle, merge(before?.lifecycle ?? {}, input.lifecycle), pointer));
  if (input.attributes) {
    errors.push(...type.fields.errors(withoutNulls(input.attributes), `${pointer}/attributes`));
    for (const [key, value] of Object.entries(input.attributes)) {
      if (value === null && !type.fields.byKey.has(key) && before?.attributes[key] === undefined)
        bad(`attributes/${key}`, 'is unknown');
      if (
        byHand &&
        type.fields.readonlyKeys.has(key) &&
        !isDeepStrictEqual(value ?? undefined, before?.attributes[key])
      )
        bad(`attributes/${key}`, 'is read-only');
    }
  }
  return errors;
}

const text = (value: string | null | undefined, before: string | null): string | null => {
  if (value === undefined) return before;
  return value === null || value.trim() === '' ? null : value;
};

/** The card after the input, except for its position in the tree, which the writer computes. */
export function applyInput(type: CardType, before: CardState, input: CardInput): CardState {
  return {
    ...before,
    name: input.name === undefined ? before.name : input.name.trim(),
    subtype: input.subtype === undefined ? before.subtype : input.subtype,
    description: text(input.description, before.description),
    alias: text(input.alias, before.alias),
    external_id: text(input.external_id, before.external_id),
    lifecycle: merge(before.lifecycle, input.lifecycle),
    attributes: merge(before.attributes, input.attributes && type.fields.canonical(input.attributes)),
  };
}

const PLAIN = [
  'name',
  'subtype',
  'description',
  'alias',
  'external_id',
  'parent_id',
  'status',
  'approval_status',
] as const;
/** Edits of these change an approval to BROKEN. */
const SUBSTANTIVE = /^(name|description|subtype|parent_id|alias|lifecycle\..+|attributes\..+)$/;

/** The differences between two states of a card, one entry per field and per attribute. */
export function differences(before: CardState, after: CardState): Change[] {
  const changes: Change[] = [];
  for (const field of PLAIN)
    if (before[field] !== after[field]) changes.push({ field, old: before[field], new: after[field] });
  for (const map of ['lifecycle', 'attributes'] as const) {
    if (before[map] === after[map]) continue;
    for (const key of new Set([...Object.keys(before[map]), ...Object.keys(after[map])])) {
      const [o, n] = [before[map][key] ?? null, after[map][key] ?? null];
      if (!isSame(o, n)) changes.push({ field: `${map}.${key}`, old: o, new: n });
    }
  }
  return changes;
}

export const isSubstantive = (changes: Change[]): boolean => changes.some((c) => SUBSTANTIVE.test(c.field));
