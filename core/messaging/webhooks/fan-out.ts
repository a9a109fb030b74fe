import type { LogEvent } from '@lintel/sdk';
import type { ChangeNotifier } from '../../foundation/db/change-notifier.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { EventVisibility, FeedConsumer } from '../events/index.js';
import { uuidv7 } from '../../foundation/ids.js';
import type { UserService } from '../../identity/users/index.js';
import { conditionsHold, typeMatches } from './filter.js';
import { disableWebhook, ownerFault } from './owner.js';
import { insertDeliveries, readSubscribers, type NewDelivery, type Subscriber } from './queue-repository.js';

/** Notified when there are deliveries to send. */
export const DUE_TOPIC = 'webhooks';

interface Interest {
  webhook: Subscriber;
  events: LogEvent[];
}

/**
 * Creates deliveries from events: one for each webhook whose filter matches and whose owner may see the event.
 * Conditions are evaluated on the owner's view of the event, because their result would otherwise reveal hidden data.
 */
export class WebhookFanOut implements FeedConsumer {
  readonly name = 'webhooks';
  private due = false;

  constructor(
    private readonly users: UserService,
    private readonly visibility: EventVisibility,
    private readonly notifier: ChangeNotifier,
  ) {}

  async handle(uow: UnitOfWork, events: readonly LogEvent[]): Promise<void> {
    const interests = (await readSubscribers(uow))
      .map((webhook) => ({ webhook, events: matching(webhook, events) }))
      .filter((interest) => interest.events.length > 0);
    if (interests.length === 0) return;
    const deliveries = await this.deliveriesOf(uow, interests);
    if (deliveries.length === 0) return;
    await insertDeliveries(uow, deliveries);
    this.due = true;
  }

  committed(): void {
    if (this.due) this.notifier.notify(DUE_TOPIC);
    this.due = false;
  }

  private async deliveriesOf(uow: UnitOfWork, interests: readonly Interest[]): Promise<NewDelivery[]> {
    const identities = await this.users.identities(interests.flatMap(({ webhook }) => webhook.owner_id ?? []));
    const deliveries: NewDelivery[] = [];
    for (const { webhook, events } of interests) {
      const identity = identities.get(webhook.owner_id ?? '');
      const fault = ownerFault(identity);
      if (!identity || fault) {
        await disableWebhook(uow, webhook, fault!);
        continue;
      }
      const see = await this.visibility.view(events, identity);
      for (const event of events) {
        const seen = see(event);
        if (!seen || !conditionsHold(webhook, seen)) continue;
        deliveries.push({
          id: uuidv7(),
          webhook_id: webhook.id,
          position: event.position,
          event_type: event.type,
          subject_id: event.subject.id,
        });
      }
    }
    return deliveries;
  }
}

const matching = (webhook: Subscriber, events: readonly LogEvent[]): LogEvent[] =>
  events.filter(({ position, type }) => position > webhook.from_position && typeMatches(webhook, type));
