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
 * - The main entity of a module: `bulk`, `transitions`, `links`, `reference` and `prepareAll`; see docs/plugins/11-bulk-and-states.md.
 */
import type { TProperties, TSchema } from 'typebox';
import type { BulkAnswer, BulkMode } from '../bulk.js';
import type { RequestContext } from '../context.js';
import type { PageResult, ResourceResult } from '../http.js';
import type { ModuleRoutes } from '../module.js';
import type { Bindings, ListParams, ModuleServices, UnitOfWork } from '../services.js';
import type { ResourceBulkOperation } from './bulk-operations.js';
import type { ResourceOperation, ResourceOutcome, ResourceBulkRow } from './operation.js';
import { partsOf } from './declare.js';
import { resourceRoutes } from './routes.js';
import { resourceEvents } from './schemas.js';
import { ResourceCore, type HistoryEntry, type ResourceScope } from './service.js';
import type { AnySpec, FieldsOf, ResourceSpec, ResourceRow } from './spec.js';

export type { ResourceBulkOperation } from './bulk-operations.js';
export type { ColumnType } from './columns.js';
export { LinkedCards, type LinkedCard } from './links.js';
export type { ResourceOperation, ResourceOutcome, ResourceBulkRow } from './operation.js';
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
    operations: readonly ResourceBulkOperation[],
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
  writeIn(uow: UnitOfWork, operations: readonly ResourceOperation[]): Promise<ResourceOutcome[]>;
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
