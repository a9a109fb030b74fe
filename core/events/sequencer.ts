import type { Bell } from '../db/bell.js';
import type { Database } from '../db/database.js';
import type { Log } from '../log.js';
import { PARTITION_SIZE, SequencerSession } from './sequencer-repository.js';
import { Wake } from './wake.js';

const BATCH = 5_000;
/** The holder looks at least so often, bell or not. */
const POLL_MS = 20;
/** Others try for the role so often. */
const RETRY_MS = 500;
/** Rows that wait so long while the head stands still mean that the holder hangs. */
const STALLED_MS = 2_000;
/** The next partition is made when the positions left in the last one are fewer. */
const AHEAD = PARTITION_SIZE / 2;

/**
 * Gives committed events their positions: dense, growing, by one node of the cluster at a time. The role is a
 * session advisory lock, so it passes on when its holder dies; when its holder hangs, a waiting node ends the
 * holder's session.
 */
export class Sequencer {
  private readonly wake = new Wake();
  private running: Promise<void> | undefined;
  private stopListening: (() => void) | undefined;
  private closed = false;
  private held = false;

  constructor(private readonly db: Database, private readonly bell: Bell, private readonly log: Log) {}

  /** Whether this node has the role now. */
  get isHolder(): boolean {
    return this.held;
  }

  /** Starts trying for the role; resolves at once. */
  async start(): Promise<void> {
    this.stopListening = this.bell.on('outbox', this.wake.ring);
    this.running = this.run();
  }

  /** Gives the role up and ends its session. */
  async close(): Promise<void> {
    this.closed = true;
    this.stopListening?.();
    this.wake.ring();
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
    let ensured = -1;
    this.log.info({ head }, 'sequencer: this node numbers the events');
    while (!this.closed) {
      if (head + AHEAD > ensured) ensured = await this.ensure(session, head);
      const moved = await session.move(head, BATCH);
      if (moved === undefined) throw new Error('another sequencer moved the head');
      head += moved;
      if (moved > 0) this.bell.ring('events');
      if (moved < BATCH) await this.wake.sleep(POLL_MS);
    }
  }

  /** Sees to it that there is room ahead. @returns the last position there is room for */
  private async ensure(session: SequencerSession, head: number): Promise<number> {
    await session.ensurePartition(head + 1);
    try {
      await session.ensurePartition(head + AHEAD);
    } catch (error) {
      this.log.warn({ err: error }, 'sequencer: the next partition could not be made yet');
      return Math.min(head + AHEAD + BATCH, Math.ceil((head + 1) / PARTITION_SIZE) * PARTITION_SIZE);
    }
    return (Math.floor((head + AHEAD) / PARTITION_SIZE) + 1) * PARTITION_SIZE - 1;
  }

  /** Nodes do not try in step. */
  private async pause(): Promise<void> {
    const deadline = performance.now() + RETRY_MS * (0.8 + Math.random() * 0.4);
    while (!this.closed && performance.now() < deadline) await this.wake.sleep(deadline - performance.now());
  }
}
