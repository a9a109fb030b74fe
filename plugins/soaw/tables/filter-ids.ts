import type { TableDefinition } from './definition.js';

/** Filters whose values are ids of cards. */
export const CARD_FILTERS = /^(parent_id|root_id|related_to|related_root_id|ids|attributes\..*)$/;
/** All ids in a text. */
export const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const HAS_ID = new RegExp(UUID.source, 'i');
type StoredFilter = Record<string, string | string[]>;

/** Changes the filter of a table; a table without one stays as it is. */
const withFilter = (
  table: TableDefinition,
  map: (name: string, value: string | string[]) => unknown,
): TableDefinition =>
  table.filter === undefined
    ? table
    : {
        ...table,
        filter: Object.fromEntries(
          Object.entries(table.filter as StoredFilter).map(([name, value]) => [name, map(name, value)]),
        ) as Record<string, string>,
      };

/**
 * A table as it is stored: several ids of cards in a filter are a list, so that the platform removes those of hidden cards from the
 * events and the history, which it does for values that are ids.
 */
export const storedTable = (table: TableDefinition): TableDefinition =>
  withFilter(table, (name, value) =>
    typeof value === 'string' && CARD_FILTERS.test(name) && HAS_ID.test(value) ? idsOf(value) : value,
  );

/** The values of a filter as the list of cards reads them: separated by commas, without surrounding white space and empty ones. */
function idsOf(value: string): string | string[] {
  const values = value
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  return values.length === 1 ? values[0]! : values;
}

/** A stored table as it was sent. */
export const sentTable = (table: TableDefinition): TableDefinition =>
  withFilter(table, (_name, value) => (typeof value === 'string' ? value : value.join(',')));
