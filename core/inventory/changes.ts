import { isDeepStrictEqual } from 'node:util';

/** A change of one field: a column, or one key of a map such as `attributes.cost`. No value is null. */
export interface Change {
  field: string;
  old: unknown;
  new: unknown;
}

/**
 * The fields whose values after the changes differ from those before them: columns first, then the keys of maps by name.
 * @param changes of one row, in their order
 */
export function changedFields(changes: readonly Change[]): string[] {
  const net = new Map<string, { old: unknown; new: unknown }>();
  for (const change of changes) net.set(change.field, { old: (net.get(change.field) ?? change).old, new: change.new });
  const fields = [...net].filter(([, { old, new: now }]) => !isDeepStrictEqual(old, now)).map(([field]) => field);
  return [...fields.filter((field) => !field.includes('.')), ...fields.filter((field) => field.includes('.')).sort()];
}
