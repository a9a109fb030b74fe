import type { RequestContext } from './context.js';
import type { CardPort } from './ports.js';

/**
 * Stands for a card that the reader of a stored filter may not see. No card has this id: a filter by it finds nothing, as one by
 * a card that does not exist, and does not become a wider one.
 */
export const HIDDEN_CARD = '00000000-0000-0000-0000-000000000000';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** Parameters of reports whose values are ids of cards, besides filters of cards. */
const PARAMETERS: readonly string[] = ['card_id', 'process_id'];

/** Members of a stored filter or of the parameters of a report, by name. */
export type StoredFilter = Readonly<Record<string, unknown>>;

/** The card types that a filter names; undefined for all. */
function typesOf({ type }: StoredFilter): string[] | undefined {
  const types = typeof type === 'string' ? type.split(',').map((key) => key.trim()) : [];
  return types.some(Boolean) ? types.filter(Boolean) : undefined;
}

/**
 * Stored filters as their reader may see them: `HIDDEN_CARD` instead of each card that is hidden from the reader. Also what is
 * computed for this reader is computed with these. One statement at most.
 * @param cards of the host
 * @param filters those of all rows of a page
 * @param isOfCards whether the values with a name are ids of cards; default: those of filters of cards, by the metamodel, and of
 *   reports
 */
export async function withoutHiddenCards<F extends StoredFilter>(
  cards: Pick<CardPort, 'hidden' | 'namesCards'>,
  ctx: RequestContext,
  filters: readonly F[],
  isOfCards: (name: string, filter: F) => boolean = (name, filter) =>
    PARAMETERS.includes(name) || cards.namesCards(name, typesOf(filter)),
): Promise<F[]> {
  const values = filters.flatMap((filter) =>
    Object.entries(filter).flatMap(([name, value]) => (isOfCards(name, filter) ? value : [])),
  );
  const named = values.flatMap((value) => (typeof value === 'string' ? (value.match(UUID) ?? []) : []));
  const hidden = await cards.hidden(ctx, named);
  if (hidden.size === 0) return [...filters];
  const masked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(masked);
    if (typeof value !== 'string') return value;
    return value.replace(UUID, (id) => (hidden.has(id.toLowerCase()) ? HIDDEN_CARD : id));
  };
  return filters.map(
    (filter) =>
      Object.fromEntries(
        Object.entries(filter).map(([name, value]) => [name, isOfCards(name, filter) ? masked(value) : value]),
      ) as F,
  );
}

/**
 * A filter that a caller sends, with the ids that stand behind `HIDDEN_CARD` in the stored one: who reads a filter and sends it back
 * does not remove hidden cards from it. Needs no visibility, and tells nothing: the caller gets the masked form again.
 * @param stored undefined for a new one
 */
export function withHiddenCards<F extends StoredFilter>(stored: StoredFilter | undefined, sent: F): F {
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, restored(stored?.[name], value)])) as F;
}

/** The stored value, if the sent one differs from it by `HIDDEN_CARD` instead of some ids only. */
function restored(stored: unknown, sent: unknown): unknown {
  if (Array.isArray(stored) && Array.isArray(sent)) {
    if (stored.length !== sent.length) return sent;
    return sent.map((one, i) => restored(stored[i], one));
  }
  if (typeof stored !== 'string' || typeof sent !== 'string' || !sent.includes(HIDDEN_CARD)) return sent;
  const before = stored.match(UUID) ?? [];
  const now = sent.match(UUID) ?? [];
  const isSame =
    before.length === now.length &&
    stored.replace(UUID, '') === sent.replace(UUID, '') &&
    now.every((id, i) => id === HIDDEN_CARD || id.toLowerCase() === before[i]!.toLowerCase());
  return isSame ? stored : sent;
}
