import { Problem } from '../../../foundation/errors.js';
import { unsafeJson } from '../../../foundation/http/unsafe-json.js';
import type { Log } from '../../../foundation/log.js';
import type { OwnedFormat } from '../../extensions.js';
import { cardOf, MAX_LINE, relationOf, rowErrors } from './ndjson.js';
import { IdleTimeout, type Limits } from './idle-timeout.js';
import {
  MAX_ROWS,
  unreadable,
  UnreadableFile,
  type ImportOptions,
  type RowError,
  type StagedRow,
  type Summary,
} from '../types.js';

const LIMITS = { idleMs: 60_000, totalMs: 900_000, rows: MAX_ROWS };
const MAX_ERRORS = 100;
const MAX_REASON = 1_000;
const MAX_PLACE = 500;

interface Reading {
  options: ImportOptions;
  /** Receives remarks on the whole file. */
  summary: Summary;
  /** Aborts the reading. */
  signal: AbortSignal;
  log: Log;
  limits?: Limits & { rows: number };
}

/**
 * Reads a file with a module's parser. The parser is not trusted to terminate, to return valid rows, or to throw only
 * documented errors.
 * @throws UnreadableFile with the detail of a Problem, with the exceeded limit, or with a generic reason for other
 *   errors; an Error where the module was disabled in the meantime
 */
export async function* readByModule(
  bytes: AsyncIterable<Buffer>,
  owned: OwnedFormat,
  { options, summary, signal, log, limits = LIMITS }: Reading,
): AsyncGenerator<StagedRow> {
  const { module, format, off } = owned;
  const idle = new IdleTimeout(limits, [signal, off], (reason) => unreadable(`the module ${module} ${reason}`));
  let lost: { error: unknown } | undefined;
  async function* file(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of bytes) {
        idle.sign();
        yield chunk;
      }
    } catch (error) {
      lost = { error };
      throw error;
    }
  }
  const ignored = new Set<string>();
  let rows: AsyncIterator<unknown> | undefined;
  let isOver = false;
  try {
    rows = owned.parse(file())[Symbol.asyncIterator]();
    for (let n = 1; ; n++) {
      const { done, value } = await idle.wait(rows.next());
      isOver = done === true;
      if (isOver) break;
      if (n > limits.rows) throw unreadable(`there are more than ${limits.rows} rows`);
      yield rowOf(value, n, options, ignored);
    }
    summary.ignoredColumns.push(...ignored);
  } catch (error) {
    signal.throwIfAborted();
    // The next attempt determines whether it is disabled or was updated.
    if (off.aborted)
      throw new Error(`the module ${module} was disabled or updated while it read the file`, { cause: error });
    // An error in reading the stored file is not the module's fault.
    if (lost) throw lost.error;
    if (error instanceof UnreadableFile) throw error;
    if (error instanceof Problem && error.status < 500) throw new UnreadableFile(reasonsOf(error));
    log.error({ err: error, module, format: format.id }, 'a module could not read a file');
    throw unreadable(`the module ${module} failed to read the file`);
  } finally {
    idle.end();
    if (!isOver) leave(rows);
  }
}

/** Ends a parser's iteration without waiting, because a blocked parser would never respond. */
function leave(rows: AsyncIterator<unknown> | undefined): void {
  void (async () => rows?.return?.())().catch(() => undefined);
}

/** A module's text, made storable in the database. */
const plain = (text: unknown, most: number): string => String(text).replaceAll('\0', '').slice(0, most).toWellFormed();

function reasonsOf({ detail, errors = [] }: Problem): { reason: string }[] {
  return [detail, ...errors.map(({ field, reason }) => `${field} ${reason}`)]
    .slice(0, MAX_ERRORS)
    .map((text) => ({ reason: plain(text, MAX_REASON) }));
}

/** Validates a row of a parser like a line of NDJSON. */
function rowOf(given: unknown, n: number, options: ImportOptions, ignored: Set<string>): StagedRow {
  const { place, kind, data, errors } = (given ?? {}) as Record<string, unknown>;
  const reference = place === undefined || place === null ? undefined : plain(place, MAX_PLACE);
  const line = Number(/^(?:line )?(\d{1,9})$/i.exec(reference ?? '')?.[1] ?? 0);
  const listed = Array.isArray(errors) ? errors.slice(0, MAX_ERRORS).map(errorOf) : [];
  const read =
    kind === 'card' || kind === 'relation'
      ? fieldsOf(data)
      : { errors: [{ field: 'kind', reason: 'must be card or relation' }] };
  const row: StagedRow =
    'errors' in read
      ? { kind: kind === 'relation' ? kind : 'card', n, line, input: {}, errors: read.errors }
      : kind === 'relation'
        ? relationOf(read.fields, [], n, line)
        : cardOf(read.fields, n, line, options, ignored);
  // Errors reported by the module come before those derived from them.
  return {
    ...row,
    ...(reference !== undefined && { reference }),
    errors: listed.length > 0 ? listed : (row.errors ?? []),
  };
}

function errorOf(given: unknown): RowError {
  const { field, reason } = (given ?? {}) as Record<string, unknown>;
  return { field: plain(field ?? '', MAX_PLACE), reason: plain(reason ?? 'is invalid', MAX_REASON) };
}

/** The data of a row, converted to JSON. */
function fieldsOf(data: unknown): { fields: Record<string, unknown> } | { errors: RowError[] } {
  const fault = (reason: string): { errors: RowError[] } => ({ errors: [{ field: '', reason }] });
  let text: string | undefined;
  try {
    text = JSON.stringify(data, finite);
  } catch {
    return fault('is no JSON');
  }
  if (!text?.startsWith('{')) return fault('must be an object');
  if (text.length > MAX_LINE) return fault('is longer than 1 MiB');
  const fields = JSON.parse(text) as Record<string, unknown>;
  const unsafe = unsafeJson(fields, true);
  return unsafe.length > 0 ? { errors: rowErrors(unsafe) } : { fields };
}

/** JSON.stringify would write null, which removes the value. */
function finite(_key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('no number');
  return value;
}
