/**
 * A plain resource of the REST API, with all the HTTP contract asks for: pages and cursors, filters, sorting, search,
 * strict bodies, merge patch, ETag and If-Match, Idempotency-Key, events and history.
 *
 *     const notes = resource({
 *       kind: 'costs_note', table: 'costs_notes', tag: 'costs', operation: 'CostNote', label: 'a note', labels: 'notes',
 *       permissions: { view: 'costs.view', manage: 'costs.manage' },
 *       fields: { title: Type.String({ minLength: 1, maxLength: 200 }), amount: Nullable(Money()), card_id: Uuid() },
 *       references: { card_id: 'card' }, filters: { card_id: 'any', amount: 'range' }, sorts: { amount: true },
 *       search: ['title'], example: { title: 'Licences', amount: 100, card_id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b' },
 *     });
 *
 * - The table: `create table costs_notes (${resourceColumns}, title text not null, amount numeric(14, 2), card_id uuid
 *   not null references cards(id) on delete cascade, search_text text not null)`. A field is a column of its name:
 *   text, uuid, integer, boolean, date, timestamptz by its schema, numbers `numeric`, lists of ids `uuid[]`, all else
 *   `jsonb`; `types` says where it is another.
 * - `services: (host) => ({ notes: notes.service(host) })`, `events: [notes.events]`.
 * - `routes: async (app, { services, host }) => { await app.register(notes.routes, { prefix: '/notes', services: services.notes, host }); }`
 * - Below a card: `cardRoutes: { segment: 'notes', routes: async (app, { services, host }) => { await app.register(notes.ofCard('card_id'), …); } }`,
 *   or `notes.below('card_id')` under a prefix such as `/initiatives/:card_id/notes` of the module's own.
 */
import { Type, type TProperties, type TSchema } from 'typebox';
import type { BulkAnswer, BulkMode } from '../bulk.js';
import type { RequestContext } from '../context.js';
import type { PageResult, ResourceResult } from '../http.js';
import { checkIdentifiers } from '../identifiers.js';
import type { ModuleRoutes } from '../module.js';
import type { Bindings, ListParams, ListSpec, ModuleServices, Sort, UnitOfWork } from '../services.js';
import type { BulkOperation } from './bulk-operations.js';
import { CardFields } from './card-fields.js';
import type { Column } from './columns.js';
import { Links } from './links.js';
import type { Operation, Outcome, ResourceBulkRow } from './operation.js';
import type { ResourceParts } from './parts.js';
import { ResourceRepository } from './repository.js';
import { resourceRoutes } from './routes.js';
import { columnsOf, readsOf, resourceEvents, schemasOf } from './schemas.js';
import { ResourceCore, type HistoryEntry, type ResourceScope } from './service.js';
import type { AnySpec, AnyTransitions, FieldsOf, ResourceSpec, ResourceRow } from './spec.js';

export type { BulkOperation as ResourceBulkOperation } from './bulk-operations.js';
export type { ColumnType } from './columns.js';
export { LinkedCards, type LinkedCard } from './links.js';
export type { Operation as ResourceOperation, Outcome as ResourceOutcome, ResourceBulkRow } from './operation.js';
export { resourceColumns } from './repository.js';
export { Money } from './schemas.js';
export type { HistoryEntry, ResourceScope } from './service.js';
export type {
  ResourceBatch,
  ResourceChange,
  ResourceChangeKind,
  ResourceBase,
  ResourceFilter,
  ResourceMove,
  ResourceQuery,
  ReferenceLookup,
  ResourceSpec,
  ResourceRow,
  ResourceTransitions,
  SortColumn,
} from './spec.js';

/** Reads and writes one resource, as its routes do. `scope` holds fields to what a path says of them. */
export interface ResourceService<
  F extends TProperties = TProperties,
  A extends TProperties = TProperties,
  X extends TProperties = TProperties,
