import type { Database, Statement } from '../../../foundation/db/database.js';
import { named } from '../../../foundation/db/list-query.js';
import type { PageText } from '../../../foundation/http/respond.js';
import type { Searched } from './amended-page-repository.js';
import { KeptAnswers, keptKey, MANY_CARDS, totalKey, type Kept } from './kept-answers.js';
import { markOf, type NotedMark } from './kept-answers-repository.js';
import {
  amendedStatement,
  cardPage,
  fullStatement,
  PART,
  ROW,
  ROWS_BY_ID,
  ROWS_WITH_ROLES,
  rowsStatement,
  keysOnlyStatement,
  standingStatement,
  STAMPS_BY_ID,
  STAMPS_WITH_ROLES,
  type CardListQuery,
  type CardPage,
  type ListKnowledge,
} from './page-repository.js';
import type { CachedView, RowCache, Shown } from './row-cache.js';
import { COUNTED_HITS, REMEMBERED_HITS } from '../search/search-repository.js';
import { asksAbove, hidesCards, inheritsCostsBy, rolesAboveSql, seesCostsOf } from '../../access/index.js';
import { cardJson, stakeholdersOf, type CardJson, type Viewer } from './view.js';
import { VIEW_COLUMNS, VIEW_WIDTH } from './view-repository.js';
import { WordFrequencies } from '../search/word-frequencies.js';

export type { CardListQuery };

export type Reader = Viewer;

type Row = (string | null)[];
/** A boolean put together with text. */
const TRUE = 'true';

/** That the total of a search is large is remembered for so long. */
const REMEMBERED_MS = 30_000;
const MOST_REMEMBERED = 2_000;
/** After so many lists in a row that found little in the cache it is tried only now and then. */
const COLD = 4;
const TRIED = 8;

/** Pages that took long to find, and totals that took long to count. */
const MOST_KEPT = 500;

/** How many cards a list has. */
interface Counted {
  total: string;
  /** Whether it has no more than those. */
  isExact: boolean;
  /** Whether its hits lie too far apart to read on from one to the next, as far as that was tried. */
  isSparse?: boolean | undefined;
}

/** Which cards are on a page, and one more where there is a next. */
interface Found extends Counted {
  /** Sort value of the last one shown. */
  last: string | null;
  ids: readonly string[];
}

/** What is kept of a question: by which key its page, and by which its total. */
interface Keys {
  page: string | undefined;
  total: string | undefined;
}

/** A card of a page: id, stamp, what stands around it and, where that is asked, whether a role above it opens its costs. */
type Slim = [id: string, stamp: string, relatedJson: string, inheritsCosts?: string];
const slimOf = (text: string | null): Slim[] =>
  text === null ? [] : text.split(ROW).map((part) => part.split(PART) as Slim);

/** Reads cards as JSON text: which rows, and of which version, the database says; what they look like, the cache may. */
export class CardRows {
  private readonly large = new Set<string>();
  private readonly totals = new Map<string, number>();
  private readonly kept = new KeptAnswers<Found>(MOST_KEPT);
  private readonly counted = new KeptAnswers<Counted>(MOST_KEPT);
  private readonly known: ListKnowledge;
  private misses = 0;
  private lists = 0;
  private waiting: {
    id: string;
    reader: Reader;
    settle: (view: CachedView | undefined) => void;
    fail: (error: unknown) => void;
  }[] = [];

  constructor(
    private readonly db: Pick<Database, 'rows'>,
    private readonly cache: RowCache,
  ) {
    const words = new WordFrequencies(db);
    this.known = {
      lastTotal: (scope) => this.totals.get(scope),
      isLarge: (searched) => this.large.has(searched),
      share: (word) => words.share(word),
      isRare: (word) => words.isRare(word),
      atLeast: (word) => words.atLeast(word),
    };
  }

