/** The most expensive bodies within given limits, generated from the schema of an operation. */
import type { Body, Schema } from '../drive/document.js';

/** The limits of a body: its bytes, and its values as a parser counts them: keys, items and brackets. */
export interface Budget {
  bytes: number;
  values: number;
}

export const SHAPES = ['array of numbers', 'wide object', 'deep object', 'long strings', 'many invalid items'] as const;
export type Shape = (typeof SHAPES)[number];

export interface WorstBody {
  shape: Shape;
  place: string;
  readonly text: string;
}

/** A body whose text is made when it is first read: a megabyte takes longer to make than to send, and not all are sent. */
function lazily(shape: Shape, place: string, make: () => string): WorstBody {
  let text: string | undefined;
  return {
    shape,
    place,
    get text() {
      return (text ??= make());
    },
  };
}

/** A position in a body where its schema has an array, a map or a text. */
interface Place {
  path: (string | 0)[];
  schema: Schema;
}

const LEVELS = 55;
const MOST_PLACES = 40;
const EXAMPLE_DEPTH = 8;

const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat());
const isOpen = (schema: Schema): boolean =>
  Object.keys(schema.patternProperties ?? {}).length > 0 ||
  (schema.additionalProperties !== undefined && schema.additionalProperties !== false);
const branchesOf = (schema: Schema): Schema[] => [schema.anyOf, schema.oneOf, schema.allOf].flatMap((all) => all ?? []);

/** Codes of characters: comparing them is much faster than comparing texts, of which each body has a million. */
const SIGNS = { backslash: 0x5c, quote: 0x22, comma: 0x2c, colon: 0x3a, bracket: 0x5b, brace: 0x7b } as const;

/** The number of keys, items and brackets of a JSON text. */
export function countValues(text: string): number {
  let count = 1;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (isText) {
      if (sign === SIGNS.backslash) at++;
      else if (sign === SIGNS.quote) isText = false;
      continue;
    }
    if (sign === SIGNS.quote) isText = true;
    else if (sign === SIGNS.comma || sign === SIGNS.colon || sign === SIGNS.bracket || sign === SIGNS.brace) count++;
  }
  return count;
}

function placesOf(schema: Schema, path: (string | 0)[] = [], found: Place[] = []): Place[] {
  if (path.length > 6 || found.length >= MOST_PLACES) return found;
  const types = typesOf(schema);
  if (
    path.length > 0 &&
    (types.includes('array') ||
      (types.includes('string') && !schema.enum && !['uuid', 'date', 'date-time'].includes(schema.format ?? '')) ||
      isOpen(schema))
  )
    found.push({ path, schema });
  for (const [key, inner] of Object.entries(schema.properties ?? {})) placesOf(inner, [...path, key], found);
  if (schema.items) placesOf(schema.items, [...path, 0], found);
  for (const inner of branchesOf(schema)) placesOf(inner, path, found);
  return found;
}

const uuid = (n: number): string => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** A small value that the schema accepts; different for each n where that is possible. */
function sample(schema: Schema, n: number, depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[n % schema.enum.length];
  const [branch] = branchesOf(schema);
  if (branch) return sample(branch, n, depth);
  const [type] = typesOf(schema);
  if (type === 'array')
    return depth > EXAMPLE_DEPTH
      ? []
      : Array.from({ length: schema.minItems ?? 0 }, (_, i) => sample(schema.items ?? {}, n * 31 + i, depth + 1));
  if (type === 'object' || schema.properties) {
    const needed = schema.required ?? [];
    const members = Object.entries(schema.properties ?? {})
      .filter(([key]) => needed.includes(key))
      .map(([key, inner]) => [key, sample(inner, n, depth + 1)]);
    return Object.fromEntries(members);
  }
  if (type === 'integer' || type === 'number') return Math.min((schema.minimum ?? 0) + n, schema.maximum ?? Infinity);
  if (type === 'boolean') return n % 2 === 0;
  if (type === 'null') return null;
  if (schema.format === 'uuid') return uuid(n);
  if (schema.format === 'date') return `20${String(10 + (n % 80)).padStart(2, '0')}-01-15`;
  if (schema.format === 'date-time') return '2026-01-15T10:00:00.000Z';
  if (schema.format === 'email') return `u${n}@example.org`;
  if (schema.pattern !== undefined && typeof schema.examples?.[0] === 'string') return schema.examples[0];
  return `x${n}`.slice(0, schema.maxLength ?? 100).padEnd(schema.minLength ?? 0, 'x');
}

const LETTERS: Record<Shape, string> = {
  'array of numbers': '1',
  'wide object': 'k.1-',
  'deep object': '((',
  'long strings': 'a',
  'many invalid items': 'a, ',
};
const longText = (length: number, shape: Shape): string =>
  `${LETTERS[shape].repeat(Math.max(1, Math.ceil(length / LETTERS[shape].length))).slice(0, Math.max(0, length - 1))}!`;
const deep = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, n) => make(n));

/** A value of the shape that uses the whole budget, regardless of the schema. */
function filler(shape: Shape, { bytes, values }: Budget, levels = LEVELS): unknown {
  switch (shape) {
    case 'array of numbers':
      return times(Math.min(values, bytes / 8), (n) => n);
    case 'wide object':
      return Object.fromEntries(times(Math.min(values / 2, bytes / 10), (n) => [`k${n}`, 1]));
    case 'deep object':
      return Object.fromEntries(
        times(Math.min(values / (2 * levels + 2), bytes / (6 * levels + 10)), (n) => [`d${n}`, deep(levels)]),
      );
    case 'long strings':
      return times(Math.min(10, values), () => longText(bytes / 10 - 3, shape));
    case 'many invalid items':
      return times(Math.min(values / 4, bytes / 14), (n) => ({ '': n }));
  }
}

