import type { TableDefinition } from './definition.js';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
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
 * A table as it is stored: a filter that consists of several ids is a list, so that the platform removes those of hidden cards from the
 * events and the history one by one.
 */
export const storedTable = (table: TableDefinition): TableDefinition =>
  withFilter(table, (_name, value) => (typeof value === 'string' ? idsOf(value) : value));

/** The ids of a filter, separated by commas, without surrounding white space and empty ones; other text is not changed. */
function idsOf(value: string): string | string[] {
  const values = value
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  return values.length > 1 && values.every((one) => ID.test(one)) ? values : value;
}

/** A stored table as it was sent. */
export const sentTable = (table: TableDefinition): TableDefinition =>
  withFilter(table, (_name, value) => (typeof value === 'string' ? value : value.join(',')));
