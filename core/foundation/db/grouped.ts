import { asService } from '../request-use.js';
import { isRefusal } from './native-error.js';

/** Maximum number of items per statement. */
const TOGETHER = 64;
/** Characters of the items of a statement from which no more are added. */
const TOGETHER_CHARACTERS = 1_000_000;
/** Concurrent statements: with one the database idles between statements; with more, each has fewer items. */
const UNDER_WAY = 2;

interface Waiting<I, O> {
  item: I;
  done(result: O | undefined): void;
  failed(error: unknown): void;
}

/**
 * Runs one step of several concurrent requests as one statement: most of the cost of a small statement is its start, its
 * commit and the context switches. No request waits for others to form a group: those that arrive while statements are
 * running go into the next one.
 */
export class Grouped<I, O> {
  private waiting: Waiting<I, O>[] = [];
  private underWay = 0;
  private isDue = false;

  /**
   * @param run runs the statement; returns the results in the order of the items, undefined for those it skipped
   * @param sizeOf number of characters of an item, where items may be large
   */
  constructor(
    private readonly run: (items: readonly I[]) => Promise<readonly (O | undefined)[]>,
    private readonly sizeOf: (item: I) => number = () => 0,
  ) {}

  /**
   * @returns the result; undefined if the statement skipped the item or was refused, so that nothing was stored and the
   *   caller must do it alone
   * @throws errors after which the outcome is unknown, such as a lost connection
   */
  add(item: I): Promise<O | undefined> {
    return new Promise((done, failed) => {
      this.waiting.push({ item, done, failed });
      this.due();
    });
  }

  /** Also includes requests that have been read from sockets in the meantime. */
  private due(): void {
    if (this.isDue || this.underWay === UNDER_WAY || this.waiting.length === 0) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      asService(() => void this.send(this.next()));
      this.due();
    });
  }

  private next(): Waiting<I, O>[] {
    let count = 0;
    for (let size = 0; count < Math.min(TOGETHER, this.waiting.length) && size < TOGETHER_CHARACTERS; count++)
      size += this.sizeOf(this.waiting[count]!.item);
    return this.waiting.splice(0, count);
  }

  private async send(group: readonly Waiting<I, O>[]): Promise<void> {
    this.underWay++;
    try {
      const results = await this.run(group.map(({ item }) => item));
      for (const [n, { done }] of group.entries()) done(results[n]);
    } catch (error) {
      for (const { done, failed } of group)
        if (isRefusal(error)) done(undefined);
        else failed(error);
    } finally {
      this.underWay--;
      this.due();
    }
  }
}

/**
 * The function of a group whose statement names rows by id: an id that occurs twice is passed once, because both
 * requests would see the same row.
 * @param run runs the statement; returns rows in any order @param idOf the id in a row
 */
export const eachOnce =
  <I extends { id: string }, R>(run: (items: readonly I[]) => Promise<readonly R[]>, idOf: (row: R) => string) =>
  async (items: readonly I[]): Promise<(R | undefined)[]> => {
    const first = new Map<string, I>();
    for (const item of items) if (!first.has(item.id)) first.set(item.id, item);
    const rows = new Map((await run([...first.values()])).map((row) => [idOf(row), row]));
    return items.map((item) => (first.get(item.id) === item ? rows.get(item.id) : undefined));
  };
