import type { ReadPort, UnitOfWork } from '@lintel/sdk';
import { NOW } from '../basics.js';
import type { PlanCalendar } from './schemas.js';

type Row<T> = T & Record<string, unknown>;
/** What reads: the database, or a unit of work to include its changes. */
export type On = Pick<ReadPort, 'query'> | Pick<UnitOfWork, 'query'>;

/** The stored settings of the plan of an initiative. */
export interface PlanRow {
  card_id: string;
  version: number;
  updated_at: Date;
  calendar: PlanCalendar | null;
  start_date: string | null;
  rolled_up: Record<string, unknown>;
}

const COLUMNS = 'p.card_id, p.version, p.updated_at, p.calendar, p.start_date::text as start_date, p.rolled_up';
const ENSURE = {
  name: 'ppm-plan-ensure',
  text: `insert into ppm_plans (card_id, updated_at) values ($1, ${NOW}) on conflict (card_id) do nothing`,
};
const LOCK = {
  name: 'ppm-plan-lock',
  text: `select ${COLUMNS} from ppm_plans p where p.card_id = $1 for no key update`,
};
const READ = { name: 'ppm-plan-read', text: `select ${COLUMNS} from ppm_plans p where p.card_id = any($1::uuid[])` };
const PATCH = {
  name: 'ppm-plan-patch',
  text: `update ppm_plans set start_date = $2::date, calendar = $3::jsonb, version = version + 1,
    updated_at = greatest(updated_at + interval '1 ms', ${NOW}) where card_id = $1 returning version`,
};
const COUNTS = {
  name: 'ppm-plan-counts',
  text: `select (select count(*)::int from ppm_wbs where card_id = $1) as wbs, (select count(*)::int from ppm_tasks where card_id = $1) as tasks,
    (select count(*)::int from ppm_dependencies where card_id = $1) as dependencies`,
};
const HOLIDAYS = { name: 'ppm-holidays', text: 'select date::text as date, name from ppm_holidays order by date' };

const SUPERSEDED = {
  name: 'ppm-holiday-superseded',
  text: 'select 1 from ppm_holidays h join ppm_holidays later on later.updated_at > h.updated_at where h.id = $1 limit 1',
};

/** How many rows a plan has. */
export interface PlanCounts {
  wbs: number;
  tasks: number;
  dependencies: number;
}

/** Locks the plan of an initiative until the transaction ends; it is created if there is none. */
export async function lockPlan(uow: Pick<UnitOfWork, 'query'>, cardId: string): Promise<PlanRow> {
  await uow.query(ENSURE, [cardId]);
  return (await uow.query<Row<PlanRow>>(LOCK, [cardId]))[0]!;
}

/** The stored plans of initiatives; those that have none are omitted. */
export async function readPlans(on: On, cardIds: readonly string[]): Promise<Map<string, PlanRow>> {
  return new Map((await on.query<Row<PlanRow>>(READ, [cardIds])).map((row) => [row.card_id, row]));
}

/** @returns the new version */
export async function patchPlan(
  uow: UnitOfWork,
  cardId: string,
  { start_date, calendar }: Pick<PlanRow, 'start_date' | 'calendar'>,
): Promise<number> {
  const json = calendar === null ? null : JSON.stringify(calendar);
  return (await uow.query<{ version: number }>(PATCH, [cardId, start_date, json]))[0]!.version;
}

export async function countPlan(on: On, cardId: string): Promise<PlanCounts> {
  return (await on.query<Row<PlanCounts>>(COUNTS, [cardId]))[0]!;
}

/** The holidays of the organisation, by date. */
export async function readHolidays(on: On): Promise<{ date: string; name: string }[]> {
  return await on.query<{ date: string; name: string }>(HOLIDAYS);
}

/** Whether another holiday was written after this one. */
export async function isSuperseded(on: On, id: string): Promise<boolean> {
  return (await on.query(SUPERSEDED, [id])).length > 0;
}
