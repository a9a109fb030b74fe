import type { RequestContext } from './context.js';
import type { FieldError } from './problem.js';

/** all_or_nothing: nothing is stored if one operation fails; per_row: the valid ones are stored. */
export type BulkMode = 'all_or_nothing' | 'per_row';

/** An operation of a bulk request in the mode `per_row` that does not match the schema. */
export interface RefusedOperation {
  /** Its position in `operations`. */
  index: number;
  /** The value sent, if it is a text of 1 to 200 characters. */
  ref?: string;
  /** As it was sent. */
  operation: unknown;
  /** The errors, with pointers into the body of the request. */
  errors: FieldError[];
}

/** The content of a bulk request; a request of a route with `config.bulk` is one. */
export interface BulkCall<Operation> {
  ctx: RequestContext;
  /** `operations` are the valid ones, in their order. */
  body: { mode?: BulkMode; operations: Operation[] };
  refusedOperations: readonly RefusedOperation[];
}

/** The result of one operation. */
export interface BulkRow {
  /** The position of the operation. */
  index: number;
  outcome: string;
  errors?: { field: string; reason: string; in: string }[];
}

/** The results of all of them. */
export interface BulkAnswer<Row extends BulkRow> {
  change_id: string;
  /** Number of rows by outcome. */
  summary: Record<string, number>;
  results: Row[];
}

/** The row of an operation that was refused before it was executed. */
export interface RefusedRow extends BulkRow {
  ref?: string;
  outcome: 'failed';
  code: 'validation_failed';
  errors: FieldError[];
}

/** Most errors reported per bulk request and per row, so that many faulty rows do not give an unreadable response. */
const MOST_ERRORS = 10_000;
const MOST_ROW_ERRORS = 20;

/** Limits the errors reported for failed rows: at least one per row, and up to twenty until the total limit is reached. */
export class ErrorBudget {
  private left = MOST_ERRORS;

  /** @returns the errors of a row that are reported */
  take<T>(errors: readonly T[]): T[] {
    const taken = errors.slice(0, Math.max(1, Math.min(MOST_ROW_ERRORS, this.left)));
    this.left -= taken.length;
    return taken;
  }
}

/** Number of rows by outcome. */
export function outcomesOf(rows: readonly BulkRow[]): Record<string, number> {
  const summary: Record<string, number> = {};
  for (const { outcome } of rows) summary[outcome] = (summary[outcome] ?? 0) + 1;
  return summary;
}

const OPERATION = /^\/operations\/\d+/;

/**
 * Executes the valid operations of a bulk request and returns rows for all: in the mode `per_row` an operation that does not match
 * the schema is a failed row, and the others are executed.
 * @param work executes operations; its rows, and the pointers of their errors (`/operations/<index>/…`), contain positions
 * among the operations passed to it, which are converted here. Not called without operations
 */
export async function answerBulk<Operation, Row extends BulkRow>(
  call: BulkCall<Operation>,
  work: (operations: Operation[], mode: BulkMode) => Promise<BulkAnswer<Row>>,
): Promise<BulkAnswer<Row | RefusedRow>> {
  const {
    ctx,
    body: { mode = 'all_or_nothing', operations },
    refusedOperations: refused,
  } = call;
  if (refused.length === 0) return await work(operations, mode);
  const done: BulkAnswer<Row> =
    operations.length === 0 ? { change_id: ctx.changeId, summary: {}, results: [] } : await work(operations, mode);
  const taken = new Set(refused.map(({ index }) => index));
  const places: number[] = [];
  for (let place = 0; places.length < operations.length; place++) if (!taken.has(place)) places.push(place);
  const rows = done.results.map((row): Row => {
    const index = places[row.index]!;
    const errors = row.errors?.map((error) => ({
      ...error,
      field: error.field.replace(OPERATION, `/operations/${index}`),
    }));
    return { ...row, index, ...(errors && { errors }) };
  });
  const failed = refused.map(
    ({ index, ref, errors }): RefusedRow => ({
      index,
      ...(ref !== undefined && { ref }),
      outcome: 'failed',
      code: 'validation_failed',
      errors,
    }),
  );
  const results = [...rows, ...failed].sort((a, b) => a.index - b.index);
  return { change_id: done.change_id, summary: outcomesOf(results), results };
}
