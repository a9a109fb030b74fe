import { Type } from 'typebox';
import { checkIdentifiers } from '../identifiers.js';
import type { ListSpec, Sort } from '../services.js';
import { CardFields } from './card-fields.js';
import type { Column } from './columns.js';
import { FileRepository } from './files-repository.js';
import { Links } from './links.js';
import type { ResourceParts } from './parts.js';
import { ResourceRepository } from './repository.js';
import { RestrictedFields } from './restricted.js';
import { columnsOf, readsOf, schemasOf } from './schemas.js';
import type { AnySpec, AnyTransitions } from './spec.js';

const SORTABLE: Partial<Record<Column['type'], Sort['type']>> = {
  text: 'text',
  uuid: 'uuid',
  integer: 'integer',
  bigint: 'bigint',
  numeric: 'numeric',
  boolean: 'boolean',
  date: 'date',
  timestamptz: 'timestamptz',
};

function sortOf(name: string, sort: NonNullable<AnySpec['sorts']>[string], columns: readonly Column[]): Sort {
  const own = columns.find((column) => column.name === name);
  if (sort === true && !(own && SORTABLE[own.type])) throw new Error(`nothing is sorted by ${name}`);
  const { column, type, nullable } =
    sort === true ? { column: name, type: SORTABLE[own!.type]!, nullable: own!.nullable } : sort;
  checkIdentifiers([column]);
  return {
    sql: `r.${own?.name === column ? own.column : column}`,
    type,
    nullable: nullable === true,
    ...(type === 'text' && { collate: '"C"' }),
  };
}

function listSpec(spec: AnySpec, columns: readonly Column[]): ListSpec {
  const time = (column: string): Sort => ({ sql: `r.${column}`, type: 'timestamptz' });
  const sorts: Record<string, Sort> = { created_at: time('created_at'), updated_at: time('updated_at') };
  for (const [name, sort] of Object.entries(spec.sorts ?? {})) sorts[name] = sortOf(name, sort, columns);
  const defaultSort = spec.defaultSort ?? 'created_at';
  if (!Object.hasOwn(sorts, defaultSort)) throw new Error(`nothing is sorted by ${defaultSort}`);
  return { table: `${spec.table} r`, id: 'r.id', sorts, defaultSort, defaultDir: spec.defaultDir ?? 'asc' };
}

const RESERVED = new Set(['id', 'version', 'created_by', 'created_at', 'updated_at', 'search_text']);

/** Checks that the names in a spec exist, are unique and can be part of SQL. @throws for the first that is not */
function checkNames(spec: AnySpec, columns: readonly Column[]): void {
  const computed = Object.keys(spec.computed ?? {});
  const names = [...columns.map((column) => column.name), ...computed];
  checkIdentifiers([
    spec.table,
    ...names,
    ...columns.map(({ column }) => column),
    ...Object.keys(spec.reads ?? {}),
    ...Links.identifiers(spec),
    ...(spec.files ? [spec.files.table] : []),
  ]);
  const twice = names.find((name, i) => names.indexOf(name) < i || RESERVED.has(name));
  if (twice !== undefined) throw new Error(`the column ${twice} is there already`);
  const { fixed = [], search = [], references = {}, types = {}, card, name, transitions } = spec;
  const known = new Set(columns.map((column) => column.name));
  const assigned = [
    ...(spec.hidden ?? []),
    ...(spec.derived ?? []),
    ...(transitions ? [transitions.field, ...Object.values(transitions.times ?? {})] : []),
  ];
  const unknown = [
    ...[
      ...fixed,
      ...search,
      ...Object.keys(references),
      ...Object.keys(types),
      ...Object.keys(spec.columns ?? {}),
      ...(spec.unlogged ?? []),
    ].filter((field) => !known.has(field)),
    ...[card?.field, name].filter((field) => field !== undefined && !known.has(field)),
    ...assigned.filter((field) => !(field in (spec.assigned ?? {}))),
  ][0];
  if (unknown !== undefined) throw new Error(`there is no field ${unknown}`);
  const movable = (spec.bounds ?? [])
    .flatMap(({ per = [] }) => per)
    .find((field) => field !== 'created_by' && !fixed.includes(field));
  if (movable !== undefined) throw new Error(`${movable} is part of a bound, and not fixed`);
  if (spec.reference && !spec.shown?.['reference']) throw new Error('the reference is not among the shown members');
  if (card && spec.links?.permission !== undefined) throw new Error('rights are by a card or by links, not by both');
  if (transitions) checkTransitions(transitions);
  const { bulk } = spec;
  if (bulk && (OF_MOVES.has(bulk.member) || Object.hasOwn(transitions?.body ?? {}, bulk.member)))
    throw new Error(`${bulk.member} cannot name the fields of an operation`);
}

