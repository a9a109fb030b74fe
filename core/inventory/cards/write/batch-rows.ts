import { ErrorBudget, type FieldError } from '@lintel/sdk';
import { validationFailed, type Problem } from '../../../foundation/errors.js';
import type { SetChange } from '../../rule-values.js';
import type { CardOperation, Outcome, WrittenRelation } from '../types.js';

export interface RowResult {
  index: number;
  ref?: string;
  id?: string;
  version?: number;
  outcome: Outcome;
  /** Results of the relations in the operation, in their order. */
  relations?: WrittenRelation[];
  errors?: FieldError[];
}

/** The result of an operation that is not written. */
export interface PreviewResult extends RowResult {
  /** What rules of modules would set. */
  set: readonly SetChange[];
}

/** The results of a batch, one per operation in order, and the problem returned for a single operation. */
export class BatchRows {
  readonly results: RowResult[];
  private readonly problems = new Map<number, Problem>();
  private readonly refused = new Set<number>();
  private budget = new ErrorBudget();

  /** @param pointer returns the pointer to the card of operation n in the body */
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

  /** Fails a row at one field; `cause` is the problem returned for a single operation, otherwise a 422. */
  fail(index: number, field: string, reason: string, cause?: Problem): void {
    this.failAll(index, [{ field: `${this.pointer(index)}/${field}`, reason, in: 'body' }]);
    if (cause && !this.problems.has(index)) this.problems.set(index, cause);
  }

  /** Fails a row by a check of the whole batch or the database: permanently, and the batch is planned again without it. */
  refuse(index: number, field: string, reason: string, cause: Problem | undefined): void {
    const row = this.results[index]!;
    if (row.outcome === 'created') delete row.id;
    delete row.version;
    this.fail(index, field, reason, cause);
    this.refused.add(index);
  }

  /** Refuses a row for these errors; those of several calls are collected. Without `cause` they are a 422 of a single operation. */
  refuseAt(index: number, errors: FieldError[], cause: Problem | undefined): void {
    const row = this.results[index]!;
    const known = this.refused.has(index) ? row.errors! : [];
    row.errors = [];
    this.refuse(index, '', '', cause);
    known.push(...errors);
    row.errors = known;
  }

  isRefused(index: number): boolean {
    return this.refused.has(index);
  }

  get refusals(): number {
    return this.refused.size;
  }

  /** Resets all results except refusals, or including them. */
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
    // A single write reports all its errors; their number is limited where they are found.
    (row.errors ??= []).push(...(this.results.length === 1 ? errors : this.budget.take(errors)));
  }

  /** The problem of a failed single operation. */
  problem(index: number): Problem {
    const errors = this.results[index]!.errors ?? [];
    return this.problems.get(index) ?? validationFailed(errors);
  }
}
