import type { RequestContext } from '@lintel/sdk';
import { PreviewTree, type CardOperation, type CardService, type PreviewResult } from '../../cards/index.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { anyMoves, dueCards, dueChunks, type DueCard } from '../rows/due-repository.js';
import { withSet } from '../rows/diff.js';
import { cardOperation, faultsOf, parentsFirst, refOf } from '../rows/operations.js';
import { setByRules, setVerdicts, withHeadings, type RowVerdict, type SetByRules } from '../rows/rows-repository.js';
import { markStuck } from './settle-repository.js';
import type { RowError } from '../types.js';

/** The services and context with which the rows of a preview are checked. */
export interface Preview {
  cards: CardService;
  /** The context of the user who uploaded the file, whose permissions apply. */
  ctx: RequestContext;
  importId: string;
  /** Numbers of the rows that other rows have as their parent. */
  parentRows: ReadonlySet<number>;
  /** Headings by field, where the file is a table. */
  headings: ReadonlyMap<string, string>;
  /** Runs a part of the work in a transaction. */
  step<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T>;
}

/**
 * Runs the checks of the write path for rows with cards, in the order in which they would be written, without writing, and
 * adds to their diffs what rules of modules set.
 * Rows that depend on a rejected row are rejected, too; then the remaining ones are checked again.
 */
export async function previewCards(preview: Preview): Promise<void> {
  const { importId, step } = preview;
  const ruled = new Set<number>();
  do await previewOnce(preview, ruled);
  while ((await step((uow) => markStuck(uow, importId))) > 0);
}

/** @param ruled rows in which rules set values, earlier ones included; gets those of this time */
async function previewOnce(
  { cards, ctx, importId, parentRows, headings, step }: Preview,
  ruled: Set<number>,
): Promise<void> {
  const parents = new Set<string>();
  const previewTree = new PreviewTree((ref) => parents.has(ref), await step((uow) => anyMoves(uow, importId)));
  /** Rows that were already checked together with earlier ones. */
  const early = new Set<number>();
  const chunks = (await step((uow) => dueChunks(uow, importId))).flat();
  const read = (n: number) => {
    const reading = chunks[n] && step((uow) => dueCards(uow, importId, chunks[n]!));
    // Its failure is thrown where it is awaited.
    reading?.catch(() => undefined);
    return reading;
  };
  for (let n = 0, reading = read(0); reading; ) {
    const rows = await reading;
    // The next rows are read while these are checked: a check changes no other rows.
    reading = read(++n);
    const due = parentsFirst(rows.filter((row) => !early.has(row.n)));
    for (const { n, grp } of due) {
      if (grp !== null) early.add(n);
      if (parentRows.has(n)) parents.add(refOf(n));
    }
    await step(async (uow) => {
      const { refused, changes } = await checked(due, previewTree, ruled, (operations) =>
        cards.preview(uow, ctx, operations, previewTree),
      );
      for (const { n } of changes) ruled.add(n);
      if (refused.length > 0)
        await setVerdicts(
          uow,
          importId,
          refused.map((verdict) => withHeadings(verdict, headings)),
        );
      if (changes.length > 0) await setByRules(uow, importId, changes);
    });
  }
}

/** The verdicts of those rows that would not be written, and the values that rules of modules set in the others. */
async function checked(
  due: readonly DueCard[],
  previewTree: PreviewTree,
  ruled: ReadonlySet<number>,
  preview: (operations: CardOperation[]) => Promise<PreviewResult[]>,
): Promise<{ refused: RowVerdict[]; changes: SetByRules[] }> {
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
  const changes = rows.flatMap((row, i) => {
    const { outcome, set } = results[i]!;
    if (outcome === 'failed') refuse(row, faultsOf(results[i]!));
    // Rows are checked again if others are refused; rules may then set other values.
    const isShown = set.length > 0 || ruled.has(row.n);
    return outcome !== 'failed' && isShown ? [{ n: row.n, set: withSet([], set, row.verdict) }] : [];
  });
  return { refused, changes };
}
