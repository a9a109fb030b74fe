import { extKey } from '../parse/keys.js';
import type { RelationValues, StagedCard, Verdict } from '../types.js';
import { KeyTable } from './key-table.js';
import type { RowVerdict } from './rows-repository.js';

const COMPARED: ReadonlySet<Verdict> = new Set(['create', 'update', 'unchanged', 'archived']);

/**
 * Whether rows of a file may be about the same card or relation. Most files have no such rows: then PostgreSQL need not
 * compare all rows, which takes a sixth of its time.
 */
export class Repeats {
  private readonly keys = new KeyTable();
  private found = false;

  /** Notes a row. One that is noted again, such as after a conflict of transactions, counts as a repetition. */
  note(
    { n, verdict, target_id, place_key }: RowVerdict,
    { type, external_id }: StagedCard['input'] & RelationValues,
  ): void {
    if (!COMPARED.has(verdict)) return;
    for (const key of [target_id, place_key, extKey(type, external_id)])
      if (key !== undefined && key !== null && this.keys.set(key, n) !== 0) this.found = true;
  }

  get any(): boolean {
    return this.found;
  }
}
