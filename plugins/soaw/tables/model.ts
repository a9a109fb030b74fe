import type { Kind } from './definition.js';

/** A cell as it was computed. Amounts are decimal text, in the currency of the document. */
export type StoredCell = string | number | null | { money: string } | { date: string };

export interface Column {
  title: string;
  align?: 'right';
  /** Its amounts are shown only to those who may see the costs of the card of the row. */
  is_cost?: true;
  /** The card types that have this field: a reader from whom all of them are hidden does not learn that there is such a field. */
  types?: string[];
}

/** A row is about one card, and does not exist for a reader from whom the card is hidden. */
export interface Row {
  card_id: string;
  card_type: string;
  /** Tells rows about the same card apart, such as the number of a risk. */
  key?: string;
  /** Shown only to those who may see the relations of all cards, by which it was found. */
  by_relations?: true;
  cells: StoredCell[];
}

/**
 * What a reader must see so that the filter of a table gives the reader the same rows: a row tells that its card matches, a missing one
 * that it does not. A reader who lacks one of these sees no row of the frozen table.
 */
export interface FilterRights {
  /** The costs of all cards. */
  costs?: true;
  /** The relations of all cards: the other end is of any type. */
  relations?: true;
  /** The stakeholders of all cards. */
  stakeholders?: true;
  /** Cards of all types: the filter depends on other cards than those of its rows, without naming them. */
  others?: true;
  /** Every card that the filter names. */
  cards?: string[];
}

/** Why a table has no rows, or not all. */
export type Note = 'module_disabled' | 'not_permitted' | 'filter_refused' | 'truncated';

/** A live table as it was computed. */
export interface Computed {
  id: string;
  section: string;
  kind: Kind;
  title: string;
  columns: Column[];
  rows: Row[];
  /** Whether it ends with the sums of its costs. */
  has_sums?: true;
  note?: Note;
  /**
   * Rows that a reader is shown. The table has at least as many of each card type, so that for every reader they are the first ones
   * of the cards that this reader may see. Absent if the rows were cut for those who may see all of its card types: others see none.
   */
  limit?: number;
  /** Permission required to see the rows. */
  permission?: string;
  /** Absent if its rows can be shown to all who see their cards. */
  rights?: FilterRights;
}

/** A computed table with the card types that its filter names; undefined: all. */
export type TypedTable = Computed & { types: readonly string[] | undefined };

/** What a document shows besides its own text, as it was at one time. */
export interface Shown {
  /** RFC 3339. */
  at: string;
  /** BCP 47 tag of its titles and labels. */
  lang: string;
  organisation: string;
  /** ISO 4217. */
  currency: string;
  header: string;
  footer: string;
  /** Names of accounts that its rows name. */
  people: Record<string, string>;
  tables: Computed[];
}

/** What is stored when signatures are requested, seen with all rights, and covered by the hash of the content. */
export interface Frozen extends Shown {
  cards: { card_id: string; role: string }[];
  /** Random, so that amounts cannot be found by trying which ones give the hash. */
  nonce: string;
  /** Hash of the logo, hexadecimal; null for none. Absent if it was frozen before logos were. */
  logo?: string | null;
}
