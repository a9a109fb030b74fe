import type { SetChange } from '../../rule-values.js';

/** A change that the preview of a row shows. */
export interface RowChange {
  /** Such as `name` and `attributes.owner`. */
  field: string;
  old: unknown;
  new: unknown;
  /** Id of the module whose rule sets the value; absent for a value of the file. */
  set_by?: string;
}

/**
 * The changes that the file itself makes. Only these are written, and compared with changes by others: rules are called
 * again when the row is applied.
 */
export const changesOfFile = (diff: readonly RowChange[]): RowChange[] =>
  diff.filter(({ set_by }) => set_by === undefined);

/** A diff with the values that rules set, instead of those that an earlier preview found. */
export function withSet(
  diff: readonly RowChange[],
  set: readonly SetChange[],
  verdict: 'create' | 'update',
): RowChange[] {
  // The defaults of a new card or relation are not shown as its former values.
  return [...changesOfFile(diff), ...set.map((change) => (verdict === 'create' ? { ...change, old: null } : change))];
}

/** The patch of an update: contains only the diff, so that concurrent changes of other fields are kept. */
export function patchOf<T>(diff: readonly RowChange[]): T {
  const patch: Record<string, unknown> = {};
  for (const { field, new: value } of changesOfFile(diff)) {
    if (field === 'parent_id') continue;
    const [map, key] = field.split(/\.(.*)/s) as [string, string | undefined];
    if (key === undefined) patch[field] = value;
    else patch[map] = { ...(patch[map] as object), [key]: value ?? null };
  }
  return patch as T;
}
