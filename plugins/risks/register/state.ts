import type { Status } from '../moves.js';
import type { Category, Impact, Probability } from '../scales.js';
import type { CardLinkInput } from './schemas.js';

/** What a caller may set by POST and PATCH, links with cards aside. */
export const EDITABLE = [
  'title',
  'category',
  'description',
  'initial_probability',
  'initial_impact',
  'residual_probability',
  'residual_impact',
  'owner_id',
  'target_date',
] as const;

/** A risk as its writers have it, under the lock of its row. */
export interface RiskState {
  id: string;
  /** 0 until it is given. */
  number: number;
  version: number;
  title: string;
  category: Category;
  description: string | null;
  initial_probability: Probability | null;
  initial_impact: Impact | null;
  residual_probability: Probability | null;
  residual_impact: Impact | null;
  owner_id: string | null;
  target_date: string | null;
  status: Status;
  rationale: string | null;
  expires_on: string | null;
  accepted_by: string | null;
  /** In order of the ids. */
  cards: CardLinkInput[];
}

export const referenceOf = (number: number): string => `R-${String(number).padStart(6, '0')}`;

/** The day it is in UTC, YYYY-MM-DD. */
export const today = (): string => new Date().toISOString().slice(0, 10);
