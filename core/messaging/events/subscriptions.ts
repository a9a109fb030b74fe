import type { Disposable, LogEvent, Subscription } from '@lintel/sdk';
import { setTimeout as delay } from 'node:timers/promises';
import { systemContext } from '../../foundation/context.js';
import type { ChangeNotifier } from '../../foundation/db/change-notifier.js';
import type { Continuity } from '../../foundation/db/continuity.js';
import type { Database } from '../../foundation/db/database.js';
import type { ListParams, Page } from '../../foundation/db/list-query.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { uuidv7 } from '../../foundation/ids.js';
import type { Log } from '../../foundation/log.js';
import { errorText } from '../../foundation/secrecy.js';
import { ConsumerLoop, type PassResult } from './consumer-loop.js';
import type { EventLog } from './log.js';
import type { EventScope } from './scope-repository.js';
import {
  LEASE_SECONDS,
  beginSubscription,
  dueEvents,
  listParked,
  markDue,
  parkEvent,
  readLags,
  readSubscriptions,
  releaseSubscription,
  renewSubscription,
  subscriptionPosition,
  takeSubscription,
  unparkEvent,
  type ParkedEvent,
  type SubscriptionKey,
  type SubscriptionState,
} from './subscription-repository.js';

const CHUNK = 100;
/** Polls in case a notification was lost or a lease holder failed. */
const POLL_MS = 5_000;
const AGAIN_MS = 1_000;
const MAX_ATTEMPTS = 5;
const FIRST_RETRY_MS = 200;
const TOPIC = 'subscriptions';

/**
 * Delivers events to the subscriptions of modules: each event of the pattern, in order, on one node of the cluster,
 * from a stored position. A node takes the lease of a subscription while there are events to deliver, and then releases
 * it; if the node fails, another takes over when the lease expires.
 */
export class Subscriptions {
  constructor(
    private readonly db: Database,
    private readonly notifier: ChangeNotifier,
    private readonly events: EventLog,
    private readonly continuity: Pick<Continuity, 'generation'>,
    private readonly log: Log,
  ) {}

  /**
   * Starts a module's subscription on this node. @returns a function that stops it, after the current event or its
   * cancellation
   */
  begin(module: string, subscription: Subscription): Disposable {
    const delivery = new Delivery(
      { module, name: subscription.name },
      subscription,
      this.db,
      this.events,
      this.continuity,
      this.log,
    );
    const offs = [
      ...patternsOf(subscription).map((pattern) => this.events.subscribe(pattern, delivery.notify)),
      this.notifier.on(TOPIC, delivery.notify),
    ];
    return async () => {
      for (const off of offs) off();
      await delivery.close();
    };
  }

  /** The state of all subscriptions of a module, including stopped ones. */
  async of(module: string): Promise<SubscriptionState[]> {
    return await readSubscriptions(this.db, module);
  }

  /** Number of events each subscription, of a module or of the core, is behind. */
  async lags(): Promise<{ module: string; name: string; behind: number }[]> {
    return await readLags(this.db);
  }

  /**
   * Events that subscriptions of a module parked after repeated failures. @param scope the events visible to the reader
   */
  async parked(module: string, params: ListParams, scope: EventScope): Promise<Page<ParkedEvent>> {
    return await listParked(this.db, module, params, scope);
  }

  /** Schedules a retry of a parked event. @returns whether the event is parked */
  async retry(uow: UnitOfWork, key: SubscriptionKey, position: number): Promise<boolean> {
    return await markDue(uow, key, position);
  }

  /** Notifies the nodes of a scheduled retry; call it after the commit. */
  lookNow(): void {
    this.notifier.notify(TOPIC);
  }
}

const patternsOf = ({ pattern }: Subscription): readonly string[] =>
  typeof pattern === 'string' ? [pattern] : pattern;

