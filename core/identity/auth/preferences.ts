import { invalid } from '../../foundation/errors.js';
import { mergePatch } from '../../foundation/merge-patch.js';

type Json = Record<string, unknown>;

const MAX_BYTES = 16_384;

/**
 * Merges a user's preferences.
 * @throws 422 when they would exceed 16 KiB
 */
export function mergePreferences(current: Json, patch: Json): Json {
  const merged = mergePatch(current, patch) as Json;
  if (Buffer.byteLength(JSON.stringify(merged)) > MAX_BYTES)
    throw invalid({ field: '/preferences', reason: `must not take more than ${MAX_BYTES} bytes` });
  return merged;
}
