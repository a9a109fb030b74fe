import { Problem, type Inventory, type RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import type { StoredSection } from '../sections/schema.js';
import { DECISIONS_OF_CARDS, PERMISSION_OF, RISKS_OF_CARDS } from './capabilities.js';
import { DEFAULT_ROWS, type TableDefinition } from './definition.js';
import { cellOf, fieldsOf, typesWith } from './fields.js';
import { sentTable } from './filter-ids.js';
import { filterRights } from './filter-rights.js';
import { gapRows } from './gaps.js';
import type { Column, Computed, Row } from './model.js';
import { readCards, readRoadmap, type CardRow } from './repository.js';
import { wordsIn, type Words } from './words.js';

/** Cards for which risks and decisions are looked up. */
const MOST_CARDS = 2_000;

interface Place {
  table: TableDefinition;
  section: string;
}
/** What is read of the inventory; of risks and decisions the cards, because another module has the rest. */
type Read = Pick<Computed, 'columns' | 'rows' | 'has_sums' | 'rights'> & { cards?: CardRow[] };

/**
 * Computes the live tables of a document with the rights of the context, from one snapshot of the inventory. The number of statements
 * depends on the number of tables alone.
 * @param lang BCP 47 tag of titles and labels
 */
export async function computeTables(
  host: Host,
  ctx: RequestContext,
  sections: readonly StoredSection[],
  lang: string,
): Promise<Computed[]> {
  const places = sections.flatMap(({ key, tables }) =>
    tables.map((table): Place => ({ table: sentTable(table), section: key })),
  );
  if (places.length === 0) return [];
  const words = wordsIn(lang);
  const read = await host.inventory.read(ctx, { lang }, async (inventory) => {
    const all: (Read | undefined)[] = [];
    for (const { table } of places) {
      const found = await attempt(() => readTable(inventory, table, words));
      const rights = filterRights(inventory, table);
      all.push(found && rights ? { ...found, rights } : found);
    }
    return all;
  });
  const done: Computed[] = [];
  for (const [i, { table, section }] of places.entries()) {
    const base = { id: table.id, section, kind: table.kind, title: table.title };
    const found = read[i];
    if (!found) done.push({ ...base, columns: [], rows: [], note: 'filter_refused' });
    else done.push(limited({ ...base, ...(await completed(host, ctx, table, found, words)) }, table));
  }
  return done;
}

/** @returns undefined if the filter is refused, because the metamodel has changed or the caller lacks a permission for it */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return undefined;
    throw error;
  }
}

const limitOf = ({ limit = DEFAULT_ROWS }: TableDefinition): number => limit;

function limited(computed: Computed, table: TableDefinition): Computed {
  const limit = limitOf(table);
  if (computed.rows.length <= limit) return computed;
  return { ...computed, rows: computed.rows.slice(0, limit), note: 'truncated' };
}

async function readTable(inventory: Inventory, table: TableDefinition, words: Words): Promise<Read> {
  const { filter = {} } = table;
  // One more than is shown, by which a longer table is known.
  const most = limitOf(table) + 1;
  const typeLabel = (key: string): string => inventory.types.get(key)?.label ?? key;
  const base: Column[] = [{ title: words.card }, { title: words.type }];
  switch (table.kind) {
    case 'cards':
    case 'costs': {
      const { fields } = fieldsOf(inventory, table);
      const rows = await readCards(inventory, filter, fields, most);
      return {
        columns: [
          ...base,
          ...fields.map((field): Column => {
            const { label, unit, kind, isCost } = field;
            const types = typesWith(inventory, table, field);
            return {
              title: unit === undefined || isCost ? label : `${label} (${unit})`,
              ...(kind === 'number' && { align: 'right' }),
              ...(isCost && { is_cost: true }),
              ...(types && { types }),
            };
          }),
        ],
        rows: rows.map((row) => ({
          card_id: row.id,
          card_type: row.type,
          cells: [
            row.name,
            typeLabel(row.type),
            ...fields.map((field, i) => cellOf(field, row[`f${i}`] ?? null, words)),
          ],
        })),
        ...(table.kind === 'costs' && { has_sums: true }),
      };
    }
    case 'gaps':
      return {
        columns: [...base, { title: words.gap }, { title: words.date }, { title: words.detail }],
        rows: await gapRows(inventory, table, most, words),
      };
    case 'roadmap': {
      const phases = inventory.field('lifecycle_phase')?.options ?? [];
      const rows = await readRoadmap(inventory, filter, most);
      return {
        columns: [...base, ...phases.map(({ label }) => ({ title: label }))],
        rows: rows.map(({ id, type, name, lifecycle }) => ({
          card_id: id,
          card_type: type,
          cells: [name, typeLabel(type), ...phases.map(({ key }) => dateCell(lifecycle[key]))],
        })),
      };
    }
    case 'risks':
    case 'decisions':
      return { columns: [], rows: [], cards: await readCards(inventory, filter, [], MOST_CARDS) };
  }
}

/** A key such as `in_progress` as it is read: `In progress`. */
const legible = (key: string | null): string | null =>
  key === null ? null : `${key.charAt(0).toUpperCase()}${key.slice(1).replaceAll('_', ' ')}`;
const dateCell = (date: string | undefined): { date: string } | null => (date === undefined ? null : { date });

/** Adds what another module knows about the cards. */
async function completed(
  host: Host,
  ctx: RequestContext,
  table: TableDefinition,
  { cards, ...read }: Read,
  words: Words,
): Promise<Omit<Computed, 'id' | 'section' | 'kind' | 'title'>> {
  if (!cards || (table.kind !== 'risks' && table.kind !== 'decisions')) return read;
  const most = limitOf(table) + 1;
  const ids = cards.map(({ id }) => id);
  const names = new Map(cards.map((card) => [card.id, card]));
  const row = (id: string, card_id: string, before: (string | null)[]): Row => {
    const card = names.get(card_id)!;
    return { card_id, card_type: card.type, key: id, cells: [...before, card.name] };
  };
  const permission = PERMISSION_OF[table.kind];
  const isRisks = table.kind === 'risks';
  const columns = [words.reference, words.title, ...(isRisks ? [words.level] : []), words.status, words.card].map(
    (title): Column => ({ title }),
  );
  const rowsOf = async (): Promise<Row[] | undefined> => {
    if (isRisks)
      return (await host.capability(RISKS_OF_CARDS)?.(ctx, ids, most))?.map((risk) =>
        row(risk.id, risk.card_id, [risk.reference, risk.title, legible(risk.level), legible(risk.status)]),
      );
    return (await host.capability(DECISIONS_OF_CARDS)?.(ctx, ids, most))?.map((adr) =>
      row(adr.id, adr.card_id, [adr.number, adr.title, legible(adr.status)]),
    );
  };
  const other = isRisks ? host.capability(RISKS_OF_CARDS) : host.capability(DECISIONS_OF_CARDS);
  if (!other) return { ...read, columns, rows: [], permission, note: 'module_disabled' };
  const rows = await rowsOf();
  return rows
    ? { ...read, columns, rows, permission }
    : { ...read, columns, rows: [], permission, note: 'not_permitted' };
}
