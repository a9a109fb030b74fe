import type { RequestContext } from '@lintel/sdk';
import { PreviewTree, type CardOperation, type CardService, type RowResult } from '../../cards/index.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { anyMoves, dueCards, type DueCard } from '../rows/due-repository.js';
import { cardOperation, faultsOf, parentsFirst, refOf } from '../rows/operations.js';
import { setVerdicts, withHeadings, type RowVerdict } from '../rows/rows-repository.js';
import { markStuck } from './settle-repository.js';
import type { Position, RowError } from '../types.js';

/** The services and context with which the rows of a preview are checked. */
export interface Preview {
  cards: CardService;
  /** The context of the user who uploaded the file, whose permissions apply. */
  ctx: RequestContext;
  importId: string;
  /** Headings by field, where the file is a table. */
  headings: ReadonlyMap<string, string>;
  /** Runs a part of the work in a transaction. */
  step<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T>;
}

/**
 * Runs the checks of the write path for rows with cards, in the order in which they would be written, without writing.
 * Rows that depend on a rejected row are rejected, too; then the remaining ones are checked again.
 */
export async function previewCards(preview: Preview): Promise<void> {
  const { importId, step } = preview;
  do await previewOnce(preview);
  while ((await step((uow) => markStuck(uow, importId))) > 0);
}

async function previewOnce({ cards, ctx, importId, headings, step }: Preview): Promise<void> {
  const parents = new Set<string>();
  const previewTree = new PreviewTree((ref) => parents.has(ref), await step((uow) => anyMoves(uow, importId)));
  /** Rows that were already checked together with earlier ones. */
  const early = new Set<number>();
  for (let after: Position | undefined; ; ) {
    const { due, end } = await step(async (uow) => {
      const found = await dueCards(uow, importId, after);
      const rows = parentsFirst(found.rows.filter(({ n }) => !early.has(n)));
      for (const { n, is_parent } of rows) if (is_parent) parents.add(refOf(n));
      const verdicts = await refusals(rows, previewTree, (operations) =>
        cards.preview(uow, ctx, operations, previewTree),
      );
      if (verdicts.length > 0)
        await setVerdicts(
          uow,
          importId,
          verdicts.map((verdict) => withHeadings(verdict, headings)),
        );
      return { due: rows, end: found.end };
    });
    if (!end) return;
    for (const { n, grp } of due) if (grp !== null) early.add(n);
    after = end;
  }
}

/** The verdicts of those rows that would not be written. */
async function refusals(
  due: readonly DueCard[],
  previewTree: PreviewTree,
  preview: (operations: CardOperation[]) => Promise<RowResult[]>,
): Promise<RowVerdict[]> {
  const here = new Set(due.map(({ n }) => n));
  const refused: RowVerdict[] = [];
  const refuse = ({ n, target_id }: DueCard, errors: RowError[]) =>
    refused.push({ n, verdict: 'invalid', target_id, errors });
  const operations: CardOperation[] = [];
  const rows: DueCard[] = [];
  for (const row of due) {
    const operation = cardOperation(row, (n) => here.has(n) || previewTree.has(refOf(n)));
    if (operation) {
      operations.push(operation);
      rows.push(row);
    } else refuse(row, [{ field: 'parent', reason: `names row ${row.parent_row}, which cannot be imported` }]);
  }
  const results = operations.length > 0 ? await preview(operations) : [];
  rows.forEach((row, i) => {
    if (results[i]!.outcome === 'failed') refuse(row, faultsOf(results[i]!));
  });
  return refused;
}
