import type { ActorToken, LogEvent } from '@lintel/sdk';
import { timestamp, type Database } from '../../foundation/db/database.js';
import {
  Bindings,
  exactTotal,
  isUncounted,
  listQuery,
  named,
  type ListParams,
  type ListSpec,
  type Page,
} from '../../foundation/db/list-query.js';
import { readingPage } from '../../foundation/request-use.js';
import { isLostSql } from '../../foundation/db/continuity-repository.js';
import { othersSql, scopeSql, type EventScope } from './scope-repository.js';

/** Filter of a reader; an absent member does not restrict. */
export interface EventFilter {
  /** Exact types, or prefixes that end in a dot: `card.`. */
  types?: readonly string[] | undefined;
  subject_id?: string | undefined;
  subject_kind?: string | undefined;
}

export interface EventQuery extends ListParams, EventFilter {
  actor_id?: string | undefined;
  token_id?: string | undefined;
  origin?: string | undefined;
  /** RFC 3339, inclusive. */
  since?: string | undefined;
  /** RFC 3339, exclusive. */
  until?: string | undefined;
}

const COLUMNS = [
  'position',
  'type',
  'occurred_at',
  'actor_id',
  'actor_name',
  'origin',
  'request_id',
  'change_id',
  'subject_kind',
  'subject_id',
  'subject_type',
  'subject_name',
  'data',
  'token',
]
  .map((c) => `e.${c}`)
  .join(', ');
const SPEC: ListSpec = {
  table: 'events e',
  id: 'e.position',
  idType: 'bigint',
  sorts: { id: { sql: 'e.position', type: 'bigint' } },
  defaultSort: 'id',
  defaultDir: 'desc',
};
// Before a gap, a receiver that has everything continues after the gap.
const BOUNDS = {
  name: 'events-bounds',
  text: `select head, oldest, case when ${isLostSql('$1::bigint')} then 'lost' when $1 > head then 'unknown'
      when $1 < oldest - 1 and not exists (select from event_gaps where ended = $1 and resumed >= oldest) then 'expired' end
    from (select h.position as head, coalesce((select position from events order by position limit 1), h.position + 1) as oldest from event_head h) b`,
};
const AT = { name: 'events-at', text: `select ${COLUMNS} from events e where e.position = any($1::bigint[])` };
/** Positions are dense except for the gaps, so the number of retained events follows from the first and last position. */
const COUNT_ALL = 'select coalesce(events_between(min(position) - 1, max(position)), 0)::int from events';
/** Maximum count where each event must be evaluated for the reader. */
const COUNTED = 10_000;
/** Maximum size of the data per read, as stored (compressed). */
const MAX_READ_BYTES = 256 * 1024;
const CARDS = {
  name: 'events-cards',
  text: `select c.id as card_id, c.type as card_type, s.user_id, json_agg(json_build_object('type', s.type, 'role', s.role, 'is_above', s.is_above)) as roles
    from cards c left join lateral (select h.user_id, h.role, k.type, k.id <> c.id as is_above
      from unnest(c.path_ids || c.id) as at(id) join card_stakeholders h on h.card_id = at.id join cards k on k.id = at.id) s on true
    where c.id = any($1::uuid[]) group by c.id, c.type, s.user_id`,
};

/** The type of a deleted card is stored with its deletion. */
const TYPES = {
  name: 'events-card-types',
  text: `select w.id, coalesce(c.type, d.type) as type
    from unnest($1::uuid[]) as w(id) left join cards c on c.id = w.id left join card_deletions d on d.id = w.id`,
};

function toEvent(row: (string | null)[]): LogEvent {
  const [position, type, at, actorId, actorName, origin, requestId, changeId, kind, id, subtype, name, data, token] =
    row;
  return {
    position: Number(position),
    type: type!,
    occurred_at: timestamp(at!),
    actor: actorId
      ? {
          id: actorId,
          display_name: actorName ?? '',
          ...(token && { token: JSON.parse(token) as ActorToken }),
        }
      : null,
    origin: origin!,
    request_id: requestId!,
    change_id: changeId!,
    subject: { kind: kind!, id: id!, type: subtype!, name: name! },
    data: JSON.parse(data!) as Record<string, unknown>,
  };
}

