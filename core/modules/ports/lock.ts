import type { LockOptions, UnitOfWork } from '@lintel/sdk';
import { problem } from '../../foundation/errors.js';
import { lockName } from '../repository.js';
import { ModuleUnit } from './unit.js';

const WAIT_MS = 5_000;
/** Below the timeout of statements, which would end the wait with another problem. */
const MOST_MS = 30_000;

/**
 * Locks a name of a module until the transaction ends.
 * @throws conflict if another transaction holds it for longer than the wait
 */
export async function lockIn(
  module: string,
  unit: UnitOfWork,
  name: string,
  { waitMs = WAIT_MS }: LockOptions = {},
): Promise<void> {
  if (typeof name !== 'string' || name === '' || name.length > 500)
    throw new Error(`a lock of ${module} has a name that is not 1 to 500 characters long`);
  if (!Number.isInteger(waitMs) || waitMs < 1 || waitMs > MOST_MS)
    throw new Error(`a lock of ${module} has a wait that is not 1 to ${MOST_MS} ms`);
  try {
    await lockName(ModuleUnit.core(unit), module, name, waitMs);
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error;
    throw problem('conflict', {
      detail: 'Another request is working on the same; try again.',
      headers: { 'retry-after': '1' },
      cause: error,
    });
  }
}
