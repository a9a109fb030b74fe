import type { RequestContext } from '@lintel/sdk';
import { problem, Problem } from '../errors.js';
import type { Log } from '../log.js';
import { databaseProblem } from './constraints.js';
import type { Database } from './database.js';
import { freeBytes } from './embedded-place.js';

const EVERY_MS = 1_000;
/** Writes resume only once the free space exceeds the minimum by this factor, so that the state does not flap. */
const ENOUGH = 1.05;
/** Time in ms for which writes are refused after PostgreSQL reported a full disk: a full WAL ends all its sessions. */
const REFUSED_MS = 10_000;
const RETRY_AFTER = '30';

interface StorageOptions {
  /** Bytes that must be free on the file system of the embedded database; 0 for no limit. */
  minFreeBytes: number;
  /** Whether the database is the embedded one, whose folder can be inspected. */
  isEmbedded: boolean;
}

/** Whether an error means too little disk space, reported by this service or by PostgreSQL. */
export function isStorageFull(error: unknown): boolean {
  // Job handlers may throw anything.
  if (!(error instanceof Error)) return false;
  return (error instanceof Problem ? error : databaseProblem(error))?.code === 'storage_full';
}

/**
 * Whether there is disk space for writes. For the embedded database the free space of its file system is known. For an
 * external server it is not available without superuser rights: the disk counts as full when the server refuses a
 * write.
 */
export class Storage {
  private folder: string | undefined;
  private free: number | undefined;
  private isShort = false;
  private refusedUntil = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly db: Database,
    private readonly options: StorageOptions,
    private readonly log: Log,
  ) {}

  /** Checks the free space for the first time. A folder that cannot be inspected is ignored. */
  async start(): Promise<void> {
    if (!this.options.isEmbedded) return;
    const named = await this.db
      .query<{ folder: string }>({ name: 'storage-folder', text: `select current_setting('data_directory') as folder` })
      .catch(() => []);
    this.folder = named[0]?.folder;
    if (this.folder === undefined) return;
    await this.measure();
    this.timer = setInterval(() => void this.measure(), EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Bytes free for the database; NaN where unknown. */
  get freeBytes(): number {
    return this.free ?? Number.NaN;
  }

  /** Whether writes are currently refused. */
  get isFull(): boolean {
    return this.isShort || performance.now() < this.refusedUntil;
  }

  /**
   * Checks that a write is allowed.
   * @throws storage_full
   */
  demand({ whenFull }: Pick<RequestContext, 'whenFull'>): void {
    if (whenFull !== true && this.isFull) throw problem('storage_full', { headers: { 'retry-after': RETRY_AFTER } });
  }

  /** Called with the error of a failed write. */
  failed(error: unknown): void {
    if (error instanceof Problem || !isStorageFull(error)) return;
    if (performance.now() >= this.refusedUntil)
      this.log.error({ err: error }, 'the disk of PostgreSQL is full: writes are refused for some seconds');
    this.refusedUntil = performance.now() + REFUSED_MS;
  }

  private async measure(): Promise<void> {
    try {
      this.free = await freeBytes(this.folder!);
    } catch {
      this.free = undefined;
    }
    const least = this.options.minFreeBytes * (this.isShort ? ENOUGH : 1);
    const isShort = this.free !== undefined && this.free < least;
    if (isShort !== this.isShort) {
      const fields = { free: this.free, least };
      if (isShort) this.log.error(fields, 'disk space is low: writes are refused until more is free');
      else this.log.info(fields, 'there is enough disk space again: writes are accepted');
    }
    this.isShort = isShort;
  }
}
