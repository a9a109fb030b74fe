import type { UnitOfWork } from '@lintel/sdk';
import type { Costs } from './costs.js';
import { costsOf } from './repository.js';

/** Cost lines that are changed at once. */
const AT_ONCE = 10_000;

/** Takes cost lines out of items that are deleted, with an event for each. */
export async function releaseCostsOf(uow: UnitOfWork, costs: Costs, items: readonly string[]): Promise<void> {
  const ids = await costsOf(uow, items);
  for (let at = 0; at < ids.length; at += AT_ONCE)
    await costs.writeIn(
      uow,
      ids.slice(at, at + AT_ONCE).map((id) => ({ op: 'update', id, values: { wbs_id: null } })),
    );
}
