import type { RequestContext } from './context.js';
import type { FieldError } from './problem.js';

/** all_or_nothing: one operation that fails undoes all; per_row: the sound ones are stored. */
export type BulkMode = 'all_or_nothing' | 'per_row';

/** An operation of a bulk in the mode `per_row` that is not as the schema says. */
export interface RefusedOperation {
  /** Its place in `operations`. */
  index: number;
  /** As it was sent, where it was sent as text of 1 to 200 characters. */
  ref?: string;
  /** As it was sent. */
  operation: unknown;
  /** What is wrong, with pointers into the body of the request. */
  errors: FieldError[];
}

/** What a call of a bulk is about; a request of a route with `config.bulk` is one. */
export interface BulkCall<Operation> {
  ctx: RequestContext;
  /** `operations` are the sound ones, in their order. */
  body: { mode?: BulkMode; operations: Operation[] };
  refusedOperations: readonly RefusedOperation[];
}

/** What became of one operation. */
export interface BulkRow {
  /** The place of the operation. */
  index: number;
  outcome: string;
  errors?: { field: string; reason: string; in: string }[];
}

/** What became of all of them. */
export interface BulkAnswer<Row extends BulkRow> {
  change_id: string;
  /** How many have which outcome. */
  summary: Record<string, number>;
  results: Row[];
}

/** The row of an operation that was refused before anything was tried. */
export interface RefusedRow extends BulkRow {
  ref?: string;
  outcome: 'failed';
  code: 'validation_failed';
  errors: FieldError[];
}

/** Most errors reported per bulk request and per row, so that many faulty rows do not give an unreadable response. */
const MOST_ERRORS = 10_000;
const MOST_ROW_ERRORS = 20;

/** Bounds what a bulk says of its failed rows: of each one fault at least, and up to twenty while all are not too many. */
export class ErrorBudget {
  private left = MOST_ERRORS;

  /** @returns as many of a row's faults as are told */
  take<T>(errors: readonly T[]): T[] {
    const taken = errors.slice(0, Math.max(1, Math.min(MOST_ROW_ERRORS, this.left)));
    this.left -= taken.length;
    return taken;
  }
}

/** How many rows have which outcome. */
export function outcomesOf(rows: readonly BulkRow[]): Record<string, number> {
  const summary: Record<string, number> = {};
  for (const { outcome } of rows) summary[outcome] = (summary[outcome] ?? 0) + 1;
  return summary;
}

const OPERATION = /^\/operations\/\d+/;

/**
 * Does the sound operations of a bulk and tells of all: in the mode `per_row` an operation that is not as the schema says
 * is a row that failed, and the others are done.
 * @param work does operations; the rows it gives, and the pointers of their errors (`/operations/<place>/…`), count places
 * among the operations it was given, and are put right here. Not called where there is none
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
