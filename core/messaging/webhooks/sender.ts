import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { systemContext } from '../../foundation/context.js';
import type { ChangeNotifier } from '../../foundation/db/change-notifier.js';
import type { Database } from '../../foundation/db/database.js';
import { Grouped } from '../../foundation/db/grouped.js';
import type { Transactions } from '../../foundation/db/unit-of-work.js';
import type { Log } from '../../foundation/log.js';
import type { Outbound } from '../../foundation/outbound/index.js';
import { Signal } from '../../foundation/signal.js';
import { mostAttempts, waitMs } from './back-off.js';
import { DUE_TOPIC } from './fan-out.js';
import { disableWebhook } from './owner.js';
import {
  LEASE_MS,
  claimDeliveries,
  giveBack,
  settleDeliveries,
  type Claim,
  type Finished,
  type Outcome,
  type Settled,
} from './queue-repository.js';
import type { Prepared, Rendering } from './rendering.js';
import type { DisabledReason } from './schemas.js';
import { TIMEOUT_MS, transmit, type Sent } from './transmission.js';

/** Maximum number of claims per node whose outcome is not stored. */
const PER_NODE = 64;
/** Polls in case of lost notifications, retries that become due much later, and failed nodes. */
const POLL_MS = 3_000;
/** For retries due sooner than this the signal is raised by a timer. */
const SOON_MS = 60_000;
/** Time that running attempts have to complete at shutdown. */
const GRACE_MS = 2_000;
/** Minimum remaining lease for an attempt and for storing its outcome. */
const MARGIN_MS = 3_000;
const GONE = 410;

/** A claim that is over, and why its webhook is to be disabled, where the response demands it. */
interface Ended extends Finished {
  claim: Claim;
  disabled?: DisabledReason | undefined;
}

/**
 * Sends deliveries on this node: at least once each, in order per subject of a webhook, and on one node at a time. A
 * claim is a lease with a fencing number; if a node fails, another one sends the delivery again. Outcomes that become known
 * while others are being stored are stored together: storing one locks its webhook, for which all others wait.
 */
export class WebhookSender {
  /** Number of attempts by webhook. */
  private readonly busy = new Map<string, number>();
  /** Webhooks for which no more was claimed because of their attempts. */
  private readonly full = new Set<string>();
  /** Whether no more was claimed because of the number of claims. */
  private isFull = false;
  private claims = 0;
  private readonly outcomes = new Grouped<Ended, Settled>((ended) => this.store(ended));
  private readonly running = new Set<Promise<void>>();
  private readonly signal = new Signal();
  private readonly over = new AbortController();
  private working: Promise<void> | undefined;
  private off: (() => void) | undefined;
  private closed = false;

