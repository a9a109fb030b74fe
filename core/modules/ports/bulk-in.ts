import { answerBulk, outcomesOf, type BulkAnswer, type BulkMode, type BulkOptions, type BulkRow } from '@lintel/sdk';
import type { RequestContext } from '@lintel/sdk';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { bulkCheck } from '../../foundation/http/query.js';

/** Thrown to revert a dry run. */
class DryRun extends Error {}

/**
 * Executes operations inside a transaction of a module, in a savepoint: if they fail, only their own changes are reverted,
 * so that a module that handles the error cannot commit a part of them.
 * @param check converts and checks the operations like the body of a request
 * @param work executes the valid operations in the unit of work
 */
export async function bulkIn<Operation, Row extends BulkRow>(
  uow: UnitOfWork,
  operations: readonly unknown[],
  { mode = 'all_or_nothing', dryRun = false }: BulkOptions,
  check: ReturnType<typeof bulkCheck>,
  work: (ctx: RequestContext, operations: Operation[], mode: BulkMode) => Promise<Row[]>,
): Promise<BulkAnswer<BulkRow>> {
  const { body, refused } = await check({ mode, operations });
  const ctx: RequestContext = { ...uow.ctx, dryRun: dryRun || uow.ctx.dryRun };
  const call = { ctx, body: { mode, operations: body.operations as Operation[] }, refusedOperations: refused };
  return await answerBulk(call, async (sound) => {
    let results: Row[] = [];
    try {
      await uow.savepoint(async () => {
        results = await work(ctx, sound, mode);
        if (dryRun) throw new DryRun();
      });
    } catch (error) {
      if (!(error instanceof DryRun)) throw error;
    }
    return { change_id: ctx.changeId, summary: outcomesOf(results), results };
  });
}