  /** One page: total and rows of one statement, so that all are of one snapshot. */
  async list(query: CardListQuery, reader: Reader): Promise<PageText> {
    const page = cardPage(query, reader.metamodel, reader.visibility, this.known);
    const keys: Keys = {
      page: page.isCostly ? keptKey(query, reader) : undefined,
      total: page.amendedBy.total ? totalKey(query, reader) : undefined,
    };
    const kept = this.kept.get(keys.page);
    const known =
      (kept && (await this.standing(page, kept, query, reader))) ??
      (await this.amended(page, keys, kept, query, reader));
    if (known) return known;
    // What others see of the cards is not for who may not see all of them: nothing of his is in the cache.
    if (hidesCards(reader.visibility)) return this.full(page, keys, query, reader);
    // Of a costly page the rows alone are read where they are not in the cache: it is not found twice.
    if (page.isCostly || this.misses < COLD || ++this.lists % TRIED === 0) {
      const found = await this.slim(page, keys, query, reader);
      if (found) return found;
    }
    return this.full(page, keys, query, reader);
  }

  /**
   * One card. Those asked for in the same turn of the event loop are read by one statement.
   * @returns undefined where there is none, or none for the reader
   */
  async get(id: string, reader: Reader): Promise<CachedView | undefined> {
    if (hidesCards(reader.visibility)) return (await this.ownViews([id], reader)).get(id);
    return await this.shared(id, reader);
  }

  private shared(id: string, reader: Reader): Promise<CachedView | undefined> {
    return new Promise((settle, fail) => {
      if (this.waiting.push({ id, reader, settle, fail }) === 1) setImmediate(() => void this.readWaiting());
    });
  }

  private async readWaiting(): Promise<void> {
    const { waiting } = this;
    this.waiting = [];
    try {
      const ids = [...new Set(waiting.map(({ id }) => id))];
      const known = ids.filter((id) => this.cache.peek(id));
      // Roles above a card are read for those to whom they may open something.
      const users = [
        ...new Set(waiting.flatMap(({ reader: { visibility } }) => (asksAbove(visibility) ? [visibility.me!] : []))),
      ];
      const read = (plain: Statement, withRoles: Statement, of: string[]) =>
        users.length === 0 ? this.db.rows(plain, [of]) : this.db.rows(withRoles, [of, users]);
      const stamps = new Map(
        (known.length === 0 ? [] : await read(STAMPS_BY_ID, STAMPS_WITH_ROLES, known)).map((row) => [row[0]!, row]),
      );
      const missed: typeof waiting = [];
      for (const one of waiting) {
        const row = stamps.get(one.id);
        const view =
          row && this.cached(one.id, row[1]!, row[2]!, one.reader, inheritsCostsBy(one.reader.visibility, row[3]));
        if (view) one.settle(view);
        else if (row || !known.includes(one.id)) missed.push(one);
        else one.settle(undefined);
      }
      if (missed.length === 0) return;
      const rows = new Map(
        (await read(ROWS_BY_ID, ROWS_WITH_ROLES, [...new Set(missed.map(({ id }) => id))])).map((row) => [
          row[0]!,
          row,
        ]),
      );
      for (const one of missed) {
        const row = rows.get(one.id);
        one.settle(
          row &&
            this.made(row, row[VIEW_WIDTH]!, one.reader, inheritsCostsBy(one.reader.visibility, row[VIEW_WIDTH + 1])),
        );
      }
    } catch (error) {
      for (const { fail } of waiting) fail(error);
    }
  }

  /** Cards for a reader from whom some types are hidden: what a view tells of other cards is his alone. */
  private async ownViews(ids: readonly string[], reader: Reader): Promise<Map<string, CachedView>> {
    if (ids.length === 0) return new Map();
    const { text, values } = rowsStatement(ids, reader.visibility);
    const rows = await this.db.rows(named(text), values);
    return new Map(
      rows.map((row) => [
        row[0]!,
        made(row, row[VIEW_WIDTH]!, reader, inheritsCostsBy(reader.visibility, row[VIEW_WIDTH + 1])),
      ]),
    );
  }

