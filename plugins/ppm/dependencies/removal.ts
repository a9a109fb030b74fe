import type { UnitOfWork } from '@lintel/sdk';
import { dependenciesOf } from './repository.js';
import type { Dependencies } from './resource.js';

/** Deletes the dependencies of items that are deleted, with an event for each. */
export async function removeDependenciesOf(
  uow: UnitOfWork,
  dependencies: Dependencies,
  items: readonly string[],
): Promise<void> {
  const ids = await dependenciesOf(uow, items);
  await dependencies.writeIn(
    uow,
    ids.map((id) => ({ op: 'delete', id })),
  );
}
