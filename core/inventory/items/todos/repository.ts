import type { Database } from '../../../foundation/db/database.js';
import { readPage } from '../../../foundation/db/list.js';
import { Bindings, type ListSpec } from '../../../foundation/db/list-query.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { Page } from '../../../foundation/http/respond.js';
import type { CardBounds } from '../../../settings/index.js';
import { hasRoom, type CardItems } from '../room-repository.js';
import type { OwnTodoQuery, TodoQuery } from './schemas.js';

// Dates are returned as text, which avoids time zone conversions.
const COLUMNS =
  'd.id, d.title, d.status, d.assignee_id, d.due_date::text, d.created_by, d.created_at, d.updated_at, d.version';
const SORTS: ListSpec['sorts'] = {
  due_date: { sql: 'd.due_date', type: 'date', nullable: true },
  created_at: { sql: 'd.created_at', type: 'timestamptz' },
};
const ON_CARD: ListSpec = { table: 'card_todos d', id: 'd.id', sorts: SORTS, defaultSort: 'created_at' };
const OWN: ListSpec = { ...ON_CARD, defaultSort: 'due_date' };
const NOW = "date_trunc('milliseconds', clock_timestamp())";

const FIND = { name: 'todo-find', text: `select ${COLUMNS} from card_todos d where d.card_id = $1 and d.id = $2` };
/** Where the to-dos of cards are, for their bounds. */
export const TODOS: CardItems = { item: 'todos', table: 'card_todos', author: 'created_by' };
const INSERT = {
  name: 'todo-insert',
  text: `insert into card_todos (id, card_id, title, status, assignee_id, due_date, created_by, created_at, updated_at)
    select $1, $2, $3, $4, $5, $6, $7, at, at from (select ${NOW} as at) now
    where ${hasRoom(TODOS, { card: '$2', author: '$7', most: '$8', share: '$9' })} returning id`,
};
const UPDATE = {
  name: 'todo-update',
  text: `update card_todos set title = $2, status = $3, assignee_id = $4, due_date = $5, version = version + 1,
      updated_at = greatest(updated_at + interval '1 ms', ${NOW}) where id = $1 returning version`,
};
const REMOVE = { name: 'todo-remove', text: 'delete from card_todos where id = $1' };
const RELEASE = {
  name: 'todo-release',
  text: `update card_todos d set assignee_id = null, version = d.version + 1, updated_at = greatest(d.updated_at + interval '1 ms', ${NOW})
    from cards c where c.id = d.card_id and d.assignee_id = $1
    returning d.id, d.status, c.id as card_id, c.type as card_type, c.name as card_name`,
};
/** Locked against deletion until the unit of work ends. */
const ACTIVE_USER = { name: 'todo-assignee', text: 'select id from users where id = $1 and is_active for key share' };

export interface TodoFields {
  title: string;
  status: 'open' | 'done';
  assignee_id: string | null;
  due_date: string | null;
}
export interface TodoRow extends TodoFields {
  id: string;
  created_by: string | null;
  created_at: Date;
  updated_at: Date;
  version: number;
}
interface OwnTodoRow extends TodoRow {
  card_id: string;
  card_type: string;
  card_name: string;
}

export async function listTodos(db: Database, cardId: string, query: TodoQuery): Promise<Page<TodoRow>> {
  const bindings = new Bindings();
  const where = [`d.card_id = ${bindings.add(cardId)}`];
  if (query.status !== undefined) where.push(`d.status = ${bindings.add(query.status)}`);
  return readPage<TodoRow & Record<string, unknown>>(db, {
    spec: ON_CARD,
    params: query,
    where,
    bindings,
    scope: JSON.stringify([cardId, query.status]),
    columns: COLUMNS,
  });
}

/**
 * The to-dos of a user on active cards.
 * @param cardTypes card types visible to the user
 */
export async function listOwnTodos(
  db: Database,
  userId: string,
  cardTypes: readonly string[],
  query: OwnTodoQuery,
): Promise<Page<OwnTodoRow>> {
  const bindings = new Bindings();
  const where = [
    `d.assignee_id = ${bindings.add(userId)}`,
    `exists (select from cards c where c.id = d.card_id and c.status = 'ACTIVE' and c.type = any(${bindings.add(cardTypes)}::text[]))`,
  ];
  if (query.status !== undefined) where.push(`d.status = ${bindings.add(query.status)}`);
  if (query.due_from !== undefined) where.push(`d.due_date >= ${bindings.add(query.due_from)}::date`);
  if (query.due_until !== undefined) where.push(`d.due_date <= ${bindings.add(query.due_until)}::date`);
  return readPage<OwnTodoRow & Record<string, unknown>>(db, {
    spec: OWN,
    params: query,
    where,
    bindings,
    scope: JSON.stringify([userId, query.status, query.due_from, query.due_until]),
    columns: `${COLUMNS}, c.id as card_id, c.type as card_type, c.name as card_name`,
    joins: 'left join cards c on c.id = d.card_id',
  });
}

/** From the pool, or in a unit of work that has locked the card. */
export async function findTodo(
  db: Pick<Database, 'query'> | UnitOfWork,
  cardId: string,
  id: string,
): Promise<TodoRow | undefined> {
  return (await db.query<TodoRow & Record<string, unknown>>(FIND, [cardId, id]))[0];
}

export async function isActiveUser(uow: UnitOfWork, id: string): Promise<boolean> {
  return (await uow.query(ACTIVE_USER, [id])).length > 0;
}

/** The card must be locked. @returns whether it had room */
export async function insertTodo(
  uow: UnitOfWork,
  item: TodoFields & Pick<TodoRow, 'id' | 'created_by'> & { card_id: string },
  { most, share }: CardBounds,
): Promise<boolean> {
  return (
    (
      await uow.query(INSERT, [
        item.id,
        item.card_id,
        item.title,
        item.status,
        item.assignee_id,
        item.due_date,
        item.created_by,
        most,
        share,
      ])
    ).length > 0
  );
}

/** @returns the new version */
export async function updateTodo(uow: UnitOfWork, id: string, item: TodoFields): Promise<number> {
  return (
    await uow.query<{ version: number }>(UPDATE, [id, item.title, item.status, item.assignee_id, item.due_date])
  )[0]!.version;
}

interface ReleasedTodo
  extends Pick<OwnTodoRow, 'id' | 'status' | 'card_id' | 'card_type' | 'card_name'>,
    Record<string, unknown> {}

/** Removes a user as assignee of all to-dos. @returns those to-dos */
export async function releaseTodos(uow: UnitOfWork, userId: string): Promise<ReleasedTodo[]> {
  return await uow.query<ReleasedTodo>(RELEASE, [userId]);
}

export async function deleteTodo(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(REMOVE, [id]);
}
