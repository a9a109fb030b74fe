import type { ModuleServices, RequestContext } from '@lintel/sdk';
import type { AdrFilters } from './schemas.js';
import type { Settings } from './settings.js';
import { wordsOf } from './text.js';

/** Filters with what they need to know of the caller. */
export interface Narrowed extends AdrFilters {
  /** The search, folded, as single words. */
  words: readonly string[];
  /** A card is named that the caller does not see: nothing concerns it. */
  isNothing: boolean;
}

export async function narrowed(
  host: ModuleServices<Settings>,
  ctx: RequestContext,
  query: AdrFilters,
): Promise<Narrowed> {
  const isNothing = query.card_id !== undefined && (await host.cards.hidden(ctx, [query.card_id])).size > 0;
  return { ...query, words: wordsOf(host, query.search), isNothing };
}

/** Rows without the cards the caller does not see; one statement at most. */
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
