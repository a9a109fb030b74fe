import { statfs } from 'node:fs/promises';
import type { RequestContext } from '@lintel/sdk';
import { problem, Problem } from '../errors.js';
import type { Log } from '../log.js';
import { databaseProblem } from './constraints.js';
import type { Database } from './database.js';

const EVERY_MS = 1_000;
/** Writes go on once there is so much more space than the least there must be, so that they do not come and go. */
const ENOUGH = 1.05;
/** After PostgreSQL refused a write for want of space the next one is tried so much later: a full log ends all its sessions. */
const REFUSED_MS = 10_000;
const RETRY_AFTER = '30';

export interface StorageOptions {
  /** Bytes that must be free where the embedded database is; 0 for no such limit. */
  minFreeBytes: number;
  /** Whether the database is the embedded one, whose folder can be looked at. */
  isEmbedded: boolean;
}

/** Whether an error is one of too little space: ours, or PostgreSQL's. */
export function isStorageFull(error: unknown): boolean {
  // Handlers of jobs may throw anything.
  if (!(error instanceof Error)) return false;
  return (error instanceof Problem ? error : databaseProblem(error))?.code === 'storage_full';
}

/**
 * Whether there is room for writes. Of the embedded database the free space of its file system is known. Of a server
 * elsewhere nothing tells who is no superuser: it is as full as it says when it refuses a write.
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

  /** Looks for the first time. A folder that cannot be looked at is none. */
  async start(): Promise<void> {
    if (!this.options.isEmbedded) return;
    const named = await this.db
      .query<{ folder: string }>({ name: 'storage-folder', text: `select current_setting('data_directory') as folder` })
      .catch(() => []);
    this.folder = named[0]?.folder;
    if (this.folder === undefined) return;
    await this.look();
    this.timer = setInterval(() => void this.look(), EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Bytes that are free for the database; NaN where that is not known. */
  get freeBytes(): number {
    return this.free ?? Number.NaN;
  }

  /** Whether writes are refused now. */
  get isFull(): boolean {
    return this.isShort || performance.now() < this.refusedUntil;
  }

  /**
   * Lets a write pass, or not.
   * @throws storage_full
   */
  demand({ whenFull }: Pick<RequestContext, 'whenFull'>): void {
    if (whenFull !== true && this.isFull) throw problem('storage_full', { headers: { 'retry-after': RETRY_AFTER } });
  }

  /** Told what a write failed with. */
  failed(error: unknown): void {
    if (error instanceof Problem || !isStorageFull(error)) return;
    if (performance.now() >= this.refusedUntil)
      this.log.error({ err: error }, 'PostgreSQL has no space for a write: writes are refused for some seconds');
    this.refusedUntil = performance.now() + REFUSED_MS;
  }

  private async look(): Promise<void> {
    try {
      const { bavail, bsize } = await statfs(this.folder!);
      this.free = bavail * bsize;
    } catch {
      this.free = undefined;
    }
    const least = this.options.minFreeBytes * (this.isShort ? ENOUGH : 1);
    const isShort = this.free !== undefined && this.free < least;
    if (isShort !== this.isShort) {
      const fields = { free: this.free, least };
      if (isShort) this.log.error(fields, 'storage is nearly full: writes are refused until there is more');
      else this.log.info(fields, 'storage has space again: writes go on');
    }
    this.isShort = isShort;
  }
}
