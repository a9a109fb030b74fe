import type { Database } from '../../../foundation/db/database.js';
import { readPage } from '../../../foundation/db/list.js';
import { Bindings, type ListParams, type ListSpec } from '../../../foundation/db/list-query.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { Page } from '../../../foundation/http/respond.js';

/** Over `card_stakeholders s`, with the joins below. */
const STAKEHOLDER_COLUMNS = 's.id, s.user_id, s.role, u.display_name';
const STAKEHOLDER_JOINS = 'left join users u on u.id = s.user_id';

const LIST: ListSpec = {
  table: 'card_stakeholders s',
  id: 's.id',
  defaultSort: 'role',
  sorts: {
    role: { sql: 's.role', type: 'text', collate: '"C"' },
    display_name: { sql: '(select lower(display_name) from users where id = s.user_id)', type: 'text' },
  },
};

const USER_NAME = {
  name: 'stakeholder-user',
  text: 'select display_name from users where id = $1 and is_active for key share',
};
const ADD = {
  name: 'stakeholder-add',
  text: `insert into card_stakeholders (id, card_id, user_id, role) select $1, $2, $3, $4
  where (select count(*) from (select from card_stakeholders where card_id = $2 limit $5) held) < $5 returning id`,
};
const LOCK = {
  name: 'stakeholder-lock',
  text: `select ${STAKEHOLDER_COLUMNS} from card_stakeholders s join users u on u.id = s.user_id where s.card_id = $1 and s.id = $2 for update of s`,
};
const REMOVE = { name: 'stakeholder-remove', text: 'delete from card_stakeholders where id = $1' };
const ONE = {
  name: 'stakeholder-get',
  text: `select ${STAKEHOLDER_COLUMNS} from card_stakeholders s ${STAKEHOLDER_JOINS} where s.card_id = $1 and s.id = $2`,
};

const CARDS_OF = {
  name: 'stakeholder-cards-of',
  text: 'select distinct card_id from card_stakeholders where user_id = $1',
};
const REMOVE_ALL = {
  name: 'stakeholder-remove-all',
  text: `delete from card_stakeholders s using cards c where c.id = s.card_id and s.user_id = $1
    returning s.id, s.card_id, s.role, c.type as card_type, c.name as card_name`,
};

export interface Stakeholder {
  id: string;
  user_id: string;
  role: string;
  display_name: string;
}

/** The name of an active user, locked against deletion. */
export async function userName(uow: UnitOfWork, id: string): Promise<string | undefined> {
  return (await uow.query<{ display_name: string }>(USER_NAME, [id]))[0]?.display_name;
}

/** The card must be locked. @returns whether it had fewer than `most` */
export async function addStakeholder(
  uow: UnitOfWork,
  s: { id: string; cardId: string; userId: string; role: string },
  most: number,
): Promise<boolean> {
  return (await uow.query(ADD, [s.id, s.cardId, s.userId, s.role, most])).length > 0;
}

/** A stakeholder of a card, locked until the unit of work ends. */
export async function lockStakeholder(uow: UnitOfWork, cardId: string, id: string): Promise<Stakeholder | undefined> {
  return (await uow.query<Stakeholder & Record<string, unknown>>(LOCK, [cardId, id]))[0];
}

export async function removeStakeholder(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(REMOVE, [id]);
}

export async function readStakeholder(db: Database, cardId: string, id: string): Promise<Stakeholder | undefined> {
  return (await db.query<Stakeholder & Record<string, unknown>>(ONE, [cardId, id]))[0];
}

/** The stakeholders of a card with their roles. */
export async function listStakeholders(
  db: Database,
  cardId: string,
  params: ListParams,
): Promise<Page<Stakeholder & Record<string, unknown>>> {
  const bindings = new Bindings();
  return readPage(db, {
    spec: LIST,
    params,
    where: [`s.card_id = ${bindings.add(cardId)}`],
    bindings,
    scope: cardId,
    columns: STAKEHOLDER_COLUMNS,
    joins: STAKEHOLDER_JOINS,
  });
}

/** A role that a user had on a card. */
interface RemovedRole {
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
export async function removeFromAllCards(uow: UnitOfWork, userId: string): Promise<RemovedRole[]> {
  return await uow.query<RemovedRole & Record<string, unknown>>(REMOVE_ALL, [userId]);
}
