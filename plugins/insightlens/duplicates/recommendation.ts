/** What speaks for keeping a card of a cluster, as the caller sees it. */
export interface CardFigures {
  id: string;
  phase: string | null;
  approval_status: string;
  /** 0 to 100. */
  data_quality: number;
  relations: number | null;
  users: number | null;
  /** Null for a caller who may not see them, and if there are none. */
  cost: number | null;
}

export const KEEP_REASONS = [
  'in_use',
  'most_users',
  'most_relations',
  'best_data_quality',
  'approved',
  'lowest_cost',
] as const;
export type KeepReason = (typeof KEEP_REASONS)[number];

export interface Recommendation {
  /** The card that has the most reasons by their weights. */
  keep: string;
  reasons: KeepReason[];
}

/** How much each reason counts. */
const WEIGHTS: Readonly<Record<KeepReason, number>> = {
  in_use: 4,
  most_users: 3,
  most_relations: 2,
  best_data_quality: 2,
  approved: 1,
  lowest_cost: 1,
};
/** Life cycle phases in which a card is used and will be. */
const LASTING = ['phaseIn', 'active'];

/** @returns the cards with the highest value, if there is one that is higher than others */
function best(cards: readonly CardFigures[], value: (card: CardFigures) => number | null): string[] {
  const values = cards.map((card) => value(card) ?? Number.NEGATIVE_INFINITY);
  const most = Math.max(...values);
  return most === Math.min(...values) || most === Number.NEGATIVE_INFINITY
    ? []
    : cards.filter((_, i) => values[i] === most).map(({ id }) => id);
}

/**
 * Which card of a cluster to keep: the one with the largest sum of weights of reasons; of equal ones the one with the smallest id, which is the
 * oldest.
 * @param cards at least one
 */
export function recommendationOf(cards: readonly CardFigures[]): Recommendation {
  const has: Record<KeepReason, string[]> = {
    in_use: best(cards, ({ phase }) => (phase === null || LASTING.includes(phase) ? 1 : 0)),
    most_users: best(cards, ({ users }) => users),
    most_relations: best(cards, ({ relations }) => relations),
    best_data_quality: best(cards, ({ data_quality }) => data_quality),
    approved: best(cards, ({ approval_status }) => (approval_status === 'APPROVED' ? 1 : 0)),
    // Only where the costs of all are known: a card without costs is not a cheap one.
    lowest_cost: cards.every(({ cost }) => cost !== null) ? best(cards, ({ cost }) => -cost!) : [],
  };
  const reasonsOf = (id: string): KeepReason[] => KEEP_REASONS.filter((reason) => has[reason].includes(id));
  const ranked = cards
    .map(({ id }) => ({ keep: id, reasons: reasonsOf(id) }))
    .map((one) => ({ ...one, weight: one.reasons.reduce((sum, reason) => sum + WEIGHTS[reason], 0) }))
    .sort((x, y) => y.weight - x.weight || (x.keep < y.keep ? -1 : 1));
  const { keep, reasons } = ranked[0]!;
  return { keep, reasons };
}