/** The same for one place, with as many items, members or characters as its schema accepts. @param isSound whether items are valid */
function fillPlace({ schema, path }: Place, shape: Shape, budget: Budget, isSound: boolean): unknown {
  const types = typesOf(schema);
  if (types.includes('string')) return longText(Math.min(schema.maxLength ?? Infinity, budget.bytes), shape);
  const levels = LEVELS - path.length;
  const most = types.includes('array')
    ? (schema.maxItems ?? Infinity)
    : ((schema as { maxProperties?: number }).maxProperties ?? Infinity);
  const share = (count: number): Budget => ({ bytes: budget.bytes / count, values: budget.values / count });
  const inner =
    schema.items ??
    Object.values(schema.patternProperties ?? {})[0] ??
    (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {});
  const listed = (items: unknown[]): unknown =>
    types.includes('array') ? items : Object.fromEntries(items.map((item, n) => [`k${n}`, item]));
  switch (shape) {
    case 'array of numbers':
      return filler(shape, budget);
    case 'wide object':
    case 'deep object': {
      const count = Math.min(most, 10);
      return listed(times(count, () => filler(shape, share(count), levels)));
    }
    case 'long strings': {
      const count = Math.min(most, 200, budget.values / 2);
      return listed(
        times(count, () => longText(Math.min(inner.maxLength ?? Infinity, budget.bytes / count - 10), shape)),
      );
    }
    case 'many invalid items': {
      const one = JSON.stringify(sample(inner, 1_000));
      const count = Math.min(most, budget.values / (countValues(one) + 2), budget.bytes / (one.length + 8));
      return listed(
        times(count, (n) => {
          const item = sample(inner, n);
          if (isSound) return item;
          return typeof item === 'object' && item !== null && !Array.isArray(item)
            ? { ...item, [`bogus${n}`]: n }
            : { bogus: n };
        }),
      );
    }
  }
}

/** Sets the value at a path, and creates the required members around it. */
function put(root: unknown, schema: Schema, path: readonly (string | 0)[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const branches = [schema, ...branchesOf(schema)];
  if (key === 0) {
    const items = branches.find(({ items: of }) => of !== undefined)?.items ?? {};
    const before: unknown[] = Array.isArray(root) ? (root as unknown[]) : [];
    return [put(before[0] ?? sample(items, 0), items, rest, value), ...before.slice(1)];
  }
  const inner = branches.find(({ properties }) => properties?.[key] !== undefined)?.properties?.[key] ?? {};
  const before =
    typeof root === 'object' && root !== null && !Array.isArray(root)
      ? (root as Record<string, unknown>)
      : (sample(branches.find((b) => b.properties?.[key] !== undefined) ?? {}, 0) as Record<string, unknown>);
  return { ...before, [key]: put(before[key], inner, rest, value) };
}

/** Reduces the share of the budget until the text is within the budget, in few steps: by how far the last text exceeded it. */
function within(budget: Budget, make: (budget: Budget) => unknown): string {
  for (let share = 0.95; ; ) {
    const text = JSON.stringify(make({ bytes: budget.bytes * share, values: budget.values * share }));
    const fits = Math.min(budget.bytes / Buffer.byteLength(text), budget.values / countValues(text));
    if (fits >= 1 || share < 0.01) return text;
    share *= Math.min(0.95, Math.max(0.5, 0.98 * fits));
  }
}

const strange = new Map<string, WorstBody[]>();

/** Bodies of each shape, regardless of the schema of the operation: the same for all operations with the same budget. */
export function strangeBodies(budget: Budget): readonly WorstBody[] {
  const key = `${budget.bytes} ${budget.values}`;
  const known = strange.get(key);
  if (known) return known;
  const bodies = SHAPES.map((shape) => ({
    shape,
    place: 'the whole body',
    text: within(budget, (b) => filler(shape, b)),
  }));
  // Each is as large as its budget.
  if (strange.size < 8) strange.set(key, bodies);
  return bodies;
}

/**
 * Bodies of each shape within a valid body: at all places at once, or at one place.
 * @param each whether each place is also filled alone
 */
export function* fittingBodies(
  { schema, examples }: Pick<Body, 'schema' | 'examples'>,
  budget: Budget,
  each: boolean,
): Iterable<WorstBody> {
  const base = examples[0] ?? sample(schema, 0);
  const places = placesOf(schema);
  if (places.length === 0) return;
  // Nested places cannot be filled together: one body fills the outer places, another the inner ones.
  const outer = places.filter(
    ({ path }) =>
      !places.some((other) => other.path.length < path.length && other.path.every((key, i) => key === path[i])),
  );
  const inner = places.filter(
    ({ path }) =>
      !places.some((other) => other.path.length > path.length && path.every((key, i) => key === other.path[i])),
  );
  const groups: (readonly [name: string, group: readonly Place[]])[] = [
    ['all outer places', outer],
    ['all inner places', inner],
    ...(each ? places.map((place) => [`/${place.path.join('/')}`, [place]] as const) : []),
  ];
  for (const [name, group] of groups.filter(
    ([, one], i) => i === 0 || one.some((place) => !outer.includes(place)) || each,
  )) {
    const all =
      (shape: Shape, isSound: boolean) =>
      (b: Budget): unknown => {
        const share = { bytes: b.bytes / group.length, values: b.values / group.length };
        return group.reduce(
          (body, place) => put(body, schema, place.path, fillPlace(place, shape, share, isSound)),
          base,
        );
      };
    for (const shape of SHAPES) yield lazily(shape, name, () => within(budget, all(shape, false)));
    yield lazily('many invalid items', `${name}, sound by the schema`, () =>
      within(budget, all('many invalid items', true)),
    );
  }
}
