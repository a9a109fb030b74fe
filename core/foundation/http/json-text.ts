import type { FieldError } from '@lintel/sdk';
import { problem } from '../errors.js';
import { countKeys, duplicateKeys } from './duplicate-keys.js';
import { inspectJson } from './unsafe-json.js';

/** Text that PostgreSQL cannot store: U+0000 and lone surrogates, escaped or raw. */
const SUSPECT = /\\u(0000|[dD][89a-fA-F])|\0/;

/**
 * Parses the JSON of a request body.
 * @param seen collects all keys
 * @returns the value, and its unsafe or ambiguous parts as JSON pointers
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
  // JSON parsers differ in which of two duplicate keys they use: a proxy may have checked the other value.
  if (errors.length === 0 && countKeys(text) !== keys) errors.push(...duplicateKeys(text));
  return { value, errors };
}

/** The problem for a body with such errors. */
export const unsafeBody = (errors: FieldError[]) =>
  problem('validation_failed', { detail: 'The body holds what cannot be stored, or not without doubt.', errors });
