import { Type, type TProperties, type TSchema } from 'typebox';
import type { Bindings } from '../services.js';
import type { Column, JsonSchema } from './columns.js';
import type { ResourceFilter } from './spec.js';

type Query = Record<string, unknown>;
/** Adds the conditions of a query. */
export type Condition = (query: Query, bindings: Bindings) => string[];

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const INTEGER = '-?[0-9]{1,9}';
const listOf = (item: string): string => `^(${item})(,(${item}))*$`;
const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\{}/-]/g, '\\$&');

/** Values of a field that has only some. */
function values({ enum: own, anyOf, ...rest }: JsonSchema): string[] | undefined {
  const all = own ??
    anyOf?.map((branch) => (branch as { const?: unknown }).const) ?? [(rest as { const?: unknown }).const];
  return all.every((value) => typeof value === 'string' && !value.includes(',')) ? (all as string[]) : undefined;
}

function anySchema(column: Column): TSchema {
  const { type, schema, name } = column;
  if (type === 'boolean') return Type.Boolean({ description: `Whether ${name} is so.` });
  const known = values(schema);
  if (known)
    return Type.String({
      maxLength: 2_000,
      pattern: listOf(known.map(escaped).join('|')),
      description: `Any of these by comma: ${known.join(', ')}.`,
    });
  const pattern = type === 'uuid' ? listOf(UUID) : type === 'integer' ? listOf(INTEGER) : undefined;
  return Type.String({
    minLength: 1,
    maxLength: 8_000,
    ...(pattern !== undefined && { pattern }),
    description: `Any of these values of ${name}, by comma.`,
  });
}

function any(column: Column): { schemas: TProperties; condition: Condition } {
  const { name, type } = column;
  return {
    schemas: { [name]: Type.Optional(anySchema(column)) },
    condition: (query, bindings) => {
      const asked = query[name];
      if (asked === undefined) return [];
      if (type === 'boolean') return [`r.${name} = ${bindings.add(asked)}`];
      return [
        `r.${name} = any(${bindings.add(String(asked).split(','))}::${type === 'integer' || type === 'uuid' ? type : 'text'}[])`,
      ];
    },
  };
}

function contains({ name, type }: Column): { schemas: TProperties; condition: Condition } {
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
          ? `r.${name} @> ${bindings.add(JSON.stringify([value]))}::jsonb`
          : `r.${name} @> ${bindings.add([value])}::${type}`,
      ];
    },
  };
}

function range({ name, type }: Column): { schemas: TProperties; condition: Condition } {
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
          : [`r.${name} ${op} ${bindings.add(value)}::${type === 'bigint' ? 'numeric' : type}`];
      }),
  };
}

const RANGED = new Set(['integer', 'bigint', 'numeric', 'date', 'timestamptz']);
const LISTED = new Set(['uuid[]', 'text[]', 'jsonb']);
const LISTABLE = new Set(['text', 'uuid', 'integer', 'boolean']);

/** @throws where a filter does not fit its field */
export function filterOf(
  name: string,
  filter: ResourceFilter,
  column: Column | undefined,
): { schemas: TProperties; condition: Condition } {
  if (typeof filter === 'object') {
    return {
      schemas: { [name]: Type.Optional(filter.schema) },
      condition: (query, bindings) =>
        query[name] === undefined ? [] : [filter.sql(query[name], (value) => bindings.add(value), 'r')],
    };
  }
  const fits = { any: LISTABLE, range: RANGED, contains: LISTED }[filter];
  if (!column || !fits.has(column.type))
    throw new Error(
      `the filter ${name} cannot be ${filter}: ${column ? `the field is ${column.type}` : 'there is no such field'}`,
    );
  return { any, range, contains }[filter](column);
}
