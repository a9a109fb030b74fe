import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';

const CORE = 'core';
const BEGIN = {
  name: 'feed-begin',
  text: `insert into subscriptions (module, name, position) select '${CORE}', $1, position from event_head on conflict do nothing`,
};
const POSITION = {
  name: 'feed-position',
  text: `select position::float8 as position from subscriptions where module = '${CORE}' and name = $1`,
};
// The row lock is the lease: one node processes the feed, the others skip the locked row, and the lock ends with the
// transaction.
const BEHIND = {
  name: 'feed-behind',
  text: `select events_between(position, $2)::float8 as behind from subscriptions where module = '${CORE}' and name = $1`,
};
const TAKE = {
  name: 'feed-take',
  text: `select position::float8 as position from subscriptions where module = '${CORE}' and name = $1 for update skip locked`,
};
const MOVE = {
  name: 'feed-move',
  text: `update subscriptions set position = $2, updated_at = clock_timestamp() where module = '${CORE}' and name = $1`,
};
const PARK = {
  name: 'feed-park',
  text: `insert into parked_events (module, subscription, position, error, attempts) values ('${CORE}', $1, $2, $3, $4) on conflict do nothing`,
};

/** Creates the row of a new feed, which starts at the current end of the log. */
export async function beginFeed(db: Database, name: string): Promise<void> {
  await db.query(BEGIN, [name]);
}

/** The position of a feed; 0 where it does not exist. */
export async function feedPosition(db: Database, name: string): Promise<number> {
  return (await db.query<{ position: number }>(POSITION, [name]))[0]?.position ?? 0;
}

/** Number of events after the position of a feed, up to another position. */
export async function feedBehind(db: Database, name: string, head: number): Promise<number> {
  return (await db.query<{ behind: number }>(BEHIND, [name, head]))[0]?.behind ?? head;
}

/** Locks a feed until the transaction ends. @returns its position; undefined while another node has the lock */
export async function takeFeed(uow: UnitOfWork, name: string): Promise<number | undefined> {
  return (await uow.query<{ position: number }>(TAKE, [name]))[0]?.position;
}

export async function moveFeed(uow: UnitOfWork, name: string, position: number): Promise<void> {
  await uow.query(MOVE, [name, position]);
}

/** Records an event that the feed skips. */
export async function parkFeedEvent(
  uow: UnitOfWork,
  name: string,
  position: number,
  error: string,
  attempts: number,
): Promise<void> {
  await uow.query(PARK, [name, position, error, attempts]);
}
