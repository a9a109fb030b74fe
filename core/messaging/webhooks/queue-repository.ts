import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { DeliveryState } from './delivery-schemas.js';
import type { Condition } from './filter.js';

/**
 * Duration of a claim's lease. Longer than an attempt can take, so that two nodes do not send the same delivery
 * concurrently.
 */
export const LEASE_MS = 30_000;
/** Maximum number of concurrent attempts per webhook and node; fewer if the latest attempts failed. */
const PER_WEBHOOK = 8;
const PER_FAILING = 2;
const FAILING = `interval '30 seconds'`;

/** The columns of a webhook needed by the fan-out. */
export interface Subscriber {
  id: string;
  url: string;
  owner_id: string | null;
  types: string[];
  conditions: Condition[];
  from_position: number;
}

export interface NewDelivery {
  id: string;
  webhook_id: string;
  position: number;
  event_type: string;
  subject_id: string;
}

/** A delivery claimed by this node. */
export interface Claim {
  id: string;
  webhook_id: string;
  position: number;
  attempts: number;
  fence: string;
  is_redelivery: boolean;
  url: string;
  owner_id: string | null;
  types: string[];
  conditions: Condition[];
  /** Whether messages are also signed with the previous secret. */
  has_previous: boolean;
}

const SUBSCRIBERS = {
  name: 'webhook-subscribers',
  text: 'select id, url, owner_id, types, conditions, from_position::float8 as from_position from webhooks where is_active',
};
const LOCK_MANY = {
  name: 'webhooks-lock',
  text: 'select id from webhooks where id = any($1::uuid[]) and is_active order by id for no key update',
};
const LOCK = {
  name: 'webhook-lock-row',
  text: `select coalesce(w.last_success_at > d.first_attempt_at, false) as takes_others from webhooks w left join webhook_deliveries d on d.id = $2 where w.id = $1 for no key update of w`,
};
const KEPT_ATTEMPTS = 12;
// The first delivery of a subject is due; later ones wait for it.
const INSERT = {
  name: 'webhook-deliveries-insert',
  text: `insert into webhook_deliveries (id, webhook_id, position, event_type, subject_id, next_at)
    select n.id, n.webhook_id, n.position, n.event_type, n.subject_id, case
      when row_number() over (partition by n.webhook_id, n.subject_id order by n.position) = 1 and not exists (
        select from webhook_deliveries d where d.webhook_id = n.webhook_id and d.subject_id = n.subject_id and d.state = 'pending' and d.redelivery_of is null)
      then clock_timestamp() end
    from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::text[]) as n(id, webhook_id, position, event_type, subject_id)
    on conflict (webhook_id, position) where redelivery_of is null do nothing`,
};
/**
 * Due deliveries, and those whose lease has expired. Webhooks are served fairly: those with the fewest running attempts
 * on this node come first. Uses `now()` and not the clock, so that the index scan has an upper bound: there may be very
 * many later deliveries.
 */
const CLAIM = {
  name: 'webhook-claim',
  text: `with free as (
      select w.id, coalesce(b.busy, 0) as busy, case when w.failing_since < now() - ${FAILING} then ${PER_FAILING} else ${PER_WEBHOOK} end as most
      from webhooks w left join unnest($1::uuid[], $2::int[]) as b(id, busy) on b.id = w.id where w.is_active),
    candidates as (
      select d.id, d.next_at, row_number() over (partition by f.id order by d.next_at, d.position) + f.busy as turn
      from free f cross join lateral (
        select id, next_at, position from webhook_deliveries
        where webhook_id = f.id and state = 'pending' and next_at <= now()
        order by next_at limit greatest(f.most - f.busy, 0) for update skip locked) d),
    chosen as (select id from candidates order by turn, next_at, id limit $3)
    update webhook_deliveries d set fence = fence + 1, next_at = clock_timestamp() + $4 * interval '1 ms', lease_until = clock_timestamp() + $4 * interval '1 ms'
    from chosen, webhooks w where d.id = chosen.id and w.id = d.webhook_id
    returning d.id, d.webhook_id, d.position::float8 as position, d.attempts, d.fence::text as fence, d.redelivery_of is not null as is_redelivery,
      w.url, w.owner_id, w.types, w.conditions, coalesce(w.previous_secret_until > clock_timestamp(), false) as has_previous`,
};
/**
 * Stores the outcome and its effect on the webhook, and makes the next delivery of the subject due; the webhook's row
 * is locked.
 */
