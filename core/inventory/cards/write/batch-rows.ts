import { ErrorBudget, type FieldError } from '@lintel/sdk';
import { validationFailed, type Problem } from '../../../foundation/errors.js';
import type { CardOperation, Outcome, WrittenRelation } from '../types.js';

export interface RowResult {
  index: number;
  ref?: string;
  id?: string;
  version?: number;
  outcome: Outcome;
  /** Of the relations the operation carried, in their order. */
  relations?: WrittenRelation[];
  errors?: FieldError[];
}

/** The results of a batch, one per operation in order, and the problem a lone operation answers with. */
export class BatchRows {
  readonly results: RowResult[];
  private readonly problems = new Map<number, Problem>();
  private readonly refused = new Set<number>();
  private budget = new ErrorBudget();

  /** @param pointer where operation n's card stands in the body */
  constructor(
    operations: readonly CardOperation[],
    readonly pointer: (index: number) => string,
  ) {
    this.results = operations.map((o, index) => ({
      index,
      ...(o.ref !== undefined && { ref: o.ref }),
      outcome: 'failed' as const,
    }));
  }

  done(index: number, outcome: Outcome, id: string, version?: number): void {
    Object.assign(this.results[index]!, { outcome, id, ...(version !== undefined && { version }) });
  }

  /** Fails a row at one field; `cause` is what a lone operation answers with, else a 422. */
  fail(index: number, field: string, reason: string, cause?: Problem): void {
    this.failAll(index, [{ field: `${this.pointer(index)}/${field}`, reason, in: 'body' }]);
    if (cause && !this.problems.has(index)) this.problems.set(index, cause);
  }

  /** Fails a row for what the whole batch and the database know: for good, the batch is worked out anew without it. */
  refuse(index: number, field: string, reason: string, cause: Problem): void {
    const row = this.results[index]!;
    if (row.outcome === 'created') delete row.id;
    delete row.version;
    this.fail(index, field, reason, cause);
    this.refused.add(index);
  }

  /** Refuses a row for faults beside its card; those of several calls add up. */
  refuseAt(index: number, errors: FieldError[], cause: Problem): void {
    const before = this.refused.has(index) ? this.results[index]!.errors! : [];
    this.refuse(index, '', '', cause);
    this.results[index]!.errors = [...before, ...errors];
  }

  isRefused(index: number): boolean {
    return this.refused.has(index);
  }

  get refusals(): number {
    return this.refused.size;
  }

  /** Forgets every verdict but the refusals, or those too. */
  restart(all = false): void {
    if (all) this.refused.clear();
    this.budget = new ErrorBudget();
    for (const { index, ref } of this.results) {
      if (this.refused.has(index)) continue;
      this.results[index] = { index, ...(ref !== undefined && { ref }), outcome: 'failed' };
      this.problems.delete(index);
    }
  }

  failAll(index: number, errors: FieldError[]): void {
    const row = this.results[index]!;
    row.outcome = 'failed';
    // A single write tells all its faults; how many there may be is bounded where they are found.
    row.errors = [...(row.errors ?? []), ...(this.results.length === 1 ? errors : this.budget.take(errors))];
  }

  /** What a lone operation's failure answers as. */
  problem(index: number): Problem {
    const errors = this.results[index]!.errors ?? [];
    return this.problems.get(index) ?? validationFailed(errors);
  }
}
