import type { FieldError } from '@lintel/sdk';
import { problem } from '../errors.js';
import { countKeys, duplicateKeys } from './duplicate-keys.js';
import { inspectJson } from './unsafe-json.js';

/** Text PostgreSQL cannot store: U+0000 and lone surrogates, as JSON escapes or raw. */
const SUSPECT = /\\u(0000|[dD][89a-fA-F])|\0/;

/**
 * Parses JSON as a body may hold it.
 * @param seen takes all keys there are
 * @returns the value, and what in it is unsafe or ambiguous, with pointers
 * @throws malformed_json
 */
export function parseJson(text: string, seen?: Set<string>): { value: unknown; errors: FieldError[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw problem('malformed_json');
  }
  const { errors, keys } = inspectJson(value, SUSPECT.test(text), seen);
  // Parsers differ in which of two equal keys they take: what was checked before it came here may be the other one.
  if (errors.length === 0 && countKeys(text) !== keys) errors.push(...duplicateKeys(text));
  return { value, errors };
}

/** The refusal of a body with such faults. */
export const unsafeBody = (errors: FieldError[]) =>
  problem('validation_failed', { detail: 'The body holds what cannot be stored, or not without doubt.', errors });
