import type { Database } from '../../foundation/db/database.js';

/** Lifetime of a ticket, in seconds. */
export const TICKET_SECONDS = 30;

// Expired unused tickets are deleted when new ones are issued; concurrent statements skip the rows locked by each
// other.
const KEEP = {
  name: 'ticket-keep',
  text: `with gone as (delete from stream_tickets where hash in (select hash from stream_tickets where expires_at < clock_timestamp() limit 100 for update skip locked))
    insert into stream_tickets (hash, session_id, token_expires_at, expires_at)
    values ($1, $2, to_timestamp($3::float8 / 1000), clock_timestamp() + interval '${TICKET_SECONDS} s')`,
};
// A single statement: of several requests with the same ticket, on any nodes, only one succeeds.
const SPEND = {
  name: 'ticket-spend',
  text: `delete from stream_tickets where hash = $1
    returning session_id, (extract(epoch from token_expires_at) * 1000)::float8 as token_expires_at, expires_at > clock_timestamp() as is_live`,
};

interface SpentTicket {
  sessionId: string;
  /** Milliseconds since 1970. */
  tokenExpiresAt: number;
}

/** @param tokenExpiresAt milliseconds since 1970 */
export async function keepTicket(db: Database, hash: Buffer, sessionId: string, tokenExpiresAt: number): Promise<void> {
  await db.query(KEEP, [hash, sessionId, tokenExpiresAt]);
}

/** Deletes a ticket. @returns undefined where it did not exist or had expired */
export async function spendTicket(db: Database, hash: Buffer): Promise<SpentTicket | undefined> {
  const [row] = await db.query<{ session_id: string; token_expires_at: number; is_live: boolean }>(SPEND, [hash]);
  return row?.is_live ? { sessionId: row.session_id, tokenExpiresAt: row.token_expires_at } : undefined;
}
