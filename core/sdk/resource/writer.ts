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

/** The one write path of a resource: a single write is a bulk of one operation. As many statements for one as for 10,000. */
export class ResourceWriter {
  constructor(
    private readonly parts: ResourceParts,
    private readonly host: ModuleServices,
  ) {}

  /**
   * Does one operation in a transaction of its own, with the rights of the caller and the condition of the request.
   * @param naming cards it names without values
   * @throws the problem it is refused with
   */
  async one(
    ctx: RequestContext,
    operation: ResourceOperation,
    scope: Scope,
    naming?: readonly string[],
  ): Promise<ResourceOutcome> {
    const known = await lookUp(this.parts, this.host, ctx, [operation], scope, naming);
    const call: Call = { scope, isConditional: true, isTrusted: false };
    return await this.host.transactions.run(ctx, async (uow) => this.single(uow, operation, known, call));
  }

  /** Does one operation as part of a transaction of the module's own; neither rights nor references are looked at. */
  async oneIn(uow: UnitOfWork, operation: ResourceOperation): Promise<ResourceOutcome> {
    return await this.single(uow, operation, TRUSTED, OWN);
  }

  /**
   * As `oneIn`, of many operations.
   * @returns what became of each
   * @throws the problem of the first that is refused; nothing is written then
   */
  async manyIn(uow: UnitOfWork, operations: readonly ResourceOperation[]): Promise<ResourceOutcome[]> {
    const pass = new ResourcePass(this.parts, this.host, uow, operations, TRUSTED, { ...OWN, isConditional: false });
    const rows = await pass.check();
    const failed = rows.findIndex(({ outcome }) => outcome === 'failed');
    if (failed >= 0) throw pass.problem(failed);
    await pass.write();
    return [...rows] as ResourceOutcome[];
  }

  /**
   * Does many operations in one transaction, with the rights of the caller.
   * @param mode all_or_nothing: one that fails undoes all; per_row: the others are stored
   * @throws validation_failed with the failed rows, in all_or_nothing, where one failed and it is no dry run
   */
  async bulk(
    ctx: RequestContext,
    operations: readonly ResourceBulkOperation[],
    mode: BulkMode,
    scope: Scope,
  ): Promise<BulkAnswer<ResourceBulkRow>> {
    const { parts, host } = this;
    const asked = operations.map((operation) => checked(parts.spec, host, operation));
    const known = await lookUp(
      parts,
      host,
      ctx,
      asked.map(({ operation }) => operation),
      scope,
    );
    const call: Call = { scope, isConditional: false, isTrusted: false };
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
        failed: (asked, index, refusal) => failedRow(parts.spec, asked, index, index, refusal, new ErrorBudget()),
        refusalOf: (error) => host.refusalOf(error),
        problem: (code, details) => host.problem(code, details),
      });
      return { change_id: ctx.changeId, results: await runner.run(asked, mode, ctx.dryRun) };
    });
    return { change_id: done.change_id, summary: outcomesOf(done.results), results: done.results };
  }

  private async single(
    uow: UnitOfWork,
    operation: ResourceOperation,
    known: Known,
    call: Call,
  ): Promise<ResourceOutcome> {
    const pass = new ResourcePass(this.parts, this.host, uow, [operation], known, call);
    const { outcome, id, version } = (await runSingle(pass)) as ResourceOutcome;
    return { outcome, id, version };
  }
}