  /** @returns undefined where what was found before may have changed */
  private async standing(
    page: CardPage,
    kept: Kept<Found>,
    query: CardListQuery,
    reader: Reader,
  ): Promise<PageText | undefined> {
    const { answer, types } = kept;
    const { text, values } = standingStatement(answer.ids, kept.mark.position, types, reader.visibility);
    const [row] = await this.db.rows(named(text), values);
    const [position, rows] = row as [string | null, string | null];
    if (position === null) return undefined;
    this.kept.stands(kept, position);
    const views = await this.viewsOf(slimOf(rows).slice(0, page.keys.page_size), reader);
    return views && this.answer(page, query, views, answer);
  }

  /** @returns undefined where nothing that is of use was read before, what has changed since is not known card by card, or the page is to be found in another way */
  private async amended(
    { amendedBy }: CardPage,
    keys: Keys,
    before: Kept<Found> | undefined,
    query: CardListQuery,
    reader: Reader,
  ): Promise<PageText | undefined> {
    const page =
      before && amendedBy.page ? await this.amendedFrom(keys, before, before.answer.ids, query, reader) : undefined;
    if (page) return page;
    const counted = this.counted.get(keys.total);
    return counted && !counted.answer.isSparse ? this.amendedFrom(keys, counted, undefined, query, reader) : undefined;
  }

  /** @param ids of the page, where those are to be used */
  private async amendedFrom(
    keys: Keys,
    { answer, mark, last: goes }: Kept<Counted>,
    ids: readonly string[] | undefined,
    query: CardListQuery,
    reader: Reader,
  ): Promise<PageText | undefined> {
    if (!mark.waiting) return undefined;
    // One of its own: what is bound and not used would be an error.
    const page = cardPage(query, reader.metamodel, reader.visibility, this.known);
    const [row] = await this.db.rows(
      named(amendedStatement(page, { total: answer.total, ids, mark: mark as NotedMark })),
      page.bindings.values,
    );
    const [total, last, text, markNow, isFound, gone] = row as [
      string,
      string | null,
      string | null,
      string | null,
      string,
      string | null,
    ];
    if (markNow === null) return undefined;
    if (isFound !== 't') {
      answer.isSparse = ids === undefined && !page.keys.keyed && Number(total) > page.keys.offset + page.keys.page_size;
      return undefined;
    }
    const lost =
      gone === null
        ? []
        : (JSON.parse(gone) as Searched[]).filter(([name, alias, external_id, description]) =>
            page.search!.isHit({ name, alias, external_id, description }),
          );
    const left = Number(total) - lost.length;
    // Of more than are counted it was only known that there are so many.
    if (!answer.isExact && left <= COUNTED_HITS) return undefined;
    const rows = slimOf(text);
    const found = { total: String(left), isExact: answer.isExact, last, ids: rows.map(([id]) => id) };
    this.keep(page, keys, found, markNow, goes);
    const views = await this.viewsOf(rows.slice(0, page.keys.page_size), reader);
    return views && this.answer(page, query, views, found);
  }

  /** @returns undefined where too much of the page is not in the cache, or has changed since */
  private async slim(page: CardPage, keys: Keys, query: CardListQuery, reader: Reader): Promise<PageText | undefined> {
    const [row] = await this.db.rows(named(keysOnlyStatement(page)), page.bindings.values);
    const [total, last, text, mark] = row as [string, string | null, string | null, string | null];
    const rows = slimOf(text);
    const found = { total, isExact: isCounted(page, query, total), last, ids: rows.map(([id]) => id) };
    this.keepRead(page, keys, found, mark);
    const shown = rows.slice(0, page.keys.page_size);
    const hits = shown.filter(([id, stamp]) => this.cache.peek(id)?.stamp === stamp).length;
    const isCold = !page.isCostly && hits * 2 < shown.length;
    if (isCold) this.misses++;
    else if (hits * 2 >= shown.length) this.misses = 0;
    const views = isCold ? undefined : await this.viewsOf(shown, reader);
    return views && this.answer(page, query, views, found);
  }

