import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';

/** A request that is to be sent. */
export interface NewCall {
  id: string;
  module: string;
  purpose: string;
  userId: string | null;
  provider: string;
  model: string;
  /** US dollars, an upper bound of its cost. */
  reserved: number;
  /** Milliseconds until the reservation expires. */
  expiresMs: number;
  /** Null if texts are not kept. */
  prompt: string | null;
}

/** How a request has ended. */
export interface EndedCall {
  state: 'done' | 'failed';
  reason: string | null;
  detail: string | null;
  /** US dollars; null without prices. */
  cost: number | null;
  inputTokens: number;
  outputTokens: number;
  isEstimated: boolean;
  attempts: number;
  answer: string | null;
}

/**
 * Dollars of a request that count to the cap: its cost, or what was reserved while it is under way and after its node was killed,
 * because the provider may have answered it.
 */
const COUNTED = `case when state = 'open' then reserved else coalesce(cost, 0) end`;

// One statement, so that no month can begin between making its row and locking it.
const LOCK_MONTH = {
  name: 'ai-month-lock',
  text: `insert into ai_months (month) values (date_trunc('month', clock_timestamp() at time zone 'UTC')::date)
    on conflict (month) do update set month = excluded.month returning month::text as month`,
};
// After the lock, as a statement of its own: its snapshot has the requests that were admitted before.
const ADMIT = {
  name: 'ai-call-admit',
  text: `insert into ai_calls (id, month, module, purpose, user_id, provider, model, reserved, expires_at, prompt)
    select $2, $1::date, $3, $4, $5, $6, $7, $8, clock_timestamp() + $9 * interval '1 ms', $10
      where $11::numeric is null or $8::numeric + (select coalesce(sum(${COUNTED}), 0) from ai_calls where month = $1::date) <= $11::numeric
    returning id`,
};
const END = {
  name: 'ai-call-end',
  text: `update ai_calls set state = $2, reason = $3, detail = $4, cost = $5, input_tokens = $6, output_tokens = $7, is_estimated = $8,
      attempts = $9, answer = $10, finished_at = date_trunc('milliseconds', clock_timestamp())
    where id = $1 and state = 'open'`,
};
const FORGET = {
  name: 'ai-call-forget',
  text: `update ai_calls set prompt = null, answer = null, detail = null where id = any(array(select id from ai_calls
    where (prompt is not null or answer is not null) and created_at < clock_timestamp() - $1 * interval '1 day' limit $2)) returning 1 as n`,
};
const DELETE = {
  name: 'ai-call-delete',
  text: `delete from ai_calls where id = any(array(select id from ai_calls
    where created_at < clock_timestamp() - interval '400 days' order by created_at limit $1)) returning 1 as n`,
};
/** Rows of one statement. */
const CHUNK = 2_000;

/**
 * Records a request with its reservation, if the cap of the month allows it. Requests of all nodes are admitted one after the other.
 * @param cap US dollars; null for none
 * @returns whether it may be sent
 */
export async function admit(uow: UnitOfWork, call: NewCall, cap: number | null): Promise<boolean> {
  const { id, module, purpose, userId, provider, model, reserved, expiresMs, prompt } = call;
  const [{ month } = { month: '' }] = await uow.query<{ month: string }>(LOCK_MONTH);
  const values = [month, id, module, purpose, userId, provider, model, reserved, expiresMs, prompt, cap];
  return (await uow.query(ADMIT, values)).length > 0;
}

/** Replaces the reservation by the cost. */
export async function endCall(db: Database, id: string, ended: EndedCall): Promise<void> {
  const { state, reason, detail, cost, inputTokens, outputTokens, isEstimated, attempts, answer } = ended;
  await db.query(END, [id, state, reason, detail, cost, inputTokens, outputTokens, isEstimated, attempts, answer]);
}

/** Deletes prompts, answers and the words of the provider older than these days, and requests older than 400 days. @returns the number of rows */
export async function cleanCalls(db: Database, days: number): Promise<number> {
  let changed = 0;
  for (const [statement, values] of [
    [FORGET, [days, CHUNK]],
    [DELETE, [CHUNK]],
  ] as const)
    for (let n = CHUNK; n === CHUNK; changed += n) n = (await db.query(statement, [...values])).length;
  return changed;
}
