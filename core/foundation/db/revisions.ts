import type { Log } from '../log.js';
import { asService } from '../request-use.js';
import type { ChangeNotifier } from './change-notifier.js';
import type { Continuity } from './continuity.js';
import type { DatabaseState } from './continuity-repository.js';

export type RevisionKind = 'sessions' | 'permissions' | 'metamodel' | 'settings' | 'modules' | 'module_files';

const POLL_MS = 400;
/**
 * After this time without reading the revisions, a node may have missed a change that other nodes already apply: its
 * caches are not trusted.
 */
const TRUSTED_MS = 1_000;

/**
 * Keeps the caches of all nodes at most one second stale: a change increments the revision of its kind in the same
 * transaction. Each node reads the revisions when notified and by polling, and invalidates the caches whose revision
 * changed.
 */
export class Revisions {
  private readonly current = new Map<string, string>();
  private readonly listeners = new Map<string, Set<() => void | Promise<void>>>();
  private timer: NodeJS.Timeout | undefined;
  private readAt = 0;
  private reading: Promise<void> | undefined;
  private again = false;
  private latest: Pick<DatabaseState, 'revisions' | 'head' | 'isWaiting'> = {
    revisions: new Map(),
    head: 0,
    isWaiting: false,
  };
  /** End of the log as of the last poll. */
  private head = 0;
  private closed = false;

  constructor(
    private readonly continuity: Continuity,
    private readonly notifier: ChangeNotifier,
    private readonly log: Log,
  ) {}

  async start(): Promise<void> {
    await this.read();
    this.notifier.on('revisions', () => void this.refresh().catch(() => undefined));
    this.schedule();
  }

  /** Runs the listener whenever the revision of the kind has changed; `refresh` resolves only after the listener. */
  on(kind: RevisionKind, listener: () => void | Promise<void>): void {
    const set = this.listeners.get(kind) ?? new Set();
    this.listeners.set(kind, set.add(listener));
  }

  /** Whether the revisions were read recently enough for cached permissions to be trusted. */
  trusted(): boolean {
    return Date.now() - this.readAt < TRUSTED_MS && !this.continuity.isInterrupted;
  }

  revision(kind: RevisionKind): string {
    return this.current.get(kind) ?? '0';
  }

  /** Reads revisions that are at least as new as this call, and updates the caches. */
  async refresh(): Promise<void> {
    if (this.reading) {
      // The running read may have begun before the change that this call must see.
      this.again = true;
      return this.reading;
    }
    this.reading = asService(async () => {
      try {
        await this.continuity.settled();
        do {
          this.again = false;
          await this.read();
        } while (this.again);
      } finally {
        this.reading = undefined;
      }
    });
    return this.reading;
  }

  /** Invalidates all caches: the database may have other content under the same revisions. */
  async renew(): Promise<void> {
    this.current.clear();
    await this.read();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private schedule(): void {
    if (this.closed) return;
    this.timer = setTimeout(() => {
      this.poll()
        .catch((error: unknown) => this.log.warn({ err: error }, 'revisions could not be read'))
        .finally(() => this.schedule());
    }, POLL_MS);
    this.timer.unref();
  }

  /** Also notifies this node of events whose notification was lost, so that nothing else has to poll for them often. */
  private async poll(): Promise<void> {
    await this.refresh();
    const { head, isWaiting } = this.latest;
    if (isWaiting) this.notifier.fire('outbox');
    if (head !== this.head) this.notifier.fire('events');
    this.head = head;
  }

  private async read(): Promise<void> {
    const began = Date.now();
    const moved: string[] = [];
    this.latest = await this.continuity.read();
    for (const [kind, revision] of this.latest.revisions) {
      if (this.current.get(kind) !== revision) moved.push(kind);
      this.current.set(kind, revision);
    }
    const due = new Set(moved);
    try {
      for (const kind of moved) {
        for (const listener of this.listeners.get(kind) ?? []) await listener();
        due.delete(kind);
      }
    } finally {
      // If a listener failed, its revision counts as changed again at the next refresh.
      for (const kind of due) this.current.delete(kind);
    }
    this.readAt = began;
  }
}
