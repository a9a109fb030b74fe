import { shareOf, type RequestContext } from '@lintel/sdk';
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

/** The maximum number of items of a card, and of those of one user among them. */
export interface CardBounds {
  most: number;
  share: number;
}

/** The workspace settings for the maximum number of items per card. */
export class CardLimits {
  /** @param settings the current settings */
  constructor(private readonly settings: { readonly current: GeneralSettings }) {}

  most(item: CardItem): number {
    return this.settings.current.card_limits[item];
  }

  /** The bounds of items that have an author. @param ctx the user who adds one */
  bounds(ctx: RequestContext, item: CardItem): CardBounds {
    const most = this.most(item);
    return { most, share: shareOf(ctx, most) };
  }

  /** The problem for a card that has reached the maximum. */
  reached(item: CardItem): Problem {
    const limit = this.most(item);
    return problem('limit_reached', { detail: `A card has at most ${limit} ${NAMES[item]}.`, limit });
  }

  /** The problem for a user whose items on a card have reached the share. */
  shareReached(item: CardItem, { share }: CardBounds): Problem {
    return problem('limit_reached', {
      detail: `A card has at most ${share} ${NAMES[item]} of one user; delete some of yours.`,
      limit: share,
    });
  }
}
