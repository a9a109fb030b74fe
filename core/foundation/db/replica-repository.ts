import type pg from 'pg';
import type { Database } from './database.js';

/** A WAL position, with the identity of its cluster and database. */
export interface Position {
  lsn: string;
  identity: string;
  /** The session settings that determine how timestamps are printed. */
  style: string;
}

export interface ReplicaState {
  /** False on a server that was promoted or never was a standby. */
  follows: boolean;
  identity: string;
  style: string;
  /** Bytes of WAL up to the position that are not replayed yet; null where the server does not report it. */
  behind: number | null;
}

// The last gap of the log, too: after a failover a replica may still follow the former primary, and have its lost writes.
const IDENTITY = `concat_ws('/', (select system_identifier from pg_control_system()), (select oid from pg_database where datname = current_database()),
  (select max(resumed) from event_gaps)) as identity`;
const STYLE = `current_setting('TimeZone') || ' ' || current_setting('DateStyle') as style`;
/**
 * A WAL position that includes everything acknowledged. With asynchronous commit this is the end of what was inserted,
 * which may lie behind the header of a page that has not been started; such a header is never replayed, so it is
 * subtracted.
 */
const POSITION = {
  name: 'replica-position',
  text: `with log as materialized (select pg_current_wal_insert_lsn() as inserted, pg_current_wal_lsn() as written),
    header as (select case
      when mod(inserted - '0/0', current_setting('wal_block_size')::numeric) = 24 then 24
      when mod(inserted - '0/0', pg_size_bytes(current_setting('wal_segment_size'))::numeric) = 40 then 40
      else 0 end::numeric as bytes from log)
    select case when current_setting('synchronous_commit') = 'off' then inserted - bytes else written end as lsn, ${IDENTITY}, ${STYLE} from log, header`,
};
// Where the server does not report its replay position, neither comparison is true, and the result is null.
const STATE = {
  name: 'replica-state',
  text: `select pg_is_in_recovery() as follows, ${IDENTITY}, ${STYLE}, case when pg_last_wal_replay_lsn() >= $1::pg_lsn then 0 else ($1::pg_lsn - pg_last_wal_replay_lsn())::float8 end as behind`,
};

/** The current WAL position of the primary; everything committed before this call lies before it. */
export async function position(primary: Database): Promise<Position> {
  return (await primary.query<Position & pg.QueryResultRow>(POSITION))[0]!;
}

/** How far the connection's server has replayed the WAL. */
export async function replicaState(client: pg.ClientBase, lsn: string): Promise<ReplicaState> {
  const { rows } = await client.query<ReplicaState & pg.QueryResultRow>({ ...STATE, values: [lsn] });
  return rows[0]!;
}
