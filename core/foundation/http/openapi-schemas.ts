/** The members of a schema of the OpenAPI document that are used here. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
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
  /** The name of the schema in the document, instead of the one derived from its position; it is not part of the document. */
  'x-name'?: string;
}

/** The position of a schema in another: under the name of a property, as one of many items or values, or as a branch. */
type Step = { property: string } | 'many' | 'branch';

/** Replaces the direct subschemas of a schema by the results of `change`. */
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

/** Calls `visit` with every direct subschema of a schema. */
export function eachInner(schema: Schema, visit: (inner: Schema, step: Step) => void): void {
  changeInner(schema, (inner, step) => {
    visit(inner, step);
    return inner;
  });
}

/** Calls `visit` with every object with a schema below a part of the document: media types, parameters, headers. */
export function eachHolder(node: unknown, visit: (holder: { schema: Schema }) => void): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries(node)) {
    if (key === 'schema' && typeof child === 'object') visit(node as { schema: Schema });
    else if (key !== 'example' && key !== 'examples') eachHolder(child, visit);
  }
}

/** Syntax that regular expressions of other languages may not support: Unicode properties, lookahead and lookbehind. */
const UNPORTABLE = /\\p\{|\(\?<?[=!]/i;
const MOST_OF_32_BITS = 2 ** 31 - 1;

const isNull = ({ type }: Schema): boolean => type === 'null';

/** Converts a union of constants of one type to an enumeration, which documentation and generators support. */
function joinConstants(schema: Schema): void {
  const { anyOf } = schema;
  if (!anyOf?.length || !anyOf.every((s) => s.const !== undefined && s.type === anyOf[0]!.type)) return;
  delete schema.anyOf;
  Object.assign(schema, { type: anyOf[0]!.type, enum: anyOf.map((s) => s.const) });
}

/** Converts a nullable scalar to one schema with two types, which more generators treat as nullable. */
function joinNull(schema: Schema): void {
  const { anyOf, ...outer } = schema;
  const [value, ...others] = (anyOf ?? []).filter((branch) => !isNull(branch));
  if (!value || others.length > 0 || anyOf!.length !== 2) return;
  if (typeof value.type !== 'string' || value.type === 'object' || value.const !== undefined) return;
  // Keywords of both schemas cannot be merged.
  if (Object.keys(value).some((key) => key in outer && key !== 'description')) return;
  delete schema.anyOf;
  Object.assign(schema, value, outer, { type: [value.type, 'null'] });
  if (value.enum) schema.enum = [...value.enum, null];
}

/** Adds the format of a number, because generators treat a number without one as a 32-bit number. */
function addFormat(schema: Schema): void {
  if (schema.format !== undefined || schema.enum || schema.const !== undefined) return;
  const types = [schema.type].flat();
  if (types.includes('number')) schema.format = 'double';
  else if (types.includes('integer') && (schema.maximum ?? Infinity) > MOST_OF_32_BITS) schema.format = 'int64';
}

/**
 * A map of flags that is one of several alternatives: for typed values the generators for Go and Java create types without a valid name,
 * so it is described as any object, and its values only in the description.
 */
function describeMapsAsObjects({ anyOf = [] }: Schema): void {
  const forms = anyOf.filter((form) => !isNull(form));
  if (forms.length < 2) return;
  for (const form of forms)
    if (typeof form.additionalProperties === 'object' && !form.properties) delete form.additionalProperties;
}

/** Describes a boolean with one value as any boolean: the generator for Java creates an enumeration of texts for it, which is not valid. */
function describeOneBoolean(schema: Schema): void {
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  if (values.length !== 1 || typeof values[0] !== 'boolean') return;
  delete schema.const;
  delete schema.enum;
  schema.description = [schema.description, `Only \`${values[0]}\`.`].filter(Boolean).join(' ');
}

/** Removes a default value that is an object with members: the generator for Go writes it in a form that is not valid. */
function removeDefaultObject(schema: Schema): void {
  const { default: value } = schema;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0) return;
  delete schema.default;
  schema.description = [schema.description, `By default \`${JSON.stringify(value)}\`.`].filter(Boolean).join(' ');
}

/**
 * Rewrites a schema, and all in it, in place, with the keywords that generators of clients support best. It accepts the same values as
 * before, except for patterns that engines of other languages cannot compile, for maps among several alternatives and for booleans with
 * one value, which only the service checks.
 */
export function simplify(schema: Schema): void {
  joinConstants(schema);
  eachInner(schema, simplify);
  joinNull(schema);
  describeMapsAsObjects(schema);
  describeOneBoolean(schema);
  removeDefaultObject(schema);
  addFormat(schema);
  if (typeof schema.pattern === 'string' && UNPORTABLE.test(schema.pattern)) delete schema.pattern;
}
