import { Type, type TProperties, type TSchema } from 'typebox';
import { splitValues } from '../lists-of-values.js';
import type { Bindings } from '../services.js';
import type { Column, JsonSchema } from './columns.js';
import type { ResourceFilter, ResourceQuery } from './spec.js';

type Query = Record<string, unknown>;
/** Adds the conditions of a query. */
export type Condition = (query: Query, bindings: Bindings, asked: ResourceQuery) => string[];
/** A column, or an SQL expression over the alias `r` instead of it. */
export type Filtered = Column & { sql?: string };
const sqlOf = ({ sql, column }: Filtered): string => sql ?? `r.${column}`;

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const INTEGER = '-?[0-9]{1,9}';
const listOf = (item: string): string => `^(${item})(,(${item}))*$`;
const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\{}/-]/g, '\\$&');

/** The possible values of a field; undefined if there is no list of them. */
export function valuesOf({ enum: own, anyOf, ...rest }: JsonSchema): string[] | undefined {
  const all = own ??
    anyOf?.map((branch) => (branch as { const?: unknown }).const) ?? [(rest as { const?: unknown }).const];
  return all.every((value) => typeof value === 'string' && !value.includes(',')) ? (all as string[]) : undefined;
}

const NONE = 'none';
/** Whether the value `none` selects resources without a value: only where `none` cannot be a value itself. */
function takesNone({ nullable, type, schema }: Filtered): boolean {
  return nullable && (type === 'uuid' || type === 'integer' || valuesOf(schema)?.includes(NONE) === false);
}

function anySchema(column: Filtered): TSchema {
  const { type, schema, name } = column;
  if (type === 'boolean') return Type.Boolean({ description: `The value of ${name}.` });
  const none = takesNone(column) ? [NONE] : [];
  const about = none.length > 0 ? '; none: those without' : '';
  const known = valuesOf(schema);
  if (known)
    return Type.String({
      maxLength: 2_000,
      pattern: listOf([...known.map(escaped), ...none].join('|')),
      description: `Any of these by comma: ${known.join(', ')}${about}.`,
    });
  const item = type === 'uuid' ? UUID : type === 'integer' ? INTEGER : undefined;
  return Type.String({
    minLength: 1,
    maxLength: 8_000,
    ...(item !== undefined && { pattern: listOf([item, ...none].join('|')) }),
    description: `Any of these values of ${name}, by comma${about}.`,
  });
}

function any(column: Filtered): { schemas: TProperties; condition: Condition } {
  const { name, type } = column;
  const sql = sqlOf(column);
  const none = takesNone(column);
  return {
    schemas: { [name]: Type.Optional(anySchema(column)) },
    condition: (query, bindings) => {
      const asked = query[name];
      if (asked === undefined) return [];
      if (type === 'boolean') return [`${sql} = ${bindings.add(asked)}`];
      const all = splitValues(String(asked));
      const values = none ? all.filter((value) => value !== NONE) : all;
      const some = `${sql} = any(${bindings.add(values)}::${type === 'integer' || type === 'uuid' ? type : 'text'}[])`;
      return [values.length < all.length ? `(${some} or ${sql} is null)` : some];
    },
  };
}

function contains({ name, type, column }: Filtered): { schemas: TProperties; condition: Condition } {
  const id = type === 'uuid[]' || type === 'jsonb';
  return {
    schemas: {
      [name]: Type.Optional(
        id
          ? Type.String({ format: 'uuid', description: `An id that is in ${name}.` })
          : Type.String({ minLength: 1, maxLength: 200, description: `A value that is in ${name}.` }),
      ),
    },
    condition: (query, bindings) => {
      if (query[name] === undefined) return [];
      const value = id ? String(query[name]).toLowerCase() : query[name];
      return [
        type === 'jsonb'
          ? `r.${column} @> ${bindings.add(JSON.stringify([value]))}::jsonb`
          : `r.${column} @> ${bindings.add([value])}::${type}`,
      ];
    },
  };
}

function range({ name, type, column }: Filtered): { schemas: TProperties; condition: Condition } {
  const bound = (text: string): TSchema => {
    const description = `${text}, that value included.`;
    if (type === 'integer') return Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647, description });
    if (type === 'numeric' || type === 'bigint') return Type.Number({ description });
    return Type.String({ format: type === 'date' ? 'date' : 'date-time', description });
  };
  return {
    schemas: {
      [`${name}_from`]: Type.Optional(bound(`${name} from`)),
      [`${name}_to`]: Type.Optional(bound(`${name} up to`)),
    },
    condition: (query, bindings) =>
      (
        [
          ['from', '>='],
          ['to', '<='],
        ] as const
      ).flatMap(([end, op]) => {
        const value = query[`${name}_${end}`];
        return value === undefined
          ? []
          : [`r.${column} ${op} ${bindings.add(value)}::${type === 'bigint' ? 'numeric' : type}`];
      }),
  };
}

const RANGED = new Set(['integer', 'bigint', 'numeric', 'date', 'timestamptz']);
const LISTED = new Set(['uuid[]', 'text[]', 'jsonb']);
const LISTABLE = new Set(['text', 'uuid', 'integer', 'boolean']);

/** The parameters and the condition of a filter. @throws if the filter does not fit the type of its field */
export function filterOf(
  name: string,
  filter: ResourceFilter,
  column: Filtered | undefined,
): { schemas: TProperties; condition: Condition } {
  if (typeof filter === 'object') {
    return {
      schemas: { [name]: Type.Optional(filter.schema) },
      condition: (query, bindings, asked) =>
        query[name] === undefined ? [] : [filter.sql(query[name], (value) => bindings.add(value), 'r', asked)],
    };
  }
  const fits = { any: LISTABLE, range: RANGED, contains: LISTED }[filter];
  if (!column || !fits.has(column.type))
    throw new Error(
      `the filter ${name} cannot be ${filter}: ${column ? `the field is ${column.type}` : 'there is no such field'}`,
    );
  return { any, range, contains }[filter](column);
}
