import type { StoredSection } from '../sections/schema.js';
import { typesOf } from './fields.js';
import type { Computed, TypedTable } from './model.js';

/** Computed tables with the card types of their filters, which are in the sections of the document. */
export function typedTables(sections: readonly StoredSection[], tables: readonly Computed[]): TypedTable[] {
  const types = new Map(
    sections.flatMap((section) => section.tables.map((table) => [table.id, typesOf(table)] as const)),
  );
  return tables.map((table) => ({ ...table, types: types.get(table.id) }));
}
