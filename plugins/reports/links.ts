import { splitValues, type InventoryFilters } from '@lintel/sdk';

/** A path with its query, in which parameters without a value are omitted. */
function pathWith(path: string, ...parts: readonly InventoryFilters[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(Object.assign({}, ...parts) as InventoryFilters))
    if (value !== undefined) query.set(name, String(value));
  query.set('total', 'exact');
  return `${path}?${query.toString()}`;
}

/** The list of cards whose total is a figure. @param filters later ones replace earlier ones */
export const cardsHref = (...filters: readonly InventoryFilters[]): string => pathWith('/api/v1/cards', ...filters);

/** The list of relations whose total is a figure. */
export const relationsHref = (...filters: readonly InventoryFilters[]): string =>
  pathWith('/api/v1/relations', ...filters);

/** One card. */
export const cardHref = (id: string): string => `/api/v1/cards/${id}`;

/**
 * The filters of a figure within those of the report.
 * @param more undefined where no filter gives the figure
 * @returns undefined where both restrict the same parameter: a list cannot express "both", so the figure has no link
 */
export function within(filters: InventoryFilters, more: InventoryFilters | undefined): InventoryFilters | undefined {
  if (more === undefined) return undefined;
  const merged: Record<string, InventoryFilters[string]> = { ...filters };
  for (const [name, value] of Object.entries(more)) {
    const before = merged[name];
    // A value among those that are allowed is narrower than all of them.
    const isNarrower =
      before === undefined || before === value || splitValues(String(before)).includes(splitValues(String(value))[0]!);
    if (!isNarrower) return undefined;
    merged[name] = value;
  }
  return merged;
}
