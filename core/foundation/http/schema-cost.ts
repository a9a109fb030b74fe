import type { FastifySchema } from 'fastify';
import { keyOfToken, pointerToken } from '../json-pointer.js';
import { patternFault } from './linear-pattern.js';

/** The keywords of JSON Schema draft 7 that Ajv supports. */
interface Schema {
  [keyword: string]: unknown;
  type?: string | string[];
  items?: unknown;
  format?: string;
  pattern?: string;
}

const SCALARS = new Set(['string', 'number', 'integer', 'boolean', 'null']);
/** Formats whose length is bounded by their definition. */
const SHORT_FORMATS = new Set([
  'uuid',
  'date',
  'time',
  'date-time',
  'iso-time',
  'iso-date-time',
  'ipv4',
  'ipv6',
  'int32',
  'int64',
  'float',
  'double',
]);
/** Keywords that contain one schema, or a map of schemas, for members of the value. */
const INNER = {
  one: ['items', 'additionalItems', 'additionalProperties', 'propertyNames'],
  map: ['properties', 'patternProperties'],
};
/** Keywords with further schemas for the value itself: each processes the whole value again. */
const BESIDE = { one: ['not', 'if', 'then', 'else', 'contains'], list: ['allOf', 'anyOf', 'oneOf'] };
const BESIDE_KEYS = [...BESIDE.one, ...BESIDE.list];
/** Maximum number of times a value may be processed by nested branches. */
const MAX_TIMES = 64;
const MAX_FAULTS = 20;
const MAX_SCHEMAS = 20_000;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat());

/** Whether a value allowed by the schema may contain other values. */
const mayHold = (schema: unknown): boolean =>
  isSchema(schema) &&
  (typesOf(schema).length === 0
    ? !('const' in schema || 'enum' in schema)
    : typesOf(schema).some((type) => !SCALARS.has(type)));

class CostCheck {
  readonly faults: string[] = [];
  private looked = 0;
  /** References being followed, with how often their value was processed there. */
  private readonly open = new Map<Schema, number>();

  constructor(
    private readonly root: Schema,
    private readonly isBounded: boolean,
  ) {}

  /** @param times how often a value is processed at this position */
  visit(schema: unknown, pointer: string, times: number): void {
    if (!isSchema(schema) || this.faults.length >= MAX_FAULTS) return;
    if (++this.looked > MAX_SCHEMAS) return this.fault('', 'is too large, with its references followed');
    if (times > MAX_TIMES)
      return this.fault(pointer, `is in nested branches that process a value more than ${MAX_TIMES} times`);
    if (typeof schema['$ref'] === 'string') this.follow(schema['$ref'], pointer, times);
    this.own(schema, pointer);
    for (const key of INNER.one)
      if (key in schema)
        for (const [inner, at] of listed(schema[key], `${pointer}/${key}`)) this.visit(inner, at, times);
    for (const key of INNER.map)
      if (key in schema)
        for (const [name, inner] of Object.entries(schema[key] ?? {}))
          this.visit(inner, `${pointer}/${key}/${pointerToken(name)}`, times);
    if ('dependencies' in schema)
      for (const [name, inner] of Object.entries(schema['dependencies'] ?? {}))
        if (isSchema(inner)) this.visit(inner, `${pointer}/dependencies/${pointerToken(name)}`, times * 2);
    if (BESIDE_KEYS.some((key) => key in schema)) this.visitBeside(schema, pointer, times);
  }

  private visitBeside(schema: Schema, pointer: string, times: number): void {
    const beside = [
      ...BESIDE.one.map((key) => [schema[key], `${pointer}/${key}`] as const),
      ...BESIDE.list.flatMap((key) => listed(schema[key], `${pointer}/${key}`)),
    ];
    const working = beside.filter(([inner]) => mayHold(inner)).length + (hasOwnMembers(schema) ? 1 : 0);
    for (const [inner, at] of beside) this.visit(inner, at, mayHold(inner) ? times * Math.max(1, working) : 1);
  }

  private follow(ref: string, pointer: string, times: number): void {
    const target = this.target(ref);
    if (!target) return this.fault(pointer, `refers to ${ref}, which is not in the schema`);
    const before = this.open.get(target);
    if (before !== undefined && times > before)
      return this.fault(pointer, 'refers to itself within branches: each level adds more work');
    if (before !== undefined) return;
    this.open.set(target, times);
    this.visit(target, pointer, times);
    this.open.delete(target);
  }

