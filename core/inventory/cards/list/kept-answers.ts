import type { Mark } from './kept-answers-repository.js';
import type { Reader } from './read-repository.js';
import type { CardListQuery } from './page-repository.js';

/** So many cards make a question worth keeping its answer: fewer are soon found again. */
export const MANY_CARDS = 500;
/** An answer that is not asked for again goes after so long. */
const KEPT_MS = 10 * 60_000;

/** An answer, and where the event log stood when it was read. */
export interface Kept<T> {
  answer: T;
  mark: Mark;
  /** Card types it is about; null: all. */
  types: readonly string[] | null;
  until: number;
  /** When it goes however often it is asked for, by the same clock: what was only guessed must be looked at some day. */
  last: number;
}

/**
 * Answers that took long to find, each for as long as nothing has changed that it is about, or until it is amended by
 * what has: the event log says which, in the statement that uses the answer. Least lately used first out.
 */
export class KeptAnswers<T> {
  private readonly kept = new Map<string, Kept<T>>();

  /** @param most answers to keep */
  constructor(private readonly most: number) {}

  get(key: string | undefined): Kept<T> | undefined {
    if (key === undefined) return undefined;
    const found = this.kept.get(key);
    if (!found) return undefined;
    this.kept.delete(key);
    if (found.until < performance.now()) return undefined;
    this.kept.set(key, found);
    return found;
  }

  /**
   * @param mark of the snapshot the answer is of
   * @param last when it goes in any case, by `performance.now()`
   */
  put(
    key: string,
    answer: T,
    mark: Mark,
    types: readonly string[] | null | undefined,
    last = Number.POSITIVE_INFINITY,
  ): void {
    this.kept.delete(key);
    if (this.kept.size >= this.most) this.kept.delete(this.kept.keys().next().value!);
    this.kept.set(key, {
      answer,
      mark,
      types: types ?? null,
      until: Math.min(performance.now() + KEPT_MS, last),
      last,
    });
  }

  /** Notes that the answer still stands at a later position, where nothing it is about waits for one. */
  stands(kept: Kept<T>, position: string): void {
    Object.assign(kept, {
      mark: { position, waiting: { ids: [], versions: [] } },
      until: Math.min(performance.now() + KEPT_MS, kept.last),
    });
  }

  drop(key: string): void {
    this.kept.delete(key);
  }
}

/** What of a list decides neither which cards it has nor how many. */
const OF_PAGE = ['page', 'page_size', 'cursor', 'sort_by', 'sort_dir'];

/**
 * What a question is known by: all it asks, and all of the reader that decides the answer.
 * @returns undefined where the answer also depends on what the event log does not tell of a card itself: scores, what is
 * above it, who has which role there
 */
export function keptKey(query: CardListQuery, { metamodel, visibility }: Reader): string | undefined {
  if (query.root_id !== undefined || query.stakeholder_id !== undefined || query.sort_by === 'data_quality')
    return undefined;
  const byAttribute =
    query.sort_by?.startsWith('attributes.') === true ||
    Object.keys(query).some((key) => key.startsWith('attributes.'));
  if (byAttribute && (visibility.costRedactedTypes.size > 0 || visibility.references.keys.length > 0)) return undefined;
  return JSON.stringify([
    Object.entries(query)
      .filter(([key, value]) => key !== 'fields' && value !== undefined)
      .sort(),
    metamodel.revision,
    visibility.hiddenTypes,
    [...visibility.costRedactedTypes],
  ]);
}

/** What the total of a list is known by, whichever page is asked for. @returns undefined as `keptKey` */
export const totalKey = (query: CardListQuery, reader: Reader): string | undefined =>
  keptKey(Object.fromEntries(Object.entries(query).filter(([key]) => !OF_PAGE.includes(key))), reader);
