import { invalid } from '../../foundation/errors.js';
import { FieldSet, MAX_NUMBER } from './fields.js';
import { compilePattern } from './pattern.js';
import type { FieldDefinition } from './types.js';

/** An error and its position, as a JSON pointer into the definition. */
export interface Fault {
  field: string;
  reason: string;
}

/** The syntax of the keys of types, fields and options. */
export const KEY_SYNTAX = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
const SELECTS: readonly string[] = ['single_select', 'multiple_select'];
const NUMBERS: readonly string[] = ['number', 'integer', 'cost', 'percentage'];
/** Kinds without a default: their values depend on the workspace, or are computed. */
const NO_DEFAULT: readonly string[] = ['user', 'card_reference', 'calculated'];

/** Maximum number of errors in one problem. */
const MAX_FAULTS = 100;

/** @throws a 422 with the errors of a definition, if there are any */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalid(...faults.slice(0, MAX_FAULTS));
}

/** The reason why a text cannot be a key; names of members of `Object.prototype` are not allowed. */
export function keyFault(key: string): string | undefined {
  if (!KEY_SYNTAX.test(key)) return 'must be a letter followed by letters, digits or underscores, at most 63 in all';
  return key in Object.prototype || key === 'prototype' ? 'is a reserved name; choose another' : undefined;
}

/**
 * Errors of the keys of a list, including duplicates.
 * @param pointer position of the list
 */
export function keyFaults(
  list: readonly { key: string }[],
  pointer: string,
  seen = new Map<string, string>(),
): Fault[] {
  return list.flatMap(({ key }, i) => {
    const field = `${pointer}/${i}/key`;
    const reason = keyFault(key) ?? (seen.has(key) ? `is ${seen.get(key)} already` : undefined);
    if (!seen.has(key)) seen.set(key, field);
    return reason === undefined ? [] : [{ field, reason }];
  });
}

function boundFaults({ kind, min, max }: FieldDefinition): Fault[] {
  const faults: Fault[] = [];
  for (const [name, bound] of [
    ['min', min],
    ['max', max],
  ] as const) {
    if (bound === undefined) continue;
    if (!NUMBERS.includes(kind)) faults.push({ field: `/${name}`, reason: `is only for ${NUMBERS.join(', ')}` });
    else if (Math.abs(bound) > MAX_NUMBER)
      faults.push({ field: `/${name}`, reason: `must be between -${MAX_NUMBER} and ${MAX_NUMBER}` });
  }
  const [least, most] = kind === 'percentage' ? [min ?? 0, max ?? 100] : [min ?? -MAX_NUMBER, max ?? MAX_NUMBER];
  if (faults.length === 0 && least > most)
    faults.push({ field: '/max', reason: `must not be less than min, ${least}` });
  return faults;
}

function patternFaults({ kind, pattern }: FieldDefinition): Fault[] {
  if (pattern === undefined) return [];
  if (kind !== 'text') return [{ field: '/pattern', reason: 'is only for text' }];
  try {
    compilePattern(pattern);
    return [];
  } catch (error) {
    return [{ field: '/pattern', reason: (error as Error).message }];
  }
}

function optionFaults({ kind, options }: FieldDefinition): Fault[] {
  if (!SELECTS.includes(kind))
    return options === undefined || options.length === 0
      ? []
      : [{ field: '/options', reason: `are only for ${SELECTS.join(', ')}` }];
  if (options === undefined || options.length === 0) return [{ field: '/options', reason: 'must have at least one' }];
  return keyFaults(options, '/options');
}

function faultsOf(field: FieldDefinition): Fault[] {
  if (field.kind === 'calculated')
    return [{ field: '/kind', reason: 'requires calculated fields, which are not supported yet' }];
  const faults = [...boundFaults(field), ...patternFaults(field), ...optionFaults(field)];
  if (field.filterable === true && field.kind === 'multiple_select')
    faults.push({ field: '/filterable', reason: 'is only for single-valued fields' });
  return field.default !== undefined && NO_DEFAULT.includes(field.kind)
    ? [...faults, { field: '/default', reason: `is not for ${field.kind}` }]
    : faults;
}

/**
 * Errors of defaults by field: validated for all fields of a type together, because compiling the schema is the
 * expensive part.
 */
function defaultFaults(fields: readonly FieldDefinition[]): Map<FieldDefinition, Fault> {
  // Generated keys, because those of the fields may be invalid or duplicate.
  const byKey = new Map<string, FieldDefinition>(fields.map((field, i) => [`f${i}`, field]));
  const set = new FieldSet([...byKey].map(([key, field]) => ({ ...field, key })));
  const wrong =
    fields.length === 0
      ? []
      : set.errors(Object.fromEntries([...byKey].map(([key, field]) => [key, field.default])), '');
  return new Map(
    wrong.map(({ field, reason }) => [
      byKey.get(field.split('/')[1]!)!,
      { field: '/default', reason: `is no value of the field: ${reason}` },
    ]),
  );
}

interface PlacedFields {
  fields: readonly FieldDefinition[];
  /** Position of the list in the definition. */
  pointer: string;
}

const MAX_FIELDS = 500;

/** All errors of the fields of one type, in all its lists. */
export function fieldFaults(lists: readonly PlacedFields[], whole: string): Fault[] {
  const seen = new Map<string, string>();
  const own = new Map(lists.flatMap(({ fields }) => fields.map((field) => [field, faultsOf(field)] as const)));
  const wrongDefaults = defaultFaults(
    [...own].filter(([field, faults]) => field.default !== undefined && faults.length === 0).map(([field]) => field),
  );
  const faults = lists.flatMap(({ fields, pointer }) => [
    ...keyFaults(fields, pointer, seen),
    ...fields.flatMap((field, i) =>
      [...own.get(field)!, ...[wrongDefaults.get(field) ?? []].flat()].map((f) => ({
        ...f,
        field: `${pointer}/${i}${f.field}`,
      })),
    ),
  ]);
  return own.size > MAX_FIELDS
    ? [{ field: whole, reason: `must not have more than ${MAX_FIELDS} fields in all` }, ...faults]
    : faults;
}
