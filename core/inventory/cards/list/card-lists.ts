import { LRUCache } from 'lru-cache';
import type { Database } from '../../../foundation/db/database.js';
import { exactTotal } from '../../../foundation/db/list-query.js';
import { asService } from '../../../foundation/request-use.js';
import type { PageText } from '../../../foundation/http/respond.js';
import { hidesCards } from '../../access/index.js';
import { COUNTED_HITS } from '../page-source-repository.js';
import { REMEMBERED_HITS } from '../search/search-repository.js';
import { WordFrequencies } from '../search/word-frequencies-repository.js';
import { CachedRows } from './cached-rows.js';
import { cardPage, type CardListQuery, type CardPage, type ListKnowledge } from './page-repository.js';
import { DatabaseRows, type RequestedCard, type PageRows, type RowReader } from './page-rows-repository.js';
import type { RowCache, RowView } from './row-cache.js';
import type { Reader } from './view.js';

/** Time in ms for which it is cached that a search has more hits than are counted. */
const REMEMBERED_MS = 30_000;
const MOST_REMEMBERED = 2_000;

/** Pages of cards, and single cards, as JSON text. */
export class CardLists {
  private readonly largeSearches = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: REMEMBERED_MS });
  private readonly lastTotals = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  private readonly rows: RowReader;
  private readonly known: ListKnowledge;
  private waiting: {
    requested: RequestedCard;
    settle: (view: RowView | undefined) => void;
    fail: (error: unknown) => void;
  }[] = [];

  /** @param cache views of cards by their row version */
  constructor(db: Pick<Database, 'rows'>, cache: RowCache) {
    this.rows = new CachedRows(new DatabaseRows(db), cache);
    const words = new WordFrequencies(db);
    this.known = {
      lastTotal: (scope) => this.lastTotals.get(scope),
      isLarge: (searched) => this.largeSearches.has(searched),
      share: (word) => words.share(word),
      isRare: (word) => words.isRare(word),
      atLeast: (word) => words.atLeast(word),
    };
  }

  /**
   * Reads one page: total and rows come from one snapshot.
   * @throws a 422 listing invalid parameters, a 403 for stakeholders or relations the reader may not see
   */
  async list(query: CardListQuery, reader: Reader): Promise<PageText> {
    const page = cardPage(query, reader, this.known);
    const found = await this.rows.page(page, reader);
    if (found.total !== undefined) this.store(page, found.total);
    return pageText(page, found);
  }

  /**
   * Reads one card. Reads of the same turn of the event loop are combined to one statement.
   * @returns undefined where the card does not exist or is hidden from the reader
   */
  async get(id: string, reader: Reader): Promise<RowView | undefined> {
    const requested = { id, reader };
    // The view for such a reader is individual, so it cannot be shared with other reads.
    if (hidesCards(reader.visibility)) return (await this.rows.cards([requested]))[0];
    return await new Promise((settle, fail) => {
      if (this.waiting.push({ requested, settle, fail }) === 1)
        asService(() => setImmediate(() => void this.readWaiting()));
    });
  }

  /** Reads cards for one reader. @returns in the order of the ids; undefined as for `get` */
  async many(ids: readonly string[], reader: Reader): Promise<(RowView | undefined)[]> {
    return ids.length === 0 ? [] : await this.rows.cards(ids.map((id) => ({ id, reader })));
  }

  private async readWaiting(): Promise<void> {
    const { waiting } = this;
    this.waiting = [];
    try {
      const views = await this.rows.cards(waiting.map(({ requested }) => requested));
      for (const [i, { settle }] of waiting.entries()) settle(views[i]);
    } catch (error) {
      for (const { fail } of waiting) fail(error);
    }
  }

  /** Stores totals that help to plan the next page of the same list. */
  private store({ scope, searched, isCountless }: CardPage, total: number): void {
    this.lastTotals.set(scope, total);
    if (searched !== undefined && !isCountless && total >= REMEMBERED_HITS && !this.largeSearches.has(searched))
      this.largeSearches.set(searched, true);
  }
}

/** The response of a list. */
function pageText({ keys, isBounded }: CardPage, { total, ids, last, views }: PageRows): PageText {
  const isMore = isBounded && total !== undefined && total > COUNTED_HITS;
  return {
    items: views.map((view) => view.bytes),
    ...(isMore ? { total: COUNTED_HITS, total_relation: 'gte' as const } : exactTotal(total)),
    page: keys.page,
    page_size: keys.page_size,
    next_cursor: ids.length > keys.page_size ? keys.nextCursor(last, ids[keys.page_size - 1]) : null,
  };
}
