import type { ListKnowledge } from '../../core/inventory/cards/list/page-repository.js';

/** What a service knows about lists directly after its start. */
export const NOTHING_KNOWN: ListKnowledge = {
  lastTotal: () => undefined,
  isLarge: () => false,
  share: () => 0,
  isRare: () => false,
  atLeast: () => 0,
};
