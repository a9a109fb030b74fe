import type { Database } from '../db/database.js';

/** Length of a window, in seconds. */
export const WINDOW_SECONDS = 60;

// The database's clock is the one all nodes share.
const HIT = {
  name: 'rate-hit',
  text: `with t as (select to_timestamp(floor(extract(epoch from clock_timestamp()) / ${WINDOW_SECONDS}) * ${WINDOW_SECONDS}) as start)
    insert into rate_counters as c (key, window_start, hits) select $1, t.start, 1 from t
    on conflict (key, window_start) do update set hits = c.hits + 1
    returning hits, greatest(1, ceil(extract(epoch from window_start + interval '${WINDOW_SECONDS} seconds' - clock_timestamp())))::int as reset`,
};
const CLEAN = { name: 'rate-clean', text: `delete from rate_counters where window_start < clock_timestamp() - interval '10 minutes'` };

/** Counts one request. @returns how many came in this window, and the seconds until the next */
export async function countHit(db: Database, key: string): Promise<{ hits: number; reset: number }> {
  return (await db.query<{ hits: number; reset: number }>(HIT, [key]))[0]!;
}

/** Deletes the counters of windows that are over. */
export async function cleanCounters(db: Database): Promise<void> {
  await db.query(CLEAN);
}