/** SQL of a filter; type prefixes become ranges of the index. */
function conditions({ types, subject_id, subject_kind, ...rest }: EventQuery, bindings: Bindings): string[] {
  const where: string[] = [];
  if (types) {
    const exact = types.filter((t) => !t.endsWith('.'));
    const prefixes = types.filter((t) => t.endsWith('.'));
    where.push(
      `(${[
        ...(exact.length > 0 ? [`e.type = any(${bindings.add(exact)}::text[])`] : []),
        ...prefixes.map(
          (p) => `(e.type ~>=~ ${bindings.add(p)}::text and e.type ~<~ ${bindings.add(`${p.slice(0, -1)}/`)}::text)`,
        ),
      ].join(' or ')})`,
    );
  }
  if (subject_id !== undefined) where.push(`e.subject_id = ${bindings.add(subject_id)}`);
  if (subject_kind !== undefined) where.push(`e.subject_kind = ${bindings.add(subject_kind)}`);
  if (rest.actor_id !== undefined) where.push(`e.actor_id = ${bindings.add(rest.actor_id)}::uuid`);
  if (rest.token_id !== undefined)
    where.push(`e.token is not null and e.token->>'id' = ${bindings.add(rest.token_id)}`);
  if (rest.origin !== undefined) where.push(`e.origin = ${bindings.add(rest.origin)}`);
  if (rest.since !== undefined) where.push(`e.occurred_at >= ${bindings.add(rest.since)}::timestamptz`);
  if (rest.until !== undefined) where.push(`e.occurred_at < ${bindings.add(rest.until)}::timestamptz`);
  return where;
}

export interface EventsRead {
  events: LogEvent[];
  /** Whether there may be more events after these. */
  more: boolean;
}

/**
 * Events after a position, in order; at least one if there is one, and limited in total size.
 * @param upTo last position to read
 */
export async function readEvents(
  db: Database,
  after: number,
  upTo: number,
  limit: number,
  filter: EventFilter = {},
): Promise<EventsRead> {
  const bindings = new Bindings();
  const where = [
    `e.position > ${bindings.add(after)}`,
    `e.position <= ${bindings.add(upTo)}`,
    ...conditions(filter, bindings),
  ];
  // The sizes are known without reading the large values; only the rows that are returned are read completely.
  const text = `select ${COLUMNS}, e.found from (
      select p.*, count(*) over () as found, sum(pg_column_size(p.data)) over (order by p.position) - pg_column_size(p.data) as before
      from (select * from events e where ${where.join(' and ')} order by e.position limit ${bindings.add(limit)}) p) e
    where e.before < ${MAX_READ_BYTES} order by e.position`;
  const rows = await db.rows(named(text), bindings.values);
  const found = Number(rows[0]?.at(-1) ?? 0);
  return { events: rows.map(toEvent), more: found === limit || rows.length < found };
}

/** The retained events at these positions. */
export async function readEventsAt(db: Database, positions: readonly number[]): Promise<LogEvent[]> {
  return (await db.rows(AT, [positions])).map(toEvent);
}

export interface LogBounds {
  /** The last assigned position. */
  head: number;
  /** The first retained position; `head + 1` where nothing is retained. */
  oldest: number;
  /** Why a receiver cannot continue after the position that was asked for: events after it, or the one at it, are unknown. */
  fault: 'lost' | 'unknown' | 'expired' | undefined;
}

/** The bounds of the log, from one snapshot. */
export async function readBounds(db: Database, after: number): Promise<LogBounds> {
  const [row] = await db.rows(BOUNDS, [after]);
  return { head: Number(row![0]), oldest: Number(row![1]), fault: (row![2] as LogBounds['fault'] | null) ?? undefined };
}

const WAITING = { name: 'events-waiting', text: 'select max(id)::text as last from event_outbox' };
const STILL_WAITING = {
  name: 'events-still-waiting',
  text: 'select exists (select from event_outbox where id <= $1) as waiting',
};

const BACKLOG = {
  name: 'events-backlog',
  text: `select (select count(*) from (select from event_outbox limit 100000) w)::int as rows,
    coalesce(greatest(0, extract(epoch from clock_timestamp() - (select occurred_at from event_outbox order by id limit 1))), 0)::float8 as age_seconds`,
};

