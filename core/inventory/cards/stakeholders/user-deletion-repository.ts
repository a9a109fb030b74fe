import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';

const CARDS_OF = {
  name: 'stakeholder-cards-of',
  text: 'select distinct card_id from card_stakeholders where user_id = $1',
};
const REMOVE_ALL = {
  name: 'stakeholder-remove-all',
  text: `delete from card_stakeholders s using cards c where c.id = s.card_id and s.user_id = $1
    returning s.id, s.card_id, s.role, c.type as card_type, c.name as card_name`,
};

export interface GivenUpRole {
  id: string;
  card_id: string;
  role: string;
  card_type: string;
  card_name: string;
}

/** Ids of the cards of which a user is a stakeholder. */
export async function cardsOfStakeholder(uow: UnitOfWork, userId: string): Promise<string[]> {
  return (await uow.query<{ card_id: string }>(CARDS_OF, [userId])).map(({ card_id }) => card_id);
}

/** Removes a user from all cards. @returns the user's roles */
export async function removeFromAllCards(uow: UnitOfWork, userId: string): Promise<GivenUpRole[]> {
  return await uow.query<GivenUpRole & Record<string, unknown>>(REMOVE_ALL, [userId]);
}
