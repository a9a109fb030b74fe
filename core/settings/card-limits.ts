import { problem, type Problem } from '../foundation/errors.js';
import type { GeneralSettings } from './schemas.js';

/** What a card has many of. */
export type CardItem = keyof GeneralSettings['card_limits'];

const NAMES: Record<CardItem, string> = {
  comments: 'comments',
  documents: 'documents',
  todos: 'to-dos',
  stakeholders: 'stakeholders',
  tags: 'tags',
};

/** How many of each a card may have, as the workspace sets it. */
export class CardLimits {
  /** @param settings those of now */
  constructor(private readonly settings: { readonly current: GeneralSettings }) {}

  most(item: CardItem): number {
    return this.settings.current.card_limits[item];
  }

  /** What a card that has as many as it may answers. */
  reached(item: CardItem): Problem {
    const limit = this.most(item);
    return problem('limit_reached', { detail: `A card has at most ${limit} ${NAMES[item]}.`, limit });
  }
}
