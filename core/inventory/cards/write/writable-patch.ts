import type { ValidateFunction } from 'ajv';
import { Problem, validationFailed } from '../../../foundation/errors.js';
import { fieldErrors, strictAjv } from '../../../foundation/http/ajv.js';
import { toMergePatch } from '../../../foundation/json-patch.js';
import { CardPatch } from '../schemas.js';
import type { CardInput } from '../types.js';

const WRITABLE = Object.keys(CardPatch.properties);
let compiled: ValidateFunction | undefined;

/**
 * What a JSON Patch does to a card.
 * @param json the card as the caller sees it; what is not shown is not there
 * @returns the input of an update; or the problem to answer with, where the patch does not fit or its result is no card
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
