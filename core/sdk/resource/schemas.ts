import { Type, type TProperties, type TSchema } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid } from '../schemas.js';
import { columnOf, type Column } from './columns.js';
import { filterOf, type Condition } from './filters.js';
import { patchOf } from './merge.js';
import type { AnySpec } from './spec.js';

const COMMON = {
  id: Uuid(),
  created_by: Nullable(Uuid()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Type.Integer({ minimum: 1 }),
};

/** Money: a number with two digits after the point, stored as `numeric(14, 2)`. */
export const Money = (options: Record<string, unknown> = {}) =>
  Type.Number({ minimum: -999_999_999_999.99, maximum: 999_999_999_999.99, 'x-scale': 2, ...options });

/** What a change of a resource tells the world. */
const Changes = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  changes: Type.Array(Type.Object({ field: Type.String(), old: Type.Unknown(), new: Type.Unknown() })),
});

/** Content of the events of a resource, by event type. */
export const resourceEvents = (kind: string): Record<string, TSchema> => ({
  [`${kind}.created`]: Changes,
  [`${kind}.updated`]: Changes,
  [`${kind}.deleted`]: Changes,
});

/** Columns of the fields, those the module sets itself last. */
export function columnsOf({ fields, assigned = {}, types = {} }: AnySpec): Column[] {
  return Object.entries({ ...fields, ...assigned }).map(([name, schema]) => {
    if (Type.IsOptional(schema)) throw new Error(`the field ${name} is optional: say Nullable, or give it a default`);
    return columnOf(name, schema, types[name]);
  });
}

/** Schemas of the routes of a resource. */
export interface ResourceSchemas {
  View: TSchema;
  Page: TSchema;
  /** @param fixed fields the path says */
  create(...fixed: string[]): TSchema;
  patch(...fixed: string[]): TSchema;
  query(...fixed: string[]): TSchema;
  HistoryQuery: TSchema;
  HistoryPage: TSchema;
  conditions: readonly Condition[];
  sorts: readonly [string, ...string[]];
}

const without = <T>(members: Record<string, T>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

/** An example of the view, where the fields the caller does not send have examples of their own. */
function viewExample(spec: AnySpec, columns: readonly Column[]): Record<string, unknown> {
  const sent = Object.fromEntries(
    columns.filter(({ name }) => name in spec.fields).map(({ name, initial }) => [name, initial]),
  );
  const others = Object.entries({ ...spec.assigned, ...spec.shown }).map(([name, schema]) => {
    const {
      examples,
      default: initial,
      anyOf,
    } = schema as { examples?: unknown[]; default?: unknown; anyOf?: { type?: string }[] };
    return [
      name,
      examples?.[0] ?? initial ?? (anyOf?.some((branch) => branch.type === 'null') ? null : undefined),
    ] as const;
  });
  if (others.some(([, value]) => value === undefined)) return {};
  const at = '2026-01-15T10:00:00.000Z';
  return {
    examples: [
      {
        id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b',
        ...sent,
        ...spec.example,
        ...Object.fromEntries(others),
        created_by: null,
        created_at: at,
        updated_at: at,
        version: 1,
      },
    ],
  };
}

const HistoryEntry = Type.Object({
  version: Nullable(
    Type.Integer({ minimum: 1, description: 'The version the change led to; of a deletion, the last one.' }),
  ),
  at: Timestamp(),
  type: Type.String({ description: 'Of the event that tells of the change.' }),
  actor: Nullable(Type.Object({ id: Uuid(), display_name: Type.String() })),
  origin: Type.String({ examples: ['api'] }),
  change_id: Nullable(Uuid({ description: 'Groups all that one request or job changed.' })),
  request_id: Nullable(Type.String()),
  changes: Type.Array(Type.Object({ field: Type.String(), old: Type.Unknown(), new: Type.Unknown() })),
});

export function schemasOf(spec: AnySpec, columns: readonly Column[]): ResourceSchemas {
  const { fields, assigned = {}, shown = {}, fixed = [], filters = {}, example } = spec;
  const required = new Set(columns.filter(({ initial }) => initial === undefined).map(({ name }) => name));
  const { id, created_by, created_at, updated_at, version } = COMMON;
  const View = Type.Object(
    { id, ...fields, ...assigned, ...shown, created_by, created_at, updated_at, version },
    viewExample(spec, columns),
  );
  const sorts = [...Object.keys(spec.sorts ?? {}), 'created_at', 'updated_at'] as unknown as [string, ...string[]];
  const narrowed = Object.entries(filters).map(([name, filter]) =>
    filterOf(
      name,
      filter,
      columns.find((column) => column.name === name),
    ),
  );
  const search = spec.search
    ? {
        search: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: `Every word must stand in ${spec.search.join(', ')}.`,
          }),
        ),
      }
    : {};
  const query: TProperties = Object.assign(
    {},
    PageQuery,
    { sort_by: SortBy(...sorts) },
    ...narrowed.map(({ schemas }) => schemas),
    search,
  );
  const changeable = (names: readonly string[]) => without(fields, [...fixed, ...names]);
  return {
    View,
    Page: Page(View),
    sorts,
    conditions: narrowed.map(({ condition }) => condition),
    create: (...names) =>
      Strict(
        Object.fromEntries(
          Object.entries(without(fields, names)).map(([name, schema]) => [
            name,
            required.has(name) ? schema : Type.Optional(schema),
          ]),
        ),
        { examples: [without(example, names)] },
      ),
    patch(...names) {
      const open = Object.entries(changeable(names)).map(([name, schema]) => [name, Type.Optional(patchOf(schema))]);
      const shownFirst = Object.entries(example).find(([name]) => name in changeable(names));
      return Strict(Object.fromEntries(open) as TProperties, {
        minProperties: 1,
        ...(shownFirst && { examples: [Object.fromEntries([shownFirst])] }),
      });
    },
    query: (...names) => Strict(without(query, names)),
    HistoryQuery: Strict({ ...PageQuery, sort_by: SortBy('at') }),
    HistoryPage: Page(HistoryEntry),
  };
}
