import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { RequestContext } from '../context.js';
import type { Problem } from '../problem.js';
import type { ModuleServices, Sort, UnitOfWork } from '../services.js';
import type { ColumnType } from './columns.js';

/** Members of every resource besides its fields. */
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

/** Returns those of these ids that exist. */
export type ReferenceLookup = (
  host: ModuleServices,
  ctx: RequestContext,
  ids: readonly string[],
) => Promise<ReadonlySet<string>>;

/**
 * A filter of a list. `any`: one of several comma-separated values. `range`: `<name>_from` and `<name>_to`, both
 * included. `contains`: the list in the field contains the value. Otherwise a custom condition.
 */
export type ResourceFilter =
  | 'any'
  | 'range'
  | 'contains'
  | {
      schema: TSchema;
      /**
       * @param value the value of the parameter
       * @param bind returns the placeholder of a value
       * @param alias of the table
       * @param request the caller, the services of the module, and the whole query
       * @returns the condition
       */
      sql(value: unknown, bind: (value: unknown) => string, alias: string, request: ResourceQuery): string;
    };

/** A query of a list, as passed to a custom filter. */
export interface ResourceQuery {
  ctx: RequestContext;
  host: ModuleServices;
  query: Readonly<Record<string, unknown>>;
}

/** A sort by another column than that of the field, such as a key of names. */
export interface SortColumn {
  column: string;
  type: Sort['type'];
  nullable?: boolean;
}

/** A planned change, while the row is locked. */
export interface ResourceChange<Row, Settings> {
  host: ModuleServices<Settings>;
  uow: UnitOfWork;
  ctx: RequestContext;
  id: string;
  /** Undefined if it is created. */
  before: Row | undefined;
  /** The planned state; `assigned` fields have their current values. */
  next: Row;
}

/** A transition of a resource, while the row is locked. */
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

/** The states of a resource and its transitions. */
export interface ResourceTransitions<Row, Field extends string, B extends TProperties, Settings> {
  /** The assigned field that holds the state. */
  field: Field;
  /** The initial state. */
  initial: string;
  /** By state, the possible next states. */
  moves: Readonly<Record<string, readonly string[]>>;
  /** States in which PATCH and DELETE are refused, and only transitions are possible. */
  readOnly?: readonly string[];
  /** By state, the permission for a transition to it, in addition to `manage`. */
  permissions?: Readonly<Record<string, string>>;
  /**
   * By state, the assigned field that holds since when it is in the state, by the clock of the database; null in other
   * states. The fields are not among the changes of events.
   */
  times?: Readonly<Record<string, Field>>;
  /** Members of the body besides `to`, each `Type.Optional`. Events have them, and so have entries of the history. */
  body?: B;
  /** Body of a transition, for OpenAPI; default: the first transition from the initial state. */
  example?: Record<string, unknown>;
  /** For OpenAPI: a description of the transitions. */
  description?: string;
  /** @returns the problem of an impossible transition; default: `invalid_state` */
  refused?(details: { detail: string; from: string; to: string; allowed: readonly string[] }): Problem;
  /**
   * Checks a possible transition: rejects it by throwing, or sets fields.
   * @returns fields to set besides the state
   */
  guard?(move: ResourceMove<Row, B, Settings>): Partial<Row> | void | Promise<Partial<Row> | void>;
}

/** All rows written together: one resource, or as many as a bulk request has operations. */
export interface ResourceBatch<Row, Settings> {
  host: ModuleServices<Settings>;
  uow: UnitOfWork;
  ctx: RequestContext;
  /** In the order of the operations, each once; deleted ones only where the same batch created them. */
  rows: readonly { id: string; before: Row | undefined; next: Row }[];
}

/** Files of a resource. */
export interface ResourceFileOptions {
  /** The table, made by `resourceFiles`. */
  table: string;
  /** Accepted media types, such as `application/pdf`; default: all. */
  types?: readonly string[];
  /** Maximum number of bytes of one request; default: 10 MiB. */
  maxBytes?: number;
  /** Maximum number of files of a resource, up to 100; default: 20. */
  maxFiles?: number;
}

