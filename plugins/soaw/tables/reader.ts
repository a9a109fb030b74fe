import type { RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import type { Cell } from '../rendering/model.js';
import type { Kind } from './definition.js';
import type { Column, Computed, Note, Row, Shown, StoredCell, TypedTable } from './model.js';
import { wordsIn } from './words.js';

/** What a reader may see of computed tables. */
export interface Reader {
  /** Whether the tables were computed with the rights of this reader, and have no rows that the reader may not see. */
  isOwn: boolean;
  /** Ids of cards that do not exist for the reader. */
  hidden: ReadonlySet<string>;
  /** Ids of the cards whose costs the reader sees. */
  costs: ReadonlySet<string>;
  /** Whether the reader sees the costs, relations and stakeholders of all cards, also of those that will be added. */
  all: Readonly<Record<'costs' | 'relations' | 'stakeholders', boolean>>;
  permits(permission: string): boolean;
  /** Whether the reader sees cards of a type; without one: of all types. */
  sees(type?: string): boolean;
}

/** A table as one reader sees it. */
export interface ReadableTable {
  id: string;
  section: string;
  kind: Kind;
  title: string;
  columns: { title: string; align: 'left' | 'right' }[];
  rows: { card_id: string; key: string | null; cells: Cell[] }[];
  /** The sums. */
  footer: Cell[] | null;
  note: Note | null;
  /** Whether amounts in it are withheld. */
  withheld: boolean;
}

/** How the tables of one reader differ from those of a reader with all rights. */
export interface Extent {
  /** Whether rows can be missing: by the rights of the reader, not by the rows, because it would tell that there are hidden ones. */
  is_partial: boolean;
  /** Amounts that the reader sees: all, none, or some. */
  costs: 'all' | 'none' | 'some';
  /** Whether nothing of what was computed is withheld from the reader, rows beyond the limits included. */
  is_whole: boolean;
}

/** The id of no card: it counts as hidden for those from whom some type of card is hidden. */
const NO_CARD = '00000000-0000-0000-0000-000000000000';

/**
 * What the reader may see of these tables; the number of statements is constant.
 * @param isOwn whether they were computed with the rights of the context
 */
export async function readerOf(
  host: Host,
  ctx: RequestContext,
  tables: readonly Computed[],
  isOwn: boolean,
): Promise<Reader> {
  if (tables.length === 0) return { ...wholeReader([], true), isOwn };
  const rows = tables.flatMap((table) => table.rows);
  const named = tables.flatMap(({ rights }) => rights?.cards ?? []);
  const ids = new Set([...rows.map(({ card_id }) => card_id), ...named, NO_CARD]);
  const hidden = await host.cards.hidden(ctx, [...ids]);
  const priced = new Map(
    tables
      .filter(({ columns }) => columns.some(({ is_cost }) => is_cost))
      .flatMap((table) => table.rows.map(({ card_id, card_type }) => [card_id, { id: card_id, type: card_type }])),
  );
  const costs = priced.size > 0 ? await host.cards.withCosts(ctx, [...priced.values()]) : new Set<string>();
  const permits = (permission: string): boolean => ctx.permissions.has(permission);
  const seesTypes = !hidden.has(NO_CARD);
  const rights = await host.inventory.read(ctx, {}, async (inventory) => {
    const among = (types: readonly string[]): boolean => seesTypes && types.length === inventory.types.size;
    return {
      types: inventory.types,
      all: {
        costs: inventory.costs === 'all',
        relations: among(inventory.relatedTypes),
        stakeholders: among(inventory.stakeholderTypes),
      },
    };
  });
  // One that was deleted since is seen by those from whom none is hidden.
  const sees = (type?: string): boolean => seesTypes || (type !== undefined && rights.types.has(type));
  return { isOwn, hidden, costs, permits, sees, all: rights.all };
}

/** A reader who sees every card, and all amounts or none: for the files that are stored. */
export const wholeReader = (tables: readonly Computed[], seesCosts: boolean): Reader => ({
  isOwn: false,
  hidden: new Set(),
  costs: new Set(seesCosts ? tables.flatMap(({ rows }) => rows.map(({ card_id }) => card_id)) : []),
  all: { costs: seesCosts, relations: true, stakeholders: true },
  permits: () => true,
  sees: () => true,
});

/** Whether the reader sees cards of all types that a table can have. */
const seesTypesOf = ({ types }: TypedTable, { sees }: Reader): boolean =>
  types?.length ? types.every((type) => sees(type)) : sees();

/** Whether the rows of a table depend on costs that the reader may not see. */
const lacksCosts = ({ rights }: TypedTable, { all }: Reader): boolean => rights?.costs === true && !all.costs;

/**
 * Whether the reader sees nothing of a table: without its permission, or, of one that was computed with all rights, if its filter or
 * its end depends on what the reader may not see. That is decided by the rights of the reader and never by the rows. Costs are apart,
 * because there are files without them.
 */
function isRefused(table: TypedTable, reader: Reader): boolean {
  const { permission, rights = {}, kind, limit } = table;
  if (permission !== undefined && !reader.permits(permission)) return true;
  if (reader.isOwn) return false;
  const { all, hidden, sees } = reader;
  if (limit === undefined && (!seesTypesOf(table, reader) || (kind === 'gaps' && !all.relations))) return true;
  return (
    (rights.relations === true && !all.relations) ||
    (rights.stakeholders === true && !all.stakeholders) ||
    (rights.others === true && !sees()) ||
    (rights.cards?.some((id) => hidden.has(id)) ?? false)
  );
}

/** Whether a row of a table that is not refused exists for the reader. */
const isShown = ({ card_id, by_relations }: Row, { isOwn, hidden, all }: Reader): boolean =>
  isOwn || (!hidden.has(card_id) && (!by_relations || all.relations));

/** Whether a column exists for the reader. */
const hasColumn = ({ types }: Column, { sees }: Reader): boolean =>
  types === undefined || types.some((type) => sees(type));

/** Which of the stored files a reader may have, if any. */
export function extentOf(tables: readonly TypedTable[], reader: Reader): Extent {
  let [seen, unseen, beyond] = [0, 0, 0];
  let isPartial = false;
  for (const table of tables) {
    if (isRefused(table, reader) || (!reader.isOwn && !seesWhole(table, reader))) isPartial = true;
    // Also without rows: that no card has such an amount is not shown either.
    if (lacksCosts(table, reader)) unseen++;
    else if (table.columns.some(({ is_cost }) => is_cost))
      for (const [i, { card_id }] of table.rows.entries())
        if (i >= (table.limit ?? Infinity)) beyond += reader.costs.has(card_id) ? 0 : 1;
        else if (reader.costs.has(card_id)) seen++;
        else unseen++;
  }
  const costs = unseen === 0 ? 'all' : seen === 0 ? 'none' : 'some';
  return { is_partial: isPartial, costs, is_whole: !isPartial && unseen + beyond === 0 };
}

/** Whether no row and no column of a frozen table can be missing for the reader, apart from its costs and permissions. */
function seesWhole(table: TypedTable, reader: Reader): boolean {
  const { all } = reader;
  return (
    seesTypesOf(table, reader) &&
    (table.kind !== 'gaps' || all.relations) &&
    table.columns.every((column) => hasColumn(column, reader))
  );
}

/** A table as the reader may see it: the first rows without those of hidden cards, with sums over these. */
export function readable(table: TypedTable, shown: Pick<Shown, 'currency' | 'lang'>, reader: Reader): ReadableTable {
  const { id, section, kind, title } = table;
  const shownColumns = table.columns.map((column) => hasColumn(column, reader));
  const columns = table.columns.filter((_, i) => shownColumns[i]);
  const isWithheldByCosts = lacksCosts(table, reader);
  const refused = isRefused(table, reader);
  // Rows that were computed with the rights of the reader were found by costs that the reader sees.
  const found = refused || (isWithheldByCosts && !reader.isOwn) ? [] : table.rows.filter((row) => isShown(row, reader));
  const rows = found.slice(0, table.limit);
  const cellOf = ({ card_id }: Row, cell: StoredCell, column: Column): Cell => {
    // An empty cell is withheld as well: whether there is an amount is not shown either.
    if (column.is_cost && !reader.costs.has(card_id)) return { withheld: true };
    return typeof cell === 'object' && cell !== null && 'money' in cell
      ? { money: cell.money, currency: shown.currency }
      : cell;
  };
  const cells = rows.map((row) =>
    row.cells.filter((_, i) => shownColumns[i]).map((cell, i) => cellOf(row, cell, columns[i]!)),
  );
  const lacksRelations = !reader.isOwn && kind === 'gaps' && !reader.all.relations;
  const note: Note | undefined =
    refused || isWithheldByCosts || lacksRelations
      ? 'not_permitted'
      : (table.note ?? (rows.length < found.length ? 'truncated' : undefined));
  return {
    id,
    section,
    kind,
    title,
    columns: columns.map(({ title: name, align }) => ({ title: name, align: align ?? 'left' })),
    rows: rows.map(({ card_id, key = null }, i) => ({ card_id, key, cells: cells[i]! })),
    footer: table.has_sums && rows.length > 0 ? footerOf(columns, cells, shown) : null,
    note: note ?? null,
    withheld: isWithheldByCosts || cells.some((row) => row.some((cell) => isWithheld(cell))),
  };
}

const isWithheld = (cell: Cell): boolean => typeof cell === 'object' && cell !== null && 'withheld' in cell;

function footerOf(
  columns: readonly Column[],
  rows: readonly Cell[][],
  { currency, lang }: Pick<Shown, 'currency' | 'lang'>,
): Cell[] {
  return columns.map(({ is_cost }, i): Cell => {
    if (i === 0) return wordsIn(lang).sum;
    if (!is_cost) return null;
    const column = rows.map((row) => row[i]!);
    if (column.some(isWithheld)) return { withheld: true };
    const amounts = column.flatMap((cell) => (typeof cell === 'object' && cell && 'money' in cell ? cell.money : []));
    // Not zero: that no amount is known is another statement.
    return amounts.length === 0 ? null : { money: sumOf(amounts), currency };
  });
}

/** The exact sum of decimal texts. */
export function sumOf(amounts: readonly string[]): string {
  const scale = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  const total = amounts.reduce((sum, amount) => {
    const [whole = '0', fraction = ''] = amount.split('.');
    return sum + BigInt(`${whole}${fraction.padEnd(scale, '0')}`);
  }, 0n);
  if (scale === 0) return String(total);
  const digits = String(total < 0n ? -total : total).padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  return `${total < 0n ? '-' : ''}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}
