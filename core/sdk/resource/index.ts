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
import type { TProperties, TSchema } from 'typebox';
import type { RequestContext } from '../context.js';
import type { PageResult, ResourceResult } from '../http.js';
import { checkIdentifiers } from '../identifiers.js';
import type { ModuleRoutes } from '../module.js';
import type { ListParams, ListSpec, ModuleServices, Sort, UnitOfWork } from '../services.js';
import type { Column } from './columns.js';
import { ResourceRepository } from './repository.js';
import { resourceRoutes } from './routes.js';
import { columnsOf, resourceEvents, schemasOf } from './schemas.js';
import { ResourceCore, type HistoryEntry, type ResourceScope } from './service.js';
import type { AnySpec, FieldsOf, ResourceSpec, ResourceRow } from './spec.js';

export type { ColumnType } from './columns.js';
export { resourceColumns } from './repository.js';
export { Money } from './schemas.js';
export type { HistoryEntry, ResourceScope } from './service.js';
export type {
  ResourceChange,
  ResourceBase,
  ResourceFilter,
  ReferenceLookup,
  ResourceSpec,
  ResourceRow,
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
  /** @throws not_found, precondition_failed, forbidden */
  remove(ctx: RequestContext, id: string, scope?: ResourceScope): Promise<void>;
  /** The same as part of a transaction of the module's own: neither rights nor references are looked at. */
  createIn(uow: UnitOfWork, input: Partial<FieldsOf<F> & FieldsOf<A>>): Promise<string>;
  updateIn(uow: UnitOfWork, id: string, patch: Record<string, unknown>): Promise<number>;
  removeIn(uow: UnitOfWork, id: string): Promise<void>;
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
  /** The list and POST, for `cardRoutes`. */
  ofCard(field: keyof F & string): ModuleRoutes<ResourceService<F, A, X>, Settings>;
  /** Schema of one, as it is answered. */
  readonly view: TSchema;
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
  return { sql: `r.${column}`, type, nullable: nullable === true, ...(type === 'text' && { collate: '"C"' }) };
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
  checkIdentifiers([spec.table, ...names]);
  const twice = names.find((name, i) => names.indexOf(name) < i || RESERVED.has(name));
  if (twice !== undefined) throw new Error(`the column ${twice} is there already`);
  const { fixed = [], search = [], references = {}, types = {}, card, name } = spec;
  const known = new Set(columns.map((column) => column.name));
  const unknown = [...fixed, ...search, ...Object.keys(references), ...Object.keys(types), card?.field, name].find(
    (field) => field !== undefined && !known.has(field),
  );
  if (unknown !== undefined) throw new Error(`there is no field ${unknown}`);
}

/** Declares a resource; see the top of this file. @throws where the declaration contradicts itself */
export function resource<
  F extends TProperties,
  A extends TProperties = Record<never, never>,
  X extends TProperties = Record<never, never>,
  Settings = Record<string, unknown>,
>(declared: ResourceSpec<F, A, X, Settings>): Resource<F, A, X, Settings> {
  // What the fields are is known where a resource is declared and used; within, they are data.
  const spec = declared as unknown as AnySpec;
  const columns = columnsOf(spec);
  checkNames(spec, columns);
  const computed = [...Object.keys(spec.computed ?? {}), ...(spec.search ? ['search_text'] : [])];
  const rows = new ResourceRepository(spec.table, columns, computed, listSpec(spec, columns));
  const schemas = schemasOf(spec, columns);
  const known = new Set(columns.map((column) => column.name));
  const name = spec.name ?? ['title', 'name'].find((field) => known.has(field));
  type Routes = ModuleRoutes<ResourceService<F, A, X>, Settings>;
  return {
    service(host) {
      const core = new ResourceCore(
        { spec, columns, rows, conditions: schemas.conditions, name },
        host as ModuleServices,
      );
      return Object.assign(core, { core }) as unknown as ResourceService<F, A, X>;
    },
    routes: resourceRoutes(spec, schemas) as unknown as Routes,
    below: (field, place = '') => resourceRoutes(spec, schemas, { param: field, field, place }) as unknown as Routes,
    ofCard: (field) =>
      resourceRoutes(spec, schemas, { param: 'id', field, place: 'Card', listOnly: true }) as unknown as Routes,
    view: schemas.View,
    events: { kind: spec.kind, permission: spec.permissions.view, types: resourceEvents(spec.kind) },
  };
}
