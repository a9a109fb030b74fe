import type { FieldError } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import type { Static } from 'typebox';
import { pathOf, type CardInput } from '../../cards/index.js';
import { fieldErrors, strictAjv } from '../../../foundation/http/ajv.js';
import { isSuspect } from '../../../foundation/http/json-text.js';
import { unsafeJson } from '../../../foundation/http/unsafe-json.js';
import { isModuleColumn, READ_ONLY } from './csv-columns.js';
import { CardLine, RelationLine } from './ndjson-schema.js';
import { decoded } from './text.js';
import {
  MAX_ROWS,
  unreadable,
  type ImportOptions,
  type Reference,
  type RowError,
  type StagedRow,
  type Summary,
} from '../types.js';

export const MAX_LINE = 1_048_576;
const compiled: { card?: ValidateFunction; relation?: ValidateFunction } = {};

/** Splits text into lines, several at a time. @throws UnreadableFile where a line exceeds the maximum length of a record */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  let line = 0;
  let isFirst = true;
  for await (const piece of text) {
    rest += isFirst ? piece.replace(/^\uFEFF/, '') : piece;
    isFirst = false;
    const parts = rest.split('\n');
    rest = parts.pop()!;
    line += parts.length;
    yield parts;
    if (rest.length > MAX_LINE) throw unreadable('the line is longer than 1 MiB', line + 1);
  }
  if (rest !== '') yield [rest];
}

/** Converts JSON pointers to the field names of rows: `/attributes/a` becomes `attributes.a`. */
export function rowErrors(errors: readonly FieldError[]): RowError[] {
  return errors.map(({ field, reason }) => ({
    field: field.replace(/^\//, '').replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~'),
    reason,
  }));
}

function referenceOf(given: Exclude<Static<typeof CardLine>['parent'], undefined | null>): Reference {
  if ('id' in given || 'external_id' in given) return given;
  const { type, name } = given;
  const path = pathOf(given);
  return path === undefined ? { type, name } : { type, path, name };
}

/**
 * Reads one JSON object per line: a card as in POST /cards, or `{"relation": {…}}`.
 * @param summary receives remarks on the whole file
 * @throws UnreadableFile
 */
export async function* readNdjson(
  bytes: AsyncIterable<Buffer>,
  options: ImportOptions,
  summary: Summary,
): AsyncGenerator<StagedRow> {
  const ignored = new Set<string>();
  let n = 0;
  let line = 0;
  for await (const lines of linesOf(decoded(bytes)))
    for (const text of lines) {
      line++;
      if (text.trim() === '') continue;
      if (++n > MAX_ROWS) throw unreadable(`there are more than ${MAX_ROWS} rows`, line);
      yield lineOf(text, n, line, options, ignored);
    }
  if (n === 0) throw unreadable('the file is empty');
  summary.ignoredColumns.push(...ignored);
}

function lineOf(text: string, n: number, line: number, options: ImportOptions, ignored: Set<string>): StagedRow {
  const refused = (errors: RowError[]): StagedRow => ({ kind: 'card', n, line, input: {}, errors });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused([{ field: '', reason: 'is no JSON' }]);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused([{ field: '', reason: 'must be an object' }]);
  // The bytes are UTF-8, so that only an escape can stand for text that cannot be stored.
  const unsafe = unsafeJson(value, isSuspect(text));
  if (unsafe.length > 0) return refused(rowErrors(unsafe));
  const fields = value as Record<string, unknown>;
  if (!Object.hasOwn(fields, 'relation')) return cardOf(fields, n, line, options, ignored);
  const { relation, ...rest } = fields;
  return relationOf(relation, Object.keys(rest), n, line);
}

/** The card of an object; keys that cannot be set are omitted and reported. */
export function cardOf(
  fields: Record<string, unknown>,
  n: number,
  line: number,
  options: ImportOptions,
  ignored: Set<string>,
): StagedRow {
  const dropped = new Set(
    Object.keys(fields).filter(
      (key) =>
        READ_ONLY.has(key) ||
        isModuleColumn(key) ||
        (options.ignore_unknown && !Object.hasOwn(CardLine.properties, key)),
    ),
  );
  for (const key of dropped) ignored.add(key.slice(0, 100));
  const kept =
    dropped.size === 0 ? fields : Object.fromEntries(Object.entries(fields).filter(([key]) => !dropped.has(key)));
  const check = (compiled.card ??= strictAjv().compile(CardLine));
  if (!check(kept))
    return { kind: 'card', n, line, input: {}, errors: rowErrors(fieldErrors(check.errors ?? [], 'body')) };
  const { id, parent, parent_id, ...input } = kept as Static<typeof CardLine>;
  if (input.type === undefined && options.type !== undefined) input.type = options.type;
  const given =
    parent ??
    (typeof parent_id === 'string' ? { id: parent_id } : parent === null || parent_id === null ? null : undefined);
  const above = given && referenceOf(given);
  return {
    kind: 'card',
    n,
    line,
    input: input as CardInput,
    ...(id !== undefined && { id }),
    ...(above !== undefined && { parent: above }),
  };
}

/** The relation of an object. @param others other keys of the object, which are not allowed */
export function relationOf(given: unknown, others: readonly string[], n: number, line: number): StagedRow {
  const check = (compiled.relation ??= strictAjv().compile(RelationLine));
  const errors: RowError[] = others.map((key) => ({
    field: key.slice(0, 100),
    reason: 'is not allowed together with relation',
  }));
  if (!check(given)) errors.push(...rowErrors(fieldErrors(check.errors ?? [], 'body')));
  if (errors.length > 0) return { kind: 'relation', n, line, input: {}, errors };
  const { id, source_id, source, target_id, target, ...input } = given as Static<typeof RelationLine>;
  const end = (byId: string | undefined, by: typeof source): Reference | undefined =>
    by ? referenceOf(by) : byId === undefined ? undefined : { id: byId };
  const [from, to] = [end(source_id, source), end(target_id, target)];
  for (const [field, reference] of [
    ['source', from],
    ['target', to],
  ] as const)
    if (!reference && id === undefined) errors.push({ field, reason: 'is required' });
  return {
    kind: 'relation',
    n,
    line,
    input,
    errors,
    ...(id !== undefined && { id }),
    ...(from && { source: from }),
    ...(to && { target: to }),
  };
}
