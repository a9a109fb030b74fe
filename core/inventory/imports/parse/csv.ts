import { unguardedCell } from '@lintel/sdk';
import { parse, CsvError } from 'csv-parse';
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inputErrors, type CardInput } from '../../cards/index.js';
import type { CardType, Metamodel } from '../../metamodel/index.js';
import { fieldValue } from './cells.js';
import { MAX_COLUMNS, readHeadings, type Column } from './csv-columns.js';
import { rowErrors } from './ndjson.js';
import { isPlainText } from '../../../foundation/text.js';
import { decoded } from './text.js';
import {
  MAX_ROWS,
  unreadable,
  type ImportOptions,
  type Reference,
  type RowError,
  type StagedCard,
  type Summary,
} from '../types.js';

const MAX_RECORD_BYTES = 4 * 1024 * 1024;
/** Number of bytes parsed in one step: with cells of one character the parser needs a quarter of a second for 64 KiB. */
const PIECE = 16_384;
const LINE_END = /\r\n|\r|\n/g;
const DELIMITERS = [',', ';', '\t'] as const;

export interface CsvSummary extends Summary {
  /** Headings by field. */
  headings: Map<string, string>;
}

interface Parsed {
  record: string[];
  info: { empty_lines: number };
}

/** Determines the delimiter from the first line, ignoring quoted text. */
function detectDelimiter(head: string): string {
  const line = head.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1)[0]!;
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, n: line.split(delimiter).length }));
  return counted.reduce((most, other) => (other.n > most.n ? other : most)).delimiter;
}

/** Splits a table into records. The delimiter is determined from the first piece of text. */
async function* records(text: AsyncGenerator<string>, options: ImportOptions): AsyncGenerator<Parsed> {
  const { value: head, done } = await text.next();
  if (done) return;
  const delimiter =
    options.delimiter === undefined ? detectDelimiter(head) : options.delimiter === 'tab' ? '\t' : options.delimiter;
  async function* whole(): AsyncGenerator<string> {
    yield head as string;
    yield* text;
  }
  async function* pieces(): AsyncGenerator<Buffer> {
    for await (const part of whole()) {
      const bytes = Buffer.from(part);
      for (let at = 0; at < bytes.length; at += PIECE) {
        yield bytes.subarray(at, at + PIECE);
        await nextTurn();
      }
    }
  }
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_BYTES,
  });
  // Errors of the source are passed on by the parser.
  pipeline(Readable.from(pieces()), parser, () => undefined);
  try {
    for await (const parsed of parser) yield parsed as Parsed;
  } catch (error) {
    if (error instanceof CsvError)
      throw unreadable(
        `the table cannot be read: ${error.message.slice(0, 300)}`,
        Number(error['lines'] ?? 0) || undefined,
      );
    throw error;
  }
}

/**
 * Reads a table of cards, one per line after the headings.
 * @param summary receives remarks on the whole table
 * @throws UnreadableFile
 */
export async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  metamodel: Metamodel,
  options: ImportOptions,
  summary: CsvSummary,
): AsyncGenerator<StagedCard> {
  let columns: Column[] | undefined;
  let n = 0;
  let before = 0;
  for await (const { record, info } of records(decoded(bytes), options)) {
    const line = before + info.empty_lines + 1;
    if (record.length > MAX_COLUMNS) throw unreadable(`there are more than ${MAX_COLUMNS} columns`, line);
    before += 1 + record.reduce((sum, cell) => sum + (cell.match(LINE_END)?.length ?? 0), 0);
    if (!columns) {
      const read = readHeadings(record, metamodel, options);
      columns = read.columns;
      summary.ignoredColumns.push(...read.ignored);
      for (const { field, heading } of columns) summary.headings.set(field, heading);
      continue;
    }
    if (++n > MAX_ROWS) throw unreadable(`there are more than ${MAX_ROWS} rows`, line);
    yield cardOf(record, columns, n, line, metamodel, options);
  }
  if (!columns) throw unreadable('the file is empty');
}

