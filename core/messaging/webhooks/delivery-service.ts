import { requireRoom, type RequestContext } from '@lintel/sdk';
import type { Identity } from '../../identity/identity.js';
import type { ChangeNotifier } from '../../foundation/db/change-notifier.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions } from '../../foundation/db/unit-of-work.js';
import { problem } from '../../foundation/errors.js';
import type { EventVisibility } from '../events/index.js';
import type { Page } from '../../foundation/db/list-query.js';
import { uuidv7 } from '../../foundation/ids.js';
import {
  REDELIVERIES,
  findDelivery,
  insertRedelivery,
  listDeliveries,
  type DeliveryRow,
  type LogEntry,
} from './delivery-repository.js';
import type { AttemptView, DeliveryItem, DeliveryQuery, DeliveryView } from './delivery-schemas.js';
import { DUE_TOPIC } from './fan-out.js';
import { webhookLabel } from './owner.js';
import { findWebhook, lockWebhook } from './repository.js';

/** The deliveries of webhooks, restricted to events visible to the reader. */
export class WebhookDeliveries {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly notifier: ChangeNotifier,
    private readonly visibility: EventVisibility,
  ) {}

  /** @throws not_found where the webhook does not exist */
  async list(reader: Identity, webhookId: string, query: DeliveryQuery): Promise<Page<DeliveryItem>> {
    if (!(await findWebhook(this.db, webhookId))) throw problem('not_found');
    const page = await listDeliveries(this.db, webhookId, query, this.visibility.scope(reader));
    return { ...page, items: page.items.map(viewItem) };
  }

  /** @throws not_found */
  async get(reader: Identity, webhookId: string, id: string): Promise<DeliveryView> {
    const row = await findDelivery(this.db, webhookId, id, this.visibility.scope(reader));
    if (!row) throw problem('not_found');
    const { log, ...item } = row;
    return { ...viewItem(item), log: log.map((entry) => viewEntry(entry, reader.actor)) };
  }

  /**
   * Queues another delivery of the event of a completed delivery, with the full number of attempts.
   * @returns the id of the new delivery
   * @throws not_found, invalid_state while the delivery is pending or the webhook is disabled, limit_reached
   */
  async redeliver(ctx: RequestContext, reader: Identity, webhookId: string, id: string): Promise<string> {
    const made = await this.transactions.run(ctx, async (uow) => {
      const webhook = await lockWebhook(uow, webhookId);
      const delivery = webhook && (await findDelivery(uow, webhookId, id, this.visibility.scope(reader)));
      if (!delivery) throw problem('not_found');
      if (!webhook.is_active) throw problem('invalid_state', { detail: 'The webhook is disabled.' });
      if (delivery.state === 'pending')
        throw problem('invalid_state', { detail: 'The delivery is still pending.', state: delivery.state });
      await requireRoom(uow, REDELIVERIES, [{ webhook_id: webhookId }], problem);
      const again = uuidv7();
      await insertRedelivery(uow, again, id);
      uow.emit({
        type: 'webhook.redelivered',
        subject: { kind: 'webhook', id: webhookId, name: webhookLabel(webhook) },
        data: { delivery_id: again, redelivery_of: id, event_id: delivery.position },
      });
      return { id: again, version: 1 };
    });
    this.notifier.notify(DUE_TOPIC);
    return made.id;
  }
}

function viewItem({ position, next_at, created_at, finished_at, last_entry, ...row }: DeliveryRow): DeliveryItem {
  return {
    ...row,
    event_id: position,
    next_at: next_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    last_attempt: last_entry && withoutResponse(last_entry),
  };
}

const withoutResponse = ({ at, status, error, duration_ms }: LogEntry): Omit<AttemptView, 'response'> => ({
  at,
  status,
  error,
  duration_ms,
});

/**
 * A receiver's response may repeat the message: it is shown only to the user whose permissions were used, and not to an
 * API token, which may have fewer.
 */
function viewEntry(entry: LogEntry, { id, token }: Identity['actor']): AttemptView {
  return {
    ...withoutResponse(entry),
    response: entry.owner_id === id && token === undefined ? entry.response : null,
  };
}