  /** Checks the schema's own keywords, without its subschemas. */
  private own(schema: Schema, pointer: string): void {
    const types = typesOf(schema);
    if (schema['uniqueItems'] === true && !isComparedByHash(schema.items))
      this.fault(
        pointer,
        'has `uniqueItems` over items that are not all text, numbers or booleans by their `type`: each is compared with every other',
      );
    if (typeof schema.pattern === 'string') this.pattern(schema.pattern, pointer, 'pattern');
    if ('patternProperties' in schema)
      for (const key of Object.keys(schema['patternProperties'] ?? {}))
        this.pattern(key, pointer, 'pattern of properties');
    if (!this.isBounded || 'const' in schema || 'enum' in schema) return;
    if ((types.includes('array') || (types.length === 0 && schema.items !== undefined)) && !isFixed(schema))
      this.fault(pointer, 'is an array without `maxItems`');
    if (isMap(schema) && typeof schema['maxProperties'] !== 'number')
      this.fault(pointer, 'is a map without `maxProperties`');
    if (
      types.includes('string') &&
      typeof schema['maxLength'] !== 'number' &&
      !SHORT_FORMATS.has(schema.format ?? '') &&
      !isShort(schema.pattern)
    )
      this.fault(pointer, 'is text without `maxLength`');
  }

  private pattern(source: string, pointer: string, what: string): void {
    const fault = patternFault(source);
    if (fault !== undefined)
      this.fault(pointer, `has the ${what} ${source}, which ${fault}: it may take more than linear time`);
  }

  private target(ref: string): Schema | undefined {
    if (ref === '#') return this.root;
    if (!ref.startsWith('#/')) return undefined;
    let at: unknown = this.root;
    for (const key of decodeURIComponent(ref.slice(2)).split('/'))
      at = (at as Record<string, unknown> | undefined)?.[keyOfToken(key)];
    return isSchema(at) ? at : undefined;
  }

  private fault(pointer: string, reason: string): void {
    this.faults.push(`${pointer || 'the schema'} ${reason}`);
  }
}

const listed = (value: unknown, at: string): (readonly [unknown, string])[] =>
  Array.isArray(value) ? value.map((inner, i) => [inner, `${at}/${i}`] as const) : [[value, at]];
const hasOwnMembers = (schema: Schema): boolean => [...INNER.one, ...INNER.map].some((key) => isSchema(schema[key]));
/** Ajv compares items by a hash where their types allow it, else each item with every other. */
const isComparedByHash = (items: unknown): boolean =>
  isSchema(items) && typesOf(items).length > 0 && typesOf(items).every((type) => SCALARS.has(type));
/** Whether the schema explicitly allows members of any name. */
const isMap = (schema: Schema): boolean =>
  Object.keys(schema['patternProperties'] ?? {}).length > 0 ||
  schema['additionalProperties'] === true ||
  isSchema(schema['additionalProperties']);
const isFixed = ({ maxItems, items, additionalItems }: Schema): boolean =>
  typeof maxItems === 'number' || items === false || (Array.isArray(items) && additionalItems === false);
/** Whether a pattern bounds the length of its texts: it is anchored at both ends and has no open repetition. */
const isShort = (pattern: unknown): boolean =>
  typeof pattern === 'string' &&
  /^\^.*\$$/s.test(pattern) &&
  !/[*+]|,\}|\|/.test(pattern.replace(/\[(?:\\[^]|[^\]\\])*\]|\\./g, ''));

/** Schemas without faults, because the routes are registered again whenever the modules change. */
const sound = { bounded: new WeakSet(), other: new WeakSet() };

/**
 * Finds what may make validation superlinear in the length of the value, or repeat it too often.
 * @param isBounded whether arrays and texts must also have an upper bound, as in a body
 * @returns each finding with its position in the schema, as a JSON pointer; none where the schema is safe
 */
export function costFaults(schema: unknown, isBounded: boolean): string[] {
  const known = isBounded ? sound.bounded : sound.other;
  if (!isSchema(schema) || known.has(schema)) return [];
  const check = new CostCheck(schema, isBounded);
  check.visit(schema, '', 1);
  if (check.faults.length === 0) known.add(schema);
  return check.faults;
}

const PARTS = ['params', 'querystring', 'headers'] as const;

/**
 * The schemas of a body: one, or one per media type. Non-JSON bodies are only described by their schema, not validated.
 */
function bodiesOf(body: unknown): [name: string, schema: unknown][] {
  const { content } = (body ?? {}) as { content?: Record<string, { schema?: unknown }> };
  if (!content) return [['body', body]];
  return Object.entries(content)
    .filter(([type]) => /[/+]json\b/i.test(type))
    .map(([type, media]) => [`body of ${type}`, media.schema]);
}

/**
 * Finds schema parts of a route's requests that may take more than linear time to validate, or have no upper bound.
 * @returns the findings, each with the part of the request and the position in its schema
 */
export function routeFaults(schema: FastifySchema): string[] {
  const parts = [
    ...PARTS.map((part) => [part, schema[part], false] as const),
    ...bodiesOf(schema.body).map(([name, body]) => [name, body, true] as const),
  ];
  return parts.flatMap(([name, part, isBounded]) => costFaults(part, isBounded).map((fault) => `${name}: ${fault}`));
}
