import type { BulkMode, BulkRow } from './bulk.js';
import type { FieldError, Problem, ProblemDetails } from './problem.js';
import type { CommonProblemCode } from './services.js';

/** Operations that are checked together and then written together, inside a transaction. */
export interface BulkPass<Row extends BulkRow> {
  /** Loads, locks and checks; writes nothing. @returns one row per operation, in their order; `index` counts within the pass */
  check(): Promise<readonly Row[]>;
  /** Writes the operations whose rows did not fail. */
  write(): Promise<void>;
  /** The problem returned for a request with only this operation. @param index of a failed row, within the pass */
  problem(index: number): Problem | Promise<Problem>;
}

/** The steps of a bulk request of one kind. */
export interface BulkRunnerOptions<Operation, Row extends BulkRow> {
  /** Reverts the changes of `work` if it throws; that of the unit of work. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Starts a pass.
   * @param first place of the first of `operations` in the bulk, for pointers such as `/operations/7/card`
   * @param refs ids by the `ref` of operations of earlier passes; the pass adds its own
   */
  pass(operations: readonly Operation[], first: number, refs: Map<string, string>): BulkPass<Row>;
  /** The row of an operation that the database refused, or that could not be checked. */
  failed(operation: Operation, index: number, refusal: Problem): Row;
  /** The problem of an error caused by one of the operations; undefined for other errors, which end the bulk request. */
  refusalOf(error: unknown): Problem | undefined;
  /** Builds the problem of a code. */
  problem(code: CommonProblemCode, details?: ProblemDetails): Problem;
}

/** Bounds of the body of a 422: faults, and failed rows. */
const MOST_ERRORS = 100;
const MOST_FAILED_ROWS = 1_000;

/**
 * Executes the operations of a bulk request inside one transaction, with the same number of statements for ten thousand as for
 * one: all of them in one pass, and in halves only if the database refuses a pass as a whole.
 */
export class BulkRunner<Operation, Row extends BulkRow> {
  constructor(private readonly options: BulkRunnerOptions<Operation, Row>) {}

  /**
   * Executes operations in a mode.
   * @param dryRun whether operations are only checked: no pass writes, and all_or_nothing returns the rows if one failed, instead of
   * throwing. The passes must take no lock then, because other writes would wait for the whole request
   * @returns one row per operation, in their order
   * @throws validation_failed with the failed rows under `results`, in all_or_nothing, if one failed and `dryRun` is false
   */
  async run(operations: readonly Operation[], mode: BulkMode, dryRun: boolean): Promise<Row[]> {
    if (mode === 'per_row') return this.perRow(operations, dryRun);
    const pass = this.options.pass(operations, 0, new Map());
    const rows = await pass.check();
    if (dryRun) return [...rows];
    const failed = rows.filter(({ outcome }) => outcome === 'failed');
    if (failed.length === 0) await pass.write();
    else
      throw this.options.problem('validation_failed', {
        detail: `Nothing was stored: ${failed.length} of ${operations.length} operations failed.`,
        errors: failed.flatMap(({ errors = [] }) => errors).slice(0, MOST_ERRORS) as FieldError[],
        results: failed.slice(0, MOST_FAILED_ROWS),
      });
    return [...rows];
  }

  /** Checks operations and writes nothing. @returns one row per operation, in their order */
  async preview(operations: readonly Operation[]): Promise<Row[]> {
    return this.halved(operations, 0, new Map(), (pass) => pass.check());
  }

  /** Writes the operations that can be written, unless it is a dry run. */
  private async perRow(operations: readonly Operation[], dryRun: boolean): Promise<Row[]> {
    return this.halved(operations, 0, new Map(), (pass) =>
      this.options.savepoint(async () => {
        const rows = await pass.check();
        if (!dryRun) await pass.write();
        return rows;
      }),
    );
  }

  /** Tries operations together; if that is refused, each half separately, down to the single operation that is refused. */
  private async halved(
    operations: readonly Operation[],
    first: number,
    refs: Map<string, string>,
    attempt: (pass: BulkPass<Row>) => Promise<readonly Row[]>,
  ): Promise<Row[]> {
    const { pass, refusalOf, failed } = this.options;
    const made = new Map(refs);
    try {
      const rows = await attempt(pass(operations, first, made));
      for (const [ref, id] of made) refs.set(ref, id);
      return first === 0 ? [...rows] : rows.map((row) => ({ ...row, index: first + row.index }));
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      if (operations.length === 1) return [failed(operations[0]!, first, refusal)];
      const half = Math.ceil(operations.length / 2);
      const before = await this.halved(operations.slice(0, half), first, refs, attempt);
      return [...before, ...(await this.halved(operations.slice(half), first + half, refs, attempt))];
    }
  }
}

/**
 * Executes a single write: a pass with one operation.
 * @returns its row
 * @throws the problem of the operation, if it failed
 */
export async function runSingle<Row extends BulkRow>(pass: BulkPass<Row>): Promise<Row> {
  const [row] = await pass.check();
  if (row!.outcome === 'failed') throw await pass.problem(0);
  await pass.write();
  return row!;
}
