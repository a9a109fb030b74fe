import type { Database } from '../db/database.js';
import type { Log } from '../log.js';
import type { Attempt } from './attempt.js';
import { claimKey, heldJobs, renewLeases } from './repository.js';

/** Milliseconds between the times at which leases are renewed of which a third is over. */
const HEARTBEAT_MS = 1_000;
const isDue = ({ leaseMs, triedAt }: Attempt, now: number): boolean => now - triedAt >= leaseMs / 3;
/** A job whose lease was not renewed for so many milliseconds is aborted: shortly after, another node may claim it. */
const expiryOf = ({ leaseMs }: Attempt): number => leaseMs - Math.min(2_000, leaseMs / 3);

/** Renews the leases of jobs running on this node, and aborts jobs whose lease was lost. */
export class Leases {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly db: Database,
    private readonly running: () => Iterable<Attempt>,
    private readonly log: Log,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.renew(), HEARTBEAT_MS).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Aborts jobs that were cancelled or claimed by another node. Only reads, so that it may run often. */
  async check(): Promise<void> {
    const attempts = this.expire();
    if (attempts.length === 0) return;
    try {
      const held = await heldJobs(this.db, attempts);
      for (const attempt of attempts)
        if (!held.has(claimKey(attempt))) attempt.lose('it was cancelled or claimed by another node');
    } catch {
      // The next renewal detects it.
    }
  }

  private async renew(): Promise<void> {
    const began = performance.now();
    const attempts = this.expire().filter((attempt) => isDue(attempt, began));
    if (attempts.length === 0) return;
    for (const attempt of attempts) attempt.triedAt = began;
    try {
      const held = await renewLeases(this.db, attempts);
      for (const attempt of attempts) {
        if (held.has(claimKey(attempt))) attempt.renewedAt = began;
        else attempt.lose('the lease was lost');
      }
    } catch (error) {
      this.log.warn({ err: error }, 'jobs: leases could not be renewed');
    }
  }

  /**
   * Uses the local clock, because the database may not answer, or this process may have been blocked.
   * @returns all running attempts
   */
  private expire(): Attempt[] {
    const attempts = [...this.running()];
    const now = performance.now();
    for (const attempt of attempts) if (now - attempt.renewedAt > expiryOf(attempt)) attempt.lose('the lease expired');
    return attempts;
  }
}
