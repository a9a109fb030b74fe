import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { RequestContext } from '../context.js';
import type { Problem } from '../problem.js';
import type { ModuleServices, Sort, UnitOfWork } from '../services.js';
import type { ColumnType } from './columns.js';

/** What every resource has besides its fields. */
export interface ResourceBase {
  id: string;
  version: number;
  created_by: string | null;
  created_at: string;
  updated_at: string;
}
/** Fields as JSON has them. */
export type FieldsOf<P extends TProperties> = Static<TObject<P>>;
/** A stored resource, as JSON has it. */
export type ResourceRow<F extends TProperties, A extends TProperties> = FieldsOf<F> & FieldsOf<A> & ResourceBase;

/** Says which of these ids there are. */
export type ReferenceLookup = (
  host: ModuleServices,
  ctx: RequestContext,
  ids: readonly string[],
) => Promise<ReadonlySet<string>>;

/**
 * How a list is narrowed. `any`: one of several values, by comma. `range`: `<name>_from` and `<name>_to`, both
 * included. `contains`: the list in the field holds the id. Else a condition of the module's own.
 */
export type ResourceFilter =
  | 'any'
  | 'range'
  | 'contains'
  | {
      schema: TSchema;
      /**
       * @param value as the query has it
       * @param bind gives its placeholder
       * @param alias of the table
       * @param asked the caller, what the module is given, and the whole query
       */
      sql(value: unknown, bind: (value: unknown) => string, alias: string, asked: ResourceQuery): string;
    };

/** A query of a list, as a filter of the module's own sees it. */
export interface ResourceQuery {
  ctx: RequestContext;
  host: ModuleServices;
  query: Readonly<Record<string, unknown>>;
}

/** A sort by another column than the field's own: a key for names, say. */
export interface SortColumn {
  column: string;
  type: Sort['type'];
  nullable?: boolean;
}

/** A change on its way, under the lock of the row. */
export interface ResourceChange<Row, Settings> {
  host: ModuleServices<Settings>;
  uow: UnitOfWork;
  ctx: RequestContext;
  id: string;
  /** Undefined where it is created. */
  before: Row | undefined;
  /** As it will be; of `assigned` fields what they are now. */
  next: Row;
}

/** A resource that goes from one state to another, under the lock of the row. */
export interface ResourceMove<Row, B extends TProperties, Settings> {
  host: ModuleServices<Settings>;
  uow: UnitOfWork;
  ctx: RequestContext;
  /** As it is now. */
  before: Row;
  from: string;
  to: string;
  /** Members of the body besides `to`. */
  body: FieldsOf<B>;
}

/** The states of a resource and how it goes from one to another. */
export interface ResourceTransitions<Row, Field extends string, B extends TProperties, Settings> {
  /** The assigned field that holds the state. */
  field: Field;
  /** The state of what is created. */
  initial: string;
  /** By state, the states it may go to. */
  moves: Readonly<Record<string, readonly string[]>>;
  /** States in which it is neither changed nor deleted, and can only be moved. */
  readOnly?: readonly string[];
  /** By state, the permission a move to it takes besides `manage`. */
  permissions?: Readonly<Record<string, string>>;
  /**
   * By state, the assigned field that holds since when it is in the state, by the clock of the database; null in other
   * states. The fields are not among the changes of events.
   */
  times?: Readonly<Record<string, Field>>;
  /** Members of the body besides `to`, each `Type.Optional`. Events have them, and so have entries of the history. */
  body?: B;
  /** Body of a transition, for OpenAPI; a first move when absent. */
  example?: Record<string, unknown>;
  /** For OpenAPI: what there is to say of the moves. */
  description?: string;
  /** @returns the problem of a move there is not; `invalid_state` when absent */
  refused?(details: { detail: string; from: string; to: string; allowed: readonly string[] }): Problem;
  /**
   * Looks at a move that is possible: refuses it by throwing, or sets fields.
   * @returns fields to set besides the state
   */
  guard?(move: ResourceMove<Row, B, Settings>): Partial<Row> | void | Promise<Partial<Row> | void>;
}

