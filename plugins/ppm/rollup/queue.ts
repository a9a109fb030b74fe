import type { ModuleServices, UnitOfWork } from '@lintel/sdk';
import { markDue } from './repository.js';

/** The job that writes the roll-up of one plan to its card. */
export const ROLL_UP = 'ppm.roll_up';

/** By transaction, the cards that it has marked. */
const marked = new WeakMap<UnitOfWork, Set<string>>();

/**
 * To be called in every transaction that changes budgets, costs, or dates of a plan: queues the write of the card, unless one is
 * queued, at the earliest five seconds after the last one. Locks the row of the plan until the transaction ends.
 * @param cardId of the initiative
 */
export async function planChanged(host: Pick<ModuleServices, 'jobs'>, uow: UnitOfWork, cardId: string): Promise<void> {
  const cards = marked.get(uow) ?? new Set();
  if (cards.has(cardId)) return;
  marked.set(uow, cards.add(cardId));
  for (const { card_id, run_at } of await markDue(uow, [cardId]))
    await host.jobs.enqueue(uow, ROLL_UP, { card_id }, { runAt: run_at ?? undefined });
}
