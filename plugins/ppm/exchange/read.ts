/** The plan of an uploaded file. */
import { readCsv } from './csv-read.js';
import { FileRefusal, MAX_BYTES, type ReadPlan } from './file-plan.js';
import { readMspdi } from './mspdi-read.js';

/** Reads CSV or Microsoft Project XML. It takes seconds for large files: call it in a worker. */
export function readPlan(bytes: Uint8Array, format: 'csv' | 'mspdi'): ReadPlan {
  if (bytes.byteLength > MAX_BYTES)
    return { ok: false, problems: [{ line: 1, reason: 'The file is larger than 20 MB.' }] };
  try {
    const text = decoded(bytes);
    return format === 'csv' ? readCsv(text) : readMspdi(text);
  } catch (error) {
    if (error instanceof FileRefusal) return { ok: false, problems: [{ line: error.line, reason: error.message }] };
    throw error;
  }
}

function decoded(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileRefusal(1, 'The file is not UTF-8.');
  }
}
