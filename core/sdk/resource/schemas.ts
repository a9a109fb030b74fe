import { Type, type TProperties, type TSchema } from 'typebox';
import { Page, PageQuery, SortBy } from '../page-parameters.js';
import { ActorView, Nullable, Strict, Timestamp, Uuid } from '../schemas.js';
import { bulkSchemas, type BulkSchemas } from './bulk-schemas.js';
import { columnOf, type Column } from './columns.js';
import { filterOf, type Condition, type Filtered } from './filters.js';
import { shownExample, type Links } from './links.js';
import { patchOf } from './merge.js';
import type { RestrictedFields } from './restricted.js';
import type { AnySpec, AnyTransitions } from './spec.js';
import { historyMembers, Moved, TransitionBody } from './transition-schemas.js';

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

/** A field before and after a change. */
const Change = Type.Object({
  field: Type.String(),
  old: Type.Unknown(),
  new: Type.Unknown(),
  permission: Type.Optional(Type.String({ description: 'The permission required to see the change.' })),
});

/** The data of an event of a resource. */
const Changes = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  changes: Type.Array(Change),
});

/** Content of the events of a resource, by event type. */
export const resourceEvents = ({ kind, transitions }: AnySpec): Record<string, TSchema> => ({
  [`${kind}.created`]: Changes,
  [`${kind}.updated`]: Changes,
  [`${kind}.deleted`]: Changes,
  ...(transitions && { [`${kind}.transitioned`]: Type.Object({ ...Changes.properties, ...Moved(transitions) }) }),
});

/** Columns of the fields, with assigned ones last. */
export function columnsOf({ fields, assigned = {}, types = {}, columns = {}, links }: AnySpec): Column[] {
  return Object.entries({ ...fields, ...assigned })
    .filter(([name]) => name !== links?.field)
    .map(([name, schema]) => {
      if (Type.IsOptional(schema)) throw new Error(`the field ${name} is optional: use Nullable, or give it a default`);
      return columnOf(name, schema, types[name], columns[name]);
    });
}

/** Members of the view that are SQL expressions, as columns. */
export const readsOf = ({ reads = {}, shown = {} }: AnySpec): { name: string; sql: string; column: Column }[] =>
  Object.entries(reads).map(([name, sql]) => {
    if (!shown[name]) throw new Error(`${name} is in reads, but not in shown`);
    return { name, sql, column: columnOf(name, shown[name]) };
  });

/** Schemas of the routes of a resource. */
export interface ResourceSchemas {
  View: TSchema;
  Page: TSchema;
  /** @param fixed fields in the path */
  create(...fixed: string[]): TSchema;
  patch(...fixed: string[]): TSchema;
  query(...fixed: string[]): TSchema;
  /** If the spec has `bulk`. */
  bulk(...fixed: string[]): BulkSchemas;
  /** If the spec has `transitions`. */
  transition: TSchema | undefined;
  HistoryQuery: TSchema;
  HistoryPage: TSchema;
  conditions: readonly Condition[];
  /** Parameters that filter the list. */
  filter: TProperties;
}

const without = <T>(members: Record<string, T>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

/** Members of a merge patch of fields. */
const patchesOf = (fields: TProperties): TProperties =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(patchOf(schema))]));

/** An example of the view; none if a field that callers do not send has no example of its own. */
function viewExample(spec: AnySpec, columns: readonly Column[]): Record<string, unknown> {
  const sent = Object.fromEntries(
    columns.filter(({ name }) => name in spec.fields).map(({ name, initial }) => [name, initial]),
  );
  const others = Object.entries({ ...without(spec.assigned ?? {}, spec.hidden ?? []), ...spec.shown }).map(
    ([name, schema]) => {
      const {
        examples,
        default: initial,
        anyOf,
      } = schema as { examples?: unknown[]; default?: unknown; anyOf?: { type?: string }[] };
      return [
        name,
        examples?.[0] ?? initial ?? (anyOf?.some((branch) => branch.type === 'null') ? null : undefined),
      ] as const;
    },
  );
  const { links, transitions, example } = spec;
  if (others.some(([name, value]) => value === undefined && name !== transitions?.field)) return {};
  const at = '2026-01-15T10:00:00.000Z';
  return {
    examples: [
      {
        id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b',
        ...sent,
        ...example,
        ...(links && { [links.field]: shownExample(example[links.field] ?? []) }),
        ...Object.fromEntries(others),
        ...(transitions && firstState(transitions)),
        created_by: null,
        created_at: at,
        updated_at: at,
        version: 1,
      },
    ],
  };
}

