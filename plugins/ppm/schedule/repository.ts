import type { ModuleServices, Statement, UnitOfWork } from '@lintel/sdk';
import type { PlanDependency, PlanItem } from './types.js';

/** Reads inside or outside of a transaction. */
export type Reads = Pick<UnitOfWork, 'query'> | ModuleServices['db'];

/** A calendar of a plan as it is stored. */
export interface StoredCalendar {
  working_days?: number[] | null;
  exceptions?: { date: string; working: boolean; name?: string | null }[] | null;
}

export interface PlanRow extends Record<string, unknown> {
  version: number;
  calendar: StoredCalendar | null;
  /** YYYY-MM-DD. */
  start_date: string | null;
}

/** An item with what schedules and their comparisons need. */
export interface ScheduledRow extends PlanItem, Record<string, unknown> {
  position: string;
  title: string;
  /** 0 to 100. */
  completion: number;
  planned_cost: string | null;
  planned_currency: string | null;
}

/** An item as it is stored: descriptions make it many times as large. */
export interface ItemRow extends ScheduledRow {
  description: string | null;
  assignee_id: string | null;
  external_id: string | null;
  version: number;
}

export interface HolidayRow extends Record<string, unknown> {
  date: string;
  name: string;
}

const query = <R extends Record<string, unknown>>(reads: Reads, statement: Statement, values: unknown[] = []) =>
  reads.query<R>(statement, values);

/** The row of a plan; undefined for an initiative whose plan was not changed yet. */
export async function readPlanRow(reads: Reads, cardId: string): Promise<PlanRow | undefined> {
  const [row] = await query<PlanRow>(
    reads,
    { name: 'ppm-schedule-plan', text: 'select version, calendar, start_date::text from ppm_plans where card_id = $1' },
    [cardId],
  );
  return row;
}

const SCHEDULED = `id, parent_id, position::text, title, is_milestone, start_date::text, end_date::text, duration_days,
  constraint_type, constraint_date::text, completion::float8 as completion, planned_cost::text, planned_currency`;
const itemsWith = (name: string, columns: string): Statement => ({
  name,
  text: `select ${columns} from ppm_wbs where card_id = $1 order by ppm_wbs.position, id`,
});
const ITEMS = itemsWith('ppm-schedule-items', SCHEDULED);
const STORED_ITEMS = itemsWith('ppm-stored-items', `${SCHEDULED}, description, assignee_id, external_id, version`);

/** The items of a plan by parent and position, with what schedules need. */
export const readItems = (reads: Reads, cardId: string): Promise<ScheduledRow[]> =>
  query<ScheduledRow>(reads, ITEMS, [cardId]);

/** The same as they are stored. */
export const readStoredItems = (reads: Reads, cardId: string): Promise<ItemRow[]> =>
  query<ItemRow>(reads, STORED_ITEMS, [cardId]);

export type DependencyRow = PlanDependency & Record<string, unknown>;

export const readDependencies = (reads: Reads, cardId: string): Promise<DependencyRow[]> =>
  query<DependencyRow>(
    reads,
    {
      name: 'ppm-schedule-dependencies',
      text: `select id, predecessor_id, successor_id, type, lag_days, version from ppm_dependencies where card_id = $1 order by created_at, id`,
    },
    [cardId],
  );

/** Holidays of the organisation. */
export const readHolidays = (reads: Reads): Promise<HolidayRow[]> =>
  query<HolidayRow>(reads, {
    name: 'ppm-schedule-holidays',
    text: 'select date::text, name from ppm_holidays order by ppm_holidays.date',
  });