/** All that is written together: one resource, or up to as many as a bulk has operations. */
export interface ResourceBatch<Row, Settings> {
  host: ModuleServices<Settings>;
  uow: UnitOfWork;
  ctx: RequestContext;
  /** In the order of the operations, each once; deleted ones only where the same batch created them. */
  rows: readonly { id: string; before: Row | undefined; next: Row }[];
}

/** What happened to a resource. */
export type ResourceChangeKind = 'created' | 'updated' | 'transitioned' | 'deleted';

/** What `resource` is told. */
export interface ResourceSpec<
  F extends TProperties,
  A extends TProperties,
  X extends TProperties,
  Settings,
  B extends TProperties = Record<never, never>,
> {
  /** Kind of the subject of its events; is the module's id or begins with it. */
  kind: string;
  /** Its table, which has the `resourceColumns` and one column per field. */
  table: string;
  /** For OpenAPI: the tag, what operation ids end with (`CostNote`, `CostNotes`) and what a reader calls them. */
  tag: string;
  operation: string;
  operations?: string;
  label: string;
  labels: string;
  permissions: { view: string; manage: string; remove?: string };
  /** Lets a stakeholder role on the card the field names count beside `manage` and `remove`. */
  card?: { field: keyof F & string; permission: string };
  /**
   * What a caller sends and reads. A field that may be null or has a default need not be sent; `Type.Optional` is not
   * needed, and refused.
   */
  fields: F;
  /** Fields that are set when the resource is created, and stay. */
  fixed?: readonly (keyof F & string)[];
  /** Fields the module sets itself, in `prepare`, `prepareAll` or the guard of `transitions`. */
  assigned?: A;
  /** Assigned fields that are no part of the view: `prepare`, `present` and the like have them. */
  unseen?: readonly (keyof A & string)[];
  /** Assigned fields that follow from others, or are given once: they are not among the changes of events. */
  derived?: readonly (keyof A & string)[];
  /** Columns of fields that are not named as the field. */
  columns?: Partial<Record<(keyof F | keyof A) & string, string>>;
  /** Members of the view that are no fields; `reads`, `reference` and `present` give them. */
  shown?: X;
  /** Members of `shown` that are read with the row: their SQL, over the alias `r` of the table. */
  reads?: Partial<Record<keyof X & string, string>>;
  /**
   * What people call it by, such as `R-000001`: the member `reference` of the view (declare it under `shown`), of
   * events and of results of bulks. It is found by `search`.
   */
  reference?(row: ResourceRow<F, A>, host: ModuleServices<Settings>): string;
  /**
   * The field (`LinkedCards`) whose cards are kept in a table of their own, with the columns `<owner> uuid`, `card_id uuid`
   * and one for each other member of a link, and a unique constraint on `(<owner>, card_id)`. A caller sees and replaces
   * the links with cards he sees; the others stay. `permission`: lets a stakeholder role on linked cards count beside
   * `manage` and `remove`. Lists take the filter `card_id`, and `card_<member>` for members that have an `enum`.
   */
  links?: { field: keyof F & string; table: string; owner: string; permission?: string };
  /** Has `POST {prefix}/bulk`, where `member` names the fields of an operation. */
  bulk?: { member: string };
  /** States, and `POST {prefix}/{id}/transition`. The view has `allowed_transitions`. */
  transitions?: ResourceTransitions<ResourceRow<F, A>, keyof A & string, B, Settings>;
  /** Columns whose type the schema does not tell. */
  types?: Partial<Record<keyof F | keyof A, ColumnType>>;
  /** Columns written with every change and not returned by the API, such as sort keys. */
  computed?: Readonly<Record<string, (row: ResourceRow<F, A>, host: ModuleServices<Settings>) => unknown>>;
  /** Fields searched by words; the table has a column `search_text`, and a trigram index on it. */
  search?: readonly ((keyof F | keyof A) & string)[];
  /** Fields that name a card, a user or something else there must be; lists of ids too. */
  references?: Partial<Record<keyof F, 'card' | 'user' | ReferenceLookup>>;
  filters?: Readonly<Record<string, ResourceFilter>>;
  /** Besides `created_at` and `updated_at`. */
  sorts?: Readonly<Record<string, true | SortColumn>>;
  /** `created_at` when absent. */
  defaultSort?: string;
  defaultDir?: 'asc' | 'desc';
  /** The field its events name it by; `title` or `name`, where there is one, when absent. */
  name?: (keyof F | keyof A) & string;
  /** Body of a POST. */
  example: Record<string, unknown>;
  /**
   * Looks at a change before it is made, under the lock of the row: refuses it by throwing, or sets fields.
   * @returns fields to set, `assigned` ones among them
   */
  prepare?(
    change: ResourceChange<ResourceRow<F, A>, Settings>,
  ): Partial<ResourceRow<F, A>> | void | Promise<Partial<ResourceRow<F, A>> | void>;
  /**
   * Sets `derived` fields of all that is written together, before it is written: numbers of a counter, say, in one
   * statement for all. What it throws refuses all of them, or, where each operation counts alone, those that cause it.
   * @returns fields to set, one entry per row, in their order
   */
  prepareAll?(
    batch: ResourceBatch<ResourceRow<F, A>, Settings>,
  ): (Partial<ResourceRow<F, A>> | undefined)[] | Promise<(Partial<ResourceRow<F, A>> | undefined)[]>;
  /** @returns members its events have besides those that all have */
  eventData?(change: { kind: ResourceChangeKind; row: ResourceRow<F, A> }): Record<string, unknown>;
  /** What else a deletion means, and whether there may be one; under the lock of the row. */
  removing?(change: Omit<ResourceChange<ResourceRow<F, A>, Settings>, 'next'>): void | Promise<void>;
  /**
   * Members to show beside the columns or in their place, a page at a time: as many statements for one as for 200.
   * They become part of the ETag.
   * @returns one per row, in their order
   */
  present?(
    rows: readonly ResourceRow<F, A>[],
    ctx: RequestContext,
    host: ModuleServices<Settings>,
  ): PresentOf<F, A, X>[] | Promise<PresentOf<F, A, X>[]>;
}
export type PresentOf<F extends TProperties, A extends TProperties, X extends TProperties> = Partial<
  FieldsOf<X> & ResourceRow<F, A>
