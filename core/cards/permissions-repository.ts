import type { CardRef } from '@lintel/sdk';
import type { Database } from '../db/database.js';

const REF = { name: 'card-ref', text: 'select id, type, name, status from cards where id = $1' };
const ROLES_HELD = {
  name: 'card-roles-held',
  text: `select c.type, array(select s.role from card_stakeholders s where s.card_id = c.id and s.user_id = $2 order by s.role) as roles
    from cards c where c.id = $1`,
};

/** What decides who may see a card. */
export async function readCardRef(db: Database, id: string): Promise<CardRef | undefined> {
  return (await db.query<CardRef & Record<string, unknown>>(REF, [id]))[0];
}

/** The type of a card and the stakeholder roles a user holds on it. */
export async function readRolesHeld(db: Database, id: string, userId: string): Promise<{ type: string; roles: string[] } | undefined> {
  return (await db.query<{ type: string; roles: string[] }>(ROLES_HELD, [id, userId]))[0];
}
