import type { Database } from '../../../foundation/db/database.js';
import { VERSION_VERBS } from '../types.js';

/** What an event may be about that leaves cards, tags and metamodel as they are; anything unknown may have changed them. */
const ELSEWHERE = ['session', 'job', 'webhook', 'notification', 'import', 'relation', 'secret', 'settings', 'events'];
/** What may be told of a card that leaves it as it is. */
const BESIDE = '^card[.](stakeholder|comment|document|todo)_';
/** Events of a new version of a card. */
const VERSIONS = `'{${VERSION_VERBS.map((verb) => `card.${verb}`).join(',')}}'`;
/** Over a longer stretch of the log it is not worth looking for what has changed; and one that has gone back was restored without its end. */
const LONGEST = 10_000;
/** After more changes an answer is found anew. */
const MOST_CHANGES = 1_000;
/** So many versions that wait for their position are noted with an answer. */
const MOST_WAITING = 100;

/** Where the event log stood in the snapshot of an answer. */
export interface Mark {
  /** Of the last event that had a position. */
  position: string;
  /** Versions of cards in the answer whose events had none yet; undefined where they were too many to note. */
  waiting: { ids: string[]; versions: number[] } | undefined;
}

/** A mark with all that waited for a position. */
export type NotedMark = Mark & { waiting: object };

/** SQL of the mark of the snapshot it is read in, for `markOf`. */
export const MARK = `(select concat_ws(' ', h.position, (select case when count(*) > ${MOST_WAITING} then 'many' else string_agg(w.subject_id || ':' || (w.data->>'version'), ' ') end
    from (select subject_id, data from event_outbox where type = any(${VERSIONS}) limit ${MOST_WAITING + 1}) w)) from event_head h limit 1)`;

/** Reads what `MARK` gives. */
export function markOf(text: string): Mark {
  const [position, ...waiting] = text.split(' ') as [string, ...string[]];
  if (waiting[0] === 'many') return { position, waiting: undefined };
  const pairs = waiting.map((one) => one.split(':') as [string, string]);
  return { position, waiting: { ids: pairs.map(([id]) => id), versions: pairs.map(([, version]) => Number(version)) } };
}

/** The condition on an event `e` that it may have changed what an answer about cards of these types is made of. @param types placeholder; null for all */
const changed = (types: string): string => `e.subject_kind <> all('{${ELSEWHERE.join(',')}}') and e.type !~ '${BESIDE}'
      and (${types}::text[] is null or e.subject_kind <> 'card' or e.subject_type = any(${types}::text[]))`;

/**
 * A table `log` of one row: `position`, and whether an answer still `stands` that was read at an earlier one. What was
 * committed is in the log or waits for its position, in the snapshot of the very statement.
 * The limit tells the planner that it is one row, which no statistics say of so small a table.
 * @param position placeholder of the earlier position
 * @param types placeholder of the card types the answer is about; null for all
 */
export function logSince(position: string, types: string): string {
  return `log as materialized (select h.position, h.position - ${position}::bigint between 0 and ${LONGEST}
      and not exists (select from event_outbox e where ${changed(types)})
      and not exists (select from events e where e.position > ${position}::bigint and ${changed(types)}) as stands
    from event_head h limit 1)`;
}

const STANDS = {
  name: 'kept-stands',
  text: `with ${logSince('$1', '$2')} select position::text from log where stands`,
};

/**
 * Asks whether an answer stands.
 * @param position of the event log when it was read
 * @param types card types it is about; null for all
 * @returns the position up to which it does; undefined where it does not
 */
export async function standsUpTo(
  db: Pick<Database, 'rows'>,
  position: string,
  types: readonly string[] | null,
): Promise<string | undefined> {
  return (await db.rows(STANDS, [position, types]))[0]?.[0] ?? undefined;
}

/**
 * Tables `before` and `after` of the cards that have changed since an answer was read: as they were in its snapshot, and
 * as they are in this one. `before` has what a version keeps, and hence nothing that is searched. Both are of use only
 * where `known`: where nothing has happened but versions of cards, not too many, and each version before is on record.
 * Tags are in no version: any change of them, and a deleted card, which loses its own, make it unknown.
 * @param mark placeholders of the mark's position, ids and versions
 * @param types placeholder of the card types the answer is about; null for all
 */
export function changesSince(
  mark: { position: string; ids: string; versions: string },
  types: string,
): { with: string; known: string } {
  const event = 'type, subject_kind, subject_id, subject_type, data';
  return {
    with: `log as materialized (select h.position - ${mark.position}::bigint between 0 and ${LONGEST} as near from event_head h limit 1),
    recent as materialized (select e.type, e.subject_id, e.data from (select ${event} from event_outbox
        union all select ${event} from events where position > ${mark.position}::bigint and (select near from log)) e
      where ${changed(types)} limit ${MOST_CHANGES + 1}),
    changed as materialized (select e.subject_id::uuid as id, coalesce(max(w.version), min((e.data->>'version')::int) - 1) as version
      from recent e left join unnest(${mark.ids}::text[], ${mark.versions}::int[]) as w(id, version) on w.id = e.subject_id
      where e.type = any(${VERSIONS}) group by 1),
    before as materialized (select r.* from changed k join card_versions v on v.id = k.id and v.version = k.version,
      lateral jsonb_populate_record(null::cards, v.doc) r),
    after as materialized (select c.* from changed k join cards c on c.id = k.id),
    changes as materialized (select near and (select count(*) <= ${MOST_CHANGES} and coalesce(bool_and(type = any(${VERSIONS})), true) from recent)
      and (select count(*) from changed where version > 0) = (select count(*) from before) as known from log)`,
    known: '(select known from changes)',
  };
}
