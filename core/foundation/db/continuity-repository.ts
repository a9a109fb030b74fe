import type pg from 'pg';
import type { VersionFloor } from '../versions.js';
import { RAW_TEXT, type Statement } from './database.js';

/** Distinguishes servers, and the database before and after a restore. */
export interface ServerIdentity {
  /** System identifier, timeline, and the ids of the database and of a table: a failover, a restore or another database changes it. */
  lineage: string;
  /** When PostgreSQL was started, or the folder of an embedded database: a copy of its files may be an older one. */
  started: string;
}

/** The last event that a node has read. */
export interface LogEnd {
  position: number;
  /** Identifies the event; undefined where it is not known. */
  mark?: string;
}

export interface DatabaseState {
  isStandby: boolean;
  server: ServerIdentity;
  /** Bytes of write-ahead log that are stored. */
  wal: number;
  /** The last position of the log. */
  head: number;
  /** Whether events wait for a position. */
  isWaiting: boolean;
  /** That of the event at the position that was asked for; undefined where there is none. */
  mark: string | undefined;
  /** The first retained position; undefined where there are no events. */
  oldest: number | undefined;
  /** The time by the clock of the database. */
  now: string;
  /** The number of the current part of the log: it increases when events may have been lost. */
  epoch: number;
  versionFloor: VersionFloor | undefined;
  /** By kind. */
  revisions: ReadonlyMap<string, string>;
}

/** Text that identifies the event of a row `e` of the log; see `markOf`. */
export const MARK = `concat_ws(' ', e.change_id, e.request_id, e.type, e.subject_id, (extract(epoch from e.occurred_at) * 1000)::bigint)`;
/** SQL: whether the event at a position may not be the one that a reader of the position has seen. */
export const isLostSql = (position: string): string =>
  `exists (select from event_gaps g where g.sure < ${position} and ${position} < g.resumed - 1)`;

/** SQL of what a server says of itself. The timeline is a hexadecimal number of eight digits. */
export const IDENTITY = `concat_ws('/', (select system_identifier from pg_control_system()),
        case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end,
        (select oid from pg_database where datname = current_database()), 'event_head'::regclass::oid) as lineage,
      extract(epoch from pg_postmaster_start_time())::text as started`;
/** SQL of the first retained position. */
export const OLDEST = '(select position from events order by position limit 1)';

export const STATE: Statement = {
  name: 'continuity',
  text: `select pg_is_in_recovery() as standby, ${IDENTITY}, h.position,
      (select ${MARK} from events e where e.position = $1) as mark, ${OLDEST} as oldest, clock_timestamp() as now,
      (select json_object_agg(kind, revision::text) from revisions) as revisions, s.epoch, s.made_before, s.version_floor,
      case when not pg_is_in_recovery() then pg_current_wal_flush_lsn() - '0/0'::pg_lsn end as wal,
      (select true from event_outbox order by id limit 1) as waiting
    from event_head h, event_source s`,
};

/** The statement for a connection of its own. */
export const stateConfig = (position: number): pg.QueryConfig =>
  ({ ...STATE, values: [position], rowMode: 'array', types: RAW_TEXT }) as unknown as pg.QueryConfig;

/** @param row of `STATE` @param folder identity of the folder of an embedded database */
export function parseState(row: readonly (string | null)[], folder: string | undefined): DatabaseState {
  const [standby, lineage, started, head, mark, oldest, now, revisions, epoch, madeBefore, version, wal, waiting] = row;
  return {
    isStandby: standby === 't',
    server: { lineage: lineage!, started: folder ?? started! },
    head: Number(head),
    isWaiting: waiting === 't',
    wal: Number(wal),
    mark: mark ?? undefined,
    oldest: oldest == null ? undefined : Number(oldest),
    now: now!,
    epoch: Number(epoch),
    versionFloor: madeBefore == null ? undefined : { madeBefore, version: Number(version) },
    revisions: new Map(Object.entries(JSON.parse(revisions ?? '{}') as Record<string, string>)),
  };
}

interface Marked {
  type: string;
  occurred_at: string;
  change_id: string | null;
  request_id: string | null;
  subject: { id: string };
}

/** Identifies an event, whatever its position. */
export const markOf = ({ change_id, request_id, type, subject, occurred_at }: Marked): string =>
  [change_id, request_id, type, subject.id, Date.parse(occurred_at)].filter((part) => part !== null).join(' ');

/** Whether the log still has the last event that a node has read, or has deleted it as too old. */
export function isOwnEnd({ mark, oldest }: Pick<DatabaseState, 'mark' | 'oldest'>, end: LogEnd): boolean {
  if (end.mark === undefined || mark === end.mark) return true;
  return mark === undefined && (oldest === undefined || end.position < oldest);
}

/** Whether a server has a former timeline of the same database: it was replaced, and must not be used any more. */
export function isFormer(server: ServerIdentity, current: ServerIdentity): boolean {
  const [system, timeline, ...ids] = server.lineage.split('/');
  const [currentSystem, currentTimeline, ...currentIds] = current.lineage.split('/');
  return system === currentSystem && ids.join() === currentIds.join() && timeline! < currentTimeline!;
}
