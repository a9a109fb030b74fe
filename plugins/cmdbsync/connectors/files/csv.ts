import type { FileHandle } from 'node:fs/promises';
import { ConnectorError } from '@lintel/sdk';
import { CsvError, parse } from 'csv-parse';
import { faultOfId, piecesOf, type Position, type Row } from './rows.js';
import type { FileFormat, Separator } from './settings.js';

const MOST_RECORD_BYTES = 1024 * 1024;
const MOST_COLUMNS = 2_000;
const HEAD = 65_536;
const LINE_END = /\r\n|\r|\n/g;
const DELIMITERS: Readonly<Record<Exclude<Separator, 'auto'>, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
};
/** The characters of Windows-1252 that differ from Latin-1, from 0x80. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The columns of a table and where its rows begin. */
export interface CsvHead {
  columns: string[];
  delimiter: string;
  start: Position;
}

interface Parsed {
  record: string[];
  info: { bytes: number; lines: number };
}

/**
 * Records are parsed as bytes, one character each, so that positions are exact in every encoding; cells are decoded afterwards. They come
 * in batches, because waiting for each one takes longer than parsing it.
 * @param most records that are needed
 * @throws CsvError
 */
async function* recordsOf(
  handle: FileHandle,
  from: number,
  delimiter: string,
  signal: AbortSignal,
  most?: number,
): AsyncGenerator<Parsed[]> {
  const parser = parse({
    delimiter,
    encoding: 'latin1',
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MOST_RECORD_BYTES,
    ...(most !== undefined && { to: most }),
  });
  let failure: Error | undefined;
  parser.on('error', (error) => (failure = error));
  const parsed = (): Parsed[] => {
    const batch: Parsed[] = [];
    for (let next = parser.read() as Parsed | null; next !== null; next = parser.read() as Parsed | null)
      batch.push(next);
    return batch;
  };
  try {
    for await (const piece of piecesOf(handle, from, signal)) {
      // Parses the piece before it returns, as long as what was parsed before has been taken.
      parser.write(piece);
      const batch = parsed();
      if (batch.length > 0) yield batch;
      if (failure) throw failure;
    }
    parser.end();
    for await (const last of parser) yield [last as Parsed];
  } finally {
    parser.destroy();
  }
}

/**
 * Reads the header row of a table.
 * @throws ConnectorError `invalid_answer` if it is none
 */
export async function readCsvHead(
  handle: FileHandle,
  format: FileFormat,
  name: string,
  signal: AbortSignal,
): Promise<CsvHead> {
  const invalid = (text: string): ConnectorError => new ConnectorError('invalid_answer', `${name} ${text}.`);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
  const bytes = buffer.subarray(0, bytesRead);
  if (/^(\xff\xfe|\xfe\xff)/.test(bytes.toString('latin1', 0, 2))) throw invalid('is UTF-16, which is not supported');
  const mark = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
  const delimiter =
    format.separator === 'auto' ? detected(bytes.toString('latin1', mark)) : DELIMITERS[format.separator];
  try {
    for await (const [head] of recordsOf(handle, mark, delimiter, signal, 1)) {
      const { record, info } = head!;
      if (record.length > MOST_COLUMNS) throw invalid(`has more than ${MOST_COLUMNS} columns`);
      const columns = record.map((cell) => decoded(cell, format)?.trim());
      if (columns.includes(undefined)) throw invalid(`is not ${format.encoding}: the header row cannot be read`);
      if (columns.includes('')) throw invalid('has a column without a name');
      const twice = columns.find((column, i) => columns.indexOf(column) !== i);
      if (twice !== undefined) throw invalid(`has the column ${twice.slice(0, 100)} twice`);
      return { columns: columns as string[], delimiter, start: { byte: mark + info.bytes, line: info.lines + 1 } };
    }
  } catch (error) {
    throw error instanceof CsvError ? invalid(`has a header row that cannot be read: ${reasonOf(error)}`) : error;
  }
  throw invalid('is empty');
}

/**
 * The rows of a table from a position, in batches. A row that cannot be parsed is the last one.
 * @param most rows that are needed
 */
export async function* csvRows(
  handle: FileHandle,
  head: CsvHead,
  format: FileFormat,
  from: Position,
  signal: AbortSignal,
  most?: number,
): AsyncGenerator<Row[]> {
  let end = from;
  try {
    for await (const batch of recordsOf(handle, from.byte, head.delimiter, signal, most))
      yield batch.map(({ record, info }) => {
        end = { byte: from.byte + info.bytes, line: from.line + info.lines };
        const lines = record.reduce((sum, cell) => sum + (cell.match(LINE_END)?.length ?? 0), 0);
        return { ...rowOf(record, head, format), line: end.line - 1 - lines, end };
      });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = from.line + Math.max(Number(error['lines'] ?? 1) - 1, 0);
    yield [{ id: '', values: {}, line, fault: `cannot be read: ${reasonOf(error)}`, end }];
  }
}

function rowOf(
  record: readonly string[],
  { columns }: CsvHead,
  format: FileFormat,
): Pick<Row, 'id' | 'values' | 'fault'> {
  const broken = (fault: string) => ({ id: '', values: {}, fault });
  if (record.length !== columns.length)
    return broken(`has ${record.length} cells, but there are ${columns.length} columns`);
  const values: Record<string, unknown> = {};
  for (const [i, cell] of record.entries()) {
    const text = decoded(cell, format);
    if (text === undefined) return broken(`is not ${format.encoding} in ${columns[i]!}`);
    if (text.includes('\0')) return broken(`has the character U+0000 in ${columns[i]!}`);
    if (columns[i] === '__proto__') Object.defineProperty(values, columns[i], { value: text, enumerable: true });
    else values[columns[i]!] = text;
  }
  const found = values[format.id];
  const id = typeof found === 'string' && Object.hasOwn(values, format.id) ? found.trim() : '';
  return { id, values, fault: faultOfId(id, format.id) };
}

/** The text of bytes that were read as Latin-1; undefined if they are not in this encoding. */
function decoded(bytes: string, { encoding }: FileFormat): string | undefined {
  if (/^[\x00-\x7f]*$/.test(bytes)) return bytes;
  if (encoding === 'windows-1252') return bytes.replace(/[\x80-\x9f]/g, (c) => WINDOWS[c.charCodeAt(0) - 0x80]!);
  try {
    return UTF8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}

/** The separator that is most frequent in the first line, outside of quotes. */
function detected(head: string): string {
  const line = head.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1)[0]!;
  const counted = Object.values(DELIMITERS).map((delimiter) => ({ delimiter, n: line.split(delimiter).length }));
  return counted.reduce((most, other) => (other.n > most.n ? other : most)).delimiter;
}

/** Without the text of the file, which the library repeats. */
const reasonOf = ({ code }: CsvError): string =>
  code === 'CSV_MAX_RECORD_SIZE' || code === 'CSV_QUOTE_NOT_CLOSED'
    ? 'a quote is not closed, or the row is too long'
    : 'its quotes are not valid';
