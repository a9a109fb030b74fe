import type { CardType } from './metamodel.js';
import type { QualityWeights } from './types.js';

/** Weights in the score of what is not a field, unless a card type states its own; the weight of a field is 1 as well. */
export const DEFAULT_WEIGHTS: QualityWeights = {
  description: 1,
  lifecycle: 1,
  relation: 1,
  tag_group: 1,
  stakeholder_role: 1,
};

interface Scored {
  subtype: string | null;
  description: string | null;
  lifecycle: Record<string, unknown>;
  attributes: Record<string, unknown>;
}

/** Data outside the card's row: how many of the required relation sides, tag groups and roles are filled. */
interface Surroundings {
  relations: { demanded: number; filled: number };
  tagGroups: { demanded: number; filled: number };
  /** Number of stakeholder roles of the type that are assigned. */
  rolesHeld: number;
}

/** 0 and false count as values; empty text and empty lists do not. */
export const isFilled = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The scores of a card. */
export interface Scores {
  data_quality: number;
  /** The score without cost fields, for readers who may not see costs. */
  open_quality: number;
  /**
   * The score of what every reader of the card sees: without costs, and without relations, stakeholders and references to other
   * cards.
   */
  basic_quality: number;
}

/** What some readers see and others do not, with its part of the weight. */
class Part {
  total = 0;
  reached = 0;

  count(weight: number, demanded: number, got: number): void {
    this.total += weight * demanded;
    this.reached += weight * got;
  }
}

function percentage(...parts: readonly Part[]): number {
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  const reached = parts.reduce((sum, part) => sum + part.reached, 0);
  return total === 0 ? 100 : Math.round((reached / total) * 1000) / 10;
}

/**
 * Data quality: filled weight ÷ total weight × 100, over visible fields, description, lifecycle, mandatory relation
 * sides, mandatory tag groups and the type's stakeholder roles.
 * @returns each 0..100 with one decimal; 100 where the total weight is 0
 */
export function dataQuality(type: CardType, card: Scored, around: Surroundings): Scores {
  const weights = type.definition.quality_weights;
  const [plain, costs, others] = [new Part(), new Part(), new Part()];
  for (const field of type.visibleFields(card.subtype)) {
    const part = field.kind === 'cost' ? costs : field.kind === 'card_reference' ? others : plain;
    part.count(field.weight, 1, isFilled(card.attributes[field.key]) ? 1 : 0);
  }
  plain.count(weights.description, 1, isFilled(card.description?.trim()) ? 1 : 0);
  plain.count(weights.lifecycle, 1, Object.values(card.lifecycle).some(isFilled) ? 1 : 0);
  plain.count(weights.tag_group, around.tagGroups.demanded, around.tagGroups.filled);
  others.count(weights.relation, around.relations.demanded, around.relations.filled);
  others.count(weights.stakeholder_role, type.roles.size, Math.min(around.rolesHeld, type.roles.size));
  return {
    data_quality: percentage(plain, others, costs),
    open_quality: percentage(plain, others),
    basic_quality: percentage(plain),
  };
}
