import type { Inventory, InventoryFilters } from '@lintel/sdk';

export interface RoleRow extends Record<string, unknown> {
  type: string;
  role: string;
  /** Cards on which the role is held. */
  held: number;
}

/** How many cards of each type have each role, and how many have none. @throws forbidden without stakeholders.view */
export async function readRoles(
  inventory: Inventory,
  filters: InventoryFilters,
): Promise<{ roles: RoleRow[]; types: { type: string; count: number; without: number }[] }> {
  const roles = await inventory.query<RoleRow>(
    'report-stakeholder-roles',
    ({ cards, stakeholders }) => `select c.type, s.role, count(distinct c.id)::int as held
      from ${cards(filters, {}, ['id', 'type'])} c join ${stakeholders()} s on s.card_id = c.id group by 1, 2`,
  );
  const types = await inventory.query<{ type: string; count: number; without: number }>(
    'report-stakeholder-types',
    ({ cards, stakeholders, bind }) => {
      const types = bind(inventory.stakeholderTypes);
      const source = cards(filters, {}, ['id', 'type']);
      // Cards with stakeholders are counted from their side: looking for those of each card takes three times as long.
      return `with counted as (select c.type, count(*) as count from ${source} c where c.type = any(${types}::text[]) group by 1),
        held as (select c.type, count(*) as count from ${source} c join (select distinct s.card_id from ${stakeholders()} s) h on h.card_id = c.id group by 1)
      select c.type, c.count::int as count, (c.count - coalesce(h.count, 0))::int as without from counted c left join held h on h.type = c.type`;
    },
  );
  return { roles, types };
}

export interface UserRow extends Record<string, unknown> {
  user_id: string;
  count: number;
  roles: { role: string; count: number }[];
}

/** The users with roles on most cards. @throws forbidden without stakeholders.view */
export const readUsers = (inventory: Inventory, filters: InventoryFilters, most: number): Promise<UserRow[]> =>
  inventory.query<UserRow>(
    'report-stakeholder-users',
    ({ cards, stakeholders, bind }) => `with held as (select s.user_id, s.role, c.id
        from ${cards(filters, {}, ['id'])} c join ${stakeholders()} s on s.card_id = c.id),
      users as (select user_id, count(distinct id)::int as count from held group by 1 order by 2 desc, 1 limit ${bind(most)})
      select u.user_id, u.count, (select jsonb_agg(jsonb_build_object('role', r.role, 'count', r.n) order by r.n desc, r.role)
          from (select h.role, count(distinct h.id) as n from held h where h.user_id = u.user_id group by 1) r) as roles
      from users u order by u.count desc, u.user_id`,
  );
