export type Direction = 'downstream' | 'upstream' | 'both';

export interface ImpactRequest {
  cardId: string;
  direction: Direction;
  /** Maximum distance in relations, 1 to `MAX_DEPTH`. */
  depth: number;
  /** Relation types to follow; all where absent. */
  types: readonly string[] | undefined;
  /** Card types hidden from the reader; the traversal does not pass through their cards. */
  hiddenTypes: readonly string[];
  /** UTC day, YYYY-MM-DD. */
  today: string;
}

/** Maximum number of cards in a response. */
export const MAX_NODES = 5_000;
/** Maximum number of relations in a response. */
export const MAX_EDGES = 20_000;
/** Maximum number of relations read per level: further ones of a highly connected card are cut off. */
export const MAX_FOLLOWED = 50_000;
/** Distances in relations: the largest that can be requested, and the one where none is requested. */
export const MAX_DEPTH = 6;
export const DEFAULT_DEPTH = 3;
