import type { Database } from '../../../foundation/db/database.js';

const ROLES_HELD = {
  name: 'card-roles-held',
  text: `select c.type, coalesce((select json_agg(json_build_object('role', s.role, 'type', k.type, 'name', k.name, 'is_above', k.id <> c.id) order by at.n desc, s.role)
      from unnest(c.path_ids || c.id) with ordinality as at(id, n) join card_stakeholders s on s.card_id = at.id and s.user_id = $2 join cards k on k.id = at.id), '[]') as roles
    from cards c where c.id = $1`,
};

/** A stakeholder role, and the card it is held on. */
export interface HeldRole {
  role: string;
  type: string;
  name: string;
  /** Whether that card is above the requested one. */
  is_above: boolean;
}

interface RolesHeld extends Record<string, unknown> {
  type: string;
  roles: HeldRole[];
}

const STAKES_COUNTED = {
  name: 'card-stakes-counted',
  text: `select c.type, s.role, count(*)::int as cards from card_stakeholders s join cards c on c.id = s.card_id
    where s.user_id = $1 group by c.type, s.role order by 1, 2`,
};

/** On how many cards of each type a user has which stakeholder roles. */
export async function countStakes(
  db: Database,
  userId: string,
): Promise<{ type: string; role: string; cards: number }[]> {
  return await db.query<{ type: string; role: string; cards: number }>(STAKES_COUNTED, [userId]);
}

/** The type of a card and the stakeholder roles a user has on it and above it, the nearest first. */
export async function readRolesHeld(db: Database, id: string, userId: string): Promise<RolesHeld | undefined> {
  return (await db.query<RolesHeld>(ROLES_HELD, [id, userId]))[0];
}
