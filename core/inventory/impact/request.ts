export type Direction = 'downstream' | 'upstream' | 'both';

export interface ImpactRequest {
  cardId: string;
  direction: Direction;
  /** Relations from the card to the farthest ones, 1 to 6. */
  depth: number;
  /** Relation types to follow; all where absent. */
  types: readonly string[] | undefined;
  /** Card types the reader does not see: they are not passed through either. */
  hiddenTypes: readonly string[];
  /** UTC day, YYYY-MM-DD. */
  today: string;
}

/** Cards of an answer, at most. */
export const MAX_NODES = 5_000;
/** Relations of an answer, at most. */
export const MAX_EDGES = 20_000;
/** Relations looked at on one level, at most: what a hub has beyond them is cut off. */
export const MAX_FOLLOWED = 50_000;
/** The most levels there are. */
export const MAX_DEPTH = 6;
