import type { CardInput } from '../cards/index.js';

export const STATES = ['uploaded', 'parsing', 'ready', 'applying', 'applied', 'failed', 'cancelled'] as const;
export type ImportState = (typeof STATES)[number];

/**
 * The verdict of a row. `create`, `update`: it will be applied. `unchanged`: the workspace already has it. `archived`:
 * it matches an archived card, which is not changed. `duplicate`: an earlier row of the file has the same card or
 * relation. `parent`: a relationship that sets a card's parent. For models: `unmapped`: the metamodel has no suitable
 * type; `unsupported`: a relationship that does not connect two elements; `dangling`: an end does not exist. `invalid`:
 * it cannot be stored. `failed`: storing it failed. `conflict`: the values it changes were changed by another user
 * before it was applied.
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
  /** Heading of its column. */
  column?: string;
}

export interface ImportOptions {
  /** Card type of rows without one. */
  type?: string;
  delimiter?: ',' | ';' | 'tab';
  /** The effect of an empty cell on an existing card. */
  empty?: 'keep' | 'clear';
  /** Ignores unknown columns and keys instead of failing. */
  ignore_unknown?: boolean;
}

/** How a row refers to a card: as another row of the file, by its id, its external id, or its position. */
export type Reference =
  | { row: number }
  | { id: string }
  | { type: string; external_id: string }
  | { type: string; path?: string[]; name: string };

interface Staged {
  /** Position in the file, from 1. */
  n: number;
  line: number;
  /** Identifier in the file. */
  reference?: string;
  /** Set where it follows from the file alone. */
  verdict?: Verdict;
  errors?: RowError[];
}

export interface StagedCard extends Staged {
  kind: 'card';
  id?: string;
  input: Omit<CardInput, 'parent' | 'parent_id'>;
  /** Undefined where the file does not contain it; null for no parent. */
  parent?: Reference | null;
  /** The card is found by its external id only. */
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

/** The verdict that follows from the file alone, if any: errors in the file itself do not depend on the workspace. */
export const verdictOf = ({ verdict, errors }: StagedRow): Verdict | undefined =>
  verdict ?? (errors?.length ? 'invalid' : undefined);

/** Remarks on the whole file, collected while its rows are read. */
export interface Summary {
  ignoredColumns: string[];
  notes: string[];
}

/** The whole file cannot be read; the import fails with these reasons. */
export class UnreadableFile extends Error {
  constructor(readonly errors: readonly { line?: number; reason: string }[]) {
    super(errors.map(({ reason }) => reason).join('; '));
  }
}

export const unreadable = (reason: string, line?: number): UnreadableFile =>
  new UnreadableFile([{ reason, ...(line !== undefined && { line }) }]);

/** Maximum number of rows of a file, because staged rows are looked up one by one. */
export const MAX_ROWS = 1_000_000;

/** The import was deleted or cancelled. */
export class ImportGone extends Error {}

/** A position in the order in which rows are matched and written: by level, then as in the file. */
export interface Position {
  level: number;
  n: number;
}
