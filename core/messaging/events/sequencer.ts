import type { ChangeNotifier } from '../../foundation/db/change-notifier.js';
import type { Database } from '../../foundation/db/database.js';
import type { Continuity } from '../../foundation/db/continuity.js';
import type { Log } from '../../foundation/log.js';
import type { EventGaps } from './gaps.js';
import { PARTITIONS_TOPIC } from './retention.js';
import { PARTITION_SIZE, SequencerSession } from './sequencer-repository.js';
import { Signal } from '../../foundation/signal.js';

const BATCH = 5_000;
/** `Revisions` notices every 400 ms that a notification was lost. */
const POLL_MS = 5_000;
/**
 * Interval between batches under steady load, because a batch costs little more than one event; the first is processed
 * at once.
 */
const PACE_MS = 4;
/** Interval at which other nodes try to get the lock. */
const RETRY_MS = 500;
/** If rows wait for this time while the head does not move, the lock holder is considered stuck. */
const STALLED_MS = 2_000;
/** Delay before a failed creation or closing of a partition is retried. */
const AGAIN_MS = 1_000;
/** The next partition is created when fewer positions than this are left. */
const AHEAD = PARTITION_SIZE / 2;

/**
 * Assigns positions to committed events: ascending, dense except for the gaps of `EventGaps`, by one node of the cluster at a time. That node holds a
 * session advisory lock, which is released when the node fails; if the holder is stuck, a waiting node ends its
 * session.
 */
export class Sequencer {
  private readonly signal = new Signal();
  private running: Promise<void> | undefined;
  private stopListening: (() => void)[] = [];
  /** Time of the next check whether the month is over: at once after getting the lock, then on request. */
  private closeAt = Infinity;
  private closed = false;
  private held = false;

  constructor(
    private readonly db: Database,
    private readonly notifier: ChangeNotifier,
    private readonly continuity: Continuity,
    private readonly gaps: EventGaps,
    private readonly log: Log,
  ) {}

  /** Whether this node currently holds the lock. */
  get isHolder(): boolean {
    return this.held;
  }

  /** Starts trying to get the lock; resolves at once. */
  async start(): Promise<void> {
    const close = (): void => {
      this.closeAt = 0;
      this.signal.raise();
    };
    this.stopListening = [this.notifier.on('outbox', this.signal.raise), this.notifier.on(PARTITIONS_TOPIC, close)];
    this.running = this.run();
  }

  /** Releases the lock and ends its session. */
  async close(): Promise<void> {
    this.closed = true;
    for (const stop of this.stopListening) stop();
    this.signal.raise();
    await this.running;
  }

  private async run(): Promise<void> {
    let isAway = false;
    while (!this.closed) {
      let session: SequencerSession | undefined;
      try {
        session = await SequencerSession.open(this.db);
        isAway = false;
        if (await this.obtain(session)) await this.sequence(session);
      } catch (error) {
        if (!this.closed && !isAway) this.log.warn({ err: error }, 'sequencer: the session was lost');
        isAway = true;
      } finally {
        this.held = false;
        await session?.close();
      }
      if (!this.closed) await this.pause();
    }
  }

  /** Waits for the lock. @returns whether it was obtained; false when the node shuts down */
  private async obtain(session: SequencerSession): Promise<boolean> {
    let stalled: { head: number; since: number } | undefined;
    while (!this.closed) {
      if (await session.tryLock()) return true;
      const { head, waiting } = await session.backlog();
      if (!waiting || stalled?.head !== head) stalled = waiting ? { head, since: performance.now() } : undefined;
      else if (performance.now() - stalled.since > STALLED_MS) {
        this.log.warn({ head }, 'sequencer: events wait for positions; the lock holder’s session is ended');
        await session.endHolder();
        stalled = undefined;
        continue;
      }
      await this.pause();
    }
    return false;
  }

  private async sequence(session: SequencerSession): Promise<void> {
    this.held = true;
    // A new connection: its server may be another one.
    await this.continuity.read();
    await this.continuity.settled();
    await this.gaps.settle();
    let { head } = await session.backlog();
    /** The head from which new partitions must be created. */
    let roomFrom = -1;
    // Requests sent to the previous holder may have been lost, so this node checks at once.
    this.closeAt = 0;
    this.log.info({ head }, 'sequencer: this node assigns the positions of events');
    while (!this.closed) {
      if (performance.now() >= this.closeAt) await this.closeMonth(session, head);
      if (head >= roomFrom) roomFrom = await this.makeRoom(session, head);
      const moved = await session.move(head, BATCH);
      if (moved === undefined) throw new Error('another sequencer changed the head');
      head += moved;
      if (moved > 0) this.notifier.notify('events');
      if (moved > 0 && moved < BATCH) await this.signal.pause(PACE_MS);
      if (moved < BATCH) await this.signal.sleep(POLL_MS);
    }
  }

  /** Closes the partition of a completed month; retried later if a long read of the log blocks it. */
  private async closeMonth(session: SequencerSession, head: number): Promise<void> {
    try {
      this.closeAt = Infinity;
      if (await session.closeMonth(head))
        this.log.info({ head }, 'sequencer: the log continues in a partition for this month');
    } catch (error) {
      this.closeAt = performance.now() + AGAIN_MS;
      this.log.debug({ err: error }, 'sequencer: the partition could not be closed yet');
    }
  }

  /** Creates partitions ahead of time. @returns the head from which the next one must be created */
  private async makeRoom(session: SequencerSession, head: number): Promise<number> {
    try {
      return (await session.ensureRoom(head, head + AHEAD)) - AHEAD;
    } catch (error) {
      const left = (await session.roomEnd(head)) - head;
      if (left <= 2 * BATCH) throw error;
      this.log.warn({ err: error, left }, 'sequencer: the next partition could not be created yet');
      return head + BATCH;
    }
  }

  /** Jitter, so that nodes do not retry at the same time. */
  private async pause(): Promise<void> {
    const deadline = performance.now() + RETRY_MS * (0.8 + Math.random() * 0.4);
    while (!this.closed && performance.now() < deadline) await this.signal.sleep(deadline - performance.now());
  }
}
