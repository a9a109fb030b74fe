import type { FieldMap } from '../mappings/definition.js';
import type { FieldDiff, Value } from '../records/definition.js';
import { same } from './canonical.js';

type Values = Readonly<Record<string, Value>>;

/** The values of one record, by target of the field maps. A field that `cmdb` lacks is not compared. */
export interface Sides {
  /** At the last synchronisation; without a member for fields that were never synchronised. */
  base: Values;
  /** Values of the other system that a person has decided not to take. */
  kept: Values;
  cmdb: Values;
  ea: Values;
}

/**
 * The refused values that the other system still has. One of a field that the record does not show is not known to have changed.
 * @param kept refused values, and `cmdb` values of the other system, by target
 */
export const stillKept = (kept: Values, cmdb: Values): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(kept).filter(([target, value]) => !Object.hasOwn(cmdb, target) || same(cmdb[target], value)),
  );

/**
 * Three-way comparison: a value that one side has changed is taken from the owner; one that both have changed differently is a
 * conflict; without a common base the owner's value counts.
 * @returns the fields that differ, and the base of those that agree
 */
export function compare(
  fields: readonly Pick<FieldMap, 'target' | 'owner'>[],
  { base, kept, cmdb, ea }: Sides,
): { diffs: FieldDiff[]; base: Record<string, Value> } {
  const diffs: FieldDiff[] = [];
  const next: Record<string, Value> = { ...base };
  for (const { target, owner } of fields) {
    if (!Object.hasOwn(cmdb, target)) continue;
    const [theirs, ours] = [cmdb[target] ?? null, ea[target] ?? null];
    if (same(theirs, ours)) {
      next[target] = theirs;
      continue;
    }
    if (Object.hasOwn(kept, target) && same(kept[target], theirs)) continue;
    const isFirst = !Object.hasOwn(base, target);
    const isConflict = !isFirst && !same(theirs, base[target]) && !same(ours, base[target]);
    diffs.push({
      field: target,
      ...(!isFirst && { base: base[target] }),
      cmdb: theirs,
      ea: ours,
      take: isConflict ? 'conflict' : owner,
    });
  }
  return { diffs, base: next };
}
