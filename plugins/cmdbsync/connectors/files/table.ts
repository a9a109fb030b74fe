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
   * The rows in batches.
   * @param from undefined: the first row
   * @param most rows that are needed; undefined: all
   */
  rows(from?: Position, most?: number): AsyncGenerator<Row[]>;
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
  for await (const batch of table.rows()) {
    for (const { line, fault } of batch) if (fault !== undefined) faults.push(`line ${line} ${fault}`);
    if (faults.length >= MOST_FAULTS) break;
    if (count + batch.length > MOST_ROWS)
      throw new ConnectorError('invalid_answer', `${nameOf(file)} has more than ${MOST_ROWS} rows.`);
    if (count + batch.length > hashes.length) {
      const larger = new Float64Array((count + batch.length) * 2);
      larger.set(hashes);
      hashes = larger;
    }
    for (const { id } of batch) hashes[count++] = hashOf(id);
  }
  if (faults.length === 0) faults.push(...(await duplicates(table, hashes.subarray(0, count).sort())));
  if (faults.length > 0)
    throw new ConnectorError('invalid_answer', `${nameOf(file)}: ${faults.slice(0, MOST_FAULTS).join('; ')}.`);
  await demandUnchanged(file);
  return count;
}

/**
 * Rows from a position.
 * @throws ConnectorError `invalid_answer` with the line of one that is no record
 */
export async function firstRows(
  file: OpenFile,
  table: Table,
  from: Position | undefined,
  most: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of table.rows(from, most)) {
    rows.push(...batch.slice(0, most - rows.length));
    if (rows.length === most) break;
  }
  const broken = rows.find(({ fault }) => fault !== undefined);
  if (broken) throw new ConnectorError('invalid_answer', `${nameOf(file)}: line ${broken.line} ${broken.fault!}.`);
  return rows;
}

/** Reads the file again only if two hashes are the same, because two ids may have one. */
async function duplicates(table: Table, sorted: Float64Array): Promise<string[]> {
  const twice = new Set(sorted.filter((hash, i) => i > 0 && hash === sorted[i - 1]).slice(0, 1_000));
  const faults: string[] = [];
  if (twice.size === 0) return faults;
  const first = new Map<string, number>();
  for await (const batch of table.rows()) {
    for (const { id, line } of batch) {
      if (!twice.has(hashOf(id))) continue;
      const before = first.get(id);
      if (before === undefined) first.set(id, line);
      else faults.push(`line ${line} has the id of line ${before}`);
    }
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
