import { problem, type Problem } from '../foundation/errors.js';
import type { GeneralSettings } from './schemas.js';

/** Kinds of items whose number per card is limited. */
export type CardItem = keyof GeneralSettings['card_limits'];

const NAMES: Record<CardItem, string> = {
  comments: 'comments',
  documents: 'documents',
  todos: 'to-dos',
  stakeholders: 'stakeholders',
  tags: 'tags',
};

/** The workspace settings for the maximum number of items per card. */
export class CardLimits {
  /** @param settings the current settings */
  constructor(private readonly settings: { readonly current: GeneralSettings }) {}

  most(item: CardItem): number {
    return this.settings.current.card_limits[item];
  }

  /** The problem for a card that has reached the maximum. */
  reached(item: CardItem): Problem {
    const limit = this.most(item);
    return problem('limit_reached', { detail: `A card has at most ${limit} ${NAMES[item]}.`, limit });
  }
}
