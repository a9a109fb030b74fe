import {
  Problem,
  withHiddenCards,
  withoutHiddenCards,
  type Inventory,
  type ModuleServices,
  type RequestContext,
} from '@lintel/sdk';
import type { Fault } from '../sections/rules.js';
import type { Section, StoredSection } from '../sections/schema.js';
import type { TableDefinition } from './definition.js';
import { fieldsOf } from './fields.js';
import { sentTable } from './filter-ids.js';
import { tryFilter } from './repository.js';

/**
 * Sections without the ids of cards hidden from the reader in the filters of their tables; one statement at most.
 * @param stored the sections of several documents
 * @returns the sections with filters as they were sent
 */
export async function withoutHiddenFilters(
  host: ModuleServices,
  ctx: RequestContext,
  stored: readonly StoredSection[][],
): Promise<StoredSection[][]> {
  const lists = stored.map((sections) =>
    sections.map((section) => ({ ...section, tables: section.tables.map(sentTable) })),
  );
  const tables = lists.flatMap((sections) => sections.flatMap((section) => section.tables));
  const filters = await withoutHiddenCards(
    host.cards,
    ctx,
    tables.map(({ filter }) => filter ?? {}),
  );
  const shown = new Map(tables.map((table, i) => [table, filters[i]!]));
  const masked = (table: TableDefinition): TableDefinition =>
    table.filter === undefined ? table : { ...table, filter: shown.get(table)! };
  return lists.map((sections) => sections.map((section) => ({ ...section, tables: section.tables.map(masked) })));
}

/**
 * Sections that a caller sends, with the ids in filters that the caller was not shown: who reads a document and sends it back does not
 * remove hidden cards from its filters.
 * @param stored the sections that the document or template has
 */
export function withHiddenFilters<S extends Pick<Section, 'tables'>>(
  stored: readonly Pick<StoredSection, 'tables'>[],
  sent: readonly S[],
): S[] {
  const known = new Map(stored.flatMap(({ tables }) => tables.map((table) => [table.id, sentTable(table).filter])));
  const restored = (table: TableDefinition): TableDefinition =>
    table.filter === undefined ? table : { ...table, filter: withHiddenCards(known.get(table.id), table.filter) };
  return sent.map((section) => (section.tables ? { ...section, tables: section.tables.map(restored) } : section));
}

/**
 * What is wrong with the filters and columns of tables, by the metamodel and for the caller.
 * @param at pointer of the list of sections
 */
export async function filterFaults(
  host: ModuleServices,
  ctx: RequestContext,
  sections: readonly Pick<Section, 'tables'>[],
  at = '/sections',
): Promise<Fault[]> {
  const all = sections.flatMap(({ tables = [] }, i) =>
    tables.map((table, k) => ({ table, place: `${at}/${i}/tables/${k}` })),
  );
  if (all.length === 0) return [];
  return await host.inventory.read(ctx, {}, async (inventory) => {
    const faults: Fault[] = [];
    for (const { table, place } of all) faults.push(...(await faultsOfTable(inventory, table, place)));
    return faults;
  });
}

const escaped = (name: string): string => name.replace(/~/g, '~0').replace(/\//g, '~1');

async function faultsOfTable(inventory: Inventory, table: TableDefinition, place: string): Promise<Fault[]> {
  const { filter = {} } = table;
  const faults = Object.entries(filter).flatMap(([name, value]) =>
    name === 'stakeholder_id' && value.split(',').includes('me')
      ? [{ field: `${place}/filter/${name}`, reason: 'must name a user: the tables of a document have no caller' }]
      : /^data_quality\b/.test(name)
        ? [
            {
              field: `${place}/filter/${escaped(name)}`,
              reason: 'depends on who sees the cards, and the document is the same for all',
            },
          ]
        : [],
  );
  if (faults.length > 0) return faults;
  const refusal = await tryFilter(inventory, filter).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Problem) return error;
      throw error;
    },
  );
  if (refusal)
    return refusal.errors?.length
      ? refusal.errors.map(({ field, reason }) => ({ field: `${place}/filter/${escaped(field)}`, reason }))
      : [{ field: `${place}/filter`, reason: refusal.message }];
  const { unknown } = fieldsOf(inventory, table);
  return unknown.map((index) => ({
    field: `${place}/columns/${index}`,
    reason:
      table.kind === 'costs' ? 'is no cost field of these cards' : 'is no field of these cards that a table can show',
  }));
}
