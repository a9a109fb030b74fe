import type { RowChange } from '../rows/diff.js';
import type { StoredImport } from '../repository.js';
import type { StoredRow } from './rows-view-repository.js';
import type { ImportView, RowView } from '../schemas.js';

export function importView({
  file_id: _file,
  options: _options,
  done,
  total,
  created_at,
  updated_at,
  applied_at,
  ...i
}: StoredImport): ImportView {
  // An attempt that was interrupted stores no reason.
  const errors =
    i.state === 'failed' && i.errors.length === 0
      ? [{ reason: 'the work was cancelled after several attempts' }]
      : i.errors;
  return {
    ...i,
    errors,
    progress: { done, total },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    applied_at: applied_at?.toISOString() ?? null,
  };
}

/** What the reader may see of a row. */
export interface RowVisibility {
  /** The row is about a card or relation hidden from the reader. */
  isHidden: boolean;
  /** Whether a field of the diff is a cost that the reader may not see. */
  isClosed(field: string): boolean;
  /** Ids of cards hidden from the reader. */
  hiddenIds: ReadonlySet<string>;
}

/**
 * A row as its reader may see it: for hidden cards and relations only the row and its verdict; costs only with the
 * permission.
 * @param isOwn whether the reader made the import, and may see why a row is rejected
 */
export function rowView(stored: StoredRow, { isHidden, isClosed, hiddenIds }: RowVisibility, isOwn: boolean): RowView {
  const {
    n,
    target_id,
    applied_at,
    diff,
    errors,
    source_id: _source,
    target_card_id: _target,
    source_type: _sourceType,
    target_type: _targetType,
    ...row
  } = stored;
  const shown = {
    row: n,
    ...row,
    id: target_id !== null && hiddenIds.has(target_id) ? null : target_id,
    errors: errors ?? [],
    applied: applied_at !== null,
  };
  if (isHidden) return { ...shown, name: null, reference: null, id: null, diff: [], errors: isOwn ? shown.errors : [] };
  // That a cost was changed concurrently is hidden as well.
  const faults = row.verdict === 'conflict' ? shown.errors.filter(({ field }) => !isClosed(field)) : shown.errors;
  const seen = (value: unknown): unknown =>
    typeof value === 'string' && hiddenIds.has(value.toLowerCase()) ? null : value;
  return {
    ...shown,
    errors: faults,
    diff: (diff ?? [])
      .filter(({ field }) => !isClosed(field))
      .map((change): RowChange => ({ ...change, old: seen(change.old), new: seen(change.new) })),
  };
}
