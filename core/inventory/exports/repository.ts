import type pg from 'pg';
import type { Readable } from 'node:stream';
import { othersSql } from '../access/index.js';
import { compileFilters, type CardFilters } from '../cards/index.js';
import { copyOut, SettingBindings, type CopySource } from '../../foundation/db/copy.js';
import type { ReadSource } from '../../foundation/db/database.js';
import type { Pace } from '../../foundation/db/reader-pace.js';
import { invalid } from '../../foundation/errors.js';
import { XLSX_MAX_COLUMNS, XLSX_MAX_ROWS } from '../../foundation/xlsx/index.js';
import { csvCopy, csvLine, guardedSql, tableColumns, type TableColumn } from './csv-repository.js';
import { jsonCopy } from './json-repository.js';
import { partsOf, type ExportReader, type ExportRows } from './rows-repository.js';
import type { ExportFormat } from './schemas.js';
import { cardWorkbook } from './workbook.js';

const BYTE_ORDER_MARK = '\uFEFF';

/** Number of cards from which a second connection is worthwhile. */
const MANY_CARDS = 16_000;
/**
 * Cards per part where several connections read: small, because rows of later parts are buffered until earlier parts
 * are complete.
 */
const PART_CARDS = 2_000;
const MOST_PARTS = 1_000;

/**
 * The types of the matching cards: those of the filter, or those that occur, in the order of the metamodel; and the
 * number of cards, where known without counting.
 */
async function exportedTypes(
  client: pg.ClientBase,
  filters: CardFilters,
  reader: ExportReader,
): Promise<{ types: string[]; cards: number }> {
  const bindings = new SettingBindings();
  const { metamodel, visibility, unexportableTypes } = reader;
  const { where, counted, types } = compileFilters(filters, bindings, reader);
  const visible = [...metamodel.types.keys()].filter(
    (type) => !visibility.hiddenTypes.includes(type) && !unexportableTypes.includes(type),
  );
  if (types && !counted) return { types: visible.filter((type) => types.includes(type)), cards: 0 };
  await bindings.set(client);
  const { rows } = await client.query<{ type: string; cards: number }>(
    counted
      ? `select type, sum(n)::int as cards from card_counts where ${counted.join(' and ')} group by type having sum(n) > 0`
      : `select distinct c.type, 0 as cards from card_rows c where ${where.join(' and ')}`,
  );
  const found = new Set(types ?? rows.map((row) => row.type));
  const exported = visible.filter((type) => found.has(type));
  return {
    types: exported,
    cards: rows.filter((row) => exported.includes(row.type)).reduce((sum, row) => sum + row.cards, 0),
  };
}

/**
 * Checks, before anything is sent, that a sheet can contain all cards. Only reads the cards where the counters do not have
 * their number.
 * @param cards their number where known, otherwise 0
 * @throws validation_failed
 */
async function requireSheet(
  client: pg.ClientBase,
  filters: CardFilters,
  reader: ExportReader,
  { types, cards }: { types: readonly string[]; cards: number },
  columns: readonly TableColumn[],
): Promise<void> {
  if (columns.length > XLSX_MAX_COLUMNS)
    throw invalid({
      field: 'format',
      reason: `xlsx has at most ${XLSX_MAX_COLUMNS} columns, not ${columns.length}: export fewer types, or csv`,
      in: 'query',
    });
  let found = cards;
  if (cards === 0 && types.length > 0) {
    const bindings = new SettingBindings();
    const { where } = compileFilters(filters, bindings, reader);
    const conditions = [...where, `c.type = any(${bindings.add(types)}::text[])`];
    await bindings.set(client);
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from (select from card_rows c where ${conditions.join(' and ')} limit ${XLSX_MAX_ROWS + 1}) h`,
    );
    found = rows[0]!.n;
  }
  if (found > XLSX_MAX_ROWS)
    throw invalid({
      field: 'format',
      reason: `xlsx has at most ${XLSX_MAX_ROWS} cards, and there are more: export fewer cards, or csv`,
      in: 'query',
    });
}

/**
 * Ids that split many cards into parts, so that several connections can read them concurrently. Taken from PostgreSQL's
 * histogram of the ids and interpolated evenly; wrong or missing statistics only affect the speed.
 */
async function boundsOf(client: pg.ClientBase, cards: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select unnest(histogram_bounds::text::uuid[]) as id from pg_stats where schemaname = current_schema() and tablename = 'cards' and attname = 'id'`,
  );
  const known = rows.map(({ id }) => BigInt(`0x${id.replaceAll('-', '')}`));
  const each = Math.ceil(Math.min(cards / PART_CARDS, MOST_PARTS) / known.length);
  const bounds = known
    .slice(1)
    .flatMap((to, i) =>
      Array.from({ length: each }, (_, n) => known[i]! + ((to - known[i]!) * BigInt(n + 1)) / BigInt(each)),
    );
  // The histogram has more bounds where the statistics target is higher.
  const step = Math.ceil(bounds.length / MOST_PARTS);
  return [...new Set(bounds)]
    .filter((_, i) => i % step === 0)
    .map((bound) =>
      bound
        .toString(16)
        .padStart(32, '0')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    );
}

/**
 * Streams every matching card that the reader may see.
 * @param options.bom whether CSV begins with a byte order mark, for programs that otherwise assume another encoding
 * @param options.second requests a second connection, where it would be useful
 * @param options.pace minimum reading speed, called repeatedly
 * @throws the database's error before the first row, validation_failed where a workbook cannot contain the cards
 */
export async function exportCards(
  from: ReadSource,
  format: ExportFormat,
  filters: CardFilters,
  reader: ExportReader,
  { bom, second, pace }: { bom: boolean; second(): boolean; pace(): Pace },
): Promise<Readable> {
  let columns: TableColumn[] = [];
  const rows = await copyOut(
    from,
    async (client): Promise<CopySource> => {
      const exported = await exportedTypes(client, filters, reader);
      const { types, cards } = exported;
      const bindings = new SettingBindings();
      const { where } = compileFilters(filters, bindings, reader);
      const others = othersSql(reader.visibility, bindings);
      const bounds = cards >= MANY_CARDS ? await boundsOf(client, cards) : [];
      const connections = bounds.length > 0 && second() ? 2 : 1;
      const source = (copy: (rows: ExportRows) => string): Pick<CopySource, 'bindings' | 'connections' | 'texts'> => ({
        bindings,
        connections,
        texts: (n) => partsOf(bounds, n).map((parts) => copy({ types, where, parts })),
      });
      if (format === 'csv' || format === 'xlsx') {
        columns = tableColumns(types, reader, others, bindings, format === 'csv' ? guardedSql : (text) => text);
        const table = source((rows) => csvCopy(columns, others, rows));
        if (format === 'csv')
          return { ...table, before: `${bom ? BYTE_ORDER_MARK : ''}${csvLine(columns.map((c) => c.header))}` };
        await requireSheet(client, filters, reader, exported, columns);
        return table;
      }
      const json = {
        ...source(jsonCopy(types, reader, others, bindings, format === 'json' ? ',' : '')),
        isBinary: true,
      };
      // The separator before the first card is skipped.
      return format === 'json' ? { ...json, before: '[', skip: 1, after: ']\n' } : json;
    },
    { pace },
  );
  return format === 'xlsx' ? cardWorkbook(columns, rows) : rows;
}
