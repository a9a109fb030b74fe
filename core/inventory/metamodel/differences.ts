import { isDeepStrictEqual } from 'node:util';
import { changedPart } from '../../foundation/changed-part.js';

export interface Change {
  field: string;
  old: unknown;
  new: unknown;
}

type Values = Record<string, unknown>;
interface Keyed {
  key: string;
}

const isKeyed = (value: unknown): value is Keyed[] =>
  Array.isArray(value) && value.length > 0 && value.every((v) => typeof v === 'object' && v !== null && 'key' in v);

/**
 * Flattens a definition: list entries with a key become separate members, so that a change names only the affected one.
 */
function spread(definition: object): Map<string, unknown> {
  const out = new Map<string, unknown>();
  for (const [name, value] of Object.entries(definition)) {
    if (name === 'sections' && Array.isArray(value)) {
      for (const { fields, ...section } of value as (Keyed & { fields: Keyed[] })[]) {
        out.set(`sections.${section.key}`, { ...section, fields: fields.map((f) => f.key) });
        for (const field of fields) out.set(`fields.${field.key}`, field);
      }
      out.set(
        name,
        (value as Keyed[]).map((s) => s.key),
      );
    } else if (isKeyed(value)) {
      for (const item of value) out.set(`${name}.${item.key}`, item);
      out.set(
        name,
        value.map((item) => item.key),
      );
    } else if (name === 'quality_weights')
      for (const [key, weight] of Object.entries(value as Values)) out.set(`${name}.${key}`, weight);
    else out.set(name, value);
  }
  return out;
}

/**
 * Whether a field has the keys of a list whose entries are members of their own, in the same order apart from added and
 * removed ones: these members already say what was added and removed.
 */
function isSameOrder(field: string, was: ReadonlyMap<string, unknown>, is: ReadonlyMap<string, unknown>): boolean {
  const [old, now] = [was.get(field) ?? [], is.get(field) ?? []];
  const entries = (keys: unknown, of: ReadonlyMap<string, unknown>): keys is string[] =>
    Array.isArray(keys) && keys.every((key) => of.has(`${field}.${String(key)}`));
  if (!entries(old, was) || !entries(now, is) || old.length + now.length === 0) return false;
  const [had, has] = [new Set(old), new Set(now)];
  return isDeepStrictEqual(
    old.filter((key) => has.has(key)),
    now.filter((key) => had.has(key)),
  );
}

const EMPTY = [[], {}, false, undefined, null];

/** The changes between two definitions; undefined for a definition that does not exist. */
export function differences(before: object | undefined, after: object | undefined): Change[] {
  const [was, is] = [spread(before ?? {}), spread(after ?? {})];
  const changes: Change[] = [];
  for (const field of new Set([...was.keys(), ...is.keys()])) {
    const [o, n] = [was.get(field), is.get(field)];
    if (before && after && isSameOrder(field, was, is)) continue;
    const nothing = (value: unknown) => EMPTY.some((empty) => isDeepStrictEqual(value, empty));
    if (!isDeepStrictEqual(o, n) && !(nothing(o) && nothing(n)))
      changes.push({ field, old: o ?? null, new: n ?? null });
  }
  return changes;
}

const MAX_BYTES = 65_536;

/** The changes for an event: without values where they would be too large. */
export function eventChanges(changes: readonly Change[]): {
  changes: readonly (Change | Pick<Change, 'field'>)[];
  abridged?: true;
} {
  const parts = changes.map((change): Change => ({ ...change, ...changedPart(change.old, change.new) }));
  if (JSON.stringify(parts).length <= MAX_BYTES) return { changes: parts };
  return { changes: changes.slice(0, 1_000).map(({ field }) => ({ field })), abridged: true };
}
