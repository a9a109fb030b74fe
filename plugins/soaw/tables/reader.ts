import type { RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import type { Cell } from '../rendering/model.js';
import type { Kind } from './definition.js';
import type { Column, Computed, Note, Row, Shown, StoredCell } from './model.js';
import { wordsIn } from './words.js';

/** What a reader may see of computed tables. */
export interface Reader {
  /** Ids of cards that do not exist for the reader. */
  hidden: ReadonlySet<string>;
  /** Ids of the cards whose costs the reader sees. */
  costs: ReadonlySet<string>;
  /** Whether the reader sees all costs; determined only for tables whose filters depend on costs. */
  allCosts: boolean;
  /** Whether the reader sees the relations of cards of a type. */
  relations(type: string): boolean;
  /** Whether the reader sees the stakeholders of cards of a type. */
  stakeholders(type: string): boolean;
  permits(permission: string): boolean;
  /** Whether the reader sees cards of a type. */
  sees(type: string): boolean;
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
  /** Whether rows are missing. */
  is_partial: boolean;
  /** Amounts that the reader sees: all, none, or some. */
  costs: 'all' | 'none' | 'some';
}

/** The id of no card: it counts as hidden for those from whom some type of card is hidden. */
const NO_CARD = '00000000-0000-0000-0000-000000000000';

/** What the reader may see of these tables; the number of statements is constant. */
export async function readerOf(host: Host, ctx: RequestContext, tables: readonly Computed[]): Promise<Reader> {
  const rows = tables.flatMap((table) => table.rows);
  const named = tables.flatMap(({ rights }) => rights?.cards ?? []);
  const ids = new Set([...rows.map(({ card_id }) => card_id), ...named, NO_CARD]);
  const hidden = await host.cards.hidden(ctx, [...ids]);
  const priced = new Map(
    tables
      .filter(({ columns, rights }) => rights?.costs || columns.some(({ is_cost }) => is_cost))
      .flatMap((table) => table.rows.map(({ card_id, card_type }) => [card_id, { id: card_id, type: card_type }])),
  );
  const costs = priced.size > 0 ? await host.cards.withCosts(ctx, [...priced.values()]) : new Set<string>();
  const permits = (permission: string): boolean => ctx.permissions.has(permission);
  const sees = hidden.has(NO_CARD) ? await seenTypes(host, ctx, tables) : () => true;
  return { hidden, costs, permits, sees, ...(await rightsOf(host, ctx, tables)) };
}

/** Tells which card types a reader sees from whom some are hidden; one that was deleted since is not among them. */
async function seenTypes(
  host: Host,
  ctx: RequestContext,
  tables: readonly Computed[],
): Promise<(type: string) => boolean> {
  if (!tables.some(({ columns }) => columns.some(({ types }) => types))) return () => true;
  return await host.inventory.read(
    ctx,
    {},
    async ({ types }) =>
      (type: string) =>
        types.has(type),
  );
}

/** What tables depend on besides the cards of their rows; read only for those that do. */
async function rightsOf(
  host: Host,
  ctx: RequestContext,
  tables: readonly Computed[],
): Promise<Pick<Reader, 'allCosts' | 'relations' | 'stakeholders'>> {
  if (!tables.some(({ rights, rows }) => rights || rows.some((row) => row.by_relations)))
    return { allCosts: true, relations: () => true, stakeholders: () => true };
  return await host.inventory.read(ctx, {}, async ({ costs, types, relatedTypes, stakeholderTypes }) => {
    // A type that was deleted since is seen by those who see all the others.
    const among = (seen: readonly string[]) => (type: string) =>
      seen.includes(type) || (!types.has(type) && seen.length === types.size);
    return { allCosts: costs === 'all', relations: among(relatedTypes), stakeholders: among(stakeholderTypes) };
  });
}

/** A reader who sees every card, and all amounts or none: for the files that are stored. */
export const wholeReader = (tables: readonly Computed[], seesCosts: boolean): Reader => ({
  hidden: new Set(),
  costs: new Set(seesCosts ? tables.flatMap(({ rows }) => rows.map(({ card_id }) => card_id)) : []),
  allCosts: seesCosts,
  relations: () => true,
  stakeholders: () => true,
  permits: () => true,
  sees: () => true,
});

/** Whether the reader sees nothing of a table: without its permission, or if its filter names a card hidden from the reader. */
const isRefused = ({ permission, rights }: Computed, { permits, hidden }: Reader): boolean =>
  (permission !== undefined && !permits(permission)) || (rights?.cards?.some((id) => hidden.has(id)) ?? false);

/** Whether a row exists for a reader who sees all costs. */
const isShown = ({ rights }: Computed, { card_id, card_type, by_relations }: Row, reader: Reader): boolean =>
  !reader.hidden.has(card_id) &&
  ((!rights?.relations && !by_relations) || reader.relations(card_type)) &&
  (!rights?.stakeholders || reader.stakeholders(card_type));

/** Whether a column exists for the reader. */
const hasColumn = ({ types }: Column, { sees }: Reader): boolean =>
  types === undefined || types.some((type) => sees(type));

/** Which of the stored files a reader may have, if any. */
export function extentOf(tables: readonly Computed[], reader: Reader): Extent {
  let [seen, unseen] = [0, 0];
  let isPartial = false;
  for (const table of tables) {
    // Also without rows: that there are none is not shown either.
    if (isRefused(table, reader)) {
      isPartial = true;
      continue;
    }
    if (!table.columns.every((column) => hasColumn(column, reader))) isPartial = true;
    const byCosts = table.rights?.costs === true;
    const hasCosts = byCosts || table.columns.some(({ is_cost }) => is_cost);
    // Also without rows: that no card has such an amount is not shown either.
    if (byCosts && !reader.allCosts) unseen++;
    for (const row of table.rows) {
      if (!isShown(table, row, reader)) isPartial = true;
      else if (hasCosts)
        if (reader.costs.has(row.card_id)) seen++;
        else unseen++;
    }
  }
  return { is_partial: isPartial, costs: unseen === 0 ? 'all' : seen === 0 ? 'none' : 'some' };
}

/** A table as the reader may see it: without rows of hidden cards, and with sums over the rows that remain. */
export function readable(table: Computed, shown: Pick<Shown, 'currency' | 'lang'>, reader: Reader): ReadableTable {
  const { id, section, kind, title } = table;
  const shownColumns = table.columns.map((column) => hasColumn(column, reader));
  const columns = table.columns.filter((_, i) => shownColumns[i]);
  const refused = isRefused(table, reader);
  const byCosts = table.rights?.costs === true;
  const rows = refused
    ? []
    : table.rows.filter((row) => isShown(table, row, reader) && (!byCosts || reader.costs.has(row.card_id)));
  const isPartial = rows.length < table.rows.length;
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
  // The length of a longer table would tell that there are hidden cards.
  const isWithheldByCosts = byCosts && !reader.allCosts;
  const note =
    refused || isWithheldByCosts ? 'not_permitted' : table.note === 'truncated' && isPartial ? undefined : table.note;
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
