import type { UnitOfWork } from '@lintel/sdk';
import { tasksOf } from './repository.js';
import type { Tasks } from './resource.js';

/** Tasks that are changed at once. */
const AT_ONCE = 10_000;

/** Takes tasks out of items that are deleted, with an event for each. */
export async function releaseTasksOf(uow: UnitOfWork, tasks: Tasks, items: readonly string[]): Promise<void> {
  const ids = await tasksOf(uow, items);
  for (let at = 0; at < ids.length; at += AT_ONCE)
    await tasks.writeIn(
      uow,
      ids.slice(at, at + AT_ONCE).map((id) => ({ op: 'update', id, values: { wbs_id: null } })),
    );
}
