import type pg from 'pg';
import type { Database, Statement } from '../../foundation/db/database.js';
import { closingScript, creationScript, PARTITIONS, partitionFrom, type Partition } from './partition-repository.js';

/** Advisory lock of the single sequencer of a database; PostgreSQL releases it when the holder's session ends. */
const SEQUENCER_LOCK = 7_315_010;
/** Maximum number of positions per partition of `events`. */
export const PARTITION_SIZE = 1_000_000;
/** A statement that takes longer is considered stuck: the session is closed. */
const STATEMENT_MS = 10_000;
/** Closing a partition scans it once. */
const CLOSING_MS = 60_000;

/**
 * Moves the visible rows, in id order, to the next positions.
 *
 * Invariant: an outbox row is inserted while the locks of the changed rows are held, and its id is assigned at the
 * insert. The later of two changes to one card therefore has the higher id, and a snapshot that contains it also
 * contains the earlier one, so the positions of a card follow its versions. The order of unrelated changes is not
 * defined: a row that commits late gets a late position.
 *
 * All parts of the statement use one snapshot: up to the highest id of the batch there is exactly the batch. It is
 * deleted by an index range, because a join planned for an empty queue would be quadratic for a long one.
 *
 * The head row fences: it is updated only from the position read by this sequencer, so that a replaced sequencer moves
 * nothing.
 */
const MOVE = {
  name: 'sequencer-move',
  text: `with batch as materialized (select id from event_outbox order by id limit $2),
    head as (update event_head set position = position + (select count(*) from batch)
      where position = $1 and exists (select from batch) returning 1),
    taken as (delete from event_outbox o where o.id <= (select max(id) from batch) and exists (select from head) returning o.*),
    moved as (insert into events (position, type, occurred_at, actor_id, actor_name, token, origin, request_id, change_id,
        subject_kind, subject_id, subject_type, subject_name, data)
      select $1::bigint + row_number() over (order by id), type, occurred_at, actor_id, actor_name, token, origin, request_id, change_id,
        subject_kind, subject_id, subject_type, subject_name, data from taken returning 1)
    select (select count(*) from moved)::int as moved, (select position from event_head) = $1 as is_mine`,
};
const TRY_LOCK = { name: 'sequencer-lock', text: 'select pg_try_advisory_lock($1) as held' };
const BACKLOG = {
  name: 'sequencer-backlog',
  text: 'select position::text as head, exists (select from event_outbox) as waiting from event_head',
};
const END_HOLDER = {
  name: 'sequencer-end-holder',
  text: `select count(pg_terminate_backend(pid))::int as ended from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1 and classid = 0 and objid = $1
      and database = (select oid from pg_database where datname = current_database())`,
};
// Months in UTC by the database's clock, like all times of the log.
const MONTH_OVER = {
  name: 'sequencer-month-over',
  text: `select date_trunc('month', occurred_at at time zone 'UTC') < date_trunc('month', clock_timestamp() at time zone 'UTC') as over
    from events where position >= $1 and position <= $2 order by position limit 1`,
};

/** The dedicated session of a sequencer, which holds the lock or waits for it. */
export class SequencerSession {
  private constructor(private readonly client: pg.Client) {}

  /**
   * Connects with the settings that allow emptying the outbox. Plans are fixed to index scans, because the queue is
   * sometimes empty and sometimes long, and statistics may not reflect it.
   */
  static async open(db: Database): Promise<SequencerSession> {
    const session = new SequencerSession(await db.dedicated('lintel-sequencer'));
    await session.run({
      name: undefined,
      text: `set lintel.sequencer = on; set statement_timeout = ${STATEMENT_MS}; set enable_seqscan = off; set enable_hashjoin = off;
      set enable_mergejoin = off; set plan_cache_mode = force_generic_plan; set idle_in_transaction_session_timeout = ${STATEMENT_MS}`,
    });
    return session;
  }

  async tryLock(): Promise<boolean> {
    return (await this.run<{ held: boolean }>(TRY_LOCK, [SEQUENCER_LOCK]))[0]!.held;
  }

  /** The last assigned position, and whether there are rows without one. */
  async backlog(): Promise<{ head: number; waiting: boolean }> {
    const [row] = await this.run<{ head: string; waiting: boolean }>(BACKLOG);
    return { head: Number(row!.head), waiting: row!.waiting };
  }

  /**
   * @param head last position assigned by this sequencer
   * @returns the number of rows moved; undefined when another sequencer has changed the head
   */
  async move(head: number, limit: number): Promise<number | undefined> {
    const [row] = await this.run<{ moved: number; is_mine: boolean }>(MOVE, [head, limit]);
    return row!.is_mine ? row!.moved : undefined;
  }

  /** Ends the session that holds the lock. @returns whether there was one */
  async endHolder(): Promise<boolean> {
    return (await this.run<{ ended: number }>(END_HOLDER, [SEQUENCER_LOCK]))[0]!.ended > 0;
  }

  /**
   * Creates partitions for future positions.
   * @param upTo last position that must have a partition
   * @returns the first position without a partition
   */
  async ensureRoom(head: number, upTo: number): Promise<number> {
    let end = await this.roomEnd(head);
    while (end <= upTo) {
      const partition = partitionFrom(end, end + PARTITION_SIZE);
      await this.script(creationScript(partition));
      end = partition.to;
    }
    return end;
  }

  /** The first position without a partition. */
  async roomEnd(head: number): Promise<number> {
    return Math.max((await this.partitions()).at(-1)?.to ?? 0, head + 1);
  }

  /**
   * Starts a new partition after the last position if the current one contains events of a completed month. Old events
   * are deleted by dropping partitions, and a small log would otherwise never fill one.
   * @returns whether a partition was started
   */
  async closeMonth(head: number): Promise<boolean> {
    const partitions = await this.partitions();
    const current = partitions.find(({ from, to }) => from <= head && head + 1 < to);
    if (!current || !(await this.run<{ over: boolean }>(MONTH_OVER, [current.from, head]))[0]?.over) return false;
    const next = partitionFrom(head + 1, current.to);
    await this.script(closingScript(current, next, CLOSING_MS), CLOSING_MS);
    return true;
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  private async partitions(): Promise<Partition[]> {
    return await this.run<Partition & Record<string, unknown>>(PARTITIONS);
  }

  /** Runs a transaction of several statements. */
  private async script(text: string, ms = STATEMENT_MS): Promise<void> {
    try {
      await this.run({ name: undefined, text }, undefined, ms);
    } catch (error) {
      await this.run({ name: undefined, text: 'rollback' });
      throw error;
    }
  }

  private async run<R extends pg.QueryResultRow>(
    { name, text }: Statement,
    values?: unknown[],
    ms = STATEMENT_MS,
  ): Promise<R[]> {
    const query = { ...(name !== undefined && { name }), text, ...(values && { values }), query_timeout: ms + 2_000 };
    return (await this.client.query<R>(query)).rows;
  }
}