/** The card of a line, with the errors of its cells. */
function cardOf(
  record: string[],
  columns: readonly Column[],
  n: number,
  line: number,
  metamodel: Metamodel,
  options: ImportOptions,
): StagedCard {
  const errors: RowError[] = [];
  const staged: StagedCard = { kind: 'card', n, line, input: {}, errors };
  if (record.length !== columns.length)
    errors.push({ field: '', reason: `has ${record.length} cells, but there are ${columns.length} headings` });
  if (!record.every(isPlainText)) {
    errors.push({ field: '', reason: 'has a control character' });
    return staged;
  }
  const at = columns.findIndex((c) => c.to === 'plain' && c.key === 'type');
  const typeKey = (at < 0 ? '' : unguardedCell(record[at] ?? '').trim()) || options.type;
  if (typeKey !== undefined) staged.input.type = typeKey;
  const type = metamodel.types.get(typeKey ?? '');
  columns.forEach((column, i) => {
    const text = unguardedCell(record[i] ?? '');
    if (text !== '') setCell(staged, column, text, type, errors);
    else if (options.empty === 'clear') clearCell(staged, column, type);
  });
  if (errors.length > 0 && type) errors.push(...otherFaults(staged.input, type, columns));
  return staged;
}

/** A row with an invalid cell is not processed further, so its other errors are determined here. */
function otherFaults(input: StagedCard['input'], type: CardType, columns: readonly Column[]): RowError[] {
  return rowErrors(inputErrors(type, input as CardInput, undefined, ''))
    .filter(({ field }) => field !== 'name' || input.name !== undefined)
    .map((fault) => {
      const column = columns.find(({ field }) => field === fault.field)?.heading;
      return column === undefined ? fault : { ...fault, column };
    });
}

function setCell(
  staged: StagedCard,
  column: Column,
  text: string,
  type: CardType | undefined,
  errors: RowError[],
): void {
  const { input } = staged;
  const bad = (reason: string) => errors.push({ field: column.field, column: column.heading, reason });
  switch (column.to) {
    case 'nothing':
      return;
    case 'plain':
      if (column.key !== 'type') input[column.key] = column.key === 'subtype' ? text.trim() : text;
      return;
    case 'id':
      staged.id = text.trim();
      return;
    case 'parent_id':
      staged.parent ??= { id: text.trim() };
      return;
    case 'parent': {
      const parent = parentByPath(text, type);
      if (parent) staged.parent = parent;
      else bad('must be names joined by " / ", or a JSON array of them');
      return;
    }
    case 'lifecycle':
      (input.lifecycle ??= {})[column.key] = text.trim();
      return;
    case 'attribute': {
      const field = type?.fields.byKey.get(column.key);
      if (!type) return;
      if (!field) {
        bad(`is no field of ${type.key}`);
        return;
      }
      const read = fieldValue(field, text);
      if ('reason' in read) bad(read.reason);
      else (input.attributes ??= {})[column.key] = read.value;
    }
  }
}

function clearCell({ input }: StagedCard, column: Column, type: CardType | undefined): void {
  if (column.to === 'plain' && (column.key === 'subtype' || column.key === 'description' || column.key === 'alias'))
    input[column.key] = null;
  else if (column.to === 'lifecycle') (input.lifecycle ??= {})[column.key] = null;
  else if (column.to === 'attribute' && type?.fields.byKey.has(column.key))
    (input.attributes ??= {})[column.key] = null;
}

/** The assumed type of a parent: the type of the child, unless that type allows only other parent types. */
function parentType(type: CardType): string {
  const allowed = type.definition.allowed_parent_types;
  return allowed.includes(type.key) ? type.key : (allowed[0] ?? type.key);
}

function parentByPath(text: string, type: CardType | undefined): Reference | undefined {
  let names = text.split(' / ').map((name) => name.trim());
  if (text.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list) && list.every((name) => typeof name === 'string')) names = list as string[];
    } catch {
      /* Not JSON: a name that begins with a bracket. */
    }
  }
  const name = names.at(-1);
  if (!name || names.includes('')) return undefined;
  return { type: type ? parentType(type) : '', path: names.slice(0, -1), name };
}
