import { isDeepStrictEqual } from 'node:util';
import { isUuid } from './ids.js';

type Values = Record<string, unknown>;

const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));

const isDeep = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * Whether an object names something, such as a card. It stays whole: from receivers who may not see the card, all of it is
 * removed.
 */
const isReference = (map: Values): boolean =>
  Object.values(map).some((value) => typeof value === 'string' && isUuid(value));

interface Keyed extends Values {
  key: string;
}
/** Whether a value is a list of objects that are told apart by their `key`. */
const isKeyed = (value: unknown): value is Keyed[] =>
  Array.isArray(value) &&
  value.every((entry: unknown) => isMap(entry) && typeof entry['key'] === 'string') &&
  new Set((value as Keyed[]).map(({ key }) => key)).size === value.length;

/** The entries of one list that the other one has not, or has in another way; where the order differs, the keys of all. */
function entriesOf(list: readonly Keyed[], other: readonly Keyed[]): Keyed[] {
  const others = new Map(other.map((entry) => [entry.key, entry]));
  const own = new Set(list.map(({ key }) => key));
  const isMoved = !isDeepStrictEqual(
    list.flatMap(({ key }) => (others.has(key) ? key : [])),
    other.flatMap(({ key }) => (own.has(key) ? key : [])),
  );
  return list.flatMap((entry): Keyed[] => {
    const { key } = entry;
    const counterpart = others.get(key);
    if (!counterpart) return [entry];
    if (isDeepStrictEqual(entry, counterpart)) return isMoved ? [{ key }] : [];
    return [{ key, ...(changedPart(entry, counterpart).old as Values) }];
  });
}

/**
 * What differs between two values: of maps the changed keys only, at any depth; of lists of objects with a `key` the changed
 * ones; other values, other lists included, as a whole. An event with it is as large as the change, and not as what is
 * stored.
 */
export function changedPart(old: unknown, now: unknown): { old: unknown; new: unknown } {
  if (isKeyed(old) && isKeyed(now)) {
    const [was, is] = [entriesOf(old, now), entriesOf(now, old)];
    return was.length + is.length === 0 ? { old, new: now } : { old: was, new: is };
  }
  if (!isMap(old) || !isMap(now) || isReference(old) || isReference(now)) return { old, new: now };
  const [was, is]: [Values, Values] = [{}, {}];
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (isDeepStrictEqual(old[key], now[key])) continue;
    const part = changedPart(old[key], now[key]);
    if (Object.hasOwn(old, key)) was[key] = part.old;
    if (Object.hasOwn(now, key)) is[key] = part.new;
  }
  // Equal maps are named on purpose: a secret that was sent again is still set.
  return Object.keys(was).length + Object.keys(is).length === 0 ? { old, new: now } : { old: was, new: is };
}

/** The data of an event in which each entry of `changes` has the changed part of its values only. */
export function withChangedParts(data: unknown): unknown {
  if (!isMap(data) || !Array.isArray(data['changes'])) return data;
  const changes: unknown[] = data['changes'];
  return {
    ...data,
    changes: changes.map((change) =>
      isMap(change) && isDeep(change['old']) && isDeep(change['new'])
        ? { ...change, ...changedPart(change['old'], change['new']) }
        : change,
    ),
  };
}

/** The entries of `changes` for a set of keys: one for each key that was added or removed. @param field name of the set */
export function changesOfKeys(
  field: string,
  old: readonly string[],
  now: readonly string[],
): { field: string; old: boolean; new: boolean }[] {
  const [was, is] = [new Set(old), new Set(now)];
  return [...new Set([...old, ...now])]
    .filter((key) => was.has(key) !== is.has(key))
    .sort()
    .map((key) => ({ field: `${field}.${key}`, old: was.has(key), new: is.has(key) }));
}
