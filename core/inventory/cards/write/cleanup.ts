import type { Database } from '../../../foundation/db/database.js';
import { asService } from '../../../foundation/request-use.js';
import { COMPACT_COUNTS, FLUSH_GIN } from '../repository.js';

/** How long after a write the clean-up runs: one for many writes. */
const DELAY_MS = 1_000;

/** Compacts the counters of cards and flushes the lists of their GIN indexes, shortly after writes. */
export class WriteCleanup {
  private timer: NodeJS.Timeout | undefined;
  /** Whether there was a write since the clean-up began. */
  private isDue = false;

  constructor(private readonly db: Pick<Database, 'query'>) {}

  /** Call it after every write. */
  soon(): void {
    this.isDue = true;
    this.timer ??= asService(() => setTimeout(() => void this.run(), DELAY_MS).unref());
  }

  close(): void {
    clearTimeout(this.timer);
    this.isDue = false;
  }

  /** Without either, for lack of a privilege too, reads are only slower until PostgreSQL does it itself. */
  private async run(): Promise<void> {
    this.isDue = false;
    await this.db.query(COMPACT_COUNTS).catch(() => undefined);
    await this.db.query(FLUSH_GIN).catch(() => undefined);
    this.timer = undefined;
    if (this.isDue) this.soon();
  }
}
