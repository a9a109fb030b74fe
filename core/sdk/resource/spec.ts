import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { RequestContext } from '../context.js';
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
      /** @param value as the query has it @param bind gives its placeholder @param alias of the table */
      sql(value: unknown, bind: (value: unknown) => string, alias: string): string;
    };

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

/** What `resource` is told. */
export interface ResourceSpec<F extends TProperties, A extends TProperties, X extends TProperties, Settings> {
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
  /** Fields the module sets itself, in `prepare`. */
  assigned?: A;
  /** Members of the view that are no columns; `present` gives them. */
  shown?: X;
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
type Untyped<S> = Omit<S, 'computed' | 'prepare' | 'removing' | 'present'> & {
  computed?: Readonly<Record<string, (row: Row, host: ModuleServices) => unknown>>;
  prepare?(change: ResourceChange<Row, Record<string, unknown>>): Values | void | Promise<Values | void>;
  removing?(change: Omit<ResourceChange<Row, Record<string, unknown>>, 'next'>): void | Promise<void>;
  present?(rows: readonly Row[], ctx: RequestContext, host: ModuleServices): Values[] | Promise<Values[]>;
};
export type AnySpec = Untyped<ResourceSpec<TProperties, TProperties, TProperties, Record<string, unknown>>>;