const SETTLE = {
  name: 'webhook-settle',
  text: `with settled as (
      update webhook_deliveries set state = $3, attempts = attempts + $4::int, lease_until = null,
        first_attempt_at = case when $4::int > 0 then coalesce(first_attempt_at, clock_timestamp()) else first_attempt_at end,
        log = (case when jsonb_array_length(log) >= ${KEPT_ATTEMPTS} then log - 0 else log end) || $5::jsonb,
        next_at = case when $3 = 'pending' then clock_timestamp() + $6 * interval '1 ms' end,
        finished_at = case when $3 = 'pending' then null else clock_timestamp() end
      where id = $1 and fence = $2 and state = 'pending' returning webhook_id, subject_id, redelivery_of, state),
    promoted as (
      update webhook_deliveries d set next_at = clock_timestamp()
      from settled s cross join lateral (
        select n.id from webhook_deliveries n
        where n.webhook_id = s.webhook_id and n.subject_id = s.subject_id and n.state = 'pending' and n.next_at is null and n.redelivery_of is null
        order by n.position limit 1) n
      where s.state <> 'pending' and s.redelivery_of is null and d.id = n.id),
    figures as (
      update webhooks w set last_attempt_at = clock_timestamp(), last_status = $7, last_error = $8,
        last_success_at = case when $8::text is null then clock_timestamp() else last_success_at end,
        failing_since = case when $8::text is null then null else coalesce(failing_since, clock_timestamp()) end
      from settled s where w.id = s.webhook_id and $4::int > 0
      returning failing_since < clock_timestamp() - $9 * interval '1 hour' as has_failed_too_long)
    select coalesce((select has_failed_too_long from figures), false) as has_failed_too_long from settled`,
};
const GIVE_BACK = {
  name: 'webhook-give-back',
  text: `update webhook_deliveries d set next_at = clock_timestamp(), lease_until = null
    from unnest($1::uuid[], $2::bigint[]) as held(id, fence) where d.id = held.id and d.fence = held.fence and d.state = 'pending'`,
};

/** The enabled webhooks. */
export async function readSubscribers(uow: UnitOfWork): Promise<Subscriber[]> {
  return await uow.query<Subscriber & Record<string, unknown>>(SUBSCRIBERS);
}

/**
 * Stores deliveries of webhooks that are still enabled. The webhooks' rows are locked, so that no concurrent outcome
 * leaves a delivery waiting for one that is already completed.
 */
export async function insertDeliveries(uow: UnitOfWork, deliveries: readonly NewDelivery[]): Promise<void> {
  const locked = await uow.query<{ id: string }>(LOCK_MANY, [[...new Set(deliveries.map((d) => d.webhook_id))]]);
  const on = new Set(locked.map(({ id }) => id));
  const rows = deliveries.filter((d) => on.has(d.webhook_id));
  if (rows.length === 0) return;
  await uow.query(INSERT, [
    rows.map((d) => d.id),
    rows.map((d) => d.webhook_id),
    rows.map((d) => d.position),
    rows.map((d) => d.event_type),
    rows.map((d) => d.subject_id),
  ]);
}

/**
 * @param busy number of running attempts on this node, by webhook
 * @param free maximum number of claims
 */
export async function claimDeliveries(db: Database, busy: ReadonlyMap<string, number>, free: number): Promise<Claim[]> {
  return await db.query<Claim & Record<string, unknown>>(CLAIM, [[...busy.keys()], [...busy.values()], free, LEASE_MS]);
}

export interface Outcome {
  state: DeliveryState;
  /** Whether a request was sent, so that it counts as an attempt and affects the state of the webhook. */
  isAttempt: boolean;
  /** Entry added to the log. */
  entry: { status: number | null; error: string | null } & Record<string, unknown>;
  /** Delay until the next attempt, where the state is pending. */
  waitMs?: number;
}

interface Settled {
  /** Whether all attempts of the webhook have failed for longer than allowed. */
  hasFailedTooLong: boolean;
  /** As in the outcome. */
  waitMs: number | undefined;
}

/**
 * Stores the outcome of a claim.
 * @param outcomeOf called with whether the receiver accepted another delivery since the first attempt
 * @param hours maximum duration of failure of a webhook
 * @returns undefined where the claim belongs to another node or was deleted, and nothing was stored
 */
export async function settleDelivery(
  uow: UnitOfWork,
  { id, webhook_id, fence }: Pick<Claim, 'id' | 'webhook_id' | 'fence'>,
  outcomeOf: (takesOthers: boolean) => Outcome,
  hours: number,
): Promise<Settled | undefined> {
  // A separate statement: the one that finds the next delivery must see what was committed before the lock was granted.
  const [lock] = await uow.query<{ takes_others: boolean }>(LOCK, [webhook_id, id]);
  if (!lock) return undefined;
  const { state, isAttempt, entry, waitMs } = outcomeOf(lock.takes_others);
  const [row] = await uow.query<{ has_failed_too_long: boolean }>(SETTLE, [
    id,
    fence,
    state,
    isAttempt ? 1 : 0,
    JSON.stringify([entry]),
    waitMs ?? 0,
    entry.status,
    entry.error,
    hours,
  ]);
  return row && { hasFailedTooLong: row.has_failed_too_long, waitMs };
}

/** Returns claims for other nodes; this does not count as an attempt. */
export async function giveBack(db: Database, claims: readonly Pick<Claim, 'id' | 'fence'>[]): Promise<void> {
  if (claims.length > 0) await db.query(GIVE_BACK, [claims.map((c) => c.id), claims.map((c) => c.fence)]);
}