/** Number of rows without a position, at most 100,000, and the age of the first. */
export async function readBacklog(db: Database): Promise<{ rows: number; ageSeconds: number }> {
  const [row] = await db.query<{ rows: number; age_seconds: number }>(BACKLOG);
  return { rows: row!.rows, ageSeconds: row!.age_seconds };
}

/** The last row without a position; undefined where there is none. */
export async function lastWaiting(db: Database): Promise<string | undefined> {
  return (await db.query<{ last: string | null }>(WAITING))[0]!.last ?? undefined;
}

export async function isWaiting(db: Database, last: string): Promise<boolean> {
  return (await db.query<{ waiting: boolean }>(STILL_WAITING, [last]))[0]!.waiting;
}

/**
 * One page of the audit trail with its total, unless `total=none`, from one snapshot.
 * @param scope the events visible to the reader; all where absent
 */
export async function listEvents(db: Database, query: EventQuery, scope?: EventScope): Promise<Page<LogEvent>> {
  const bindings = new Bindings();
  const asked = conditions(query, bindings);
  // The scope of a cursor includes only the filters, so that a cursor remains valid when permissions change.
  const cursorScope = JSON.stringify([asked, bindings.values]);
  const where = [...asked, ...(scope ? scopeSql(scope, bindings) : [])];
  const { page, page_size, keys, nextCursor } = listQuery(SPEC, query, where, bindings, cursorScope);
  const isCapped = scope?.cards !== undefined;
  const total = isUncounted(query)
    ? 'select null as total'
    : isCapped
      ? `select count(*)::int as total from (select from events e where ${where.join(' and ')} limit ${COUNTED + 1}) c`
      : asked.length > 0
        ? `select count(*)::int as total from events e where ${where.join(' and ')}`
        : `select (${COUNT_ALL})${scope ? ` - (${othersSql(scope, bindings)})` : ''} as total`;
  const text = `with total as (${total}), keys as (${keys})
    select total.total, ${COLUMNS} from total left join keys on true left join events e on e.position = keys.id order by keys.place`;
  const rows = await readingPage(() => db.rows(named(text), bindings.values));
  const found = rows.filter((row) => row[1] !== null).map((row) => toEvent(row.slice(1)));
  const items = found.slice(0, page_size);
  const last = items.at(-1);
  const counted = isUncounted(query) ? undefined : Number(rows[0]?.[0] ?? 0);
  const isMore = isCapped && counted !== undefined && counted > COUNTED;
  return {
    items,
    ...(isMore ? { total: COUNTED, total_relation: 'gte' as const } : exactTotal(counted)),
    page,
    page_size,
    next_cursor: last && found.length > items.length ? nextCursor(last.position, last.position) : null,
  };
}

/** A role on a card, or on a card above it. */
interface Stake {
  type: string;
  role: string;
  is_above: boolean;
}

/** The data that decides what a receiver may see of events about a card. */
export interface CardRecord {
  type: string;
  /** Roles by user id. */
  stakes: Map<string, Stake[]>;
}

/** Cards with the stakeholders of them and of the cards above, by id. */
export async function readCards(db: Database, ids: string[]): Promise<Map<string, CardRecord>> {
  const cards = new Map<string, CardRecord>();
  for (const { card_id, card_type, user_id, roles } of await db.query<{
    card_id: string;
    card_type: string;
    user_id: string | null;
    roles: Stake[];
  }>(CARDS, [ids])) {
    const card = cards.get(card_id) ?? { type: card_type, stakes: new Map<string, Stake[]>() };
    if (user_id !== null) card.stakes.set(user_id, roles);
    cards.set(card_id, card);
  }
  return cards;
}

/** The types of cards, including deleted ones, by id; other ids are omitted. */
export async function readCardTypes(db: Database, ids: string[]): Promise<Map<string, string>> {
  return new Map(
    (await db.query<{ id: string; type: string | null }>(TYPES, [ids])).flatMap(({ id, type }) =>
      type === null ? [] : [[id, type] as const],
    ),
  );
}
