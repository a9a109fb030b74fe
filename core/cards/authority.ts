import type { Problem } from '../errors.js';
import type { CardOperation } from './types.js';

/** What the caller of a batch may do. */
export interface Authority {
  /** @returns the problem to answer with where this may not be done to a card of the type */
  refuses(op: CardOperation['op'], type: string, id: string | undefined): Problem | undefined;
  /** Who may not see a cost may not set it either, or an unchanged update would confirm a guess. */
  seesCosts(type: string, id: string | undefined): boolean;
}
