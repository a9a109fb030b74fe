import type { ValidateFunction } from 'ajv';
import { Problem, validationFailed } from '../../../foundation/errors.js';
import { fieldErrors, strictAjv } from '../../../foundation/http/ajv.js';
import { toMergePatch } from '../../../foundation/json-patch.js';
import { CardPatch } from '../schemas.js';
import type { CardInput } from '../types.js';

const WRITABLE = Object.keys(CardPatch.properties);
let compiled: ValidateFunction | undefined;

/**
 * Converts a JSON Patch to the input of an update.
 * @param json the card as shown to the caller; members that are not shown cannot be patched
 * @returns the input; or the problem, where the patch cannot be applied or its result is not valid
 */
export function writablePatch(json: string, patch: readonly unknown[]): { card?: CardInput; fault?: Problem } {
  const card = JSON.parse(json) as Record<string, unknown>;
  try {
    const input = toMergePatch(Object.fromEntries(WRITABLE.map((key) => [key, card[key]])), patch);
    compiled ??= strictAjv().compile(CardPatch);
    return compiled(input)
      ? { card: input as CardInput }
      : { fault: validationFailed(fieldErrors(compiled.errors ?? [], 'body')) };
  } catch (error) {
    if (error instanceof Problem) return { fault: error };
    throw error;
  }
}
