import { IDENTITY, isLostSql, MARK, OLDEST, type ServerIdentity } from '../../foundation/db/continuity-repository.js';
import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { uuidv7 } from '../../foundation/ids.js';

/** Why positions are skipped. `restart`: the files of the server may be a former copy. */
export type GapReason = 'failover' | 'restart' | 'lost';

/** Positions that are never given. */
export interface Gap {
  /** The last position before the gap of which it is certain that no other event ever had it. */
  sure: number;
  /** The last position before the gap. */
  ended: number;
  /** The first position after the gap. */
  resumed: number;
  /** The number of the part of the log after the gap. */
  epoch: number;
}

/** Positions begin at the time, so that a position that was lost is not given again: no log has a million events a second. */
const POSITIONS_PER_SECOND = 1_000_000;

const LOCK_SOURCE = { name: 'event-source-lock', text: 'select from event_head h, event_source s for update of h, s' };
const SOURCE = {
  name: 'event-source',
  text: `select ${IDENTITY}, ${OLDEST}::float8 as oldest, h.position::float8 as head, s.epoch, s.lineage as former_lineage, s.started as former_started, ${isLostSql('$1::bigint')} as is_lost,
      (select ${MARK} from events e where e.position = $1) as mark
    from event_head h, event_source s`,
};
const ADOPT = { name: 'event-source-adopt', text: 'update event_source set lineage = $1, started = $2' };
/** Versions per epoch: more than a row gets in one. */
const VERSIONS_PER_EPOCH = 1_000_000;
const SKIP = {
  name: 'event-gap-insert',
  text: `with source as (update event_source set lineage = $1, started = $2, epoch = epoch + $3::int, made_before = case when $3 = 0 then made_before else $8::uuid end,
        version_floor = case when $3 = 0 then version_floor else epoch * ${VERSIONS_PER_EPOCH} end returning epoch),
    head as (update event_head set position = greatest(greatest(position, $4) + ${POSITIONS_PER_SECOND}, floor(extract(epoch from clock_timestamp()))::bigint * ${POSITIONS_PER_SECOND})
      returning position),
    gap as (insert into event_gaps (sure, ended, resumed, epoch, reason)
      select case when $6::timestamptz is null then $5::bigint else
        coalesce((select max(position) from events where occurred_at <= $6 and position <= $5), 0) end, $5, head.position + 1, source.epoch, $7
      from head, source returning *)
    select sure::float8 as sure, ended::float8 as ended, resumed::float8 as resumed, epoch from gap`,
};
const CONTINUE_VERSIONS = {
  name: 'event-source-versions',
  text: 'select continue_versions(version_floor, made_before) from event_source',
};
/** Waiting for a lock on a table must not stop the log. */
const LOCK_TIMEOUT = { name: 'event-source-lock-timeout', text: `set local lock_timeout = '3s'` };
const GAPS = {
  name: 'event-gaps',
  text: 'select sure::float8 as sure, ended::float8 as ended, resumed::float8 as resumed, epoch from event_gaps order by resumed',
};
const NOTE_LOST = {
  name: 'event-gap-lost',
  text: `with gap as (select resumed, greatest(sure, coalesce(lost_to, sure)) as known from event_gaps
      where sure < $1 and $1 < resumed - 1 order by resumed limit 1 for update)
    update event_gaps g set lost_to = $1 from gap where g.resumed = gap.resumed and gap.known < $1
    returning gap.known::float8 as known, g.epoch, ($1 - gap.known - coalesce((
      select sum(o.resumed - 1 - greatest(o.ended, gap.known)) from event_gaps o where o.resumed <= $1 and o.resumed > gap.known), 0))::float8 as events`,
};
export interface Source extends ServerIdentity {
  /** That of the database that has continued the log so far; null where it is not known. */
  former_lineage: string | null;
  former_started: string | null;
  head: number;
  oldest: number | null;
  /** Whether the position that was asked for is in a gap. */
  is_lost: boolean;
  /** That of the event at the position that was asked for. */
  mark: string | null;
}

/** The database that has continued the log, locked until the transaction ends, with what it has at a position. */
export async function lockSource(uow: UnitOfWork, position: number): Promise<Source> {
  // A statement of its own: the one that reads must see the gap that another node has made while this one waited.
  await uow.query(LOCK_SOURCE);
  return (await uow.query<Source & Record<string, unknown>>(SOURCE, [position]))[0]!;
}

/** Stores that a database continues the log. */
export async function adoptSource(uow: UnitOfWork, { lineage, started }: ServerIdentity): Promise<void> {
  await uow.query(ADOPT, [lineage, started]);
}

/**
 * Skips positions, and stores that a database continues the log after them.
 * @param known the last position that this node has read, which may be lost
 * @param since events that are younger may have a position that another one had; undefined: none
 */
export async function skipPositions(
  uow: UnitOfWork,
  { lineage, started }: ServerIdentity,
  gap: { reason: GapReason; isEpoch: boolean; known: number; ended: number; since: string | undefined },
): Promise<Gap> {
  const values = [lineage, started, Number(gap.isEpoch), gap.known, gap.ended, gap.since, gap.reason, uuidv7()];
  const [skipped] = await uow.query<Gap & Record<string, unknown>>(SKIP, values);
  if (gap.isEpoch) {
    await uow.query(LOCK_TIMEOUT);
    await uow.query(CONTINUE_VERSIONS);
  }
  return skipped!;
}

/** All gaps, in order. */
export async function readGaps(db: Pick<Database, 'query'>): Promise<Gap[]> {
  return await db.query<Gap & Record<string, unknown>>(GAPS);
}

/**
 * Stores that a position was given and is lost.
 * @returns the last position that was known to be lost, or to be safe; undefined where the position is not lost, or known to be
 */
export async function noteLost(
  uow: UnitOfWork,
  position: number,
): Promise<{ known: number; epoch: number; events: number } | undefined> {
  return (await uow.query<{ known: number; epoch: number; events: number }>(NOTE_LOST, [position]))[0];
}
