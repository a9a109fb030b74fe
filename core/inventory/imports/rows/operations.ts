import type { CardInput, CardOperation, RowResult } from '../../cards/index.js';
import type { RelationOperation } from '../../relations/index.js';
import type { DueCard, DueRelation } from './due-repository.js';
import { patchOf } from './diff.js';
import { rowErrors } from '../parse/ndjson.js';
import type { RelationValues, RowError } from '../types.js';

/** Reference to a row's card within the operations of a batch. */
export const refOf = (row: number): string => `row ${row}`;
const ROW = /^row (\d+)$/;

/** Sorts rows so that a parent created by a row comes before its children. */
export function parentsFirst(rows: readonly DueCard[]): DueCard[] {
  const byRow = new Map(rows.map((row) => [row.n, row]));
  const sorted = new Set<DueCard>();
  for (const row of rows) {
    const line: DueCard[] = [];
    for (
      let at: DueCard | undefined = row;
      at && !sorted.has(at) && !line.includes(at);
      at = at.parent_row === null ? undefined : byRow.get(at.parent_row)
    )
      line.unshift(at);
    for (const at of line) sorted.add(at);
  }
  return [...sorted];
}

/**
 * The parent that a row gives its card: an id, a row, or null for none.
 * @returns undefined where the parent remains, or a new card has none
 */
function parentGiven({ verdict, diff, place_key }: DueCard): string | { row: number } | null | undefined {
  if (verdict === 'update')
    return diff.find(({ field }) => field === 'parent_id')?.new as string | { row: number } | null | undefined;
  const parent = place_key?.split('\n')[1];
  if (parent === undefined || parent === '') return undefined;
  const row = ROW.exec(parent)?.[1];
  return row === undefined ? parent : { row: Number(row) };
}

/**
 * The operation for a row.
 * @param isThere whether the card of a row not stored yet is created by this or an earlier batch
 * @returns undefined where the parent is a row that was not stored
 */
export function cardOperation(due: DueCard, isThere: (row: number) => boolean): CardOperation | undefined {
  const { n, verdict, doc, target_id, diff, parent_target } = due;
  const card: CardInput = verdict === 'create' ? { ...doc.input } : patchOf<CardInput>(diff);
  // Uses the card found in the preview: another card may have the same name by now.
  const to = parentGiven(due);
  if (to === null) card.parent = null;
  else if (typeof to === 'string') card.parent = { id: to };
  else if (to !== undefined) {
    if (parent_target !== null) card.parent = { id: parent_target };
    else if (isThere(to.row)) card.parent = { ref: refOf(to.row) };
    else return undefined;
  }
  return verdict === 'create'
    ? { op: 'create', ref: refOf(n), card }
    : { op: 'update', id: target_id!, ref: refOf(n), card };
}

/** @returns undefined where an end is a row that was not stored */
export function relationOperation({
  verdict,
  doc,
  target_id,
  diff,
  place_key,
  source_target,
  target_target,
}: DueRelation): RelationOperation | undefined {
  if (verdict === 'update') return { op: 'update', id: target_id!, ...patchOf<RelationValues>(diff) };
  const { type, ...values } = doc.input;
  const [, source = '', target = ''] = place_key?.split('\n') ?? [];
  const end = (found: string, stored: string | null) => (ROW.test(found) ? stored : found);
  const [source_id, target_id_] = [end(source, source_target), end(target, target_target)];
  if (source_id === null || target_id_ === null) return undefined;
  return { op: 'create', ...(type !== undefined && { type }), source_id, target_id: target_id_, ...values };
}

/** Errors of an operation, by the fields of its row. */
export function faultsOf({ errors }: Pick<RowResult, 'errors'>): RowError[] {
  return rowErrors(errors ?? []).map(({ field, reason }) => ({
    field: field.replace(/^operations\.\d+\.?(card\.?)?/, '').replace(/^op$/, ''),
    reason,
  }));
}
