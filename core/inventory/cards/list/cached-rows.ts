import { hidesCards } from '../../access/index.js';
import type { CardPage } from './page-repository.js';
import type { RequestedCard, DatabaseRows, KeyRow, PageRows, RowReader } from './page-rows-repository.js';
import type { RowCache, RowView } from './row-cache.js';
import { shownTo, type Reader } from './view.js';

/** After this many consecutive pages with few cache hits, the cache is used only for every n-th page. */
const COLD_PAGES = 4;
const TRIED_PAGES = 8;

/**
 * Reads rows of cards through a cache: the database returns ids and row versions, and views of these versions are taken
 * from the cache. Not used for readers from whom some types are hidden, because their views omit references.
 */
export class CachedRows implements RowReader {
  private coldPages = 0;
  private pages = 0;

  constructor(
    private readonly rows: DatabaseRows,
    private readonly cache: RowCache,
  ) {}

  async page(page: CardPage, reader: Reader): Promise<PageRows> {
    if (hidesCards(reader.visibility)) return await this.rows.page(page, reader);
    // An expensive page query is not run twice: rows missing in the cache are read by their ids.
    if (page.isCostly || this.coldPages < COLD_PAGES || ++this.pages % TRIED_PAGES === 0) {
      const found = await this.byKeys(page, reader);
      if (found) return found;
    }
    const found = await this.rows.page(page, reader);
    const hits = found.views.filter(({ id, stamp }) => this.cache.peek(id)?.stamp === stamp).length;
    if (hits * 2 > found.views.length) this.coldPages = 0;
    for (const view of found.views) this.put(view, reader);
    return found;
  }

  async cards(requested: readonly RequestedCard[]): Promise<(RowView | undefined)[]> {
    const known = requested.filter(
      ({ id, reader }) => !hidesCards(reader.visibility) && this.cache.peek(id) !== undefined,
    );
    const stamps = new Map((await this.rows.stamps(known)).map((row, i) => [known[i]!, row]));
    const found = requested.map((one) => {
      const row = stamps.get(one);
      return row && this.find(row, one.reader);
    });
    // Cards without a row version no longer exist.
    const missed = requested.flatMap((one, i) =>
      found[i] || (stamps.has(one) && stamps.get(one) === undefined) ? [] : [{ one, i }],
    );
    const read = missed.length === 0 ? [] : await this.rows.cards(missed.map(({ one }) => one));
    for (const [n, { one, i }] of missed.entries()) {
      found[i] = read[n];
      if (found[i]) this.put(found[i], one.reader);
    }
    return found;
  }

  /** @returns undefined where too few rows are in the cache, or a card has changed since its key was read */
  private async byKeys(page: CardPage, reader: Reader): Promise<PageRows | undefined> {
    const { rows, ...found } = await this.rows.keys(page);
    const shown = rows.slice(0, page.keys.page_size);
    const hits = shown.filter(({ id, stamp }) => this.cache.peek(id)?.stamp === stamp).length;
    if (hits * 2 >= shown.length) this.coldPages = 0;
    else if (!page.isCostly) {
      this.coldPages++;
      return undefined;
    }
    const views = await this.viewsOf(shown, reader);
    return views && { ...found, ids: rows.map(({ id }) => id), views };
  }

  /** @returns undefined where a card has changed since its key was read: the page would mix two snapshots */
  private async viewsOf(rows: readonly KeyRow[], reader: Reader): Promise<RowView[] | undefined> {
    const views = rows.map((row) => this.find(row, reader));
    const missed = rows.flatMap(({ id, inheritsCosts }, i) => (views[i] ? [] : [{ i, id, reader, inheritsCosts }]));
    const read = missed.length === 0 ? [] : await this.rows.cards(missed);
    for (const [n, { i }] of missed.entries()) {
      const view = read[n];
      if (view) this.put(view, reader);
      if (view?.stamp !== rows[i]!.stamp || view.relatedJson !== rows[i]!.relatedJson) return undefined;
      views[i] = view;
    }
    return views as RowView[];
  }

  private find({ id, stamp, relatedJson, inheritsCosts }: KeyRow, reader: Reader): RowView | undefined {
    const known = this.cache.peek(id);
    if (known?.stamp !== stamp) return undefined;
    return this.cache.find(id, shownTo(reader, known.type, relatedJson, inheritsCosts), {
      stamp,
      relatedJson,
      day: reader.today,
      revision: reader.metamodel.revision,
    });
  }

  private put(view: RowView, { visibility }: Reader): void {
    if (!hidesCards(visibility)) this.cache.put(view);
  }
}