  /** The cards of a page: from the cache, or read. @returns undefined where one has changed since: the page would be of two snapshots */
  private async viewsOf(rows: readonly Slim[], reader: Reader): Promise<CachedView[] | undefined> {
    if (hidesCards(reader.visibility)) {
      const own = await this.ownViews(
        rows.map(([id]) => id),
        reader,
      );
      return rows.every(([id, stamp]) => own.get(id)?.stamp === stamp) ? rows.map(([id]) => own.get(id)!) : undefined;
    }
    const views = rows.map(([id, stamp, relatedJson, inheritsCosts]) =>
      this.cached(id, stamp, relatedJson, reader, inheritsCosts === TRUE),
    );
    const missed = rows.flatMap(([id], i) => (views[i] ? [] : [id]));
    const made = new Map(
      missed.length === 0 ? [] : (await this.db.rows(ROWS_BY_ID, [missed])).map((full) => [full[0]!, full]),
    );
    for (const [i, [id, stamp, relatedJson, inheritsCosts]] of rows.entries()) {
      if (views[i]) continue;
      const full = made.get(id);
      if (full?.[VIEW_WIDTH] !== stamp) return undefined;
      const view = this.made(full, stamp, reader, inheritsCosts === TRUE);
      if (view.relatedJson !== relatedJson) return undefined;
      views[i] = view;
    }
    return views as CachedView[];
  }

  private async full(page: CardPage, keys: Keys, query: CardListQuery, reader: Reader): Promise<PageText> {
    const rows = await this.db.rows(named(fullStatement(page)), page.bindings.values);
    const [, total, mark] = rows[0]!.slice(VIEW_WIDTH + 1) as [unknown, string, string | null];
    const { page_size } = page.keys;
    const cards = rows.filter((row) => row[0] !== null);
    const shown = cards.slice(0, page_size);
    let hits = 0;
    const views = shown.map((row) => {
      if (this.cache.peek(row[0]!)?.stamp === row[VIEW_WIDTH]) hits++;
      return this.made(row, row[VIEW_WIDTH]!, reader, row[VIEW_WIDTH + 4] === 't');
    });
    if (hits * 2 > shown.length) this.misses = 0;
    const found = {
      total,
      isExact: isCounted(page, query, total),
      last: cards.length > page_size ? shown.at(-1)![VIEW_WIDTH + 1]! : null,
      ids: cards.map((row) => row[0]!),
    };
    this.keepRead(page, keys, found, mark);
    return this.answer(page, query, views, found);
  }

  /** What was just read. */
  private keepRead(page: CardPage, keys: Keys, found: Found, mark: string | null): void {
    const { searched, isCountless } = page;
    if (searched !== undefined && !isCountless && Number(found.total) >= REMEMBERED_HITS && !this.large.has(searched))
      this.remember(searched);
    // That it is large was only known: kept for longer it would be known for ever.
    this.keep(page, keys, found, mark, isCountless ? performance.now() + REMEMBERED_MS : Number.POSITIVE_INFINITY);
  }

  /** @param goes when what is kept goes in any case: never, where nothing of it was guessed */
  private keep({ types }: CardPage, { page, total }: Keys, found: Found, text: string | null, goes: number): void {
    if (text === null) return;
    const mark = markOf(text);
    const isWorth = Number(found.total) >= MANY_CARDS;
    if (page !== undefined && isWorth) this.kept.put(page, found, mark, types, goes);
    else if (page !== undefined) this.kept.drop(page);
    if (goes !== Number.POSITIVE_INFINITY) return;
    if (total !== undefined && isWorth)
      this.counted.put(
        total,
        { total: found.total, isExact: found.isExact, isSparse: this.counted.get(total)?.answer.isSparse },
        mark,
        types,
      );
    else if (total !== undefined) this.counted.drop(total);
  }

