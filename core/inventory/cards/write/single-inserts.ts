import type { Database } from '../../../foundation/db/database.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { insertCard, insertSingles, singleInsert } from '../repository.js';
import type { CardState } from '../types.js';

type ViewRow = readonly (string | null)[];

interface Waiting {
  id: string;
  insert: string;
  made(row: ViewRow | undefined): void;
  failed(error: unknown): void;
}

/** Maximum number of cards per statement. */
const TOGETHER = 64;
/** Concurrent statements: with one the database idles between statements; with more, each inserts fewer rows. */
const UNDER_WAY = 2;

/** Whether PostgreSQL refused the statement, so that no row is stored; after other errors the outcome is unknown. */
const isRefusal = (error: unknown): boolean => (error as { severity?: string }).severity === 'ERROR';

/**
 * Inserts the cards of concurrent requests in one statement: most of the cost of a single insert is the start of the
 * statement, its commit and the context switches. No request waits for others to form a batch: requests that arrive
 * while statements are running go into the next one.
 */
export class SingleInserts {
  private waiting: Waiting[] = [];
  private underWay = 0;
  private isDue = false;

  constructor(private readonly db: Database) {}

  /**
   * Inserts a card, with all other rows of its unit of work: in a shared statement if it has no parent and nothing else
   * happens in its unit; separately if the shared statement skips it, so that it fails with its own error.
   * @param result stored under the Idempotency-Key
   * @returns the columns of its view, as text
   */
  async insert(uow: UnitOfWork, card: CardState, metamodelRevision: string, result: unknown): Promise<ViewRow> {
    const isFree = uow.isUntouched && card.parent_id === null;
    const flush = uow.flushed(result);
    return (
      (isFree ? await this.join(card, metamodelRevision, flush) : undefined) ??
      (await insertCard(uow, card, metamodelRevision, flush))
    );
  }

  /**
   * @returns undefined if nothing was stored
   * @throws errors after which the outcome is unknown, such as a lost connection
   */
  private join(card: CardState, metamodelRevision: string, flush: string): Promise<ViewRow | undefined> {
    return new Promise((made, failed) => {
      this.waiting.push({ id: card.id, insert: singleInsert(card, metamodelRevision, flush), made, failed });
      this.due();
    });
  }

  /** Also includes requests that have been read from sockets in the meantime. */
  private due(): void {
    if (this.isDue || this.underWay === UNDER_WAY || this.waiting.length === 0) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      void this.send(this.waiting.splice(0, TOGETHER));
      this.due();
    });
  }

  private async send(group: readonly Waiting[]): Promise<void> {
    this.underWay++;
    try {
      const rows = new Map(
        (
          await insertSingles(
            this.db,
            group.map((w) => w.insert),
          )
        ).map((row) => [row[0], row]),
      );
      for (const { id, made } of group) made(rows.get(id));
    } catch (error) {
      for (const { made, failed } of group)
        if (isRefusal(error)) made(undefined);
        else failed(error);
    } finally {
      this.underWay--;
      this.due();
    }
  }
}
