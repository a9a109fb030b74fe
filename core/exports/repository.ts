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

/** The types among which the cards of the filters are: those asked for, or those that occur, in the order of the metamodel. */
async function exportedTypes(client: pg.ClientBase, filters: CardFilters, { metamodel, sight }: ExportReader): Promise<string[]> {
  const bindings = new SettingBindings();
  const { where, counted, types } = compileFilters(filters, bindings, metamodel, sight.me, sight);
  const visible = [...metamodel.types.keys()].filter((type) => !sight.hiddenTypes.includes(type));
  if (types) return visible.filter((type) => types.includes(type));
  await bindings.set(client);
  const { rows } = await client.query<{ type: string }>(counted
    ? `select type from card_counts where ${counted.join(' and ')} group by type having sum(n) > 0`
    : `select distinct c.type from cards c where ${where.join(' and ')}`);
  const found = new Set(rows.map((row) => row.type));
  return visible.filter((type) => found.has(type));
}

/**
 * Every card of the filters that the reader may see, streamed.
 * @param bom CSV begins with a byte order mark, for programs that take it for another encoding else
 * @throws what the database refuses before the first row
 */
export async function exportCards(from: ReadSource, format: ExportFormat, filters: CardFilters, reader: ExportReader, bom: boolean): Promise<Readable> {
  return await copyOut(from, async (client): Promise<CopySource> => {
    const types = await exportedTypes(client, filters, reader);
    const bindings = new SettingBindings();
    const { where } = compileFilters(filters, bindings, reader.metamodel, reader.sight.me, reader.sight);
    if (format === 'ndjson') return { text: jsonCopy(types, where, reader, bindings, ''), bindings };
    // A comma before each but the first.
    if (format === 'json') return { text: jsonCopy(types, where, reader, bindings, ','), bindings, before: '[', skip: 1, after: ']\n' };
    const columns = csvColumns(types, reader, bindings);
    return { text: csvCopy(columns, types, where), bindings, before: `${bom ? BYTE_ORDER_MARK : ''}${csvLine(columns.map((c) => c.header))}` };
  });
}
