import type { FieldError } from '@lintel/sdk';
import { problem, type Problem } from '../errors.js';
import type { CardOperation, Outcome } from './types.js';

export interface RowResult {
  index: number;
  ref?: string;
  id?: string;
  version?: number;
  outcome: Outcome;
  errors?: FieldError[];
}

/** The results of a batch, one per operation in order, and the problem a lone operation answers with. */
export class BatchRows {
  readonly results: RowResult[];
  private readonly problems = new Map<number, Problem>();

  /** @param pointer where operation n's card stands in the body */
  constructor(operations: readonly CardOperation[], readonly pointer: (index: number) => string) {
    this.results = operations.map((o, index) => ({ index, ...(o.ref !== undefined && { ref: o.ref }), outcome: 'failed' as const }));
  }

  get anyFailed(): boolean {
    return this.results.some((r) => r.outcome === 'failed');
  }

  failed(index: number): boolean {
    return this.results[index]!.outcome === 'failed';
  }

  done(index: number, outcome: Outcome, id: string, version?: number): void {
    Object.assign(this.results[index]!, { outcome, id, ...(version !== undefined && { version }) });
  }

  /** Fails a row at one field; `cause` is what a lone operation answers with, else a 422. */
  fail(index: number, field: string, reason: string, cause?: Problem): void {
    this.failAll(index, [{ field: `${this.pointer(index)}/${field}`, reason, in: 'body' }]);
    if (cause && !this.problems.has(index)) this.problems.set(index, cause);
  }

  failAll(index: number, errors: FieldError[]): void {
    const row = this.results[index]!;
    row.outcome = 'failed';
    row.errors = [...(row.errors ?? []), ...errors];
  }

  /** What a lone operation's failure answers as. */
  problem(index: number): Problem {
    const errors = this.results[index]!.errors ?? [];
    return this.problems.get(index) ?? problem('validation_failed', { detail: `${errors.length} invalid field${errors.length === 1 ? '' : 's'}`, errors });
  }
}
