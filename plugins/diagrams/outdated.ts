import type { ModuleServices } from '@lintel/sdk';
import type { Settings } from './settings.js';

/** Attempts to write while other users write the same diagram. */
const ATTEMPTS = 5;

/** Another transaction has changed the diagram since what decides about the write was read. */
export class Outdated extends Error {}

/**
 * Writes a diagram, again if another user has meanwhile changed what was read for it.
 * @param write throws `Outdated` before it changes anything
 * @returns what it returns
 * @throws conflict where other users keep changing the diagram
 */
export async function retried<T>(host: ModuleServices<Settings>, write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      if (attempt === ATTEMPTS)
        throw host.problem('conflict', { detail: 'Other users are saving the diagram; try again.' });
    }
  }
}

/** Whether two lists have the same ids, each once, in any order. */
function isSame(a: readonly string[], b: readonly string[]): boolean {
  const ids = new Set(a);
  return a.length === b.length && b.every((id) => ids.has(id));
}

/**
 * Requires that the locked diagram has the cards on which a right or a check is based.
 * @param before the cards that were checked; undefined: the write does not depend on them
 * @throws Outdated
 */
export function requireSame(before: readonly string[] | undefined, locked: readonly string[]): void {
  if (before && !isSame(before, locked)) throw new Outdated();
}
