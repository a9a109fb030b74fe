import type { ChangeNotifier } from '../../foundation/db/change-notifier.js';
import type { Database } from '../../foundation/db/database.js';
import type { Log } from '../../foundation/log.js';
import { PARTITIONS_TOPIC } from './retention.js';
import { PARTITION_SIZE, SequencerSession } from './sequencer-repository.js';
import { Signal } from '../../foundation/signal.js';

const BATCH = 5_000;
/** The holder looks at least so often, notifier or not. */
const POLL_MS = 20;
/** Under steady writes it looks so often: what is numbered together costs little more than one event. The first comes at once. */
const PACE_MS = 4;
/** Others try for the role so often. */
const RETRY_MS = 500;
/** Rows that wait so long while the head stands still mean that the holder hangs. */
const STALLED_MS = 2_000;
/** A partition that could not be closed or made is tried again after so long. */
const AGAIN_MS = 1_000;
/** The next partition is made when the positions left in the last one are fewer. */
const AHEAD = PARTITION_SIZE / 2;

/**
 * Gives committed events their positions: dense, growing, by one node of the cluster at a time. The role is a
 * session advisory lock, so it passes on when its holder dies; when its holder hangs, a waiting node ends the
 * holder's session.
 */
export class Sequencer {
  private readonly signal = new Signal();
  private running: Promise<void> | undefined;
  private stopListening: (() => void)[] = [];
  /** When to look whether the month is over: at once when the role is obtained, and then when asked to. */
  private closeAt = Infinity;
  private closed = false;
  private held = false;

  constructor(
    private readonly db: Database,
    private readonly notifier: ChangeNotifier,
    private readonly log: Log,
  ) {}

  /** Whether this node has the role now. */
  get isHolder(): boolean {
    return this.held;
  }

  /** Starts trying for the role; resolves at once. */
  async start(): Promise<void> {
    const close = (): void => {
      this.closeAt = 0;
      this.signal.raise();
    };
    this.stopListening = [this.notifier.on('outbox', this.signal.raise), this.notifier.on(PARTITIONS_TOPIC, close)];
    this.running = this.run();
  }

  /** Gives the role up and ends its session. */
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
        if (!this.closed && !isAway) this.log.warn({ err: error }, 'sequencer: the session is lost');
        isAway = true;
      } finally {
        this.held = false;
        await session?.close();
      }
      if (!this.closed) await this.pause();
    }
  }

  /** Waits for the role. @returns whether it was obtained; not when the node closes */
  private async obtain(session: SequencerSession): Promise<boolean> {
    let stalled: { head: number; since: number } | undefined;
    while (!this.closed) {
      if (await session.tryLock()) return true;
      const { head, waiting } = await session.backlog();
      if (!waiting || stalled?.head !== head) stalled = waiting ? { head, since: performance.now() } : undefined;
      else if (performance.now() - stalled.since > STALLED_MS) {
        this.log.warn({ head }, 'sequencer: events wait and none is numbered; the holder is replaced');
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
    let { head } = await session.backlog();
    /** The head from which there is room to be made. */
    let roomFrom = -1;
    // Whatever was asked of another node before: this one looks for itself.
    this.closeAt = 0;
    this.log.info({ head }, 'sequencer: this node numbers the events');
    while (!this.closed) {
      if (performance.now() >= this.closeAt) await this.closeMonth(session, head);
      if (head >= roomFrom) roomFrom = await this.makeRoom(session, head);
      const moved = await session.move(head, BATCH);
      if (moved === undefined) throw new Error('another sequencer moved the head');
      head += moved;
      if (moved > 0) this.notifier.notify('events');
      if (moved > 0 && moved < BATCH) await this.signal.pause(PACE_MS);
      if (moved < BATCH) await this.signal.sleep(POLL_MS);
    }
  }

  /** Closes the partition of a month that is over; who reads the log for long puts it off. */
  private async closeMonth(session: SequencerSession, head: number): Promise<void> {
    try {
      this.closeAt = Infinity;
      if (await session.closeMonth(head))
        this.log.info({ head }, 'sequencer: the log goes on in a partition of this month');
    } catch (error) {
      this.closeAt = performance.now() + AGAIN_MS;
      this.log.debug({ err: error }, 'sequencer: the partition could not be closed yet');
    }
  }

  /** Sees to it that there is room ahead. @returns the head from which there is none to spare */
  private async makeRoom(session: SequencerSession, head: number): Promise<number> {
    try {
      return (await session.ensureRoom(head, head + AHEAD)) - AHEAD;
    } catch (error) {
      const left = (await session.roomEnd(head)) - head;
      if (left <= 2 * BATCH) throw error;
      this.log.warn({ err: error, left }, 'sequencer: the next partition could not be made yet');
      return head + BATCH;
    }
  }

  /** Nodes do not try in step. */
  private async pause(): Promise<void> {
    const deadline = performance.now() + RETRY_MS * (0.8 + Math.random() * 0.4);
    while (!this.closed && performance.now() < deadline) await this.signal.sleep(deadline - performance.now());
  }
}
