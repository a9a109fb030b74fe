import type { Database } from '../../foundation/db/database.js';
import { deleteInSteps } from '../../foundation/db/delete-in-steps.js';

/** Length of a window, in seconds. */
export const WINDOW_SECONDS = 60;

/** A request that was counted or rejected. */
export interface Hit {
  allowed: boolean;
  /** Number of allowed requests in the last window, including this one. */
  hits: number;
  /** Whole seconds until the oldest of them leaves the window, so that another request is allowed; at least 1. */
  reset: number;
}

// Uses the database's clock, which all nodes share. Statements for the same key are serialised by the row lock: the
// times are in order, and each statement sees the result of the previous one.
const HIT = {
  name: 'rate-hit',
  text: `insert into rate_hits as r (key, at, was_allowed, last_at) select $1, array[t], true, t from clock_timestamp() as t
    on conflict (key) do update set (at, was_allowed, last_at) = (
      select case when cardinality(live) < $2::int then live || now else live end, cardinality(live) < $2::int, now
      from (select clock_timestamp() as now) as c,
        lateral (select array(select h from unnest(r.at) with ordinality as u(h, n) where h > now - interval '${WINDOW_SECONDS} seconds' order by n) as live) as l)
    returning was_allowed as allowed, cardinality(at) as hits,
      least(${WINDOW_SECONDS}, greatest(1, ceil(extract(epoch from at[greatest(1, cardinality(at) - $2::int + 1)] + interval '${WINDOW_SECONDS} seconds' - clock_timestamp()))))::int as reset`,
};
const CLEAN = {
  name: 'rate-clean',
  text: `delete from rate_hits where key in (select key from rate_hits where last_at < clock_timestamp() - interval '${WINDOW_SECONDS} seconds' limit $1 for update skip locked) returning 1`,
};

/**
 * Counts a request, unless the maximum number was reached within the last window.
 * @param limit maximum number of requests in any window, at least 1
 */
export async function countHit(db: Database, key: string, limit: number): Promise<Hit> {
  return (await db.query<Hit & Record<string, unknown>>(HIT, [key, limit]))[0]!;
}

/** Deletes entries older than a window. */
export async function cleanHits(db: Database): Promise<void> {
  await deleteInSteps(db, CLEAN);
}
