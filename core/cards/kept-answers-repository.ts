import type { Database } from '../db/database.js';

/** What an event may be about that leaves cards, tags and metamodel as they are; anything unknown may have changed them. */
const ELSEWHERE = ['session', 'job', 'webhook', 'notification', 'import', 'relation', 'secret', 'settings', 'events'];
/** Over a longer stretch of the log it is not worth looking for what has changed. */
const LONGEST = 10_000;

/** Position of the event log: events up to it are in the snapshot it is read in; of later ones some may be. */
export const POSITION = '(select position from event_head)';

/**
 * A table `log` of one row: `position`, and whether an answer still `stands` that was read at an earlier one. What was
 * committed is in the log or waits for its position, in the snapshot of the very statement.
 * The limit tells the planner that it is one row, which no statistics say of so small a table.
 * @param position placeholder of the earlier position
 * @param types placeholder of the card types the answer is about; null for all
 */
export function logSince(position: string, types: string): string {
  const changed = `e.subject_kind <> all('{${ELSEWHERE.join(',')}}') and (${types}::text[] is null or e.subject_kind <> 'card' or e.subject_type = any(${types}::text[]))`;
  return `log as materialized (select h.position, h.position - ${position}::bigint <= ${LONGEST}
      and not exists (select from event_outbox e where ${changed})
      and not exists (select from events e where e.position > ${position}::bigint and ${changed}) as stands
    from event_head h limit 1)`;
}

const STANDS = { name: 'kept-stands', text: `with ${logSince('$1', '$2')} select position::text from log where stands` };

/**
 * Asks whether an answer stands.
 * @param position of the event log when it was read
 * @param types card types it is about; null for all
 * @returns the position up to which it does; undefined where it does not
 */
export async function standsUpTo(db: Pick<Database, 'rows'>, position: string, types: readonly string[] | null): Promise<string | undefined> {
  return (await db.rows(STANDS, [position, types]))[0]?.[0] ?? undefined;
}
