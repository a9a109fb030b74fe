import { Problem, type Inventory, type RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import type { StoredSection } from '../sections/schema.js';
import { DECISIONS_OF_CARDS, PERMISSION_OF, RISKS_OF_CARDS } from './capabilities.js';
import { DEFAULT_ROWS, type TableDefinition } from './definition.js';
import { cellOf, fieldsOf, typesOf, typesWith } from './fields.js';
import { sentTable } from './filter-ids.js';
import { filterRights } from './filter-rights.js';
import { gapRows } from './gaps.js';
import type { Column, Computed, Row } from './model.js';
import { readCards, readRoadmap, type CardRow, type Extract } from './repository.js';
import { wordsIn, type Words } from './words.js';

/** Cards of a table for which risks and decisions are looked up; of a document the sum for all its tables. */
const [MOST_CARDS, MOST_CARDS_OF_DOCUMENT] = [2_000, 40_000];
/** Rows that are stored for all readers of a document, however many cards there are. */
const MOST_ROWS = 30_000;

interface Place {
  table: TableDefinition;
  section: string;
}
/** What is read of the inventory; of risks and decisions the cards, because another module has the rest. */
type Read = Pick<Computed, 'columns' | 'rows' | 'has_sums' | 'rights'> & { cards?: CardRow[]; extract: Extract };

/**
 * Computes the live tables of a document with the rights of the context, from one snapshot of the inventory. The number of statements
 * depends on the number of tables alone.
 * @param lang BCP 47 tag of titles and labels
 */
export const computeTables = (
  host: Host,
  ctx: RequestContext,
  sections: readonly StoredSection[],
  lang: string,
): Promise<Computed[]> => compute(host, ctx, sections, lang, false);

/**
 * Computes them with all rights, to be shown later to readers with less. The first rows of each card type are kept, because a limit
 * applied to all of them would tell a reader how many cards hidden from this reader come before others. Where this could be too many
 * rows, by the number of card types and not by that of cards, the table is cut once and has no `limit`.
 */
export const computeForAll = (host: Host, sections: readonly StoredSection[], lang: string): Promise<Computed[]> =>
  compute(host, host.systemContext('soaw'), sections, lang, true);

async function compute(
  host: Host,
  ctx: RequestContext,
  sections: readonly StoredSection[],
  lang: string,
  isForAll: boolean,
): Promise<Computed[]> {
  const places = sections.flatMap(({ key, tables }) =>
    tables.map((table): Place => ({ table: sentTable(table), section: key })),
  );
  if (places.length === 0) return [];
  const words = wordsIn(lang);
  const read = await host.inventory.read(ctx, { lang }, async (inventory) => {
    const all: (Read | undefined)[] = [];
    for (const { table } of places) {
      const extract = isForAll ? extractForAll(inventory, table, places.length) : extractOf(table);
      const found = await attempt(() => readTable(inventory, table, extract, words));
      const rights = filterRights(host.cards, inventory, table);
      all.push(found && rights ? { ...found, rights } : found);
    }
    return all;
  });
  const done: Computed[] = [];
  for (const [i, { table, section }] of places.entries()) {
    const base = { id: table.id, section, kind: table.kind, title: table.title };
    const found = read[i];
    if (!found) done.push({ ...base, columns: [], rows: [], note: 'filter_refused' });
    else done.push(limited({ ...base, ...(await completed(host, ctx, table, found, words)) }, table, found.extract));
  }
  return done;
}

/** @returns undefined if the filter is refused, because the metamodel has changed or the caller lacks a permission for it */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && ['validation_failed', 'forbidden'].includes(error.code)) return undefined;
    throw error;
  }
}

const limitOf = ({ limit = DEFAULT_ROWS }: TableDefinition): number => limit;
const needsCards = ({ kind }: TableDefinition): boolean => kind === 'risks' || kind === 'decisions';

/** The rows that one reader is shown, and one more, by which a longer table is known. */
const extractOf = (table: TableDefinition): Extract => ({ most: needsCards(table) ? MOST_CARDS : limitOf(table) + 1 });

