import type { Database } from '../../foundation/db/database.js';

interface Budget {
  allowed: boolean;
  /** Number of operations left. */
  available: number;
}

// Uses the database's clock, which all nodes share; requests of one user are serialised by the row lock.
const SPEND = {
  name: 'write-budget-spend',
  text: `insert into write_budgets as b (user_id, available, was_allowed, at) values ($1, $2::float8 - $3::float8, true, clock_timestamp())
    on conflict (user_id) do update set (available, was_allowed, at) = (
      select case when now_left >= $3::float8 then now_left - $3::float8 else now_left end, now_left >= $3::float8, now
      from (select clock_timestamp() as now) as c,
        lateral (select least($2::float8, b.available + greatest(0, extract(epoch from now - b.at)) * $2::float8 / 60) as now_left) as l)
    returning was_allowed as allowed, available`,
};

// At most an hour of writes is owed, however large an event was.
const CHARGE = {
  name: 'write-budget-charge',
  text: `insert into write_budgets as b (user_id, available, was_allowed, at) values ($1, $2::float8 - $3::float8, true, clock_timestamp())
    on conflict (user_id) do update set (available, at) = (
      select greatest($2::float8 * -60, least($2::float8, b.available + greatest(0, extract(epoch from now - b.at)) * $2::float8 / 60) - $3::float8), now
      from (select clock_timestamp() as now) as c)`,
};

/**
 * Token bucket of a user's writes: refilled evenly with `perMinute` tokens per minute, which is also its capacity. A
 * rejected request takes none.
 * @param cost number of operations, at most `perMinute`
 */
export async function spendBudget(db: Database, userId: string, perMinute: number, cost: number): Promise<Budget> {
  return (await db.query<Budget & Record<string, unknown>>(SPEND, [userId, perMinute, cost]))[0]!;
}

/** Takes tokens for what was written already, also where none are left: the next writes wait until they are refilled. */
export async function chargeBudget(db: Database, userId: string, perMinute: number, cost: number): Promise<void> {
  await db.query(CHARGE, [userId, perMinute, cost]);
}