/** Determines which rows a caller with the permission `view` sees, where these are not all. */
export interface ResourceAudience<Row> {
  /**
   * Condition over the table for the rows that the caller sees.
   * @param bind returns the placeholder of a value
   * @param alias of the table
   */
  sql(ctx: RequestContext, bind: (value: unknown) => string, alias: string): string;
  /** The same for a row that was read. */
  sees(ctx: RequestContext, row: Row): boolean;
  /** Whether the caller also sees its history, which may be older than the caller's right to see the row; default: yes. */
  seesHistory?(ctx: RequestContext, row: Row): boolean;
}

/** The kind of change of a resource. */
export type ResourceChangeKind = 'created' | 'updated' | 'transitioned' | 'deleted';

/** How many resources there may be with the same values. */
export interface ResourceBound<Field extends string> {
  /** Fields that cannot be changed (`fixed`), or `created_by` for those of one user; absent: all resources together. */
  per?: readonly (Field | 'created_by')[];
  most: number;
}

/** Options of `resource`. */
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
  /** For OpenAPI: the tag, the suffix of operation ids (`CostNote`, `CostNotes`) and the labels in texts. */
  tag: string;
  operation: string;
  operations?: string;
  label: string;
  labels: string;
  permissions: { view: string; manage: string; remove?: string };
  /** The field with the card whose stakeholder roles count in addition to `manage` and `remove`. */
  card?: { field: keyof F & string; permission: string };
  /**
   * Fields that callers send and read. Nullable fields and fields with a default are optional; `Type.Optional` is not
   * needed, and refused.
   */
  fields: F;
  /** Fields that cannot be changed after creation. */
  fixed?: readonly (keyof F & string)[];
  /**
   * How many there may be: one more is `limit_reached`. Of a bound without `created_by`, one user may have a fifth, unless the
   * user holds `settings.manage`. Absent only for inventory, whose number is its purpose. The columns need an index.
   */
  bounds?: readonly ResourceBound<keyof F & string>[];
  /**
   * By member of the view, the application permission required to see it, and to set it. To other callers the member does
   * not exist: neither in views, the history and events, nor by filters, sorts and totals. Custom filters and sorts by computed
   * columns of another name, `eventData`, sections and export columns must not reveal it.
   */
  fieldPermissions?: Partial<Record<(keyof F | keyof A | keyof X) & string, string>>;
  /**
   * The rows that a caller with the permission `view` sees, if not all: for other callers a row does not exist, neither in lists
   * and totals nor by its id. Its events need `only` in the manifest.
   */
  audience?: ResourceAudience<ResourceRow<F, A>>;
  /** Fields the module sets itself, in `prepare`, `prepareAll` or the guard of `transitions`. */
  assigned?: A;
  /** Assigned fields that are not part of the view, but available to `prepare`, `present` and other hooks. */
  hidden?: readonly (keyof A & string)[];
  /** Assigned fields that are computed from others, or assigned once: they are not listed among the changes of events. */
  derived?: readonly (keyof A & string)[];
  /**
   * Fields that callers send, and whose values are not in events and the history, because not every receiver of the events may
   * see them. A change of these alone has a version and an event without `changes`.
   */
  unlogged?: readonly (keyof F & string)[];
  /**
   * Fields that may be large: lists leave them out and do not read them. `present` finds null in them then, and what it
   * returns for them is left out.
   */
  unlisted?: readonly (keyof F & string)[];
  /** Columns whose name differs from their field. */
  columns?: Partial<Record<(keyof F | keyof A) & string, string>>;
  /** Members of the view that are not fields; computed by `reads`, `reference` and `present`. */
  shown?: X;
  /** Members of `shown` that are read with the row: their SQL, over the alias `r` of the table. */
  reads?: Partial<Record<keyof X & string, string>>;
  /**
   * A human-readable reference, such as `R-000001`: the member `reference` of the view (declare it under `shown`), of
   * events and of results of bulks. It is found by `search`.
   */
  reference?(row: ResourceRow<F, A>, host: ModuleServices<Settings>): string;
  /**
   * The field (`LinkedCards`) whose cards are in a separate table, with the columns `<owner> uuid`, `card_id uuid`
   * and one for each other member of a link, and a unique constraint on `(<owner>, card_id)`. A caller sees and replaces
   * the links with visible cards; the others are kept. `permission`: a stakeholder role on linked cards counts in addition to
   * `manage` and `remove`. Lists have the filter `card_id`, and `card_<member>` for members that have an `enum`.
   */
  links?: { field: keyof F & string; table: string; owner: string; permission?: string };
  /**
   * Files of a resource, in a table made by `resourceFiles`: adds `{prefix}/{id}/files`. Adding and removing files changes
   * the version of the resource, in the same transaction. They are deleted with it.
   */
  files?: ResourceFileOptions;
  /** Adds `POST {prefix}/bulk`, in which `member` of an operation has the fields. */
  bulk?: { member: string };
  /** States, and `POST {prefix}/{id}/transition`. The view has `allowed_transitions`. */
  transitions?: ResourceTransitions<ResourceRow<F, A>, keyof A & string, B, Settings>;
  /** Types of columns that cannot be derived from the schema. */
  types?: Partial<Record<keyof F | keyof A, ColumnType>>;
  /** Columns written with every change and not returned by the API, such as sort keys. */
  computed?: Readonly<Record<string, (row: ResourceRow<F, A>, host: ModuleServices<Settings>) => unknown>>;
  /** Fields searched by words; the table has a column `search_text`, and a trigram index on it. */
  search?: readonly ((keyof F | keyof A) & string)[];
  /** Fields that reference a card, a user or another existing object; also lists of ids. */
  references?: Partial<Record<keyof F, 'card' | 'user' | ReferenceLookup>>;
  filters?: Readonly<Record<string, ResourceFilter>>;
  /** In addition to `created_at` and `updated_at`. */
  sorts?: Readonly<Record<string, true | SortColumn>>;
  /** Default: `created_at`. */
  defaultSort?: string;
  defaultDir?: 'asc' | 'desc';
  /** The field with the name of the subject of events; default: `title` or `name`, if present. */
  name?: (keyof F | keyof A) & string;
  /** Body of a POST. */
  example: Record<string, unknown>;
  /**
   * Checks a change before it is written, while the row is locked: rejects it by throwing, or sets fields.
   * @returns fields to set, `assigned` ones among them
   */
  prepare?(
    change: ResourceChange<ResourceRow<F, A>, Settings>,
  ): Partial<ResourceRow<F, A>> | void | Promise<Partial<ResourceRow<F, A>> | void>;
  /**
   * Sets `derived` fields of all rows written together, before they are written, such as numbers of a counter, in one
   * statement for all. An error rejects all of them, or, in `per_row`, those that cause it.
   * @returns fields to set, one entry per row, in their order
   */
  prepareAll?(
    batch: ResourceBatch<ResourceRow<F, A>, Settings>,
  ): (Partial<ResourceRow<F, A>> | undefined)[] | Promise<(Partial<ResourceRow<F, A>> | undefined)[]>;
  /** @returns additional members of its events */
  eventData?(change: { kind: ResourceChangeKind; row: ResourceRow<F, A> }): Record<string, unknown>;
  /** Checks a deletion and performs further effects, while the row is locked. */
  removing?(change: Omit<ResourceChange<ResourceRow<F, A>, Settings>, 'next'>): void | Promise<void>;
  /**
   * Members of the view in addition to the fields or instead of them, for a page at a time; the number of statements must not depend on
   * the number of rows. They become part of the ETag.
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

/** Fields of a resource inside the SDK, where the types of its spec are not known. */
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
    | 'hidden'
    | 'derived'
    | 'unlogged'
    | 'unlisted'
    | 'columns'
    | 'reads'
    | 'fieldPermissions'
    | 'audience'
    | 'bounds'
  > {
  bounds?: readonly ResourceBound<string>[];
  audience?: ResourceAudience<Row>;
  hidden?: readonly string[];
  derived?: readonly string[];
  unlogged?: readonly string[];
  unlisted?: readonly string[];
  columns?: Readonly<Record<string, string>>;
  reads?: Readonly<Record<string, string>>;
  fieldPermissions?: Readonly<Record<string, string>>;
  transitions?: AnyTransitions;
  computed?: Readonly<Record<string, (row: Row, host: ModuleServices) => unknown>>;
  reference?(row: Row, host: ModuleServices): string;
  eventData?(change: { kind: ResourceChangeKind; row: Row }): Values;
  prepare?(change: ResourceChange<Row, Settings>): Values | void | Promise<Values | void>;
  prepareAll?(batch: ResourceBatch<Row, Settings>): (Values | undefined)[] | Promise<(Values | undefined)[]>;
  removing?(change: Omit<ResourceChange<Row, Settings>, 'next'>): void | Promise<void>;
  present?(rows: readonly Row[], ctx: RequestContext, host: ModuleServices): Values[] | Promise<Values[]>;
}
