import type { CardRef, RequestContext } from '@lintel/sdk';
import { PROCESS_TYPE, type Host } from '../basics.js';

/** The card of a process. @throws not_found if it does not exist, is hidden from the caller, or is no process */
export async function requireProcess(host: Host, ctx: RequestContext, cardId: string): Promise<CardRef> {
  const card = await host.cards.get(ctx, cardId);
  if (card.type !== PROCESS_TYPE) throw host.problem('not_found');
  return card;
}

/** The same for a write. @throws not_found, invalid_state if the card is archived */
export async function requireActiveProcess(host: Host, ctx: RequestContext, cardId: string): Promise<CardRef> {
  const card = await requireProcess(host, ctx, cardId);
  if (card.status !== 'ACTIVE')
    throw host.problem('invalid_state', {
      detail: 'The process is archived: its flow cannot be changed.',
      state: card.status,
      allowed: [],
    });
  return card;
}