  private answer(
    { keys, searched, scope }: CardPage,
    query: CardListQuery,
    views: CachedView[],
    { total, last, ids }: Found,
  ): PageText {
    const counted = Number(total);
    if (this.totals.size >= MOST_REMEMBERED) this.totals.clear();
    this.totals.set(scope, counted);
    const isLarge = searched !== undefined && query.total !== 'exact' && counted > COUNTED_HITS;
    return {
      items: views.map((view) => view.bytes),
      total: isLarge ? COUNTED_HITS : counted,
      total_relation: isLarge ? 'gte' : 'eq',
      page: keys.page,
      page_size: keys.page_size,
      next_cursor: ids.length > keys.page_size ? keys.nextCursor(last, ids[keys.page_size - 1]) : null,
    };
  }

  private remember(searched: string): void {
    if (this.large.size >= MOST_REMEMBERED) this.large.clear();
    this.large.add(searched);
    setTimeout(() => this.large.delete(searched), REMEMBERED_MS).unref();
  }

  private cached(
    id: string,
    stamp: string,
    relatedJson: string,
    reader: Reader,
    inheritsCosts: boolean,
  ): CachedView | undefined {
    const known = this.cache.peek(id);
    if (known?.stamp !== stamp) return undefined;
    return this.cache.find(id, shownTo(reader, known.type, relatedJson, inheritsCosts), {
      stamp,
      relatedJson,
      day: reader.today,
      revision: reader.metamodel.revision,
    });
  }

  private made(row: Row, stamp: string, reader: Reader, inheritsCosts: boolean): CachedView {
    const view = made(row, stamp, reader, inheritsCosts);
    if (!hidesCards(reader.visibility))
      this.cache.put(view.id, shownTo(reader, view.type, view.relatedJson, inheritsCosts), view);
    return view;
  }
}

function made(row: Row, stamp: string, reader: Reader, inheritsCosts: boolean): CachedView {
  const [id, type] = row as [string, string];
  const { json, ...rest } = cardJson(row, reader, inheritsCosts);
  return { ...rest, bytes: Buffer.from(json), id, type, stamp, day: reader.today, revision: reader.metamodel.revision };
}

/** Whether a total is that of all hits: those of a search are counted up to a limit, unless all are asked for. */
const isCounted = ({ search }: CardPage, query: CardListQuery, total: string): boolean =>
  !search || query.total === 'exact' || Number(total) < REMEMBERED_HITS;

const shownTo = ({ visibility }: Reader, type: string, relatedJson: string, inheritsCosts: boolean): Shown => ({
  costs:
    !visibility.costRedactedTypes.has(type) ||
    seesCostsOf(visibility, type, stakeholdersOf(relatedJson), inheritsCosts),
  stakeholders: !visibility.stakeholderRedactedTypes.has(type),
});

const GET = { name: 'card-get', text: `select ${VIEW_COLUMNS} from cards c where c.id = $1` };
const GET_WITH_ROLES = {
  name: 'card-get-roles',
  text: `select ${VIEW_COLUMNS}, ${rolesAboveSql('$2')} from cards c where c.id = $1`,
};

/** Reads one card in a unit of work, to see what is not committed yet. @returns undefined where there is none, or none for the reader */
export async function getCard(db: Pick<Database, 'rows'>, id: string, reader: Reader): Promise<CardJson | undefined> {
  const { visibility } = reader;
  const own = hidesCards(visibility) ? rowsStatement([id], visibility) : undefined;
  const [row] = own
    ? await db.rows(named(own.text), own.values)
    : asksAbove(visibility)
      ? await db.rows(GET_WITH_ROLES, [id, [visibility.me]])
      : await db.rows(GET, [id]);
  return row && cardJson(row, reader, inheritsCostsBy(visibility, row[VIEW_WIDTH + (own ? 1 : 0)]));
}
