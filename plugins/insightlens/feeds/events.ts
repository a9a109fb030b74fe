import { Type, type ModuleManifest, type UnitOfWork } from '@lintel/sdk';
import { VIEW } from '../permissions.js';
import type { Feed } from './definition.js';

/** Events of the feeds, and of decisions which product a card is. */
export const FEED_EVENTS: NonNullable<ModuleManifest['events']> = [
  {
    kind: 'insightlens_feed',
    permission: VIEW,
    cards: 'none',
    types: {
      'insightlens_feed.loaded': Type.Object({ feed: Type.String(), source: Type.String() }),
      'insightlens_feed.failed': Type.Object({ feed: Type.String(), code: Type.String() }),
    },
  },
  {
    kind: 'insightlens_card_product',
    permission: VIEW,
    cards: ['card_ids'],
    types: {
      'insightlens_card_product.decided': Type.Object({ card_ids: Type.Array(Type.String()) }),
      'insightlens_card_product.removed': Type.Object({ card_ids: Type.Array(Type.String()) }),
    },
  },
];

/** Emits that a feed has new content, or could not be fetched. */
export function tellFeed(uow: UnitOfWork, feed: Feed, type: 'loaded' | 'failed', data: Record<string, unknown>): void {
  uow.emit({
    type: `insightlens_feed.${type}`,
    subject: { kind: 'insightlens_feed', id: feed },
    data: { feed, ...data },
  });
}

/** Emits that people have decided which product a card is, or took that back. */
export function tellCardProduct(uow: UnitOfWork, cardId: string, type: 'decided' | 'removed'): void {
  uow.emit({
    type: `insightlens_card_product.${type}`,
    subject: { kind: 'insightlens_card_product', id: cardId },
    data: { card_ids: [cardId] },
  });
}