const firstState = ({ field, initial, moves }: AnyTransitions) => ({
  [field]: initial,
  allowed_transitions: moves[initial] ?? [],
});

const HistoryEntry = {
  version: Nullable(
    Type.Integer({ minimum: 1, description: 'The version the change led to; of a deletion, the last one.' }),
  ),
  at: Timestamp(),
  type: Type.String({ description: 'Type of the event of the change.' }),
  actor: ActorView(),
  origin: Type.String({ examples: ['api'] }),
  change_id: Nullable(Uuid({ description: 'Groups all changes of one request or job.' })),
  request_id: Nullable(Type.String()),
  changes: Type.Array(Change),
};

/** The schemas of the routes of a resource, and the conditions of its filters. */
export function schemasOf(
  spec: AnySpec,
  columns: readonly Column[],
  links: Links | undefined,
  restricted: RestrictedFields,
): ResourceSchemas {
  const { fields, assigned = {}, shown = {}, fixed = [], filters = {}, example, transitions } = spec;
  const required = new Set(columns.filter(({ initial }) => initial === undefined).map(({ name }) => name));
  const { id, created_by, created_at, updated_at, version } = COMMON;
  // Members with a permission of their own are absent from the view of other callers; the serialiser would add a default.
  const visible = (members: TProperties): TProperties =>
    Object.fromEntries(
      Object.entries(members).map(([name, schema]) => {
        if (restricted.permissionOf(name) === undefined) return [name, schema];
        const { default: _default, ...shown } = schema as TSchema & { default?: unknown };
        return [name, Type.Optional(Type.Unsafe(shown))];
      }),
    );
  const members = {
    id,
    ...visible(fields),
    ...(links && { [links.field]: links.view }),
    ...visible(without(assigned, spec.hidden ?? [])),
    ...(transitions && {
      allowed_transitions: Type.Array(Type.String({ enum: Object.keys(transitions.moves) }), {
        description: 'The possible next states.',
      }),
    }),
    ...visible(shown),
    created_by,
    created_at,
    updated_at,
    version,
  };
  const View = Type.Object(members, viewExample(spec, columns));
  const { unlisted = [] } = spec;
  const { examples: all = [] } = viewExample(spec, columns) as { examples?: TProperties[] };
  const examples = all.map((one) => without(one, unlisted));
  const Listed = unlisted.length === 0 ? View : Type.Object(without(members, unlisted), { examples });
  const sorts = [...Object.keys(spec.sorts ?? {}), 'created_at', 'updated_at'] as unknown as [string, ...string[]];
  const filtered: Filtered[] = [...columns, ...readsOf(spec).map(({ sql, column }) => ({ ...column, sql }))];
  const filterParts = Object.entries(filters).map(([name, filter]) => {
    const { schemas, condition } = filterOf(
      name,
      filter,
      filtered.find((column) => column.name === name),
    );
    return { schemas, condition: restricted.guarded(name, Object.keys(schemas), condition) };
  });
  if (links) filterParts.push(links.filters());
  const search = spec.search
    ? {
        search: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: `Every word must occur in ${[...(spec.reference ? ['reference'] : []), ...spec.search].join(', ')}.`,
          }),
        ),
      }
    : {};
  const filter = Object.assign({}, ...filterParts.map(({ schemas }) => schemas), search) as TProperties;
  const query: TProperties = { ...PageQuery, sort_by: SortBy(...sorts), ...filter };
  const changeable = (names: readonly string[]) => without(fields, [...fixed, ...names]);
  return {
    View,
    Page: Page(Listed),
    filter,
    conditions: filterParts.map(({ condition }) => condition),
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
      const shownFirst = Object.entries(example).find(([name]) => name in changeable(names));
      return Strict(patchesOf(changeable(names)), {
        minProperties: 1,
        ...(shownFirst && { examples: [Object.fromEntries([shownFirst])] }),
      });
    },
    query: (...names) => Strict(without(query, names)),
    bulk: (...names) => bulkSchemas(spec, patchesOf(without(fields, names)), without(example, names)),
    transition: transitions && TransitionBody(transitions),
    HistoryQuery: Strict({ ...PageQuery, sort_by: SortBy('at') }),
    HistoryPage: Page(Type.Object({ ...HistoryEntry, ...(transitions && historyMembers(transitions)) })),
  };
}
