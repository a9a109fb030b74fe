import type { RequestContext } from '@lintel/sdk';
import { problem } from './errors.js';

/**
 * The expected version of a resource: one number from a bulk operation, or the set of versions in If-Match, any of
 * which matches.
 */
export type Condition = number | ReadonlySet<number> | undefined;

/** Whether `version` differs from every version the condition expects. Always false without a condition. */
export function isStale(condition: Condition, version: number): boolean {
  return condition !== undefined && (typeof condition === 'number' ? condition !== version : !condition.has(version));
}

/** The latest version the client has seen, according to the request's condition; undefined without a condition. */
export function latestSeen(condition: Condition): number | undefined {
  if (typeof condition !== 'object') return condition;
  return condition.size > 0 ? Math.max(...condition) : undefined;
}

/**
 * Compares If-Match with the current version of a resource. Call it while holding the row lock; a missing resource must
 * already have been answered with 404. A route with `conditional: 'required'` rejects requests without a version.
 * @param changed names of the fields the request would change, or a function that returns them
 * @throws precondition_failed, precondition_required
 */
export function checkVersion(
  ctx: RequestContext,
  version: number,
  changed: readonly string[] | (() => readonly string[]),
): void {
  if (ctx.requiresVersion === true && ctx.ifMatch === undefined)
    throw problem('precondition_required', {
      detail: 'This cannot be undone: If-Match must name the version of what it is meant for.',
    });
  if (isStale(ctx.ifMatch, version))
    throw problem('precondition_failed', {
      current_version: version,
      changed_fields: typeof changed === 'function' ? changed() : changed,
    });
}

/** The names of the patch fields whose values differ from the stored ones. */
export function differing<T extends object>(stored: T, patch: Partial<T>): (keyof T & string)[] {
  return (Object.keys(patch) as (keyof T & string)[]).filter(
    (key) => patch[key] !== undefined && patch[key] !== stored[key],
  );
}
