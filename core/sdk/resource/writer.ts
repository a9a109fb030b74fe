import { ErrorBudget, outcomesOf, type BulkAnswer, type BulkMode } from '../bulk.js';
import { BulkRunner, runSingle } from '../bulk-runner.js';
import type { RequestContext } from '../context.js';
import type { ModuleServices, UnitOfWork } from '../services.js';
import { checked, failedRow, type ResourceBulkOperation, type CheckedOperation } from './bulk-operations.js';
import { lookUp, TRUSTED, type Known } from './known.js';
import type { Call, ResourceOperation, ResourceOutcome, ResourceBulkRow } from './operation.js';
import type { ResourceParts } from './parts.js';
import { ResourcePass } from './pass.js';

type Scope = Call['scope'];
const OWN: Call = { scope: {}, isConditional: true, isTrusted: true };

/** All writes of a resource: a single write is a bulk request with one operation. The number of statements does not depend on the number of operations. */
export class ResourceWriter {
  constructor(
    private readonly parts: ResourceParts,
    private readonly host: ModuleServices,
  ) {}

  /**
   * Executes one operation in a separate transaction, with the permissions of the caller and the condition of the request.
   * @param naming cards it references besides those in its values
   * @param written called at the end of the transaction, but not for a repeated Idempotency-Key
   * @throws the problem of a refused operation
   */
  async one(
    ctx: RequestContext,
    operation: ResourceOperation,
    scope: Scope,
    naming?: readonly string[],
    written?: (uow: UnitOfWork, id: string) => Promise<void>,
  ): Promise<ResourceOutcome> {
    const known = await lookUp(this.parts, this.host, ctx, [operation], scope, naming);
    const call: Call = { scope, isConditional: true, isTrusted: false };
    return await this.host.transactions.run(ctx, async (uow) => {
      const outcome = await this.single(uow, operation, known, call);
      await written?.(uow, outcome.id);
      return outcome;
    });
  }

  /**
   * Looks up, before a transaction, what one operation needs with the permissions of the caller.
   * @returns a function that executes it as part of a transaction, also one of another module; If-Match is not checked
   */
  async prepare(
    ctx: RequestContext,
    operation: ResourceOperation,
    scope: Scope,
  ): Promise<(uow: UnitOfWork) => Promise<ResourceOutcome>> {
    const known = await lookUp(this.parts, this.host, ctx, [operation], scope);
    return (uow) => this.single(uow, operation, known, { scope, isConditional: false, isTrusted: false });
  }

  /** Executes one operation as part of a transaction of the module; neither permissions nor references are checked. */
  async oneIn(uow: UnitOfWork, operation: ResourceOperation): Promise<ResourceOutcome> {
    return await this.single(uow, operation, TRUSTED, OWN);
  }

  /**
   * Like `oneIn`, for many operations; If-Match of the request is not checked.
   * @returns the result of each
   * @throws the problem of the first refused one; nothing is written then
   */
  async manyIn(uow: UnitOfWork, operations: readonly ResourceOperation[]): Promise<ResourceOutcome[]> {
    const pass = new ResourcePass(this.parts, this.host, this.host.join(uow), operations, TRUSTED, {
      ...OWN,
      isConditional: false,
    });
    const rows = await pass.check();
    const failed = rows.findIndex(({ outcome }) => outcome === 'failed');
    if (failed >= 0) throw pass.problem(failed);
    await pass.write();
    return [...rows] as ResourceOutcome[];
  }

  /**
   * Executes many operations in one transaction, with the permissions of the caller.
   * @param mode all_or_nothing: nothing is stored if one fails; per_row: the others are stored
   * @throws validation_failed with the failed rows, in all_or_nothing, if one failed and it is not a dry run
   */
  async bulk(
    ctx: RequestContext,
    operations: readonly ResourceBulkOperation[],
    mode: BulkMode,
    scope: Scope,
  ): Promise<BulkAnswer<ResourceBulkRow>> {
    const { parts, host } = this;
    const checkedOperations = operations.map((operation) => checked(parts.spec, host, operation));
    const known = await lookUp(
      parts,
      host,
      ctx,
      checkedOperations.map(({ operation }) => operation),
      scope,
    );
    const call: Call = { scope, isConditional: false, isTrusted: false, isDryRun: ctx.dryRun };
    const done = await host.transactions.run(ctx, async (uow) => {
      const runner = new BulkRunner<CheckedOperation, ResourceBulkRow>({
        savepoint: (work) => uow.savepoint(work),
        pass: (part, first, refs) =>
          new ResourcePass(
            parts,
            host,
            uow,
            part.map(({ operation }) => operation),
            known,
            call,
            {
              first,
              refs,
              refused: part.map(({ refusal }) => refusal),
            },
          ),
        failed: (operation, index, refusal) =>
          failedRow(parts.spec, operation, index, index, refusal, new ErrorBudget()),
        refusalOf: (error) => host.refusalOf(error),
        problem: (code, details) => host.problem(code, details),
      });
      return { change_id: ctx.changeId, results: await runner.run(checkedOperations, mode, ctx.dryRun) };
    });
    return { change_id: done.change_id, summary: outcomesOf(done.results), results: done.results };
  }

  private async single(
    uow: UnitOfWork,
    operation: ResourceOperation,
    known: Known,
    call: Call,
  ): Promise<ResourceOutcome> {
    const pass = new ResourcePass(this.parts, this.host, this.host.join(uow), [operation], known, call);
    const { outcome, id, version, also } = (await runSingle(pass)) as ResourceOutcome;
    return { outcome, id, version, ...(also && { also }) };
  }
}
