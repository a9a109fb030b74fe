import type { Disposable, LogEvent } from '@lintel/sdk';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { EventFeed, EventVisibility } from '../events/index.js';
import type { MetamodelService } from '../../inventory/metamodel/index.js';
import type { RbacService } from '../../identity/rbac/index.js';
import { NoticeAssembly } from './assembly.js';
import { gatherFacts } from './facts.js';
import type { NotificationKinds } from './kinds.js';
import { isRelevant, reasonsOf } from './reasons.js';
import { recipientsOf } from './recipients.js';
import type { NotificationWriter } from './writer.js';

/** Name of the feed, under which its position is stored. */
export const FEED = 'notifications';

/**
 * Creates notifications from the event log: each event once in the cluster, in one transaction with the position in the
 * log. The number of statements per chunk does not depend on the number of events and users.
 */
export class NotificationFeed {
  private end: Disposable | undefined;

  constructor(
    private readonly feed: EventFeed,
    private readonly visibility: EventVisibility,
    private readonly metamodel: MetamodelService,
    private readonly rbac: RbacService,
    private readonly kinds: NotificationKinds,
    private readonly writer: NotificationWriter,
  ) {}

  start(): void {
    this.end = this.feed.begin({ name: FEED, handle: (uow, events) => this.handle(uow, events) });
  }

  /** Stops after the current chunk. */
  async close(): Promise<void> {
    await this.end?.();
    this.end = undefined;
  }

  /** Stores the notifications of a chunk of the log. */
  async handle(uow: UnitOfWork, events: readonly LogEvent[]): Promise<void> {
    const relevant = events.filter(isRelevant);
    if (relevant.length === 0) return;
    const metamodel = this.metamodel.current;
    const facts = await gatherFacts(uow, relevant, metamodel, this.rbac);
    const reasons = relevant.map((event) => ({ event, reasons: reasonsOf(event, facts) }));
    const users = new Set(reasons.flatMap((entry) => entry.reasons.map(({ userId }) => userId)));
    if (users.size === 0) return;
    const recipients = await recipientsOf(uow, [...users], this.rbac);
    const assembly = new NoticeAssembly(
      this.kinds,
      this.visibility,
      metamodel,
      recipients,
      facts.cards,
      await this.visibility.prepare(),
    );
    for (const entry of reasons) for (const reason of entry.reasons) assembly.add(entry.event, reason);
    await this.writer.write(uow, assembly.notices, recipients);
  }
}
