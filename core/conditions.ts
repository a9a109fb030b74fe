import type { RequestContext } from '@lintel/sdk';
import { problem } from './errors.js';

/**
 * Compares If-Match with the version of a resource; call it under the lock of its row.
 * @param changed names of the fields the request would change
 * @throws precondition_failed
 */
export function checkVersion(ctx: RequestContext, version: number, changed: readonly string[]): void {
  if (ctx.ifMatch !== undefined && ctx.ifMatch !== version) throw problem('precondition_failed', { current_version: version, changed_fields: changed });
}

/** The fields of a patch that differ from what is stored. */
export function differing<T extends object>(stored: T, patch: Partial<T>): (keyof T & string)[] {
  return (Object.keys(patch) as (keyof T & string)[]).filter((key) => patch[key] !== undefined && patch[key] !== stored[key]);
}
