import type { RequestContext } from './context.js';
import type { PageResult } from './http.js';
import type { InventoryField, InventoryFilters, InventoryList, InventoryType } from './inventory.js';

/** What readers without an account see: the active cards of one type that match the filters, and of these the fields. */
export interface InventoryPublication {
  /** Key of the card type. */
  type: string;
  /**
   * Keys of `InventoryField`: `description`, `external_id`, `subtype`, `approval_status`, `lifecycle_phase` or `attributes.<key>`, in their
   * order. The id and the name are always part of it. A key that the type does not have now is left out, and so is a cost that is not among `costs`.
   */
  fields: readonly string[];
  /** Those of `fields` that are also published while they are costs. */
  costs: readonly string[];
  /** As for `GET /cards`: `subtype`, `approval_status`, `lifecycle_phase`, `external_id`, `tag` and `attributes.<key>[<operator>]`, but no costs. */
  filters: InventoryFilters;
}

/** Builds one statement over published cards: everything that is bound belongs to it alone. */
export interface PublishedSql {
  /** @returns the placeholder of a value */
  bind(value: unknown): string;
  /**
   * A subquery in parentheses with the published cards. Columns: `id`, `name`, `name_key` (for sorting), and one for each of `columns`.
   * @param columns keys of published fields by the name of their column
   * @param filters of the reader, by published fields: `<key>`, and for attributes `<key>[<operator>]`
   * @throws validation_failed with every invalid filter; an error where a key is not published
   */
  cards(columns?: Readonly<Record<string, string>>, filters?: InventoryFilters): string;
  /**
   * Condition that a text contains another, ignoring case and accents.
   * @param column SQL of the text
   * @param placeholder of the other text
   */
  contains(column: string, placeholder: string): string;
}

/** Published cards at one instant. */
export interface PublishedInventory {
  readonly type: Pick<InventoryType, 'key' | 'label' | 'color' | 'icon'>;
  /** The published fields by key, in the order of the publication. */
  readonly fields: ReadonlyMap<string, InventoryField>;
  /** As `Inventory.query`. */
  query<R extends Record<string, unknown>>(name: string, build: (sql: PublishedSql) => string): Promise<R[]>;
  /** As `Inventory.readPage`, but at most 10,000 hits are counted, and `total` is then a lower bound; `source` is computed for the rows that are used only, so that it must be simple. */
  readPage<R extends Record<string, unknown>>(
    name: string,
    build: (sql: PublishedSql) => InventoryList,
  ): Promise<PageResult<R>>;
}

/** A part of a publication that cannot be published. */
export interface PublicationFault {
  /** JSON pointer in the publication, such as `/fields/2`. */
  field: string;
  reason: string;
}

/** Publishes cards to readers without an account; see `inventory.publications`. */
export interface PublicationPort {
  /**
   * Reads with the rights of the publication, whatever the caller may see: what it does not name does not exist, neither in
   * columns nor in filters. Few such reads of a node run at once, each of at most 5 s; further ones wait.
   * @param options.lang BCP 47 tag of the labels
   * @param work reads only; it may be run again
   * @returns undefined if the card type does not exist, or if a filter of the publication is not valid any more
   * @throws rate_limited after a wait of 5 s
   */
  read<T>(
    publication: InventoryPublication,
    options: { lang?: string | undefined },
    work: (published: PublishedInventory) => Promise<T>,
  ): Promise<T | undefined>;
  /**
   * What of a publication the caller may not publish, because the caller does not see it, or because it does not exist.
   * @param ctx undefined: only what does not exist
   */
  faults(publication: InventoryPublication, ctx?: RequestContext): PublicationFault[];
}
