import { Nullable, OneOf } from '@lintel/sdk';

export const CATEGORIES = [
  'security',
  'compliance',
  'operational',
  'technology',
  'financial',
  'reputational',
  'strategic',
] as const;
/** Highest first, like the rows of the matrix. */
export const PROBABILITIES = ['very_high', 'high', 'medium', 'low'] as const;
/** Highest first, like the columns of the matrix. */
export const IMPACTS = ['critical', 'high', 'medium', 'low'] as const;
export const LEVELS = ['critical', 'high', 'medium', 'low'] as const;
export const CARD_ROLES = ['affected', 'contributing', 'control_owner'] as const;
/** The rating of a risk: initial, and residual after mitigation. */
export const KINDS = ['initial', 'residual'] as const;

export type Probability = (typeof PROBABILITIES)[number];
export type Impact = (typeof IMPACTS)[number];
export type Level = (typeof LEVELS)[number];
export type CardRole = (typeof CARD_ROLES)[number];
export type Kind = (typeof KINDS)[number];

/** The level of every pair of probability and impact. */
export type Matrix = Record<Probability, Record<Impact, Level>>;

const BY_LETTER: Record<string, Level> = { C: 'critical', H: 'high', M: 'medium', L: 'low' };
/** Rows from very high to low probability, columns from critical to low impact. */
const ROWS = ['CCHM', 'CHHM', 'HHML', 'MMLL'] as const;

export const DEFAULT_MATRIX = Object.fromEntries(
  PROBABILITIES.map((probability, row) => [
    probability,
    Object.fromEntries(IMPACTS.map((impact, column) => [impact, BY_LETTER[ROWS[row]![column]!]])),
  ]),
) as Matrix;

/** @returns null if probability or impact is not rated */
export function levelOf(matrix: Matrix, probability: Probability | null, impact: Impact | null): Level | null {
  return probability === null || impact === null ? null : matrix[probability][impact];
}

/** A string that is one of a few, or null. */
export const MaybeOneOf = <T extends string>(values: readonly T[], options: Record<string, unknown> = {}) =>
  Nullable(OneOf(values, options));
