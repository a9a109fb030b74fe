import { Type, type TSchema } from 'typebox';
import { withoutNull, type JsonSchema } from './columns.js';

type Values = Record<string, unknown>;
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isMap = (schema: JsonSchema): schema is JsonSchema & { properties: Record<string, JsonSchema> } =>
  schema.type === 'object' && schema.properties !== undefined;

/**
 * The schema of a merge patch (RFC 7396) of a value: all members of an object are optional, and may be null if they are
 * optional in the value. Lists and unions are replaced as a whole.
 */
export function patchOf(schema: TSchema): TSchema {
  const { schema: own, nullable } = withoutNull(schema as JsonSchema);
  if (!isMap(own)) return schema;
  const { required = [], properties, ...rest } = own;
  const members = Object.entries(properties).map(([key, member]) => {
    const patch = patchOf(member as TSchema);
    return [key, required.includes(key) || withoutNull(member).nullable ? patch : Type.Union([patch, Type.Null()])];
  });
  const { default: _default, minProperties: _least, ...open } = rest as JsonSchema & { minProperties?: number };
  const patch = Type.Unsafe({ ...open, properties: Object.fromEntries(members) as Record<string, unknown> });
  return nullable ? Type.Union([patch, Type.Null()]) : patch;
}

/** Applies a merge patch that matches the schema made by `patchOf`. */
export function merged(schema: JsonSchema, before: unknown, patch: unknown): unknown {
  const { schema: own } = withoutNull(schema);
  if (!isMap(own) || !isObject(patch)) return patch;
  const next: Values = isObject(before) ? { ...before } : {};
  for (const [key, value] of Object.entries(patch)) {
    const member = own.properties[key];
    // Null removes an optional member; for a required one it is a value.
    if (value === null && !(own.required ?? []).includes(key)) delete next[key];
    else next[key] = member === undefined ? value : merged(member, next[key], value);
  }
  return next;
}

/** JSON pointers, below `at`, of absent required members: the only error that a valid patch can cause. */
export function missing(schema: JsonSchema, value: unknown, at: string): string[] {
  const { schema: own } = withoutNull(schema);
  if (!isMap(own) || !isObject(value)) return [];
  const absent = (own.required ?? []).filter((key) => !Object.hasOwn(value, key)).map((key) => `${at}/${key}`);
  return [
    ...absent,
    ...Object.entries(own.properties).flatMap(([key, member]) => missing(member, value[key], `${at}/${key}`)),
  ];
}
