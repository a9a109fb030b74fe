import type { ModuleServices, UnitOfWork } from '@lintel/sdk';

const FIND = { name: 'diagrams-groups-find', text: 'select id from diagrams_groups where id = any($1::uuid[])' };
// UNION removes duplicates, so that it ends even for a cycle.
const BELOW = {
  name: 'diagrams-groups-below',
  text: `with recursive above as (select id, parent_id from diagrams_groups where id = $1
      union select g.id, g.parent_id from above a join diagrams_groups g on g.id = a.parent_id)
    select exists (select from above where id = $2) as is_below`,
};

/** The ids of these groups that exist. */
export async function findGroups(db: ModuleServices['db'], ids: readonly string[]): Promise<Set<string>> {
  return new Set((await db.query<{ id: string }>(FIND, [ids])).map(({ id }) => id));
}

/** Whether a group is the other one, or below it. */
export async function isBelow(uow: UnitOfWork, id: string, above: string): Promise<boolean> {
  return (await uow.query<{ is_below: boolean }>(BELOW, [id, above]))[0]!.is_below;
}
