import type { FileHandle } from 'node:fs/promises';

/** Bytes that are read and parsed in one step. */
const PIECE = 32_768;

/** A position in a file: a byte, and the number of its line from 1. */
export interface Position {
  byte: number;
  line: number;
}

/** A row of a file. Rows with a fault have no record. */
export interface Row {
  id: string;
  values: Record<string, unknown>;
  /** Its line, for messages. */
  line: number;
  /** Why it is no record. */
  fault?: string | undefined;
  /** Where the next row begins. */
  end: Position;
}

/** The content of a file from a byte. */
export async function* piecesOf(handle: FileHandle, from: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let at = from; ; ) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PIECE), 0, PIECE, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Characters of an id. */
const LONGEST_ID = 500;

/** Why a text is no id; undefined if it is one. */
export function faultOfId(id: unknown, name: string): string | undefined {
  if (id === undefined || id === null || id === '') return `has no id in ${name}`;
  if (typeof id !== 'string' && !Number.isSafeInteger(id))
    return `has an id in ${name} that is neither a text nor an integer`;
  if (String(id as string | number).length > LONGEST_ID) return `has an id of more than ${LONGEST_ID} characters`;
  return undefined;
}
