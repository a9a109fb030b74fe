/** Whether a caller may see the amounts of an initiative. */
import type { RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';

/** @param cardId of an initiative that is visible to the caller */
export const seesAmounts = async (host: Host, ctx: RequestContext, cardId: string): Promise<boolean> =>
  (await host.cards.seesCosts(ctx, [cardId])).has(cardId);
