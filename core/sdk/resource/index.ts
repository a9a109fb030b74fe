/**
 * A resource of the REST API, with the complete HTTP contract: pages and cursors, filters, sorting, search,
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
 *   `jsonb`; `types` overrides this.
 * - `services: (host) => ({ notes: notes.service(host) })`, `events: [notes.events]`.
 * - `routes: async (app, { services, host }) => { await app.register(notes.routes, { prefix: '/notes', services: services.notes, host }); }`
 * - Below a card: `cardRoutes: { segment: 'notes', routes: async (app, { services, host }) => { await app.register(notes.ofCard('card_id'), …); } }`,
 *   or `notes.below('card_id')` under a prefix such as `/initiatives/:card_id/notes` of the module's own.
 * - The main entity of a module: `bulk`, `transitions`, `links`, `reference` and `prepareAll`; see docs/plugins/11-bulk-and-states.md.
 */
import type { TProperties, TSchema } from 'typebox';
import type { BulkAnswer, BulkMode } from '../bulk.js';
import type { RequestContext } from '../context.js';
import type { PageResult, ResourceResult, UploadedFile } from '../http.js';
import type { ModuleRoutes } from '../module.js';
import type { Bindings, ListParams, ModuleServices, UnitOfWork } from '../services.js';
import type { ResourceBulkOperation } from './bulk-operations.js';
import type { ResourceOperation, ResourceOutcome, ResourceBulkRow } from './operation.js';
import { partsOf } from './declare.js';
import type { ResourceFile } from './files-repository.js';
import { resourceRoutes } from './routes.js';
import { resourceEvents } from './schemas.js';
import type { HistoryEntry, ResourceScope, WrittenResource } from './results.js';
import { ResourceCore } from './service.js';
import type { AnySpec, FieldsOf, ResourceSpec, ResourceRow } from './spec.js';

export type { ResourceBulkOperation } from './bulk-operations.js';
export type { ColumnType } from './columns.js';
export { LinkedCards, type LinkedCard } from './links.js';
export type { ResourceOperation, ResourceOutcome, ResourceBulkRow } from './operation.js';
export { fileTrigger, resourceFiles, type ResourceFile } from './files-repository.js';
export { resourceColumns } from './repository.js';
export { Money } from './schemas.js';
export type { HistoryEntry, ResourceScope, WrittenResource } from './results.js';
export type {
  ResourceAudience,
  ResourceBatch,
  ResourceChange,
  ResourceChangeKind,
  ResourceBase,
  ResourceFileOptions,
  ResourceFilter,
  ResourceMove,
  ResourceQuery,
  ReferenceLookup,
  ResourceSpec,
  ResourceRow,
  ResourceTransitions,
  SortColumn,
} from './spec.js';

