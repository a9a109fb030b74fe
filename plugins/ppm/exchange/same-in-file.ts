/** Stored values that a file cannot express, or only as another one: a file that says the same does not change them. */
import type { ItemRow } from '../schedule/repository.js';
import type { FileItem, FilePlan } from './file-plan.js';
import { storable } from './xml.js';

/** A stored text as files have it. */
export const asInFile = (text: string | null, format: FilePlan['format']): string =>
  format === 'mspdi' ? storable(text ?? '') : (text ?? '');

/** The constraint of an item. A stored one that a file of Microsoft Project cannot distinguish from none is kept. */
export function constraintOf(
  file: FileItem,
  before: ItemRow | undefined,
  isSummary: boolean,
  format: FilePlan['format'],
): Pick<ItemRow, 'constraint_type' | 'constraint_date'> {
  const { constraint_type, constraint_date } = file;
  if (format === 'mspdi' && before && constraint_type === null) {
    const { constraint_type: type, constraint_date: date, start_date } = before;
    const isImplied = isSummary
      ? type !== 'start_no_earlier_than' && type !== 'finish_no_later_than'
      : start_date === file.start_date &&
        (start_date === null
          ? type === 'as_soon_as_possible'
          : type === 'start_no_earlier_than' && date === start_date);
    if (isImplied) return { constraint_type: type, constraint_date: date };
  }
  return { constraint_type, constraint_date };
}

/** Microsoft Project has whole percents: they do not change a completion that is rounded to them. */
export function completionOf(
  wanted: number | undefined,
  before: ItemRow | undefined,
  format: FilePlan['format'],
): number {
  if (wanted === undefined) return before?.completion ?? 0;
  if (before && format === 'mspdi' && Math.round(before.completion) === wanted) return before.completion;
  return wanted;
}
