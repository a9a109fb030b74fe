/** Kinds of relations that two cards may share. */
export const GROUPS = ['capabilities', 'interfaces', 'suppliers', 'users'] as const;
export type Group = (typeof GROUPS)[number];

/** A card as the comparison needs it. */
export interface CardInput {
  id: string;
  name: string;
  alias: string | null;
  text: string | null;
  parent: string | null;
  /** Cards to which it has relations, by kind. */
  related: readonly { id: string; group: Group }[];
  /** Cards of the same type to which it has a relation, such as its successor. */
  linked: readonly string[];
}

/** Why two cards are taken for one. */
export const REASONS = [
  'same_name',
  'same_words',
  'misspelling',
  'romanisation',
  'abbreviation',
  'compound',
  'word_form',
  'acronym',
  'alike_name',
  'alike_text',
  ...GROUPS.map((group) => `shared_${group}` as const),
] as const;
export type Reason = (typeof REASONS)[number];

/** Two cards that are alike. */
export interface Pair {
  /** Of the smaller id. */
  a: string;
  b: string;
  /** 0 to 100. */
  score: number;
  /** 0 to 1 each; null if there is nothing to compare. */
  evidence: { name: number; text: number | null; relations: number | null; reasons: Reason[] };
  /** Shared cards without which it would not be a finding. */
  shared: { id: string; group: Group }[];
}

/** Least score of a finding, 0 to 1. */
export const LEAST_SCORE = 0.8;
/** Cards with which one card is compared. */
export const MOST_CANDIDATES = 40;

/** An order for the worker. */
export type Order =
  | { op: 'add'; cards: readonly CardInput[] }
  /** Compares the cards of these positions with all before them, in the order of ids. */
  | { op: 'match'; from: number; to: number };
export type Answer = { pairs: Pair[]; total: number };
