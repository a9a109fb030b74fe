import type { UnitOfWork } from '@lintel/sdk';

const DONE_BEFORE = {
  name: 'starter-done-before',
  text: 'select id from starter_items where done and updated_at < now() - make_interval(days => $1) order by updated_at, id limit $2 for update',
};

/** Locks the items that have been done for this many days, the oldest first. @returns their ids */
export async function doneBefore(uow: UnitOfWork, days: number, most: number): Promise<string[]> {
  return (await uow.query<{ id: string }>(DONE_BEFORE, [days, most])).map(({ id }) => id);
}
