/** A schema of the OpenAPI document, as far as it is worked on here. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  maximum?: number;
  description?: string;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  /** The name of the schema in the document, where the one made from its place would say less; it is not shown. */
  'x-name'?: string;
}

/** Where a schema stands in another: under the name of a property, as one of many items or values, or as a branch. */
export type Step = { property: string } | 'many' | 'branch';

/** Puts what `change` makes of them in the place of the schemas that stand directly in another. */
export function changeInner(schema: Schema, change: (inner: Schema, step: Step) => Schema): void {
  const { properties, patternProperties, additionalProperties, items } = schema;
  for (const name of Object.keys(properties ?? {})) properties![name] = change(properties![name]!, { property: name });
  for (const name of Object.keys(patternProperties ?? {}))
    patternProperties![name] = change(patternProperties![name]!, 'many');
  if (typeof additionalProperties === 'object') schema.additionalProperties = change(additionalProperties, 'many');
  if (items) schema.items = change(items, 'many');
  for (const union of ['anyOf', 'oneOf', 'allOf'] as const)
    if (schema[union]) schema[union] = schema[union].map((branch) => change(branch, 'branch'));
}

/** Calls `visit` with every schema that stands directly in another. */
export function eachInner(schema: Schema, visit: (inner: Schema, step: Step) => void): void {
  changeInner(schema, (inner, step) => {
    visit(inner, step);
    return inner;
  });
}

/** Calls `visit` with every holder of a schema below a part of the document that is no schema itself: media, parameters, headers. */
export function eachHolder(node: unknown, visit: (holder: { schema: Schema }) => void): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries(node)) {
    if (key === 'schema' && typeof child === 'object') visit(node as { schema: Schema });
    else if (key !== 'example' && key !== 'examples') eachHolder(child, visit);
  }
}

/** What a regular expression of another language may not know: Unicode properties, and looking ahead or behind. */
const UNPORTABLE = /\\p\{|\(\?<?[=!]/i;
const MOST_OF_32_BITS = 2 ** 31 - 1;

const isNull = ({ type }: Schema): boolean => type === 'null';

/** A union of constants of one type as an enumeration, of which pages and generators make a choice. */
function joinConstants(schema: Schema): void {
  const { anyOf } = schema;
  if (!anyOf?.length || !anyOf.every((s) => s.const !== undefined && s.type === anyOf[0]!.type)) return;
  delete schema.anyOf;
  Object.assign(schema, { type: anyOf[0]!.type, enum: anyOf.map((s) => s.const) });
}

/** A plain value or null as one schema of two types, which more generators read as a value that may be absent. */
function joinNull(schema: Schema): void {
  const { anyOf, ...outer } = schema;
  const [value, ...others] = (anyOf ?? []).filter((branch) => !isNull(branch));
  if (!value || others.length > 0 || anyOf!.length !== 2) return;
  if (typeof value.type !== 'string' || value.type === 'object' || value.const !== undefined) return;
  // What both say of themselves cannot stand in one.
  if (Object.keys(value).some((key) => key in outer && key !== 'description')) return;
  delete schema.anyOf;
  Object.assign(schema, value, outer, { type: [value.type, 'null'] });
  if (value.enum) schema.enum = [...value.enum, null];
}

/** Generators take a number without a format for one of 32 bits. */
function sayWidth(schema: Schema): void {
  if (schema.format !== undefined || schema.enum || schema.const !== undefined) return;
  const types = [schema.type].flat();
  if (types.includes('number')) schema.format = 'double';
  else if (types.includes('integer') && (schema.maximum ?? Infinity) > MOST_OF_32_BITS) schema.format = 'int64';
}

/**
 * A map of flags that is one of several forms: the generators for Go and Java make types without a valid name for typed values
 * there, so that it is described as any object. What its values may be, the description says.
 */
function openMaps({ anyOf = [] }: Schema): void {
  const forms = anyOf.filter((form) => !isNull(form));
  if (forms.length < 2) return;
  for (const form of forms)
    if (typeof form.additionalProperties === 'object' && !form.properties) delete form.additionalProperties;
}

/**
 * Writes a schema, and all in it, in the words that generators of clients understand best, in place. Each admits what it
 * admitted, save for patterns that the engines of other languages cannot compile and for maps among several forms, which the
 * service checks all the same.
 */
export function simplify(schema: Schema): void {
  eachInner(schema, simplify);
  joinConstants(schema);
  joinNull(schema);
  openMaps(schema);
  sayWidth(schema);
  if (typeof schema.pattern === 'string' && UNPORTABLE.test(schema.pattern)) delete schema.pattern;
}
