import type { ReadPort, UnitOfWork } from '@lintel/sdk';
import { GAP, type Siblings } from '../plan/order.js';

type On = Pick<ReadPort, 'query'>;

const IN_COLUMN = 'card_id = $1 and status = $2';
const POSITION = {
  name: 'ppm-task-position',
  text: `select position::float8 as position from ppm_tasks where ${IN_COLUMN} and id = $3`,
};
const LAST = {
  name: 'ppm-task-last',
  text: `select max(position)::float8 as position from ppm_tasks where ${IN_COLUMN} and id <> $3`,
};
const BEFORE = {
  name: 'ppm-task-next-before',
  text: `select max(position)::float8 as position from ppm_tasks where ${IN_COLUMN} and id <> $3 and position < $4`,
};
const AFTER = {
  name: 'ppm-task-next-after',
  text: `select min(position)::float8 as position from ppm_tasks where ${IN_COLUMN} and id <> $3 and position > $4`,
};
const RENUMBER = {
  name: 'ppm-task-renumber',
  text: `update ppm_tasks t set position = n.place * ${GAP} from (
      select id, row_number() over (order by position) as place from ppm_tasks where ${IN_COLUMN}
    ) n where n.id = t.id`,
};
const COUNT = { name: 'ppm-task-count', text: 'select count(*)::int as n from ppm_tasks where card_id = $1' };
const LOCK = {
  name: 'ppm-task-lock',
  text: 'select status, position::float8 as position from ppm_tasks where card_id = $1 and id = $2 for no key update',
};
const ITEM = { name: 'ppm-task-item', text: 'select 1 from ppm_wbs where card_id = $1 and id = $2 for key share' };
const OF_ITEMS = {
  name: 'ppm-tasks-of-items',
  text: 'select id from ppm_tasks where wbs_id = any($1::uuid[]) order by id',
};
const COMMENTS = {
  name: 'ppm-task-comment-counts',
  text: 'select task_id, count(*)::int as n from ppm_task_comments where task_id = any($1::uuid[]) group by task_id',
};
const EXISTING = { name: 'ppm-tasks-existing', text: 'select id from ppm_tasks where id = any($1::uuid[])' };
const TASK = { name: 'ppm-task-told', text: 'select title, assignee_id from ppm_tasks where card_id = $1 and id = $2' };

/** A column of the board. @param moved the task that is moved in it or into it */
export function columnOf(uow: UnitOfWork, cardId: string, status: string, moved: string): Siblings {
  const position = async (statement: typeof LAST, ...more: unknown[]): Promise<number | undefined> => {
    const [row] = await uow.query<{ position: number | null }>(statement, [cardId, status, ...more]);
    return row?.position ?? undefined;
  };
  return {
    positionOf: async (id) => (id === moved ? undefined : position(POSITION, id)),
    nextTo: async (at, side) => position(side === 'before' ? BEFORE : AFTER, moved, at),
    last: async () => position(LAST, moved),
    renumber: async () => void (await uow.query(RENUMBER, [cardId, status])),
  };
}

export async function countTasks(uow: UnitOfWork, cardId: string): Promise<number> {
  return (await uow.query<{ n: number }>(COUNT, [cardId]))[0]!.n;
}

/** Locks a task. @returns where it is on the board; undefined if the initiative has no such task */
export async function lockTask(
  uow: UnitOfWork,
  cardId: string,
  id: string,
): Promise<{ status: string; position: number } | undefined> {
  return (await uow.query<{ status: string; position: number }>(LOCK, [cardId, id]))[0];
}

/** Whether an item of the work breakdown belongs to an initiative. */
export async function isItemOf(uow: UnitOfWork, cardId: string, wbsId: string): Promise<boolean> {
  return (await uow.query(ITEM, [cardId, wbsId])).length > 0;
}

/** The ids of the tasks of any of these items. */
export async function tasksOf(uow: UnitOfWork, items: readonly string[]): Promise<string[]> {
  return (await uow.query<{ id: string }>(OF_ITEMS, [items])).map(({ id }) => id);
}

/** The numbers of comments, by task; tasks without comments are omitted. */
export async function commentCounts(on: On, tasks: readonly string[]): Promise<Map<string, number>> {
  const rows = await on.query<{ task_id: string; n: number }>(COMMENTS, [tasks]);
  return new Map(rows.map(({ task_id, n }) => [task_id, n]));
}

/** Those of these tasks that exist. */
export async function existingTasks(on: On, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await on.query<{ id: string }>(EXISTING, [ids])).map(({ id }) => id));
}

/** What a notification says of a task; undefined if the initiative has no such task. */
export async function readTask(
  uow: UnitOfWork,
  cardId: string,
  id: string,
): Promise<{ title: string; assignee_id: string | null } | undefined> {
  return (await uow.query<{ title: string; assignee_id: string | null }>(TASK, [cardId, id]))[0];
}
