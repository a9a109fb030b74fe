import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { DeliveryState } from './delivery-schemas.js';
import type { Condition } from './filter.js';

/**
 * Duration of a claim's lease. Longer than an attempt can take, so that two nodes do not send the same delivery
 * concurrently.
 */
export const LEASE_MS = 30_000;
/** Maximum number of concurrent attempts per webhook and node: more while the receiver accepts, fewer if the latest attempts failed. */
const PER_WEBHOOK = 8;
const PER_ACCEPTING = 16;
const PER_FAILING = 2;
const LATELY = `now() - interval '30 seconds'`;

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
  /** Whether the webhook has its maximum number of attempts on this node with this one, so that more may be due. */
  is_last: boolean;
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
// In the order of the fan-out, so that the two do not wait for each other.
const LOCK = {
  name: 'webhook-lock-rows',
  text: `select c.id, coalesce(w.last_success_at > d.first_attempt_at, false) as takes_others
    from unnest($1::uuid[], $2::uuid[]) as c(id, webhook_id) join webhooks w on w.id = c.webhook_id left join webhook_deliveries d on d.id = c.id
    order by w.id for no key update of w`,
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
      select w.id, coalesce(b.busy, 0) as busy, case when w.failing_since < ${LATELY} then ${PER_FAILING}
        when w.failing_since is null and w.last_success_at > ${LATELY} then ${PER_ACCEPTING} else ${PER_WEBHOOK} end as most
      from webhooks w left join unnest($1::uuid[], $2::int[]) as b(id, busy) on b.id = w.id where w.is_active),
    candidates as (
      select d.id, d.next_at, f.most, row_number() over (partition by f.id order by d.next_at, d.position) + f.busy as turn
      from free f cross join lateral (
        select id, next_at, position from webhook_deliveries
        where webhook_id = f.id and state = 'pending' and next_at <= now()
        order by next_at limit greatest(f.most - f.busy, 0) for update skip locked) d),
    chosen as (select id, turn = most as is_last from candidates order by turn, next_at, id limit $3)
    update webhook_deliveries d set fence = fence + 1, next_at = clock_timestamp() + $4 * interval '1 ms', lease_until = clock_timestamp() + $4 * interval '1 ms'
    from chosen, webhooks w where d.id = chosen.id and w.id = d.webhook_id
    returning d.id, d.webhook_id, d.position::float8 as position, d.attempts, d.fence::text as fence, d.redelivery_of is not null as is_redelivery,
      chosen.is_last, w.url, w.owner_id, w.types, w.conditions, coalesce(w.previous_secret_until > clock_timestamp(), false) as has_previous`,
};
/**
 * Stores outcomes and their effect on the webhooks, and makes the next delivery of each subject due; the webhooks' rows are
 * locked. The outcomes are in the order in which they became known.
 */
const SETTLE = {
  name: 'webhook-settle',
  text: `with outcomes as materialized (
      select * from rows from (jsonb_to_recordset($1::jsonb) as (id uuid, fence bigint, state text, attempts int, entry jsonb, wait_ms float8))
        with ordinality as o(id, fence, state, attempts, entry, wait_ms, n)),
    settled as (
      update webhook_deliveries d set state = o.state, attempts = d.attempts + o.attempts, lease_until = null,
        first_attempt_at = case when o.attempts > 0 then coalesce(d.first_attempt_at, clock_timestamp()) else d.first_attempt_at end,
        log = (case when jsonb_array_length(d.log) >= ${KEPT_ATTEMPTS} then d.log - 0 else d.log end) || o.entry,
        next_at = case when o.state = 'pending' then clock_timestamp() + o.wait_ms * interval '1 ms' end,
        finished_at = case when o.state = 'pending' then null else clock_timestamp() end
      from outcomes o where d.id = o.id and d.fence = o.fence and d.state = 'pending'
      returning d.id, d.webhook_id, d.subject_id, d.redelivery_of, d.state, o.n, o.attempts, (o.entry ->> 'status')::int as status, o.entry ->> 'error' as error),
    promoted as (
      update webhook_deliveries d set next_at = clock_timestamp()
      from (select distinct webhook_id, subject_id from settled where state <> 'pending' and redelivery_of is null) s cross join lateral (
        select n.id from webhook_deliveries n
        where n.webhook_id = s.webhook_id and n.subject_id = s.subject_id and n.state = 'pending' and n.next_at is null and n.redelivery_of is null
        order by n.position limit 1) n
      where d.id = n.id returning 1),
    figures as (
      update webhooks w set last_attempt_at = clock_timestamp(), last_status = l.status, last_error = l.error,
        last_success_at = case when l.has_success then clock_timestamp() else w.last_success_at end,
        failing_since = case when l.error is null then null when l.has_success then clock_timestamp() else coalesce(w.failing_since, clock_timestamp()) end
      from (select distinct on (webhook_id) webhook_id, status, error, bool_or(error is null) over (partition by webhook_id) as has_success
        from settled where attempts > 0 order by webhook_id, n desc) l
      where w.id = l.webhook_id
      returning w.id, w.failing_since < clock_timestamp() - $2 * interval '1 hour' as has_failed_too_long)
    select s.id, coalesce(f.has_failed_too_long, false) as has_failed_too_long, exists (select from promoted) as is_next_due
    from settled s left join figures f on f.id = s.webhook_id`,
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

/** A claim that is over on this node, and what is stored of it. */
export interface Finished {
  claim: Pick<Claim, 'id' | 'webhook_id' | 'fence'>;
  /** @param takesOthers whether the receiver accepted another delivery since the first attempt */
  outcomeOf(takesOthers: boolean): Outcome;
}

export interface Settled {
  /** Whether all attempts of the webhook have failed for longer than allowed. */
  hasFailedTooLong: boolean;
  /** Whether deliveries that waited for one of these are due now. */
  isNextDue: boolean;
  /** As in the outcome. */
  waitMs: number | undefined;
}

/**
 * Stores the outcomes of claims, in their order, by two statements.
 * @param hours maximum duration of failure of a webhook
 * @returns for each claim; undefined where it belongs to another node or was deleted, and nothing was stored
 */
export async function settleDeliveries(
  uow: UnitOfWork,
  finished: readonly Finished[],
  hours: number,
): Promise<(Settled | undefined)[]> {
  // A separate statement: the one that finds the next deliveries must see what was committed before the locks were granted.
  const locked = await uow.query<{ id: string; takes_others: boolean }>(LOCK, [
    finished.map(({ claim }) => claim.id),
    finished.map(({ claim }) => claim.webhook_id),
  ]);
  const takesOthers = new Map(locked.map((row) => [row.id, row.takes_others]));
  const outcomes = finished.flatMap(({ claim: { id, fence }, outcomeOf }) => {
    const takes = takesOthers.get(id);
    return takes === undefined ? [] : [{ id, fence, ...outcomeOf(takes) }];
  });
  if (outcomes.length === 0) return finished.map(() => undefined);
  const rows = await uow.query<{ id: string; has_failed_too_long: boolean; is_next_due: boolean }>(SETTLE, [
    JSON.stringify(
      outcomes.map(({ id, fence, state, isAttempt, entry, waitMs = 0 }) => ({
        id,
        fence,
        state,
        attempts: isAttempt ? 1 : 0,
        entry,
        wait_ms: waitMs,
      })),
    ),
    hours,
  ]);
  const stored = new Map(rows.map((row) => [row.id, row]));
  const waits = new Map(outcomes.map(({ id, waitMs }) => [id, waitMs]));
  return finished.map(({ claim: { id } }) => {
    const row = stored.get(id);
    return row && { hasFailedTooLong: row.has_failed_too_long, isNextDue: row.is_next_due, waitMs: waits.get(id) };
  });
}

/** Stores the outcome of one claim, as `settleDeliveries`. */
export async function settleDelivery(
  uow: UnitOfWork,
  claim: Finished['claim'],
  outcomeOf: Finished['outcomeOf'],
  hours: number,
): Promise<Settled | undefined> {
  return (await settleDeliveries(uow, [{ claim, outcomeOf }], hours))[0];
}

/** Returns claims for other nodes; this does not count as an attempt. */
export async function giveBack(db: Database, claims: readonly Pick<Claim, 'id' | 'fence'>[]): Promise<void> {
  if (claims.length > 0) await db.query(GIVE_BACK, [claims.map((c) => c.id), claims.map((c) => c.fence)]);
}
