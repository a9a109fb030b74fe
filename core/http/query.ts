import type { Static, TSchema } from 'typebox';
import { problem } from '../errors.js';
import { fieldErrors, strictAjv } from './ajv.js';
import { queryReader, withNul, type JsonSchema } from './compilers.js';
import { unsafeJson } from './unsafe-json.js';

/** A body or a query of a caller inside the process, checked as a request's would be. */
export type Check<T> = (given: unknown) => T;

/**
 * Makes the check of a query string for callers that have its parameters as values.
 * @returns a function that gives the parameters as a route's handler gets them, or throws validation_failed
 */
export function queryCheck<T extends TSchema>(schema: T): Check<Static<T>> {
  let compiled: ReturnType<ReturnType<typeof strictAjv>['compile']> | undefined;
  const read = queryReader(schema as JsonSchema);
  return (given) => {
    compiled ??= strictAjv(true).compile(schema);
    const entries = Object.entries(given as object).filter(([, value]) => value !== undefined).map(([key, value]) => [key, String(value).toWellFormed()]);
    const query = Object.fromEntries(entries) as Record<string, unknown>;
    read(query);
    const wrong = withNul(query);
    if (compiled(query) && wrong.length === 0) return query as Static<T>;
    const others = fieldErrors(compiled.errors ?? [], 'query').filter(({ field }) => !field.includes('\0'));
    throw refused([...wrong, ...others]);
  };
}

/** The same for a body. */
export function bodyCheck<T extends TSchema>(schema: T): Check<Static<T>> {
  let compiled: ReturnType<ReturnType<typeof strictAjv>['compile']> | undefined;
  return (given) => {
    const unsafe = unsafeJson(given, true);
    if (unsafe.length > 0) throw refused(unsafe);
    compiled ??= strictAjv().compile(schema);
    if (compiled(given)) return given as Static<T>;
    throw refused(fieldErrors(compiled.errors ?? [], 'body'));
  };
}

const refused = (errors: ReturnType<typeof fieldErrors>) => problem('validation_failed', { detail: `${errors.length} invalid field${errors.length === 1 ? '' : 's'}`, errors });
