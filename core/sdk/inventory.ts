import type { TObject } from 'typebox';
import type { RequestContext } from './context.js';
import type { PageResult } from './http.js';
import type { PublicationPort } from './publication.js';
import type { ListParams, ListSpec } from './services.js';

/** A value of a field, with its label in the language of the request. */
export interface InventoryOption {
  key: string;
  label: string;
  /** `#rrggbb`. */
  color?: string | undefined;
}

/**
 * How the values of a field are read: `option` is one key of several, `options` a JSON array of keys, `boolean` is `true` or
 * `false`, a `date` is YYYY-MM-DD; all of these are text in SQL except `number`, which is numeric, and `options`, which is jsonb.
 */
export type InventoryFieldKind = 'option' | 'options' | 'text' | 'number' | 'date' | 'boolean' | 'id';

/** A field of cards or relations by which they can be grouped, or whose values can be summed. */
export interface InventoryField {
  /**
   * As a parameter of the list: `type`, `subtype`, `approval_status`, `lifecycle_phase`, `data_quality`, or `attributes.<key>`.
   */
  key: string;
  label: string;
  kind: InventoryFieldKind;
  /** Whether it is money in the currency of the workspace. Values that the caller may not see are null. */
  isCost: boolean;
  unit?: string | undefined;
  /** In their order; empty if the field has none. */
  options: readonly InventoryOption[];
}

/** A card type that the caller may see. */
export interface InventoryType extends InventoryOption {
  icon?: string | undefined;
  hasHierarchy: boolean;
  fields: readonly InventoryField[];
  roles: readonly { key: string; label: string }[];
}

/** A relation type. */
export interface InventoryRelationType {
  key: string;
  label: string;
  reverseLabel: string;
  /** The key of a card type, or `*` for any. */
  sourceType: string;
  targetType: string;
  /** Whether every card at this end should have such a relation. */
  sourceMandatory: boolean;
  targetMandatory: boolean;
  fields: readonly InventoryField[];
}

/** Builds one statement: everything that is bound belongs to it alone. */
export interface InventorySql {
  /** @returns the placeholder of a value */
  bind(value: unknown): string;
  /**
   * A subquery in parentheses with the cards that match and that the caller may see. Columns: `id`, `type`, `subtype`, `name`,
   * `name_key` (for sorting), `external_id`, `parent_id` (null if the parent is hidden), `path_ids` (ids of the cards above,
   * also of hidden ones), `status`, `approval_status`, `lifecycle`, `lifecycle_phase`, `data_quality` (as the caller sees
   * it), `open_quality` (without the fields that are costs), `basic_quality` (of what every reader of the card sees: also without
   * relations, stakeholders and references to cards), `costs_visible`
   * (whether the caller may see the costs of the card, for sums of the module), `created_at`, `updated_at`, and one column for each of `fields`. Columns that are not used cost nothing.
   * @param filters the parameters of `GET /cards` that filter; without `status` active cards
   * @param fields by the name of their column
   * @param columns only these of the columns above; fewer tables are then read for some statements. Default: all
   * @throws validation_failed with every invalid filter
   */
  cards(
    filters?: InventoryFilters,
    fields?: Readonly<Record<string, InventoryField>>,
    columns?: readonly InventoryColumn[],
  ): string;
  /**
   * A subquery with the stakeholders that the caller may see. Columns: `card_id`, `user_id`, `role`, `card_type`.
   * @throws forbidden without stakeholders.view
   */
  stakeholders(): string;
  /**
   * The same for relations between active cards. Columns: `id`, `type`, `source_id`, `target_id`, `source_type`, `target_type`,
   * `valid_from`, `valid_to`, and one column for each of `fields`.
   * @param types keys of relation types; default: all
   * @throws forbidden without relations.view
   */
  relations(types?: readonly string[], fields?: Readonly<Record<string, InventoryField>>): string;
}

