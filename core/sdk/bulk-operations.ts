/** How an operation identifies a card: one of its members, or `type` with `external_id`, or `type` with `name` and `path`. */
export interface CardPointer {
  id?: string;
  type?: string;
  external_id?: string;
  name?: string;
  /** Names of the ancestors, root first, as a list or joined by ` / `; empty for a card without a parent. */
  path?: string | readonly string[];
}

/** As `CardPointer`, or the `ref` of another operation of the same call. */
export interface CardReference extends CardPointer {
  ref?: string;
}

/** The data of a relation other than its type and its ends; null removes a value. */
export interface RelationValues {
  /** By field key of the relation type. */
  attributes?: Readonly<Record<string, unknown>>;
  description?: string | null;
  /** YYYY-MM-DD. */
  valid_from?: string | null;
  valid_to?: string | null;
}

/** A relation from the card of an operation: it is created, or updated to these values. */
export interface CardRelation extends RelationValues {
  type: string;
  target: CardReference;
}

/** Fields of a card as an operation writes them: a merge patch of those it has. */
export interface CardInput {
  /** A card type, for a new card; it cannot be changed afterwards. */
  type?: string;
  name?: string;
  subtype?: string | null;
  description?: string | null;
  parent_id?: string | null;
  /** Instead of `parent_id`. */
  parent?: CardReference | null;
  /** Dates, YYYY-MM-DD, by phase. */
  lifecycle?: Readonly<Record<string, string | null>>;
  /** By field key of the card type. */
  attributes?: Readonly<Record<string, unknown>>;
  external_id?: string | null;
  alias?: string | null;
  relations?: readonly CardRelation[];
}

/** How an operation identifies its card, and the expected version. */
interface OfCard {
  /** Names the card for other operations of the call. */
  ref?: string;
  id?: string;
  version?: number;
}

/** Creates or updates a card: the one with this `id` or, for `upsert`, `type` and `external_id` of `card`. */
export interface CardWriteOperation extends OfCard {
  op: 'create' | 'update' | 'upsert';
  card?: CardInput;
  relations?: readonly CardRelation[];
}

/** Archives, restores or deletes a card. */
export interface CardLifeOperation extends OfCard {
  op: 'archive' | 'restore' | 'delete';
  /** The effect on the children: archived or deleted too, without a parent, or moved to the parent of the card. */
  child_strategy?: 'cascade' | 'disconnect' | 'reparent';
}

/** One operation of `POST /cards/bulk`. */
export type CardOperation = CardWriteOperation | CardLifeOperation;

/** Creates or updates a relation: the one with this `id` or, for `upsert`, its type and ends. */
export interface RelationWriteOperation extends RelationValues {
  op: 'create' | 'update' | 'upsert';
  id?: string;
  /** The expected version. */
  version?: number;
  type?: string;
  source_id?: string;
  target_id?: string;
  /** Instead of `source_id` and `target_id`. */
  source?: CardPointer;
  target?: CardPointer;
}

/** Deletes a relation. */
export interface RelationDeleteOperation {
  op: 'delete';
  id: string;
  /** The expected version. */
  version?: number;
}

/** One operation of `POST /relations/bulk`. */
export type RelationOperation = RelationWriteOperation | RelationDeleteOperation;
