import type { ModuleServices, RequestContext } from '@lintel/sdk';
import type { AdrFilters } from './schemas.js';
import type { Settings } from './settings.js';
import { wordsOf } from './text.js';

/** Filters with data that depends on the caller. */
export interface CallerFilters extends AdrFilters {
  /** The folded words of the search. */
  words: readonly string[];
  /** The filter contains a card hidden from the caller, so there are no results. */
  isNothing: boolean;
}

/** Resolves the parts of the filters that depend on the caller; one statement at most. */
export async function filtersFor(
  host: ModuleServices<Settings>,
  ctx: RequestContext,
  query: AdrFilters,
): Promise<CallerFilters> {
  const isNothing = query.card_id !== undefined && (await host.cards.hidden(ctx, [query.card_id])).size > 0;
  return { ...query, words: wordsOf(host, query.search), isNothing };
}

/** Rows without cards hidden from the caller; at most one statement. */
export async function withoutHidden<T extends { card_ids: string[] }>(
  host: ModuleServices<Settings>,
  ctx: RequestContext,
  rows: readonly T[],
): Promise<T[]> {
  const hidden = await host.cards.hidden(
    ctx,
    rows.flatMap(({ card_ids }) => card_ids),
  );
  return hidden.size === 0
    ? [...rows]
    : rows.map((row) => ({ ...row, card_ids: row.card_ids.filter((id) => !hidden.has(id)) }));
}
