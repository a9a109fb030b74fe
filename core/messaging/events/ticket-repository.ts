import type { Database } from '../../foundation/db/database.js';

/** How long a ticket may be used, in seconds. */
export const TICKET_SECONDS = 30;

// Those nobody used go with the next ones that are given out; who cleans up at the same time takes others.
const KEEP = {
  name: 'ticket-keep',
  text: `with gone as (delete from stream_tickets where hash in (select hash from stream_tickets where expires_at < clock_timestamp() limit 100 for update skip locked))
    insert into stream_tickets (hash, session_id, token_expires_at, expires_at)
    values ($1, $2, to_timestamp($3::float8 / 1000), clock_timestamp() + interval '${TICKET_SECONDS} s')`,
};
// One statement decides: of any number that come with the same ticket, on whatever nodes, one finds it.
const SPEND = {
  name: 'ticket-spend',
  text: `delete from stream_tickets where hash = $1
    returning session_id, (extract(epoch from token_expires_at) * 1000)::float8 as token_expires_at, expires_at > clock_timestamp() as is_live`,
};

export interface SpentTicket {
  sessionId: string;
  /** Milliseconds since 1970. */
  tokenExpiresAt: number;
}

/** @param tokenExpiresAt milliseconds since 1970 */
export async function keepTicket(db: Database, hash: Buffer, sessionId: string, tokenExpiresAt: number): Promise<void> {
  await db.query(KEEP, [hash, sessionId, tokenExpiresAt]);
}

/** Takes a ticket out of the world. @returns undefined where there was none, or its time was up */
export async function spendTicket(db: Database, hash: Buffer): Promise<SpentTicket | undefined> {
  const [row] = await db.query<{ session_id: string; token_expires_at: number; is_live: boolean }>(SPEND, [hash]);
  return row?.is_live ? { sessionId: row.session_id, tokenExpiresAt: row.token_expires_at } : undefined;
}
