import type { Inventory, InventoryFilters, ModuleServices } from '@lintel/sdk';
import { INITIATIVE_TYPE } from '../basics.js';

/** A task with an assignee. Dates are YYYY-MM-DD; those of its item where it has none. */
export interface TaskRow extends Record<string, unknown> {
  card_id: string;
  assignee_id: string;
  /** Hundredths of an hour; 0 for a task without an effort. */
  effort: number;
  start_date: string | null;
  due_date: string | null;
}

const COLUMNS = `t.card_id, t.assignee_id, coalesce(t.effort_hours * 100, 0)::float8 as effort,
  coalesce(t.start_date, w.start_date, t.due_date)::text as start_date, coalesce(t.due_date, w.end_date, t.start_date)::text as due_date`;
const FROM = 'ppm_tasks t left join ppm_wbs w on w.id = t.wbs_id';
const WHERE = 't.assignee_id is not null';

/** The tasks of a plan that have an assignee. @param done whether completed ones are included */
export const readTasks = ({ db }: Pick<ModuleServices, 'db'>, cardId: string, done: boolean): Promise<TaskRow[]> =>
  db.query<TaskRow>(
    {
      name: 'ppm-load-tasks',
      text: `select ${COLUMNS} from ${FROM} where t.card_id = $1 and ${WHERE} and ($2 or t.status <> 'done')`,
    },
    [cardId, done],
  );

/**
 * The same of all initiatives that match, for tasks that have dates within a span or none.
 * @param most tasks
 */
export const readPortfolioTasks = (
  inventory: Inventory,
  filters: InventoryFilters,
  { from, to, done, most }: { from: string; to: string; done: boolean; most: number },
): Promise<TaskRow[]> =>
  inventory.query<TaskRow>('ppm-load-portfolio', ({ cards, bind }) => {
    return `select * from (select ${COLUMNS} from ${cards({ ...filters, type: INITIATIVE_TYPE }, {}, ['id'])} c join (${FROM}) on t.card_id = c.id
        where ${WHERE} and (${bind(done)}::boolean or t.status <> 'done')) l
      where l.start_date is null or l.due_date is null or (l.start_date <= ${bind(to)} and l.due_date >= ${bind(from)})
      limit ${bind(most)}`;
  });

/** Own calendars of plans, by initiative. */
export async function readOwnCalendars(
  { db }: Pick<ModuleServices, 'db'>,
  cardIds: readonly string[],
): Promise<Map<string, { working_days?: number[]; exceptions?: { date: string; working: boolean }[] }>> {
  const rows = await db.query<{
    card_id: string;
    calendar: { working_days?: number[]; exceptions?: { date: string; working: boolean }[] };
  }>(
    {
      name: 'ppm-load-calendars',
      text: 'select card_id, calendar from ppm_plans where calendar is not null and card_id = any($1::uuid[])',
    },
    [cardIds],
  );
  return new Map(rows.map(({ card_id, calendar }) => [card_id, calendar]));
}
