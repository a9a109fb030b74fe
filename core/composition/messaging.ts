import { ChangeNotifier } from '../foundation/db/change-notifier.js';
import { Continuity } from '../foundation/db/continuity.js';
import { Revisions } from '../foundation/db/revisions.js';
import { Transactions } from '../foundation/db/unit-of-work.js';
import { Outbound } from '../foundation/outbound/index.js';
import { Secrets } from '../foundation/secrets/index.js';
import { RateLimiter, SessionCache } from '../identity/auth/index.js';
import { RbacService } from '../identity/rbac/index.js';
import { UserService } from '../identity/users/index.js';
import { AccessGate, OnceCosts } from '../inventory/access/index.js';
import { MetamodelService } from '../inventory/metamodel/index.js';
import {
  EventFeed,
  EventGaps,
  EventLog,
  EventRetention,
  EventVisibility,
  Sequencer,
  StreamHub,
  StreamTickets,
  Subscriptions,
} from '../messaging/events/index.js';
import {
  Mailer,
  NotificationFeed,
  NotificationKinds,
  NotificationPreferences,
  NotificationService,
  NotificationWriter,
} from '../messaging/notifications/index.js';
import {
  WebhookDeliveries,
  WebhookDispatch,
  WebhookFanOut,
  WebhookRendering,
  WebhookSender,
  WebhookService,
} from '../messaging/webhooks/index.js';
import { SettingsService, SmtpSettings } from '../settings/index.js';
import { CONFIG, DATABASE, LOG } from './tokens.js';
import type { Once } from './once.js';

/** Registers events, notifications and webhooks. */
export function registerMessaging(once: Once): void {
  once(EventGaps, (get) => new EventGaps(get(DATABASE), get(Transactions), get(Continuity), get(LOG)));
  once(
    Sequencer,
    (get) => new Sequencer(get(DATABASE), get(ChangeNotifier), get(Continuity), get(EventGaps), get(LOG)),
  );
  once(
    EventLog,
    (get) =>
      new EventLog(get(DATABASE), get(ChangeNotifier), get(Revisions), get(Continuity), get(EventGaps), get(LOG)),
  );
  once(
    EventVisibility,
    (get) => new EventVisibility(get(MetamodelService), get(RbacService), get(OnceCosts), get(DATABASE)),
  );
  once(
    StreamHub,
    (get) => new StreamHub(get(EventLog), get(EventVisibility), get(SessionCache), get(Revisions), get(LOG)),
  );
  once(StreamTickets, (get) => new StreamTickets(get(DATABASE), get(SessionCache), get(RateLimiter)));
  once(EventRetention, (get) => new EventRetention(get(DATABASE), get(Transactions), get(ChangeNotifier), get(LOG)));
  once(
    Subscriptions,
    (get) => new Subscriptions(get(DATABASE), get(ChangeNotifier), get(EventLog), get(Continuity), get(LOG)),
  );
  once(EventFeed, (get) => new EventFeed(get(DATABASE), get(Transactions), get(EventLog), get(LOG)));
  once(NotificationKinds, () => new NotificationKinds());
  once(NotificationWriter, (get) => new NotificationWriter(get(NotificationKinds)));
  once(
    NotificationService,
    (get) => new NotificationService(get(DATABASE), get(Transactions), get(MetamodelService), get(NotificationKinds)),
  );
  once(
    NotificationPreferences,
    (get) => new NotificationPreferences(get(DATABASE), get(Transactions), get(NotificationKinds)),
  );
  once(
    NotificationFeed,
    (get) =>
      new NotificationFeed(
        get(EventFeed),
        get(EventVisibility),
        get(MetamodelService),
        get(RbacService),
        get(NotificationKinds),
        get(NotificationWriter),
      ),
  );
  once(
    Mailer,
    (get) =>
      new Mailer(
        get(DATABASE),
        get(Transactions),
        get(SmtpSettings),
        get(SettingsService),
        get(MetamodelService),
        get(RbacService),
        get(NotificationKinds),
      ),
  );
  once(
    WebhookService,
    (get) =>
      new WebhookService(
        get(DATABASE),
        get(Transactions),
        get(ChangeNotifier),
        get(Secrets),
        get(Outbound),
        get(UserService),
        get(AccessGate),
      ),
  );
  once(
    WebhookDeliveries,
    (get) => new WebhookDeliveries(get(DATABASE), get(Transactions), get(ChangeNotifier), get(EventVisibility)),
  );
  once(
    WebhookRendering,
    (get) => new WebhookRendering(get(UserService), get(EventVisibility), get(EventLog), get(Secrets)),
  );
  once(
    WebhookSender,
    (get) =>
      new WebhookSender(
        get(DATABASE),
        get(Transactions),
        get(ChangeNotifier),
        get(Outbound),
        get(WebhookRendering),
        get(CONFIG).webhookDisableHours,
        get(LOG),
      ),
  );
  once(
    WebhookDispatch,
    (get) =>
      new WebhookDispatch(
        get(EventFeed),
        new WebhookFanOut(get(UserService), get(EventVisibility), get(ChangeNotifier)),
        get(WebhookSender),
      ),
  );
}