> {
  list(
    ctx: RequestContext,
    query: ListParams & Record<string, unknown>,
    scope?: ResourceScope,
  ): Promise<PageResult<ResourceRow<F, A> & FieldsOf<X>>>;
  /** @throws not_found */
  get(ctx: RequestContext, id: string, scope?: ResourceScope): Promise<ResourceRow<F, A> & FieldsOf<X>>;
  /** As `get`, with what `http.sendResource` needs. */
  resource(ctx: RequestContext, id: string, scope?: ResourceScope): Promise<Omit<ResourceResult, 'status'>>;
  history(
    ctx: RequestContext,
    id: string,
    params: ListParams,
    scope?: ResourceScope,
  ): Promise<PageResult<HistoryEntry>>;
  /** @returns the id @throws validation_failed, forbidden */
  create(ctx: RequestContext, input: Partial<FieldsOf<F>>, scope?: ResourceScope): Promise<string>;
  /** @param patch a merge patch @throws not_found, precondition_failed, validation_failed, forbidden */
  update(ctx: RequestContext, id: string, patch: Record<string, unknown>, scope?: ResourceScope): Promise<void>;
  /**
   * As `update`, where the patch depends on what is stored.
   * @param cards that the patch may name
   * @param patchOf is given the resource under its lock, of its links those the caller sees; what it throws refuses the change
   */
  change(
    ctx: RequestContext,
    id: string,
    cards: readonly string[],
    patchOf: (row: ResourceRow<F, A>) => Partial<FieldsOf<F>>,
    scope?: ResourceScope,
  ): Promise<void>;
  /** @throws not_found, precondition_failed, forbidden */
  remove(ctx: RequestContext, id: string, scope?: ResourceScope): Promise<void>;
  /**
   * Moves it to another state, where the spec has `transitions`.
   * @param body members besides `to`
   * @throws not_found, precondition_failed, forbidden, what `refused` makes of a move there is not, what the guard throws
   */
  transition(
    ctx: RequestContext,
    id: string,
    to: string,
    body?: Record<string, unknown>,
    scope?: ResourceScope,
  ): Promise<void>;
  /**
   * Does many operations in one transaction, as `POST {prefix}/bulk` does, where the spec has `bulk`.
   * @throws validation_failed with the failed rows under `results`, in all_or_nothing, where one failed and it is no dry run
   */
  bulk(
    ctx: RequestContext,
    operations: readonly BulkOperation[],
    mode: BulkMode,
    scope?: ResourceScope,
  ): Promise<BulkAnswer<ResourceBulkRow>>;
  /** The same as part of a transaction of the module's own: neither rights nor references are looked at. */
  createIn(uow: UnitOfWork, input: Partial<FieldsOf<F> & FieldsOf<A>>): Promise<string>;
  updateIn(uow: UnitOfWork, id: string, patch: Record<string, unknown>): Promise<number>;
  removeIn(uow: UnitOfWork, id: string): Promise<void>;
  /**
   * Many of them, in as many statements as one. `If-Match` of the request is no condition of theirs.
   * @returns what became of each
   * @throws the problem of the first that is refused; nothing is written then
   */
  writeIn(uow: UnitOfWork, operations: readonly Operation[]): Promise<Outcome[]>;
  /** Demands what a change demands of the caller, for what belongs to a resource. @throws not_found, forbidden */
  requireWrite(ctx: RequestContext, id: string): Promise<void>;
  /**
   * What narrows a list, for statements of the module's own over its table, as `r`.
   * @param query the filters of the list
   * @param bindings take the values
   * @returns conditions, to be joined by AND; those that leave out what the caller does not see are among them
   */
  conditions(ctx: RequestContext, query: Readonly<Record<string, unknown>>, bindings: Bindings): Promise<string[]>;
  /** What the routes work with. */
  readonly core: ResourceCore;
}

/** What `resource` gives: its routes, service, schema and events. */
export interface Resource<F extends TProperties, A extends TProperties, X extends TProperties, Settings> {
  service(host: ModuleServices<Settings>): ResourceService<F, A, X>;
  readonly routes: ModuleRoutes<ResourceService<F, A, X>, Settings>;
  /**
   * The same routes below a path parameter of the field's name, which says what the field is.
   * @param place stands in operation ids, where the same resource has routes elsewhere
   */
  below(field: keyof F & string, place?: string): ModuleRoutes<ResourceService<F, A, X>, Settings>;
  /** The list and POST, for `cardRoutes`; of `links` the list alone. */
  ofCard(field: keyof F & string): ModuleRoutes<ResourceService<F, A, X>, Settings>;
  /** Schema of one, as it is answered. */
  readonly view: TSchema;
  /** Schemas of the parameters that narrow the list, for reports over the same resources. */
  readonly filters: Readonly<Record<string, TSchema>>;
  /** An entry of the manifest's `events`. */
  readonly events: { kind: string; permission: string; types: Record<string, TSchema> };
}

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