>;

/** A resource as the parts of the helper see it: the fields of its spec are data to them. */
export type Values = Record<string, unknown>;
export type Row = Values & ResourceBase;
type Settings = Record<string, unknown>;
type Spec = ResourceSpec<TProperties, TProperties, TProperties, Settings>;
export interface AnyTransitions extends Omit<NonNullable<Spec['transitions']>, 'guard' | 'body' | 'field' | 'times'> {
  field: string;
  times?: Readonly<Record<string, string>>;
  body?: TProperties;
  guard?(
    move: Omit<ResourceMove<Row, TProperties, Settings>, 'body'> & { body: Values },
  ): Values | void | Promise<Values | void>;
}
export interface AnySpec
  extends Omit<
    Spec,
    | 'computed'
    | 'prepare'
    | 'prepareAll'
    | 'removing'
    | 'present'
    | 'reference'
    | 'eventData'
    | 'transitions'
    | 'unseen'
    | 'derived'
    | 'columns'
    | 'reads'
  > {
  unseen?: readonly string[];
  derived?: readonly string[];
  columns?: Readonly<Record<string, string>>;
  reads?: Readonly<Record<string, string>>;
  transitions?: AnyTransitions;
  computed?: Readonly<Record<string, (row: Row, host: ModuleServices) => unknown>>;
  reference?(row: Row, host: ModuleServices): string;
  eventData?(change: { kind: ResourceChangeKind; row: Row }): Values;
  prepare?(change: ResourceChange<Row, Settings>): Values | void | Promise<Values | void>;
  prepareAll?(batch: ResourceBatch<Row, Settings>): (Values | undefined)[] | Promise<(Values | undefined)[]>;
  removing?(change: Omit<ResourceChange<Row, Settings>, 'next'>): void | Promise<void>;
  present?(rows: readonly Row[], ctx: RequestContext, host: ModuleServices): Values[] | Promise<Values[]>;
}
