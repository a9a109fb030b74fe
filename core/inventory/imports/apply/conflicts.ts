import { isDeepStrictEqual } from 'node:util';
import type { MovedOn } from '../rows/due-repository.js';
import { changesOfFile, type RowChange } from '../rows/diff.js';
import type { RowError } from '../types.js';

/** The value of a field in the notation of diffs, such as `attributes.version`. */
function valueOf(now: MovedOn, field: string): unknown {
  const [map, key] = field.split(/\.(.*)/s) as [string, string | undefined];
  const value = now[map];
  if (key === undefined) return value ?? null;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : null;
}

/**
 * The fields of a diff that have changed since it was shown. A field that already has the row's value is not a
 * conflict.
 * @param now undefined where the card or relation is unchanged
 */
export function conflictsOf(diff: readonly RowChange[], now: MovedOn | undefined): RowError[] {
  if (!now) return [];
  return changesOfFile(diff)
    .filter(({ field, old, new: wanted }) => {
      const value = valueOf(now, field);
      return !isDeepStrictEqual(value, old ?? null) && !isDeepStrictEqual(value, wanted ?? null);
    })
    .map(({ field }) => ({ field, reason: 'was changed by another user since the preview' }));
}

/** Whether an operation failed because its card or relation changed concurrently: it will be retried. */
export const wasOvertaken = (faults: readonly RowError[]): boolean =>
  faults.length === 1 && faults[0]!.field === 'version';
