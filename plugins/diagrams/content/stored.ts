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
}

/** A card as the caller sees it now. `deleted`: there is no such card any more, and no card is hidden from the caller. */
export type CardState =
  | { kind: 'visible'; name: string; color: string | null; isArchived: boolean }
  | { kind: 'hidden' }
  | { kind: 'deleted' };

export const placeOf = (page: number, cell: string | number): string => `${page} ${cell}`;