/** A column of `InventorySql.cards`. */
export type InventoryColumn =
  | 'id'
  | 'type'
  | 'subtype'
  | 'name'
  | 'name_key'
  | 'external_id'
  | 'parent_id'
  | 'path_ids'
  | 'status'
  | 'approval_status'
  | 'lifecycle'
  | 'lifecycle_phase'
  | 'data_quality'
  | 'open_quality'
  | 'basic_quality'
  | 'costs_visible'
  | 'created_at'
  | 'updated_at';

/** Parameters of `GET /cards` that filter. */
export type InventoryFilters = Readonly<Record<string, string | number | boolean | undefined>>;

/** A list over cards and tables of the module; see `Inventory.readPage`. */
export interface InventoryList {
  /** SELECT of the listed rows, over `cards(…)` and tables of the module; `columns`, `where` and the sorts refer to it as `l`. */
  source: string;
  /** Sorts over `l`; `id` is its unique column, such as `l.id`. */
  spec: Omit<ListSpec, 'table'>;
  params: ListParams;
  /** Conditions, joined by AND. */
  where?: string[];
  columns: string;
  joins?: string;
  /** Identifies the list, including all filters: a cursor of another scope is refused. */
  scope: string;
  /**
   * For a source of many rows with an index for each sort: only the rows of the page are computed, in the order of the index, instead of all, and
   * hits are counted up to 10,000, unless `params.total` is `exact`. Conditions that are costly should be subqueries that refer to the row.
   */
  isLarge?: boolean;
}

/** The inventory at one instant, as the caller may see it. */
export interface Inventory {
  /** The UTC day, YYYY-MM-DD: phases of life cycles are those of this day. */
  readonly today: string;
  /** The card types that the caller may see, in the order of the metamodel. */
  readonly types: ReadonlyMap<string, InventoryType>;
  /** Whether these are all card types: none is hidden from the caller. */
  readonly seesAllTypes: boolean;
  readonly relationTypes: ReadonlyMap<string, InventoryRelationType>;
  /** The card types whose relations the caller may see. */
  readonly relatedTypes: readonly string[];
  /** The card types whose stakeholders the caller may see. */
  readonly stakeholderTypes: readonly string[];
  /**
   * A field of cards.
   * @param key as in `InventoryField`
   * @param types keys of the card types that are read; default: all
   * @returns undefined if none of them has it
   */
  field(key: string, types?: readonly string[]): InventoryField | undefined;
  /** Whether the caller may see costs: of every card, of some, or of none. */
  readonly costs: 'all' | 'some' | 'none';
  /**
   * Whether `data_quality` counts all relations, stakeholders and references for the caller. It does not where some of them may be
   * hidden: the caller then gets `basic_quality` for cards of some types.
   */
  readonly wholeScores: boolean;
  /** @throws forbidden, with the permission that is missing, for a caller who may see no costs */
  demandCosts(): void;
  /**
   * Runs a statement that reads. All statements see the same snapshot.
   * @param name of the statement, for logs
   */
  query<R extends Record<string, unknown>>(name: string, build: (sql: InventorySql) => string): Promise<R[]>;
  /**
   * One page of a list with its total, in one statement, as `db.readPage`; exact, but for lists with `isLarge`.
   * @param name of the statement, for logs
   */
  readPage<R extends Record<string, unknown>>(
    name: string,
    build: (sql: InventorySql) => InventoryList,
  ): Promise<PageResult<R>>;
}

/** Reads cards and relations by SQL, for figures over many of them. */
export interface InventoryPort {
  /** The parameters of `GET /cards` that filter, as the query of a route. */
  readonly filters: TObject;
  /** Cards for readers without an account. */
  readonly publications: PublicationPort;
  /**
   * Reads in a transaction that sees one snapshot; where a replica of the database is configured, on that.
   * @param options.lang BCP 47 tag of the labels; default: the workspace's
   * @param options.asOf an instant in the past, RFC 3339
   * @param work reads only; it may be run again, if the replica fails
   * @throws validation_failed for `asOf`, until states of the past can be read
   */
  read<T>(
    ctx: RequestContext,
    options: { lang?: string | undefined; asOf?: string | undefined },
    work: (inventory: Inventory) => Promise<T>,
  ): Promise<T>;
}