/** Reads and writes one resource, like its routes. `scope` restricts fields to the values in a path. */
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
  /** Like `get`, with the data for `http.sendResource`. */
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
   * Like `update`, if the patch depends on the stored state.
   * @param cards that the patch may reference
   * @param patchOf receives the locked resource with the links visible to the caller; an error rejects the change
   * @returns the resource as it was written, for the response
   */
  change(
    ctx: RequestContext,
    id: string,
    cards: readonly string[],
    patchOf: (row: ResourceRow<F, A>) => Partial<FieldsOf<F>>,
    scope?: ResourceScope,
  ): Promise<WrittenResource>;
  /** @throws not_found, precondition_failed, forbidden */
  remove(ctx: RequestContext, id: string, scope?: ResourceScope): Promise<void>;
  /**
   * Changes its state, if the spec has `transitions`.
   * @param body members besides `to`
   * @throws not_found, precondition_failed, forbidden, the problem of `refused` for an impossible transition, errors of the guard
   */
  transition(
    ctx: RequestContext,
    id: string,
    to: string,
    body?: Record<string, unknown>,
    scope?: ResourceScope,
  ): Promise<void>;
  /**
   * Executes many operations in one transaction, like `POST {prefix}/bulk`, if the spec has `bulk`.
   * @throws validation_failed with the failed rows under `results`, in all_or_nothing, if one failed and it is not a dry run
   */
  bulk(
    ctx: RequestContext,
    operations: readonly ResourceBulkOperation[],
    mode: BulkMode,
    scope?: ResourceScope,
  ): Promise<BulkAnswer<ResourceBulkRow>>;
  /** The files of a resource, if the spec has `files`. @throws not_found */
  listFiles(
    ctx: RequestContext,
    id: string,
    params: ListParams,
    scope?: ResourceScope,
  ): Promise<PageResult<ResourceFile>>;
  /** One file of a resource, and its bytes, chunk by chunk. @throws not_found */
  openFile(
    ctx: RequestContext,
    id: string,
    fileId: string,
    scope?: ResourceScope,
  ): Promise<{ file: ResourceFile; bytes: AsyncIterable<Buffer> }>;
  /** Adds files to a resource, all or none. @throws not_found, forbidden, precondition_failed, invalid_state, validation_failed */
  addFiles(
    ctx: RequestContext,
    id: string,
    uploads: readonly UploadedFile[],
    scope?: ResourceScope,
  ): Promise<ResourceFile[]>;
  /** @throws not_found, forbidden, precondition_failed, invalid_state */
  removeFile(ctx: RequestContext, id: string, fileId: string, scope?: ResourceScope): Promise<void>;
  /**
   * As `create`, in two steps: looks up cards and other references before a transaction, which would otherwise wait for a
   * second connection. The returned function creates the resource as part of the transaction, also of one of another
   * module that calls a capability.
   */
  prepareCreate(
    ctx: RequestContext,
    input: Partial<FieldsOf<F> & FieldsOf<A>>,
    scope?: ResourceScope,
  ): Promise<(uow: UnitOfWork) => Promise<string>>;
  /**
   * Executes one operation like POST, PATCH and `/transition`, with the condition of the request.
   * @returns the resource as it was written, for the response
   * @throws as `create`, `update` and `transition`
   */
  write(ctx: RequestContext, operation: ResourceOperation, scope?: ResourceScope): Promise<WrittenResource>;
  /**
   * Runs a write of the module, and returns the resource as it was written, for the response: once the transaction has ended, another request
   * may change or delete it.
   * @param work calls `written` at the end of its transaction, and returns the id, also for a repeated Idempotency-Key
   * @throws what `work` throws
   */
  answering(
    ctx: RequestContext,
    work: (written: (uow: UnitOfWork, id: string) => Promise<void>) => Promise<string>,
    scope?: ResourceScope,
  ): Promise<WrittenResource>;
  /**
   * The same as part of a transaction, also of one of another module: neither permissions nor references are checked.
   */
  createIn(uow: UnitOfWork, input: Partial<FieldsOf<F> & FieldsOf<A>>): Promise<string>;
  updateIn(uow: UnitOfWork, id: string, patch: Record<string, unknown>): Promise<number>;
  removeIn(uow: UnitOfWork, id: string): Promise<void>;
  /**
   * Executes many operations, with the same number of statements as one. `If-Match` of the request is not checked.
   * @returns the result of each
   * @throws the problem of the first rejected one; nothing is written then
   */
  writeIn(uow: UnitOfWork, operations: readonly ResourceOperation[]): Promise<ResourceOutcome[]>;
  /** Deletes the resources that cannot exist without these cards, with an event for each; for `cardsDeleted` of the manifest. */
  removeOfCards(uow: UnitOfWork, cards: readonly string[]): Promise<void>;
  /** Requires that the caller may change the resource, for parts of a resource. @throws not_found, forbidden */
  requireWrite(ctx: RequestContext, id: string): Promise<void>;
  /**
   * The conditions of a list, for custom statements over its table, as `r`.
   * @param query the filters of the list
   * @param bindings collect the values
   * @returns conditions, to be joined by AND, including those that exclude hidden resources
   */
  conditions(ctx: RequestContext, query: Readonly<Record<string, unknown>>, bindings: Bindings): Promise<string[]>;
  /** The service used by the routes. */
  readonly core: ResourceCore;
}

/** The result of `resource`: its routes, service, schema and events. */
export interface Resource<F extends TProperties, A extends TProperties, X extends TProperties, Settings> {
  service(host: ModuleServices<Settings>): ResourceService<F, A, X>;
  readonly routes: ModuleRoutes<ResourceService<F, A, X>, Settings>;
  /**
   * The same routes below a path parameter with the name of the field, which has its value.
   * @param place part of operation ids, if the same resource has other routes
   */
  below(field: keyof F & string, place?: string): ModuleRoutes<ResourceService<F, A, X>, Settings>;
  /** The list and POST, for `cardRoutes`; for `links` only the list. */
  ofCard(field: keyof F & string): ModuleRoutes<ResourceService<F, A, X>, Settings>;
  /** Schema of one resource in responses. */
  readonly view: TSchema;
  /** Schemas of the filters of the list, for reports over the same resources. */
  readonly filters: Readonly<Record<string, TSchema>>;
  /** An entry of the manifest's `events`. */
  readonly events: {
    kind: string;
    permission: string;
    cards: 'none' | readonly string[];
    fieldPermissions: Readonly<Record<string, string>>;
    types: Record<string, TSchema>;
  };
}

/** Declares a resource; see the top of this file. @throws if the declaration is contradictory */
export function resource<
  F extends TProperties,
  A extends TProperties = Record<never, never>,
  X extends TProperties = Record<never, never>,
  Settings = Record<string, unknown>,
  B extends TProperties = Record<never, never>,
>(declared: ResourceSpec<F, A, X, Settings, B>): Resource<F, A, X, Settings> {
  // The types of the fields are known only where a resource is declared and used.
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
    events: {
      kind: spec.kind,
      permission: spec.permissions.view,
      cards: parts.cards.owningFields,
      fieldPermissions: parts.restricted.permissions,
      types: resourceEvents(spec),
    },
  };
}
