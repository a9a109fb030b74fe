import type { ValidateFunction } from 'ajv';
import { problem } from '../errors.js';
import { fieldErrors, strictAjv } from '../http/ajv.js';
import { toMergePatch } from '../json-patch.js';
import { CardPatch } from './schemas.js';
import type { CardInput } from './types.js';

const WRITABLE = Object.keys(CardPatch.properties);
let compiled: ValidateFunction | undefined;

/**
 * What a JSON Patch does to a card, as the input of an update.
 * @param json the card as the caller sees it; what is not shown is not there
 * @throws a 422 where the result would be no card
 */
export function writablePatch(json: string, patch: readonly unknown[]): CardInput {
  const card = JSON.parse(json) as Record<string, unknown>;
  const input = toMergePatch(Object.fromEntries(WRITABLE.map((key) => [key, card[key]])), patch);
  compiled ??= strictAjv().compile(CardPatch);
  if (!compiled(input)) throw problem('validation_failed', { errors: fieldErrors(compiled.errors ?? [], 'body') });
  return input as CardInput;
}