/** Every name a spec lists is one it has. @throws where it is not, or cannot stand in SQL */
function checkNames(spec: AnySpec, columns: readonly Column[]): void {
  const computed = Object.keys(spec.computed ?? {});
  const names = [...columns.map((column) => column.name), ...computed];
  checkIdentifiers([
    spec.table,
    ...names,
    ...columns.map(({ column }) => column),
    ...Object.keys(spec.reads ?? {}),
    ...Links.identifiers(spec),
  ]);
  const twice = names.find((name, i) => names.indexOf(name) < i || RESERVED.has(name));
  if (twice !== undefined) throw new Error(`the column ${twice} is there already`);
  const { fixed = [], search = [], references = {}, types = {}, card, name, transitions } = spec;
  const known = new Set(columns.map((column) => column.name));
  const assigned = [
    ...(spec.unseen ?? []),
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
    ].filter((field) => !known.has(field)),
    ...[card?.field, name].filter((field) => field !== undefined && !known.has(field)),
    ...assigned.filter((field) => !(field in (spec.assigned ?? {}))),
  ][0];
  if (unknown !== undefined) throw new Error(`there is no field ${unknown}`);
  if (spec.reference && !spec.shown?.['reference']) throw new Error('the reference is not among the shown members');
  if (card && spec.links?.permission !== undefined) throw new Error('rights are by a card or by links, not by both');
  if (transitions) checkTransitions(transitions);
}

/** @throws where moves lead to states there are not */
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

/** What a declaration is made into. @throws where it contradicts itself */
function partsOf(spec: AnySpec): ResourceParts & { schemas: ReturnType<typeof schemasOf> } {
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
    list: listSpec(spec, columns),
  });
  const schemas = schemasOf(spec, columns, links);
  const untold = new Set([...(spec.derived ?? []), ...Object.values(transitions?.times ?? {})]);
  const known = new Set(columns.map((column) => column.name));
  return {
    spec,
    columns,
    told: columns.filter(({ name }) => !untold.has(name)),
    rows,
    links,
    cards: new CardFields(spec, columns),
    references: new Map(
      Object.entries({ ...(card && { [card.field]: 'card' as const }), ...references }).flatMap(([field, target]) =>
        target ? [[field, target] as const] : [],
      ),
    ),
    conditions: schemas.conditions,
    name: spec.name ?? ['title', 'name'].find((field) => known.has(field)),
    schemas,
  };
}

/** Declares a resource; see the top of this file. @throws where the declaration contradicts itself */
export function resource<
  F extends TProperties,
  A extends TProperties = Record<never, never>,
  X extends TProperties = Record<never, never>,
  Settings = Record<string, unknown>,
  B extends TProperties = Record<never, never>,
>(declared: ResourceSpec<F, A, X, Settings, B>): Resource<F, A, X, Settings> {
  // What the fields are is known where a resource is declared and used; within, they are data.
  const spec = declared as unknown as AnySpec;
  const { schemas, ...parts } = partsOf(spec);
  type Routes = ModuleRoutes<ResourceService<F, A, X>, Settings>;
  return {
    service(host) {
      const core = new ResourceCore(parts, host as ModuleServices);
      return Object.assign(core, { core }) as unknown as ResourceService<F, A, X>;
    },
    routes: resourceRoutes(spec, schemas) as unknown as Routes,
    below: (field, place = '') => resourceRoutes(spec, schemas, { param: field, field, place }) as unknown as Routes,
    ofCard: (field) =>
      resourceRoutes(spec, schemas, {
        param: 'id',
        field,
        place: 'Card',
        listOnly: true,
        readOnly: field === spec.links?.field,
      }) as unknown as Routes,
    view: schemas.View,
    filters: schemas.filter,
    events: { kind: spec.kind, permission: spec.permissions.view, types: resourceEvents(spec) },
  };
}
