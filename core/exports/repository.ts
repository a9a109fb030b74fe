import type pg from 'pg';
import type { Readable } from 'node:stream';
import { compileFilters, type CardFilters } from '../cards/index.js';
import { copyOut, SettingBindings, type CopySource } from '../db/copy.js';
import type { ReadSource } from '../db/database.js';
import { csvLine } from './cells-repository.js';
import { csvColumns, csvCopy } from './csv-repository.js';
import { jsonCopy } from './json-repository.js';
import type { ExportReader } from './rows-repository.js';
import type { ExportFormat } from './schemas.js';

const BYTE_ORDER_MARK = '\uFEFF';

/** Cards of one statement, where there are several. */
const RANGE_CARDS = 8_000;
/** Each statement looks up the names above its cards by itself: beyond so many cards that takes longer than the second connection gains. */
const MOST_IN_RANGES = 200_000;

/**
 * The types among which the cards of the filters are: those asked for, or those that occur, in the order of the metamodel; and how many cards
 * they are, where that is known without counting.
 */
async function exportedTypes(client: pg.ClientBase, filters: CardFilters, { metamodel, sight }: ExportReader): Promise<{ types: string[]; cards: number }> {
  const bindings = new SettingBindings();
  const { where, counted, types } = compileFilters(filters, bindings, metamodel, sight.me, sight);
  const visible = [...metamodel.types.keys()].filter((type) => !sight.hiddenTypes.includes(type));
  if (types && !counted) return { types: visible.filter((type) => types.includes(type)), cards: 0 };
  await bindings.set(client);
  const { rows } = await client.query<{ type: string; cards: number }>(counted
    ? `select type, sum(n)::int as cards from card_counts where ${counted.join(' and ')} group by type having sum(n) > 0`
    : `select distinct c.type, 0 as cards from cards c where ${where.join(' and ')}`);
  const found = new Set(types ?? rows.map((row) => row.type));
  return { types: visible.filter((type) => found.has(type)), cards: rows.reduce((sum, row) => sum + row.cards, 0) };
}

/**
 * Conditions that part many cards by their ids, so that several connections can read them at the same time. Where to part
 * is what PostgreSQL knows of the ids: if that is wrong or missing it takes longer, and nothing else.
 */
async function rangesOf(client: pg.ClientBase, cards: number): Promise<string[][]> {
  const wanted = Math.floor(cards / RANGE_CARDS);
  const { rows } = await client.query<{ id: string }>(`select unnest(histogram_bounds::text::uuid[]) as id from pg_stats where schemaname = current_schema() and tablename = 'cards' and attname = 'id'`);
  const bounds = Array.from({ length: wanted - 1 }, (_, i) => rows[Math.round((i + 1) * (rows.length - 1) / wanted)]?.id);
  const distinct = [...new Set(bounds.filter((id) => id !== undefined))];
  return [undefined, ...distinct].map((from, i) => [...(from === undefined ? [] : [`c.id >= '${from}'::uuid`]), ...(i < distinct.length ? [`c.id < '${distinct[i]!}'::uuid`] : [])]);
}

/**
 * Every card of the filters that the reader may see, streamed.
 * @param options.bom CSV begins with a byte order mark, for programs that take it for another encoding else
 * @param options.second asked for a second connection to read on, where that would be of use
 * @throws what the database refuses before the first row
 */
export async function exportCards(from: ReadSource, format: ExportFormat, filters: CardFilters, reader: ExportReader, { bom, second }: { bom: boolean; second(): boolean }): Promise<Readable> {
  return await copyOut(from, async (client): Promise<CopySource> => {
    const { types, cards } = await exportedTypes(client, filters, reader);
    const bindings = new SettingBindings();
    const { where } = compileFilters(filters, bindings, reader.metamodel, reader.sight.me, reader.sight);
    const ranges = cards >= 2 * RANGE_CARDS && cards <= MOST_IN_RANGES && second() ? await rangesOf(client, cards) : [[]];
    const each = (copy: (where: string[]) => string): string[] => ranges.map((range) => copy([...where, ...range]));
    if (format === 'csv') {
      const columns = csvColumns(types, reader, bindings);
      return { texts: each((of) => csvCopy(columns, types, of)), bindings, before: `${bom ? BYTE_ORDER_MARK : ''}${csvLine(columns.map((c) => c.header))}` };
    }
    const copy = jsonCopy(types, reader, bindings, format === 'json' ? ',' : '');
    // A comma before each but the first.
    return format === 'json' ? { texts: each(copy), bindings, before: '[', skip: 1, after: ']\n' } : { texts: each(copy), bindings };
  }, { connections: 2 });
}
