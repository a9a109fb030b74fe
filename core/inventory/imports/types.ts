import type { CardInput } from '../cards/index.js';

export const STATES = ['uploaded', 'parsing', 'ready', 'applying', 'applied', 'failed', 'cancelled'] as const;
export type ImportState = (typeof STATES)[number];

/**
 * What becomes of a row. `create`, `update`: it is applied. `unchanged`: it is so already. `archived`: it meets an
 * archived card and leaves it. `duplicate`: an earlier row of the file is the same. `parent`: a relationship that
 * sets a card's parent. `unmapped`, `unsupported`, `dangling`: of a model, what the metamodel has no place for, what
 * relates other things than two elements, and what has an end that is not there. `invalid`: it cannot be stored.
 * `failed`: it could not be when it was applied. `conflict`: when it was applied, others had changed what it changes.
 */
export const VERDICTS = [
  'create',
  'update',
  'unchanged',
  'archived',
  'duplicate',
  'parent',
  'unmapped',
  'unsupported',
  'dangling',
  'invalid',
  'failed',
  'conflict',
] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface RowError {
  /** Such as `attributes.costTotalAnnual`. */
  field: string;
  reason: string;
  /** Heading of the column it stands in. */
  column?: string;
}

export interface ImportOptions {
  /** Card type of rows that name none. */
  type?: string;
  delimiter?: ',' | ';' | 'tab';
  /** What an empty cell says of a card that is there already. */
  empty?: 'keep' | 'clear';
  /** Leaves columns and keys out that are no field, in place of failing. */
  ignore_unknown?: boolean;
}

/** How a row names a card: another row of the file, or a card by its id, its external id, or where it stands. */
export type Reference =
  | { row: number }
  | { id: string }
  | { type: string; external_id: string }
  | { type: string; path?: string[]; name: string };

interface Staged {
  /** Place in the file, from 1. */
  n: number;
  line: number;
  /** What the file calls it. */
  reference?: string;
  /** Where it is known from the file alone. */
  verdict?: Verdict;
  errors?: RowError[];
}

export interface StagedCard extends Staged {
  kind: 'card';
  id?: string;
  input: Omit<CardInput, 'parent' | 'parent_id'>;
  /** Undefined where the file says nothing; null for none. */
  parent?: Reference | null;
  /** A card is what its identifier says and nothing else. */
  byReferenceOnly?: boolean;
}

export interface RelationValues {
  type?: string;
  attributes?: Record<string, unknown>;
  description?: string | null;
  valid_from?: string | null;
  valid_to?: string | null;
}

export interface StagedRelation extends Staged {
  kind: 'relation';
  id?: string;
  input: RelationValues;
  source?: Reference;
  target?: Reference;
}

export type StagedRow = StagedCard | StagedRelation;

/** What a file is read into: rows in order, and at the end what is to be said of the whole. */
export interface Summary {
  ignoredColumns: string[];
  notes: string[];
}

/** The file as a whole cannot be read; the import fails with these reasons. */
export class UnreadableFile extends Error {
  constructor(readonly errors: readonly { line?: number; reason: string }[]) {
    super(errors.map(({ reason }) => reason).join('; '));
  }
}

export const unreadable = (reason: string, line?: number): UnreadableFile =>
  new UnreadableFile([{ reason, ...(line !== undefined && { line }) }]);

/** Rows of a file, at most: what is staged is looked up row by row. */
export const MAX_ROWS = 1_000_000;

/** The import was removed or cancelled; nothing is left to do. */
export class ImportGone extends Error {}
