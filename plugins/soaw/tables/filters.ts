import { Problem, type Inventory, type ModuleServices, type RequestContext } from '@lintel/sdk';
import type { Fault } from '../sections/rules.js';
import type { Section, StoredSection } from '../sections/schema.js';
import type { TableDefinition } from './definition.js';
import { fieldsOf } from './fields.js';
import { CARD_FILTERS, UUID, sentTable } from './filter-ids.js';
import { tryFilter } from './repository.js';

/** An id that no card has: a filter by a hidden card finds nothing, and must not become a wider one. */
const NO_CARD = '00000000-0000-0000-0000-000000000000';

const filtersIn = (sections: readonly StoredSection[]) =>
  sections.flatMap(({ tables }) => tables.flatMap(({ filter }) => Object.entries(filter ?? {})));

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
  const ids = lists.flatMap((sections) =>
    filtersIn(sections).flatMap(([name, value]) => (CARD_FILTERS.test(name) ? (value.match(UUID) ?? []) : [])),
  );
  const hidden = await host.cards.hidden(ctx, ids);
  if (hidden.size === 0) return lists;
  const shown = (value: string): string => value.replace(UUID, (id) => (hidden.has(id.toLowerCase()) ? NO_CARD : id));
  const masked = (table: TableDefinition): TableDefinition =>
    table.filter === undefined
      ? table
      : {
          ...table,
          filter: Object.fromEntries(
            Object.entries(table.filter).map(([name, value]) => [name, CARD_FILTERS.test(name) ? shown(value) : value]),
          ),
        };
  return lists.map((sections) => sections.map((section) => ({ ...section, tables: section.tables.map(masked) })));
}

/**
 * Sections that a caller sends, with the ids in filters that the caller was not shown: who reads a document and sends it back does not
 * remove hidden cards from its filters.
 * @param stored the sections that the document or template has
 */
export async function withHiddenFilters(
  host: ModuleServices,
  ctx: RequestContext,
  stored: readonly StoredSection[],
  sent: readonly Section[],
): Promise<Section[]> {
  const isMasked = sent.some(({ tables = [] }) =>
    tables.some(({ filter }) => Object.values(filter ?? {}).some((value) => value.includes(NO_CARD))),
  );
  if (!isMasked) return [...sent];
  const [shown] = await withoutHiddenFilters(host, ctx, [[...stored]]);
  const known = new Map(
    stored.flatMap(({ tables }, i) =>
      tables.map((table, k) => [table.id, { whole: sentTable(table), shown: shown![i]!.tables[k]! }] as const),
    ),
  );
  const restored = (table: TableDefinition): TableDefinition => {
    const former = known.get(table.id);
    if (!former || table.filter === undefined) return table;
    const filter = Object.entries(table.filter).map(([name, value]) => {
      const isSame = value.includes(NO_CARD) && value === former.shown.filter?.[name];
      return [name, isSame ? former.whole.filter![name]! : value] as const;
    });
    return { ...table, filter: Object.fromEntries(filter) };
  };
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