/** A type, or the beginning of all types that match, which ends in a dot. */
function prefixOf(pattern: string): string {
  const wild = pattern.search(/[+#]/);
  return wild < 0 ? pattern : pattern.slice(0, wild);
}

const expressionOf = (pattern: string): string =>
  pattern
    .split('.')
    .map((word) => (word === '+' ? '[^.]+' : word === '#' ? '.*' : word.replace(/[^\w]/g, '\\$&')))
    .join('\\.');

/** One subscription on one node. */
class Delivery {
  private readonly holder = uuidv7();
  private readonly over = new AbortController();
  private readonly types: string[] | undefined;
  private readonly matches: RegExp;
  private readonly loop: ConsumerLoop;
  private position = 0;

  constructor(
    private readonly key: SubscriptionKey,
    private readonly subscription: Subscription,
    private readonly db: Database,
    private readonly events: EventLog,
    private readonly continuity: Pick<Continuity, 'generation'>,
    private readonly log: Log,
  ) {
    const patterns = patternsOf(subscription);
    this.types = patterns.some((pattern) => prefixOf(pattern) === '') ? undefined : patterns.map(prefixOf);
    this.matches = new RegExp(`^(${patterns.map(expressionOf).join('|')})$`);
    this.loop = new ConsumerLoop({
      prepare: () => beginSubscription(db, key),
      pass: () => this.pass(),
      failed: (error) => log.warn({ err: error, ...key }, 'a subscription could not go on'),
      pollMs: POLL_MS,
      againMs: AGAIN_MS,
    });
  }

  notify = (): void => this.loop.notify();

  async close(): Promise<void> {
    this.over.abort(new Error('the subscription ends'));
    await this.loop.close();
  }

  /** Delivers the pending events. */
  private async pass(): Promise<PassResult> {
    const head = this.events.head;
    if ((await subscriptionPosition(this.db, this.key)) >= head && (await dueEvents(this.db, this.key)).length === 0)
      return 'nothing';
    const position = await takeSubscription(this.db, this.key, this.holder);
    if (position === undefined) return 'taken';
    this.position = position;
    const { generation } = this.continuity;
    // After another server has continued the log, the position may be one that it has not.
    const isSame = (): boolean => generation === this.continuity.generation;
    let held = true;
    const renewal = setInterval(
      () => {
        if (!isSame()) return;
        renewSubscription(this.db, this.key, this.holder, this.position).then(
          (still) => {
            held &&= still;
          },
          () => undefined,
        );
      },
      (LEASE_SECONDS * 1_000) / 3,
    );
    try {
      while (held && !this.over.signal.aborted && isSame() && (await this.chunk(isSame)))
        held &&= isSame() && (await renewSubscription(this.db, this.key, this.holder, this.position));
      return !isSame() ? 'more' : held ? 'all' : 'taken';
    } finally {
      clearInterval(renewal);
      if (isSame()) await releaseSubscription(this.db, this.key, this.holder, this.position);
    }
  }

  /** @param isSame whether the log is still the one that the position is of @returns whether there may be more */
  private async chunk(isSame: () => boolean): Promise<boolean> {
    for (const position of await dueEvents(this.db, this.key)) await this.tryAgain(position);
    const head = this.events.head;
    const { events, more } = await this.events.read(this.position, CHUNK, { types: this.types });
    for (const event of events) {
      if (this.over.signal.aborted || !isSame()) return false;
      if (this.matches.test(event.type) && (await this.give(event)) === 'interrupted') return false;
      this.position = event.position;
    }
    if (!more) this.position = Math.max(this.position, head);
    return more;
  }

  private async tryAgain(position: number): Promise<void> {
    const event = await this.events.find(position);
    // An event that is no longer retained cannot be delivered any more.
    if (!event || (await this.give(event)) === 'given') await unparkEvent(this.db, this.key, position);
  }

  private async give(event: LogEvent): Promise<'given' | 'parked' | 'interrupted'> {
    const { signal } = this.over;
    const most = this.subscription.maxAttempts ?? MAX_ATTEMPTS;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.subscription.handler(event, { ctx: systemContext(this.key.module), signal });
        return 'given';
      } catch (error) {
        if (signal.aborted) return 'interrupted';
        this.log.warn({ err: error, ...this.key, position: event.position, attempt }, 'a subscription failed');
        if (attempt >= most) {
          await parkEvent(this.db, this.key, event, errorText(error), attempt);
          return 'parked';
        }
        await delay(FIRST_RETRY_MS * 4 ** (attempt - 1), undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return 'interrupted';
      }
    }
  }
}
