import type { RequestContext } from '@lintel/sdk';
import { problem } from './errors.js';

/** What a change is meant for: the one version an operation of a bulk names, or those of If-Match, any of which will do. */
export type Condition = number | ReadonlySet<number> | undefined;

/** Whether a resource at `version` is none of those a change is meant for; without a condition it never is. */
export function isStale(condition: Condition, version: number): boolean {
  return condition !== undefined && (typeof condition === 'number' ? condition !== version : !condition.has(version));
}

/** The latest version a caller has seen, by the condition of the request; undefined where it names none. */
export function latestSeen(condition: Condition): number | undefined {
  if (typeof condition !== 'object') return condition;
  return condition.size > 0 ? Math.max(...condition) : undefined;
}

/**
 * Compares If-Match with the version of a resource; call it under the lock of its row. What is not there is a 404 before.
 * A route that demands a version (`conditional: 'required'`) is refused without one.
 * @param changed names of the fields the request would change, or what gives them
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

/** The fields of a patch that differ from what is stored. */
export function differing<T extends object>(stored: T, patch: Partial<T>): (keyof T & string)[] {
  return (Object.keys(patch) as (keyof T & string)[]).filter(
    (key) => patch[key] !== undefined && patch[key] !== stored[key],
  );
}
