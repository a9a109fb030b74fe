import { TimeSlice, type FieldError } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { validationFailed } from '../errors.js';
import { fieldErrors, strictAjv } from './ajv.js';
import { BulkCheck, type CheckedBulk, type Validate } from './bulk-check.js';
import { InvalidPart, queryReader, withNul, type JsonSchema } from './compilers.js';
import { unsafeJson } from './unsafe-json.js';

/** Validates the query of a caller inside the process like that of a request. */
type Check<T> = (given: unknown) => T;

/**
 * Creates the validation of a query string for callers that have its parameters as values.
 * @returns a function that returns the parameters as a route's handler would get them, or throws validation_failed
 */
export function queryCheck<T extends TSchema>(schema: T): Check<Static<T>> {
  let compiled: ReturnType<ReturnType<typeof strictAjv>['compile']> | undefined;
  const read = queryReader(schema as JsonSchema);
  return (given) => {
    compiled ??= strictAjv(true).compile(schema);
    const entries = Object.entries(given as object)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, String(value).toWellFormed()]);
    const query = Object.fromEntries(entries) as Record<string, unknown>;
    read(query);
    const wrong = withNul(query);
    if (compiled(query) && wrong.length === 0) return query as Static<T>;
    const others = fieldErrors(compiled.errors ?? [], 'query').filter(({ field }) => !field.includes('\0'));
    throw validationFailed([...wrong, ...others]);
  };
}

/**
 * The same for the body of a bulk request, operation by operation.
 * @returns a function that returns the valid operations and those that are rejected, or throws validation_failed
 */
export function bulkCheck(
  schema: TSchema,
): (given: { mode?: string; operations: readonly unknown[] }) => Promise<CheckedBulk> {
  const compile = (part: object): Validate => {
    let compiled: ValidateFunction | undefined;
    return (value) => {
      compiled ??= strictAjv().compile(part);
      return compiled(value)
        ? undefined
        : { error: new InvalidPart('body', fieldErrors(compiled.errors ?? [], 'body')) };
    };
  };
  const bulk = new BulkCheck(schema, compile, 'a call');
  return async (given) => {
    const unsafe = new Map<number, FieldError[]>();
    const slice = new TimeSlice();
    for (const [index, operation] of given.operations.entries()) {
      const errors = unsafeJson(operation, true);
      if (errors.length > 0) unsafe.set(index, errors);
      if (slice.isOver) await slice.next();
    }
    return await bulk.check(given, unsafe).catch((error: unknown) => {
      throw error instanceof InvalidPart ? validationFailed(error.errors) : error;
    });
  };
}
