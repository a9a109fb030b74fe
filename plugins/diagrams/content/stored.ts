/** What is stored of the content of a version, besides its XML. All of it is plain data. */

/** A shape that stands for a card. */
export interface CardShape {
  /** Index of the page, from 0. */
  page: number;
  /** Index of the cell in its page: ids of cells may occur twice. */
  at: number;
  cell: string;
  /** In lower case. */
  card: string;
  /** The name of the card when the version was saved, if it was the label of the shape; else null. */
  name: string | null;
  /** The colour of the type of the card when the version was saved, if the shape was filled with it; else null. */
  color: string | null;
}

/** How a masked cell is shown. `shape`: of a hidden card; `inner`: within one; `edge`: connected with one, or within such an edge. */
export type MaskKind = 'shape' | 'inner' | 'edge';

/**
 * A cell that was saved by a user who did not see its content. The content stays that of these cards, wherever the cell is and
 * whatever it is connected with.
 */
export interface HeldCell {
  /** Index of the page, from 0. */
  page: number;
  /** Index of the cell in its page; -1 for a line that was removed by a user who did not see it: another user may save it again. */
  at: number;
  /** Id of the line that was removed. */
  cell?: string;
  /** What it was when it was first saved in this way. */
  kind: MaskKind;
  /** In lower case. */
  cards: readonly string[];
}

/** What decides which cells of a version belong to which cards. */
export interface StoredOwners {
  shapes: readonly CardShape[];
  held: readonly HeldCell[];
}

/** An edge between two shapes of cards. */
export interface CardLink {
  page: number;
  cell: string;
  source: string;
  target: string;
  /** The relation that the edge says it shows, as generated diagrams have it. */
  relation: string | null;
  /** The key of a relation type, as generated diagrams have it. */
  type: string | null;
  label: string;
  /**
   * Cards to which the edge and its label belong; null: all cards of the version. Absent in versions from before they were recorded.
   */
  cards?: readonly string[] | null;
}

/** A page of a file. */
export interface StoredPage {
  id: string;
  name: string;
  cells: number;
  shapes: number;
}

/** Something that was removed from a file. */
export interface StoredRemoval {
  page: string;
  cell: string;
  what: string;
  /** Cards to which the cell belongs; null or absent: all cards of the version. */
  cards?: readonly string[] | null;
}

/** A card as the caller sees it now. `deleted`: there is no such card any more, and no card is hidden from the caller. */
export type CardState =
  | { kind: 'visible'; name: string; color: string | null; isArchived: boolean }
  | { kind: 'hidden' }
  | { kind: 'deleted' };

export const placeOf = (page: number, cell: string | number): string => `${page} ${cell}`;

/** Whether a reader may be told of a part that belongs to cards. @param hidden those of the version that the reader does not see */
export const isTold = (cards: readonly string[] | null | undefined, hidden: ReadonlySet<string>): boolean =>
  hidden.size === 0 || (cards?.every((card) => !hidden.has(card)) ?? false);