/** Checks the states and members of transitions. @throws for the first that is invalid */
function checkTransitions({
  field,
  initial,
  moves,
  readOnly = [],
  permissions = {},
  times = {},
  body = {},
}: AnyTransitions): void {
  const named = [
    initial,
    ...Object.values(moves).flat(),
    ...readOnly,
    ...Object.keys(permissions),
    ...Object.keys(times),
  ];
  const unknown = named.find((state) => !Object.hasOwn(moves, state));
  if (unknown !== undefined) throw new Error(`${field} has no state ${unknown}`);
  const odd = Object.keys(moves).find((state) => !/^\w+$/.test(state));
  if (odd !== undefined) throw new Error(`${JSON.stringify(odd)} cannot be the name of a state`);
  const taken = Object.entries(body).find(([name, schema]) => OF_MOVES.has(name) || !Type.IsOptional(schema));
  if (taken) throw new Error(`${taken[0]} cannot be a member of a transition, or is not optional`);
}

/** Members of operations, events and entries of the history. */
const OF_MOVES = new Set(
  'to from op ref id version reference changes at type actor origin change_id request_id'.split(' '),
);

/** Derives the parts of a resource from its spec. @throws if the spec is contradictory */
export function partsOf(spec: AnySpec): ResourceParts & { schemas: ReturnType<typeof schemasOf> } {
  const columns = columnsOf(spec);
  checkNames(spec, columns);
  const { transitions, links: linked, card, references = {} } = spec;
  const links = linked && new Links(spec.fields, linked);
  const named = (field: string): string => columns.find(({ name }) => name === field)!.column;
  const times = Object.entries(transitions?.times ?? {}).map(([state, field]) => ({ state, column: named(field) }));
  const rows = new ResourceRepository({
    table: spec.table,
    columns,
    times,
    state: transitions && named(transitions.field),
    computed: [...Object.keys(spec.computed ?? {}), ...(spec.search ? ['search_text'] : [])],
    reads: readsOf(spec),
    links: links && { field: links.field, rows: links.rows },
    unlisted: new Set(spec.unlisted),
    list: listSpec(spec, columns),
  });
  const restricted = new RestrictedFields(spec, columns);
  const schemas = schemasOf(spec, columns, links, restricted);
  const unlogged = new Set([
    ...(spec.derived ?? []),
    ...(spec.unlogged ?? []),
    ...Object.values(transitions?.times ?? {}),
  ]);
  const known = new Set(columns.map((column) => column.name));
  return {
    spec,
    columns,
    logged: columns.filter(({ name }) => !unlogged.has(name)),
    unlogged: columns.filter(({ name }) => spec.unlogged?.includes(name)),
    rows,
    links,
    cards: new CardFields(spec, columns),
    restricted,
    files: spec.files && new FileRepository(spec.files.table),
    references: new Map(
      Object.entries({ ...(card && { [card.field]: 'card' as const }), ...references }).flatMap(([field, target]) =>
        target ? [[field, target] as const] : [],
      ),
    ),
    conditions: schemas.conditions,
    bounded: spec.bounds && {
      table: spec.table,
      bounds: spec.bounds.map(({ per = [], most }) => ({
        per: per.map((field) => (field === 'created_by' ? field : named(field))),
        most,
        of: spec.labels,
      })),
    },
    name: spec.name ?? ['title', 'name'].find((field) => known.has(field)),
    schemas,
  };
}
