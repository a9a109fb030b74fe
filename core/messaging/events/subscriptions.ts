import type { Disposable, LogEvent, Subscription } from '@lintel/sdk';
import { setTimeout as delay } from 'node:timers/promises';
import { systemContext } from '../../foundation/context.js';
import type { ChangeNotifier } from '../../foundation/db/change-notifier.js';
import type { Database } from '../../foundation/db/database.js';
import type { ListParams } from '../../foundation/db/list-query.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Page } from '../../foundation/http/respond.js';
import { uuidv7 } from '../../foundation/ids.js';
import type { Log } from '../../foundation/log.js';
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
import { Signal } from '../../foundation/signal.js';

const CHUNK = 100;
/** Makes up for lost notices, and looks whether a holder was lost. */
const POLL_MS = 5_000;
const AGAIN_MS = 1_000;
/** Under steady writes it takes events so often. The first is given at once. */
const PACE_MS = 40;
const MAX_ATTEMPTS = 5;
const FIRST_RETRY_MS = 200;
const MAX_ERROR = 2_000;
const TOPIC = 'subscriptions';

/**
 * Gives events to the subscriptions of modules: each event of the pattern, in order, on one node of the cluster, from
 * a position that is stored. A node takes a subscription while there is something to give and lets go of it then; of
 * one that dies, another takes it over when the lease is up.
 */
export class Subscriptions {
  constructor(
    private readonly db: Database,
    private readonly notifier: ChangeNotifier,
    private readonly events: EventLog,
    private readonly log: Log,
  ) {}

  /** Begins a module's subscription on this node. @returns ends it, when the event under way is done or has noticed */
  begin(module: string, subscription: Subscription): Disposable {
    const delivery = new Delivery({ module, name: subscription.name }, subscription, this.db, this.events, this.log);
    const offs = [this.events.subscribe(subscription.pattern, delivery.raise), this.notifier.on(TOPIC, delivery.raise)];
    delivery.start();
    return async () => {
      for (const off of offs) off();
      await delivery.close();
    };
  }

  /** How far the subscriptions of a module are, those that are not running included. */
  async of(module: string): Promise<SubscriptionState[]> {
    return await readSubscriptions(this.db, module);
  }

  /** How many events each subscription there is, of a module or of the core, is behind. */
  async lags(): Promise<{ module: string; name: string; behind: number }[]> {
    return await readLags(this.db);
  }

  /** Events the subscriptions of a module have given up on. @param scope which events there are for who reads */
  async parked(module: string, params: ListParams, scope: EventScope): Promise<Page<ParkedEvent>> {
    return await listParked(this.db, module, params, scope);
  }

  /** Has a parked event tried once more. @returns whether it is parked */
  async retry(uow: UnitOfWork, key: SubscriptionKey, position: number): Promise<boolean> {
    return await markDue(uow, key, position);
  }

  /** Tells whoever runs a subscription that something is to be tried again; after the commit. */
  lookNow(): void {
    this.notifier.notify(TOPIC);
  }
}

/** One subscription on one node. */
class Delivery {
  private readonly holder = uuidv7();
  private readonly signal = new Signal();
  private readonly over = new AbortController();
  private readonly types: string[] | undefined;
  private readonly matches: RegExp;
  private working: Promise<void> | undefined;
  private position = 0;

  constructor(
    private readonly key: SubscriptionKey,
    private readonly subscription: Subscription,
    private readonly db: Database,
    private readonly events: EventLog,
    private readonly log: Log,
  ) {
    const { pattern } = subscription;
    const wild = pattern.search(/[+#]/);
    this.types = wild === 0 ? undefined : [wild < 0 ? pattern : pattern.slice(0, wild)];
    const words = pattern
      .split('.')
      .map((word) => (word === '+' ? '[^.]+' : word === '#' ? '.*' : word.replace(/[^\w]/g, '\\$&')));
    this.matches = new RegExp(`^${words.join('\\.')}$`);
  }

  raise = (): void => this.signal.raise();

  start(): void {
    this.working = this.work();
  }

  async close(): Promise<void> {
    this.over.abort(new Error('the subscription ends'));
    this.raise();
    await this.working;
  }

  private async work(): Promise<void> {
    let begun = false;
    while (!this.over.signal.aborted) {
      let wait = POLL_MS;
      try {
        if (!begun) await beginSubscription(this.db, this.key);
        begun = true;
        const { position } = this;
        if (!(await this.pass())) wait = AGAIN_MS;
        if (this.position !== position && !this.over.signal.aborted) await this.signal.pause(PACE_MS);
      } catch (error) {
        wait = AGAIN_MS;
        if (!this.over.signal.aborted) this.log.warn({ err: error, ...this.key }, 'a subscription could not go on');
      }
      if (!this.over.signal.aborted) await this.signal.sleep(wait);
    }
  }

  /** Gives what there is to give. @returns false where another node has the subscription and is not through */
  private async pass(): Promise<boolean> {
    const head = this.events.head;
    if ((await subscriptionPosition(this.db, this.key)) >= head && (await dueEvents(this.db, this.key)).length === 0)
      return true;
    const position = await takeSubscription(this.db, this.key, this.holder);
    if (position === undefined) return false;
    this.position = position;
    let held = true;
    const renewal = setInterval(
      () => {
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
      while (held && !this.over.signal.aborted && (await this.chunk()))
        held &&= await renewSubscription(this.db, this.key, this.holder, this.position);
      return held;
    } finally {
      clearInterval(renewal);
      await releaseSubscription(this.db, this.key, this.holder, this.position);
    }
  }

  /** @returns whether there may be more */
  private async chunk(): Promise<boolean> {
    for (const position of await dueEvents(this.db, this.key)) await this.tryAgain(position);
    const head = this.events.head;
    const { events, more } = await this.events.read(this.position, CHUNK, { types: this.types });
    for (const event of events) {
      if (this.over.signal.aborted) return false;
      if (this.matches.test(event.type) && (await this.give(event)) === 'interrupted') return false;
      this.position = event.position;
    }
    if (!more) this.position = Math.max(this.position, head);
    return more;
  }

  private async tryAgain(position: number): Promise<void> {
    const event = await this.events.find(position);
    // What is retained no longer cannot be given any more.
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
          await parkEvent(
            this.db,
            this.key,
            event,
            (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR),
            attempt,
          );
          return 'parked';
        }
        await delay(FIRST_RETRY_MS * 4 ** (attempt - 1), undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return 'interrupted';
      }
    }
  }
}
