import type { FileHandle } from 'node:fs/promises';
import { valueAt } from '../../transforms/values.js';
import { faultOfId, piecesOf, type Position, type Row } from './rows.js';
import type { FileFormat } from './settings.js';

const MOST_LINE_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The lines of a file of JSON objects from a position, in batches; empty ones are omitted. A line that is too long is the last one. */
export async function* ndjsonRows(
  handle: FileHandle,
  format: FileFormat,
  from: Position,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  let { byte, line } = from;
  let rest: Buffer = Buffer.alloc(0);
  const next = (bytes: Buffer, length: number): Row | undefined => {
    const at = line;
    byte += length;
    line += 1;
    const row = rowOf(bytes, format);
    return row && { ...row, line: at, end: { byte, line } };
  };
  for await (const piece of piecesOf(handle, from.byte, signal)) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const batch: Row[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED, rest.length); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      const row = next(bytes.subarray(start, end), end + 1 - start);
      start = end + 1;
      if (row) batch.push(row);
    }
    if (batch.length > 0) yield batch;
    rest = bytes.subarray(start);
    if (rest.length > MOST_LINE_BYTES) {
      yield [{ id: '', values: {}, line, fault: `has more than ${MOST_LINE_BYTES} bytes`, end: { byte, line } }];
      return;
    }
  }
  const row = rest.length === 0 ? undefined : next(rest, rest.length);
  if (row) yield [row];
}

function rowOf(bytes: Buffer, { id: name }: FileFormat): Pick<Row, 'id' | 'values' | 'fault'> | undefined {
  const broken = (fault: string) => ({ id: '', values: {}, fault });
  let value: unknown;
  try {
    // Also removes the mark of the byte order.
    const text = UTF8.decode(bytes).trim();
    if (text === '') return undefined;
    if (text.includes(String.raw`\u0000`) && /(?<!\\)(?:\\\\)*\\u0000/.test(text))
      return broken('has the character U+0000');
    value = JSON.parse(text);
  } catch {
    return broken('is not JSON in UTF-8');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return broken('is no JSON object');
  const values = value as Record<string, unknown>;
  const id = valueAt(values, name);
  const fault = faultOfId(id, name);
  return { id: fault === undefined ? String(id as string | number) : '', values, fault };
}
