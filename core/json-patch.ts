import fastJsonPatch, { type Operation } from 'fast-json-patch';
import { isDeepStrictEqual } from 'node:util';
import { invalid, problem } from './errors.js';

const { applyPatch, JsonPatchError } = fastJsonPatch;
const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What turns `before` into `after` as a merge patch (RFC 7396): what is gone is null. */
function mergePatch(before: Record<string, unknown>, after: Record<string, unknown>, deep: boolean): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[key], after[key]];
    if (isDeepStrictEqual(old, now)) continue;
    patch[key] = now === undefined ? null : deep && isMap(old) && isMap(now) ? mergePatch(old, now, false) : now;
  }
  return patch;
}

/**
 * Turns a JSON Patch (RFC 6902) into the merge patch that does the same to this document.
 * @param document the members that may be written, with their values
 * @throws patch_test_failed where a `test` does not hold, a 422 where a path does not exist or may not be written
 */
export function toMergePatch(document: Record<string, unknown>, operations: readonly unknown[]): Record<string, unknown> {
  const after = operations.reduce<Record<string, unknown>>((current, operation, n) => {
    try {
      const { newDocument } = applyPatch(current, [operation as Operation], true, false, true);
      const unknown = isMap(newDocument) ? Object.keys(newDocument).find((key) => !(key in document)) : '';
      if (unknown !== undefined) throw invalid({ field: `/${n}/path`, reason: 'names nothing that can be written' });
      return newDocument;
    } catch (error) {
      if (!(error instanceof JsonPatchError || error instanceof TypeError)) throw error;
      if ((error as Error).name === 'TEST_OPERATION_FAILED') throw problem('patch_test_failed', { detail: `The test of operation ${n} does not hold.` });
      throw invalid({ field: `/${n}/path`, reason: 'does not exist or cannot be written' });
    }
  }, document);
  return mergePatch(document, after, true);
}
