import type { InventoryField, PageResult, PublishedInventory, Sort } from '@lintel/sdk';
import { isSearchable, NAME } from '../definition.js';
import type { VisitorQuery } from './query.js';

/** Maximum number of characters of a text in a list; a single card has the whole text. */
export const LISTED_CHARACTERS = 1_000;

/** A card as visitors see it. */
export interface VisitorCard {
  id: string;
  name: string;
  /** By key. */
  fields: Record<string, unknown>;
}

/** A row with the values of the fields as `f0`, `f1`, … */
type Row = Record<string, unknown> & { id: string; name: string };

const columnOf = (i: number): string => `f${i}`;

/** SQL of a value as it is returned. @param most characters of a text; undefined: all */
function shown({ kind }: InventoryField, column: string, most: number | undefined): string {
  if (kind === 'number') return `${column}::float8`;
  if (kind !== 'text' || most === undefined) return column;
  return `case when length(${column}) > ${most} then left(${column}, ${most - 1}) || '…' else ${column} end`;
}

const SORT_TYPES: Partial<Record<InventoryField['kind'], Sort['type']>> = { number: 'numeric', date: 'date' };

const cardOf = (row: Row, fields: readonly InventoryField[]): VisitorCard => ({
  id: row.id,
  name: row.name,
  fields: Object.fromEntries(
    fields.map(({ key, kind }, i) => {
      const value = row[columnOf(i)] ?? null;
      return [key, kind === 'boolean' && value !== null ? value === 'true' : value];
    }),
  ),
});

const select = (fields: readonly InventoryField[], alias: string, most?: number): string =>
  [
    `${alias}.id`,
    `${alias}.name`,
    ...fields.map((field, i) => `${shown(field, `${alias}.${columnOf(i)}`, most)} as ${columnOf(i)}`),
  ].join(', ');

const columnsOf = (fields: readonly InventoryField[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ key }, i) => [columnOf(i), key]));

/**
 * One page of cards with their total, in one statement.
 * @param searched keys of the fields in which words are searched
 * @param scope of cursors
 */
export async function readCards(
  published: PublishedInventory,
  { words, filters, ...params }: VisitorQuery,
  searched: readonly string[],
  scope: string,
): Promise<PageResult<VisitorCard>> {
  const fields = [...published.fields.values()];
  const place = (key: string): string => `l.${columnOf(fields.findIndex((field) => field.key === key))}`;
  const texts = searched.flatMap((key) => {
    if (key === NAME) return ['l.name'];
    const field = published.fields.get(key);
    return field && isSearchable(field) ? [place(key)] : [];
  });
  const sorts: Record<string, Sort> = {
    [NAME]: { sql: 'l.name_key', type: 'text' },
    ...Object.fromEntries(
      fields.map(({ key, kind }) => [
        key,
        kind === 'date'
          ? { sql: `${place(key)}::date`, type: 'date', nullable: true }
          : {
              sql: place(key),
              type: SORT_TYPES[kind] ?? 'text',
              nullable: true,
              ...(kind !== 'number' && { collate: '"C"' }),
            },
      ]),
    ),
  };
  const { items, ...page } = await published.readPage<Row>('portals-cards', ({ cards, bind, contains }) => ({
    source: `select p.* from ${cards(columnsOf(fields), filters)} p`,
    spec: { id: 'l.id', sorts, defaultSort: NAME },
    params,
    // With no text to search in nothing is found; a value that is bound must be used.
    where:
      words.length > 0 && texts.length === 0
        ? ['false']
        : words.map((word) => {
            const text = bind(word);
            return `(${texts.map((column) => contains(column, text)).join(' or ')})`;
          }),
    columns: select(fields, 'l', LISTED_CHARACTERS),
    scope,
  }));
  return { ...page, items: items.map((row) => cardOf(row, fields)) };
}

/** One card with whole texts; undefined if it is not part of the portal. */
export async function readCard(published: PublishedInventory, id: string): Promise<VisitorCard | undefined> {
  const fields = [...published.fields.values()];
  const [row] = await published.query<Row>(
    'portals-card',
    ({ cards, bind }) =>
      `select ${select(fields, 'p')} from ${cards(columnsOf(fields))} p where p.id = ${bind(id)}::uuid`,
  );
  return row && cardOf(row, fields);
}
