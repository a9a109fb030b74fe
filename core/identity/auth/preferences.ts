import { invalid } from '../../foundation/errors.js';

type Json = Record<string, unknown>;

const MAX_BYTES = 16_384;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON Merge Patch, https://www.rfc-editor.org/rfc/rfc7396#section-2 */
function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Json = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merge(result[key], value);
  }
  return result;
}

/**
 * Merges a user's preferences.
 * @throws 422 when they would exceed 16 KiB
 */
export function mergePreferences(current: Json, patch: Json): Json {
  const merged = merge(current, patch) as Json;
  if (Buffer.byteLength(JSON.stringify(merged)) > MAX_BYTES)
    throw invalid({ field: '/preferences', reason: `must not take more than ${MAX_BYTES} bytes` });
  return merged;
}
