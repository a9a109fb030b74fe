import { ConnectorError } from '@lintel/sdk';
import { csvRows, readCsvHead } from './csv.js';
import { markOf, type OpenFile } from './folder.js';
import { ndjsonRows } from './ndjson.js';
import type { Position, Row } from './rows.js';
import type { FileFormat } from './settings.js';

const MOST_ROWS = 2_000_000;
/** Faults that a message names. */
const MOST_FAULTS = 5;

/** The rows of an open file. */
export interface Table {
  columns: readonly string[] | undefined;
  /**
   * @param from undefined: the first row
   * @param most rows that are needed; undefined: all
   */
  rows(from?: Position, most?: number): AsyncGenerator<Row>;
}

export async function tableOf(file: OpenFile, format: FileFormat, signal: AbortSignal): Promise<Table> {
  const { handle } = file;
  if (file.kind === 'ndjson') {
    // A file that was created but not written must not look like a table without records.
    if (file.size === 0) throw new ConnectorError('invalid_answer', `${nameOf(file)} is empty.`);
    return { columns: undefined, rows: (from = { byte: 0, line: 1 }) => ndjsonRows(handle, format, from, signal) };
  }
  const head = await readCsvHead(handle, format, nameOf(file), signal);
  if (!head.columns.includes(format.id))
    throw new ConnectorError(
      'invalid_settings',
      `${nameOf(file)} has no column ${format.id}, which is to have the ids.`,
    );
  return {
    columns: head.columns,
    rows: (from = head.start, most) => csvRows(handle, head, format, from, signal, most),
  };
}

export const nameOf = ({ path }: OpenFile): string => path.join('/');

/**
 * Reads a whole file before its first record is used: every row must be a record, and no id may occur twice.
 * @returns the number of rows
 * @throws ConnectorError `invalid_answer` with the first lines that are wrong
 */
export async function checkTable(file: OpenFile, table: Table): Promise<number> {
  const faults: string[] = [];
  let hashes = new Float64Array(1_024);
  let count = 0;
  for await (const { id, line, fault } of table.rows()) {
    if (fault !== undefined) faults.push(`line ${line} ${fault}`);
    if (faults.length >= MOST_FAULTS) break;
    if (count === MOST_ROWS)
      throw new ConnectorError('invalid_answer', `${nameOf(file)} has more than ${MOST_ROWS} rows.`);
    if (count === hashes.length) {
      const larger = new Float64Array(count * 2);
      larger.set(hashes);
      hashes = larger;
    }
    hashes[count++] = hashOf(id);
  }
  if (faults.length === 0) faults.push(...(await duplicates(table, hashes.subarray(0, count).sort())));
  if (faults.length > 0) throw new ConnectorError('invalid_answer', `${nameOf(file)}: ${faults.join('; ')}.`);
  await demandUnchanged(file);
  return count;
}

/** Reads the file again only if two hashes are the same, because two ids may have one. */
async function duplicates(table: Table, sorted: Float64Array): Promise<string[]> {
  const twice = new Set(sorted.filter((hash, i) => i > 0 && hash === sorted[i - 1]).slice(0, 1_000));
  const faults: string[] = [];
  if (twice.size === 0) return faults;
  const first = new Map<string, number>();
  for await (const { id, line } of table.rows()) {
    if (!twice.has(hashOf(id))) continue;
    const before = first.get(id);
    if (before === undefined) first.set(id, line);
    else faults.push(`line ${line} has the id of line ${before}`);
    if (faults.length >= MOST_FAULTS) break;
  }
  return faults;
}

/** 53 bits of two hashes (FNV-1a), as a number. */
function hashOf(text: string): number {
  let [a, b] = [0x811c9dc5, 0x1b873593];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
  }
  return (a >>> 0) * 0x200000 + (b >>> 11);
}

/** @throws ConnectorError if the file was written since it was opened */
export async function demandUnchanged(file: OpenFile): Promise<void> {
  if (markOf(await file.handle.stat({ bigint: true })) !== file.mark) throw changed(file.path);
}

export const changed = (path: readonly string[]): ConnectorError =>
  new ConnectorError('invalid_answer', `The file ${path.join('/')} was changed or replaced during the read.`);
