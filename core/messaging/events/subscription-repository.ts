import type { LogEvent } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import { Bindings, type ListParams, type ListSpec, type Page } from '../../foundation/db/list-query.js';
import { readPage } from '../../foundation/db/list.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { scopeSql, type EventScope } from './scope-repository.js';

/** Duration of a lease without renewal. */
export const LEASE_SECONDS = 15;
const LEASE = `clock_timestamp() + interval '${LEASE_SECONDS} s'`;

const BEGIN = {
  name: 'subscription-begin',
  text: 'insert into subscriptions (module, name, position) select $1, $2, position from event_head on conflict do nothing',
};
const TAKE = {
  name: 'subscription-take',
  text: `update subscriptions set holder = $3, lease_until = ${LEASE} where module = $1 and name = $2
      and (holder is null or holder = $3 or lease_until < clock_timestamp()) returning position::float8 as position`,
};
const POSITION = {
  name: 'subscription-position',
  text: 'select position::float8 as position from subscriptions where module = $1 and name = $2',
};
const RENEW = {
  name: 'subscription-renew',
  text: `update subscriptions set lease_until = ${LEASE}, position = greatest(position, $4), updated_at = clock_timestamp()
    where module = $1 and name = $2 and holder = $3 returning 1`,
};
const RELEASE = {
  name: 'subscription-release',
  text: 'update subscriptions set holder = null, lease_until = null, position = greatest(position, $4) where module = $1 and name = $2 and holder = $3',
};
const PARK = {
  name: 'subscription-park',
  text: `insert into parked_events (module, subscription, position, error, attempts) values ($1, $2, $3, $4, $5)
    on conflict (module, subscription, position) do update set error = excluded.error, attempts = parked_events.attempts + excluded.attempts, is_due = false`,
};
const DUE = {
  name: 'parked-due',
  text: 'select position::float8 as position from parked_events where module = $1 and subscription = $2 and is_due order by position limit 100',
};
const UNPARK = {
  name: 'parked-done',
  text: 'delete from parked_events where module = $1 and subscription = $2 and position = $3',
};
const RETRY = {
  name: 'parked-retry',
  text: 'update parked_events set is_due = true where module = $1 and subscription = $2 and position = $3 returning 1',
};
const OF_MODULE = {
  name: 'subscriptions-of',
  text: `select s.name, s.position::float8 as position, events_between(s.position, h.position)::float8 as behind,
      (select count(*)::int from parked_events p where p.module = s.module and p.subscription = s.name) as parked
    from subscriptions s, event_head h where s.module = $1 order by s.name`,
};
const LAGS = {
  name: 'subscriptions-lags',
  text: 'select s.module, s.name, events_between(s.position, h.position)::float8 as behind from subscriptions s, event_head h order by 1, 2',
};
const PARKED: ListSpec = {
  table: 'parked_events p',
  id: `(p.subscription || ' ' || p.position)`,
  idType: 'text',
  sorts: { parked_at: { sql: 'p.parked_at', type: 'timestamptz' } },
  defaultSort: 'parked_at',
  defaultDir: 'desc',
};

export interface SubscriptionKey {
  module: string;
  name: string;
}
export interface SubscriptionState {
  name: string;
  position: number;
  behind: number;
  parked: number;
}
export interface ParkedEvent {
  subscription: string;
  position: number;
  type: string | null;
  error: string;
  attempts: number;
  parked_at: Date;
  is_due: boolean;
}

/** Creates the row of a new subscription, which starts at the current end of the log. */
export async function beginSubscription(db: Database, { module, name }: SubscriptionKey): Promise<void> {
  await db.query(BEGIN, [module, name]);
}

/** @returns the position to continue from; undefined while another node has the lease */
export async function takeSubscription(
  db: Database,
  { module, name }: SubscriptionKey,
  holder: string,
): Promise<number | undefined> {
  return (await db.query<{ position: number }>(TAKE, [module, name, holder]))[0]?.position;
}

export async function subscriptionPosition(db: Database, { module, name }: SubscriptionKey): Promise<number> {
  return (await db.query<{ position: number }>(POSITION, [module, name]))[0]?.position ?? 0;
}

/** @returns whether the lease still belongs to the holder */
export async function renewSubscription(
  db: Database,
  { module, name }: SubscriptionKey,
  holder: string,
  position: number,
): Promise<boolean> {
  return (await db.query(RENEW, [module, name, holder, position])).length > 0;
}

export async function releaseSubscription(
  db: Database,
  { module, name }: SubscriptionKey,
  holder: string,
  position: number,
): Promise<void> {
  await db.query(RELEASE, [module, name, holder, position]);
}

export async function parkEvent(
  db: Database,
  { module, name }: SubscriptionKey,
  event: LogEvent,
  error: string,
  attempts: number,
): Promise<void> {
  await db.query(PARK, [module, name, event.position, error, attempts]);
}

/** Positions of parked events that are to be retried. */
export async function dueEvents(db: Database, { module, name }: SubscriptionKey): Promise<number[]> {
  return (await db.query<{ position: number }>(DUE, [module, name])).map(({ position }) => position);
}

export async function unparkEvent(db: Database, { module, name }: SubscriptionKey, position: number): Promise<void> {
  await db.query(UNPARK, [module, name, position]);
}

/** @returns whether the event is parked */
export async function markDue(uow: UnitOfWork, { module, name }: SubscriptionKey, position: number): Promise<boolean> {
  return (await uow.query(RETRY, [module, name, position])).length > 0;
}

export async function readSubscriptions(db: Database, module: string): Promise<SubscriptionState[]> {
  return await db.query<SubscriptionState & Record<string, unknown>>(OF_MODULE, [module]);
}

/** Number of events each subscription is behind; subscriptions of the core have module `core`. */
export async function readLags(db: Database): Promise<{ module: string; name: string; behind: number }[]> {
  return await db.query(LAGS);
}

/** @param events the events visible to the reader; includes events no longer retained where it is all of them */
export async function listParked(
  db: Database,
  module: string,
  params: ListParams,
  events: EventScope,
): Promise<Page<ParkedEvent>> {
  const bindings = new Bindings();
  const where = [
    `p.module = ${bindings.add(module)}`,
    // A subquery, because the page joins the events only to the rows that it shows.
    ...(events.cards
      ? [`exists (select from events e where e.position = p.position and ${scopeSql(events, bindings).join(' and ')})`]
      : []),
  ];
  return await readPage<ParkedEvent & Record<string, unknown>>(db, {
    spec: PARKED,
    params,
    where,
    bindings,
    scope: `parked ${module}`,
    joins: 'left join events e on e.position = p.position',
    columns: 'p.subscription, p.position::float8 as position, e.type, p.error, p.attempts, p.parked_at, p.is_due',
  });
}
