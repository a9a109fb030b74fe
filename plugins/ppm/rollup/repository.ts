import type { Bindings, UnitOfWork } from '@lintel/sdk';
import { NOW } from '../basics.js';
import { convertedSql, rateSql } from '../money/conversion-repository.js';
import type { ExchangeRates } from '../money/rates.js';

/** Milliseconds between two writes of the same card. */
export const INTERVAL_MS = 5_000;
const INTERVAL = `interval '${INTERVAL_MS} milliseconds'`;

const MARK = {
  name: 'ppm-rollup-mark',
  text: `insert into ppm_plans as p (card_id, updated_at, rollup_due_at)
    select id, ${NOW}, ${NOW} from unnest($1::uuid[]) as id order by id
    on conflict (card_id) do update set rollup_due_at = excluded.rollup_due_at where p.rollup_due_at is null
    returning card_id, rollup_written_at + ${INTERVAL} as run_at`,
};
const MARK_EXISTING = {
  name: 'ppm-rollup-mark-existing',
  text: `update ppm_plans set rollup_due_at = ${NOW} where card_id = $1 and rollup_due_at is null
    returning card_id, rollup_written_at + ${INTERVAL} as run_at`,
};
const MARK_ALL = {
  name: 'ppm-rollup-mark-all',
  text: `with marked as (update ppm_plans set rollup_due_at = ${NOW} where rollup_due_at is null
      returning card_id, rollup_written_at + ${INTERVAL} as run_at)
    select card_id, run_at from marked where run_at > clock_timestamp()`,
};
const OVERDUE = {
  name: 'ppm-rollup-overdue',
  text: `select card_id from ppm_plans where rollup_due_at < clock_timestamp() - $1 * interval '1 millisecond'
      and coalesce(rollup_written_at + ${INTERVAL}, '-infinity') <= clock_timestamp()
    order by rollup_due_at, card_id limit $2`,
};
const WAITING = {
  name: 'ppm-rollup-waiting',
  text: `select card_id, rollup_written_at + ${INTERVAL} as run_at from ppm_plans
    where rollup_due_at is not null and rollup_written_at + ${INTERVAL} > clock_timestamp() order by rollup_written_at, card_id limit $1`,
};
const LOCK = {
  name: 'ppm-rollup-lock',
  text: `select p.rolled_up from ppm_plans p where p.card_id = $1 and p.rollup_due_at is not null for no key update`,
};
const DONE = {
  name: 'ppm-rollup-done',
  text: `update ppm_plans set rolled_up = $2, rollup_due_at = null, rollup_written_at = clock_timestamp() where card_id = $1`,
};

/**
 * Notes that cards have to be written, in the transaction of the change. The rows are locked until it ends, so that the
 * job reads what it has written.
 * @returns the cards that had nothing to be written yet, with the earliest time of the write, if any
 */
export async function markDue(
  uow: UnitOfWork,
  cardIds: readonly string[],
): Promise<{ card_id: string; run_at: Date | null }[]> {
  return await uow.query(MARK, [cardIds]);
}

/** The same for a card, if it has a plan. */
export async function markExisting(uow: UnitOfWork, cardId: string): Promise<{ run_at: Date | null }[]> {
  return await uow.query(MARK_EXISTING, [cardId]);
}

/** Notes that all cards with a plan have to be written. @returns those that were written so recently that they have to wait, until when */
export async function markAll(uow: UnitOfWork): Promise<{ card_id: string; run_at: Date }[]> {
  return await uow.query(MARK_ALL);
}

/** Cards that should have been written for some time. @param ms since when */
export async function readOverdue(
  db: { query<R extends Record<string, unknown>>(statement: typeof OVERDUE, values: unknown[]): Promise<R[]> },
  ms: number,
  most: number,
): Promise<string[]> {
  return (await db.query<{ card_id: string }>(OVERDUE, [ms, most])).map(({ card_id }) => card_id);
}

/** Cards that have to be written, but not yet, because they were written a moment ago. */
export async function readWaiting(uow: UnitOfWork, most: number): Promise<{ card_id: string; run_at: Date }[]> {
  return await uow.query(WAITING, [most]);
}

/** Locks the plan of a card that has to be written; undefined if it has not. @returns the fields that the roll-up writes */
export async function lockDue(uow: UnitOfWork, cardId: string): Promise<Record<string, true> | undefined> {
  return (await uow.query<{ rolled_up: Record<string, true> }>(LOCK, [cardId]))[0]?.rolled_up;
}

/** Notes what was written. */
export async function noteWritten(uow: UnitOfWork, cardId: string, rolledUp: Record<string, true>): Promise<void> {
  await uow.query(DONE, [cardId, JSON.stringify(rolledUp)]);
}

/** The values of a card by its plan; null without a source for one. Amounts in the currency of the workspace. */
export interface PlanValues {
  status: string;
  costBudget: string | null;
  costActual: string | null;
  startDate: string | null;
  endDate: string | null;
}

/** Reads what the plan of a card says; undefined if there is no such card. */
export async function readValues(
  uow: UnitOfWork,
  bindings: Bindings,
  cardId: string,
  rates: ExchangeRates,
  fiscalYearStart: number,
): Promise<PlanValues | undefined> {
  const bind = (value: unknown): string => bindings.add(value);
  const rateOf = rateSql(rates, bind);
  const id = bind(cardId);
  const start = `make_date(b.fiscal_year, ${bind(fiscalYearStart)}::int, 1)`;
  const sum = (amount: string): string => `coalesce(sum(${convertedSql(amount, 'v.rate')}), 0)`;
  // An aggregate has a row also without lines, and then no value.
  const text = `select c.status,
      (select case when count(*) > 0 then ${sum('b.amount')} end::text from ppm_budgets b
        cross join lateral (select ${rateOf({ currency: 'b.currency', date: start })} as rate offset 0) v where b.card_id = c.id) as "costBudget",
      (select case when count(*) > 0 then ${sum('k.actual')} end::text from ppm_costs k
        cross join lateral (select ${rateOf({ currency: 'k.currency', date: 'k.date' })} as rate offset 0) v where k.card_id = c.id) as "costActual",
      w.starts as "startDate", w.ends as "endDate"
    from cards c left join lateral (select min(i.start_date)::text as starts, max(i.end_date)::text as ends from ppm_wbs i
      where i.card_id = c.id and not exists (select from ppm_wbs j where j.parent_id = i.id)) w on true
    where c.id = ${id}`;
  const [row] = await uow.query<PlanValues & Record<string, unknown>>(
    { name: 'ppm-rollup-values', text },
    bindings.values,
  );
  return row;
}

/** Which fields of cards are computed from their plans. */
export const ROLLED_UP = {
  name: 'ppm-rolled-up',
  text: `select p.card_id, p.rolled_up,
      exists (select from ppm_budgets b where b.card_id = p.card_id) as has_budget, exists (select from ppm_costs k where k.card_id = p.card_id) as has_costs
    from ppm_plans p where p.card_id = any($1)`,
};