/** @param tables number of tables of the document */
function extractForAll(inventory: Inventory, table: TableDefinition, tables: number): Extract {
  const named = typesOf(table);
  const types = [...inventory.types.keys()].filter((key) => !named?.length || named.includes(key));
  // Of gaps, those by relations and the others.
  const parts = types.length * (table.kind === 'gaps' ? 2 : 1);
  if (parts * (limitOf(table) + 1) > MOST_ROWS / tables) return extractOf(table);
  if (!needsCards(table)) return { most: limitOf(table) + 1, types };
  const share = Math.floor(MOST_CARDS_OF_DOCUMENT / (tables * Math.max(1, types.length)));
  return { most: Math.max(1, Math.min(MOST_CARDS, share)), types };
}

function limited(computed: Computed, table: TableDefinition, { types }: Extract): Computed {
  const limit = limitOf(table);
  if (types) return { ...computed, rows: firstOfEach(computed.rows, limit + 1), limit };
  if (computed.rows.length <= limit) return computed;
  return { ...computed, rows: computed.rows.slice(0, limit), note: 'truncated' };
}

/** The first rows that readers see together: those of one card type, and of these those that need relations apart. */
function firstOfEach(rows: readonly Row[], most: number): Row[] {
  const counts = new Map<string, number>();
  return rows.filter(({ card_type, by_relations }) => {
    const part = `${card_type} ${by_relations ?? false}`;
    const count = (counts.get(part) ?? 0) + 1;
    counts.set(part, count);
    return count <= most;
  });
}

async function readTable(inventory: Inventory, table: TableDefinition, extract: Extract, words: Words): Promise<Read> {
  const { filter = {} } = table;
  const typeLabel = (key: string): string => inventory.types.get(key)?.label ?? key;
  const base: Column[] = [{ title: words.card }, { title: words.type }];
  switch (table.kind) {
    case 'cards':
    case 'costs': {
      const { fields } = fieldsOf(inventory, table);
      const rows = await readCards(inventory, filter, fields, extract);
      return {
        extract,
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
        extract,
        columns: [...base, { title: words.gap }, { title: words.date }, { title: words.detail }],
        rows: await gapRows(inventory, table, extract, words),
      };
    case 'roadmap': {
      const phases = inventory.field('lifecycle_phase')?.options ?? [];
      const rows = await readRoadmap(inventory, filter, extract);
      return {
        extract,
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
      return { columns: [], rows: [], cards: await readCards(inventory, filter, [], extract), extract };
  }
}

/** Rows of other modules by number, as these modules order them: digits are added to the left of higher numbers. */
function byNumber(a: Row, b: Row): number {
  const [one, other] = [String(a.cells[0]), String(b.cells[0])];
  if (one !== other) return one.length - other.length || (one < other ? -1 : 1);
  return a.card_id < b.card_id ? -1 : 1;
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
  { cards, extract, ...read }: Read,
  words: Words,
): Promise<Omit<Computed, 'id' | 'section' | 'kind' | 'title'>> {
  if (!cards || (table.kind !== 'risks' && table.kind !== 'decisions')) return read;
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
  const most = limitOf(table) + 1;
  const rowsOf = async (ids: readonly string[]): Promise<Row[] | undefined> => {
    if (isRisks)
      return (await host.capability(RISKS_OF_CARDS)?.(ctx, ids, most))?.map((risk) =>
        row(risk.id, risk.card_id, [risk.reference, risk.title, legible(risk.level), legible(risk.status)]),
      );
    return (await host.capability(DECISIONS_OF_CARDS)?.(ctx, ids, most))?.map((adr) =>
      row(adr.id, adr.card_id, [adr.number, adr.title, legible(adr.status)]),
    );
  };
  // For all readers the first rows of each card type, as of the cards themselves.
  const lists = extract.types
    ? extract.types.map((type) => cards.filter((card) => card.type === type)).filter(({ length }) => length > 0)
    : [cards];
  const other = isRisks ? host.capability(RISKS_OF_CARDS) : host.capability(DECISIONS_OF_CARDS);
  if (!other) return { ...read, columns, rows: [], permission, note: 'module_disabled' };
  const rows: Row[] = [];
  for (const list of lists) {
    const found = await rowsOf(list.map(({ id }) => id));
    if (!found) return { ...read, columns, rows: [], permission, note: 'not_permitted' };
    rows.push(...found);
  }
  return { ...read, columns, rows: lists.length > 1 ? rows.sort(byNumber) : rows, permission };
}
