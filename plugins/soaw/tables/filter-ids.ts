import type { TableDefinition } from './definition.js';

/** Filters whose values are ids of cards. */
export const CARD_FILTERS = /^(parent_id|root_id|related_to|related_root_id|ids|attributes\..*)$/;
const LIST = /^[0-9a-f-]{36}(,[0-9a-f-]{36})+$/i;
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
    typeof value === 'string' && CARD_FILTERS.test(name) && LIST.test(value) ? value.split(',') : value,
  );

/** A stored table as it was sent. */
export const sentTable = (table: TableDefinition): TableDefinition =>
  withFilter(table, (_name, value) => (typeof value === 'string' ? value : value.join(',')));
