import type { RequestContext } from '@lintel/sdk';
import { problem } from '../../foundation/errors.js';
import type { HostServices } from '../services.js';

/** An event that a subscription of a module failed to handle, and set aside. */
export interface ParkedEvent {
  /** Of the module. */
  id: string;
  subscription: string;
  position: string;
}

/** Schedules a retry of a parked event. @param title of the module @throws not_found */
export async function retryParkedEvent(
  { transactions, subscriptions }: Pick<HostServices, 'transactions' | 'subscriptions'>,
  ctx: RequestContext,
  { id, subscription, position }: ParkedEvent,
  title: string,
): Promise<void> {
  await transactions.run(ctx, async (uow) => {
    if (!(await subscriptions.retry(uow, { module: id, name: subscription }, Number(position))))
      throw problem('not_found');
    uow.emit({
      type: 'module.event_retried',
      subject: { kind: 'module', id, name: title },
      data: { subscription, position: Number(position) },
    });
  });
  subscriptions.lookNow();
}