  /** @param disableHours a webhook is disabled after all attempts have failed for this time */
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly notifier: ChangeNotifier,
    private readonly outbound: Outbound,
    private readonly rendering: Rendering,
    private readonly disableHours: number,
    private readonly log: Log,
  ) {}

  start(): void {
    // Every attempt adds a listener to this signal.
    setMaxListeners(0, this.over.signal);
    this.off = this.notifier.on(DUE_TOPIC, this.signal.raise);
    this.working = this.work();
  }

  /** Starts no more attempts; running ones get a short time, and are then returned to the queue. */
  async close(): Promise<void> {
    this.closed = true;
    this.off?.();
    this.signal.raise();
    await this.working;
    const settled = Promise.allSettled([...this.running]);
    await Promise.race([settled, delay(GRACE_MS, undefined, { ref: false })]);
    this.over.abort();
    await settled;
  }

  private async work(): Promise<void> {
    while (!this.closed) {
      try {
        const free = PER_NODE - this.claims;
        const claims = free > 0 ? await claimDeliveries(this.db, this.busy, free) : [];
        this.isFull = claims.length === free;
        this.take(claims);
      } catch (error) {
        if (!this.closed) this.log.warn({ err: error }, 'webhooks: the queue could not be read');
      }
      if (!this.closed) await this.signal.sleep(POLL_MS);
    }
  }

  private take(claims: readonly Claim[]): void {
    if (claims.length === 0) return;
    const began = performance.now();
    for (const { webhook_id, is_last } of claims) {
      this.busy.set(webhook_id, (this.busy.get(webhook_id) ?? 0) + 1);
      if (is_last) this.full.add(webhook_id);
    }
    this.claims += claims.length;
    const work = this.rendering.prepare(claims).then(
      async (prepared) => {
        await Promise.all(prepared.map((one) => this.process(one, began)));
      },
      (error: unknown) => {
        // The claims are retried when their lease expires: an immediate retry would probably fail, too.
        this.log.warn({ err: error }, 'webhooks: deliveries could not be prepared');
        for (const claim of claims) {
          this.endAttempt(claim);
          this.release();
        }
      },
    );
    this.running.add(work);
    void work.finally(() => this.running.delete(work));
  }

  private async process(prepared: Prepared, began: number): Promise<void> {
    try {
      const ended = await this.attempt(prepared, began).finally(() => this.endAttempt(prepared.claim));
      if (ended) await this.settle(ended);
    } catch (error) {
      this.log.warn(
        { err: error, delivery_id: prepared.claim.id },
        'webhooks: a delivery could not be sent, or its outcome not be stored',
      );
    } finally {
      this.release();
    }
  }

  /** The receiver has answered, or gets nothing: another delivery of the webhook may be claimed. */
  private endAttempt({ webhook_id }: Claim): void {
    const left = this.busy.get(webhook_id)! - 1;
    if (left > 0) this.busy.set(webhook_id, left);
    else this.busy.delete(webhook_id);
    if (this.full.delete(webhook_id)) this.signal.raise();
  }

  /** This node has nothing more to do for a claim. */
  private release(): void {
    this.claims--;
    if (this.isFull) this.signal.raise();
    this.isFull = false;
  }

  /** Sends a delivery. @returns undefined where nothing is to be stored */
  private async attempt(prepared: Prepared, began: number): Promise<Ended | undefined> {
    const { claim } = prepared;
    if (prepared.act === 'disable') {
      await this.transactions.run(systemContext('webhook'), (uow) =>
        disableWebhook(uow, { ...claim, id: claim.webhook_id }, prepared.reason),
      );
      await giveBack(this.db, [claim]);
      return undefined;
    }
    if (prepared.act === 'skip') {
      const entry = {
        at: new Date().toISOString(),
        status: null,
        error: prepared.reason,
        duration_ms: 0,
        response: null,
        owner_id: claim.owner_id,
      };
      return { claim, outcomeOf: () => ({ state: 'skipped', isAttempt: false, entry }) };
    }
    // If this node was blocked, the lease could expire during the attempt, and another node could send the same
    // delivery.
    if (performance.now() - began > LEASE_MS - TIMEOUT_MS - MARGIN_MS) return undefined;
    const { signal } = this.over;
    const sent = await transmit(
      this.outbound,
      { id: `evt_${claim.position}`, url: claim.url, body: prepared.body, secrets: prepared.secrets },
      signal,
    );
    if (signal.aborted && sent.status === null) {
      await giveBack(this.db, [claim]);
      return undefined;
    }
    return { claim, outcomeOf: outcomeOf(claim, sent), disabled: sent.status === GONE ? 'gone' : undefined };
  }

  private async settle(ended: Ended): Promise<void> {
    // One that is not stored together with others may be the reason: it is stored alone.
    const settled = (await this.outcomes.add(ended)) ?? (await this.store([ended]))[0];
    if (!settled)
      return this.log.warn(
        { delivery_id: ended.claim.id },
        'webhooks: a delivery was claimed by another node, or deleted, before its outcome was stored',
      );
    if (settled.waitMs !== undefined && settled.waitMs < SOON_MS)
      setTimeout(this.signal.raise, settled.waitMs + 10).unref();
    if (settled.isNextDue) this.signal.raise();
  }

  private async store(ended: readonly Ended[]): Promise<(Settled | undefined)[]> {
    return await this.transactions.run(systemContext('webhook'), async (uow) => {
      const settled = await settleDeliveries(uow, ended, this.disableHours);
      const off = new Map<string, [Claim, DisabledReason]>();
      for (const [n, { claim, disabled }] of ended.entries()) {
        const reason = disabled ?? (settled[n]?.hasFailedTooLong ? 'failing' : undefined);
        // The owner and the address may have changed between the claims of a webhook.
        const { webhook_id, owner_id, url } = claim;
        if (settled[n] && reason) off.set(`${webhook_id} ${owner_id} ${url}`, [claim, reason]);
      }
      for (const [claim, reason] of off.values()) await disableWebhook(uow, { ...claim, id: claim.webhook_id }, reason);
      return settled;
    });
  }
}

function outcomeOf(claim: Claim, { retryAfter, ...sent }: Sent): (takesOthers: boolean) => Outcome {
  const entry = { ...sent, owner_id: claim.owner_id };
  const attempts = claim.attempts + 1;
  return (takesOthers) => {
    if (sent.error === null) return { state: 'delivered', isAttempt: true, entry };
    if (attempts >= mostAttempts(takesOthers)) return { state: 'failed', isAttempt: true, entry };
    return { state: 'pending', isAttempt: true, entry, waitMs: waitMs(attempts, takesOthers, retryAfter) };
  };
}
