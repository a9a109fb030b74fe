import type { Database, Statement } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';

/** A partition of the log: positions from `from` up to but excluding `to`. */
export interface Partition {
  name: string;
  from: number;
  to: number;
}

/** An object that can run statements. */
type Sender = Pick<Database | UnitOfWork, 'query'>;

/** Maximum wait for a lock on the log, because readers queue behind a waiting exclusive lock. */
const LOCK_MS = 300;
const LOCK_TIMEOUT = `set local lock_timeout = ${LOCK_MS}`;

/** The bounds are read from PostgreSQL's catalogue, in order. */
export const PARTITIONS: Statement = {
  name: 'event-partitions',
  text: `select c.relname as name, m[1]::float8 as "from", m[2]::float8 as "to"
    from pg_inherits i join pg_class c on c.oid = i.inhrelid,
      regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''?(\\d+)''?\\) TO \\(''?(\\d+)''?\\)') m
    where i.inhparent = 'events'::regclass order by 2`,
};
const HEAD: Statement = { name: 'event-head', text: 'select position::float8 as position from event_head' };

/** Checks the name of a partition, which goes into statements that take no parameters. */
function nameOf(name: string): string {
  if (!/^events_[a-z0-9_]+$/.test(name)) throw new Error(`${name} is no partition of the event log`);
  return name;
}

/** Builds no index and scans no rows: the table is created separately, and a check constraint proves its bounds. */
function creation({ name, from, to }: Partition): string {
  return `create table ${nameOf(name)} (like events including all, check (position >= ${from} and position < ${to}));
    create trigger events_no_truncate before truncate on ${name} for each statement execute function events_append_only();
    alter table ${name} enable always trigger events_no_truncate;
    alter table events attach partition ${name} for values from (${from}) to (${to});
    alter table ${name} enable always trigger events_no_change;`;
}

/** The partition that begins at a position. */
export const partitionFrom = (from: number, to: number): Partition => ({ name: `events_from_${from}`, from, to });

/**
 * A script that creates a partition. Creating it in place would lock the whole log; attaching needs only a short lock.
 */
export function creationScript(partition: Partition): string {
  return `begin; ${LOCK_TIMEOUT}; ${creation(partition)} commit`;
}

/**
 * A script that ends a partition before a position and starts the next one there, atomically. Attaching relies on the
 * check constraint; adding the constraint scans the partition once, while other statements wait.
 */
export function closingScript({ name, from }: Partition, next: Partition, statementMs: number): string {
  return `begin; ${LOCK_TIMEOUT}; set local statement_timeout = ${statementMs};
    alter table events detach partition ${nameOf(name)};
    alter table ${name} add constraint events_closed check (position >= ${from} and position < ${next.from});
    alter table events attach partition ${name} for values from (${from}) to (${next.from});
    alter table ${name} enable always trigger events_no_change;
    ${creation(next)} commit`;
}

interface OldestPartition extends Partition {
  /** First and last position in it; undefined where it has no events, because the log resumed after a gap. */
  first: number | undefined;
  last: number | undefined;
  events: number;
  isExpired: boolean;
}

/**
 * The first partition of the log, if a later partition is in use.
 * @param days it is expired when its latest event is older
 */
export async function oldestPartition(db: Sender, days: number): Promise<OldestPartition | undefined> {
  const [oldest, next] = await db.query<Partition & Record<string, unknown>>(PARTITIONS);
  const [head] = await db.query<{ position: number }>(HEAD);
  if (!oldest || !next || head!.position < oldest.to - 1) return undefined;
  const name = nameOf(oldest.name);
  const [held] = await db.query<{ first: number | null; last: number | null; events: number; expired: boolean | null }>(
    {
      name: undefined,
      text: `select min(position)::float8 as first, max(position)::float8 as last, count(*)::int as events,
      max(occurred_at) < clock_timestamp() - make_interval(days => $1) as expired from ${name}`,
    },
    [days],
  );
  const { first, last, events, expired } = held!;
  return { ...oldest, first: first ?? undefined, last: last ?? undefined, events, isExpired: expired ?? true };
}

/** Drops a partition with all its events. @throws 55P03 where the lock on the log was not granted in time */
export async function dropPartition(uow: UnitOfWork, { name }: Partition): Promise<void> {
  await uow.query({ name: undefined, text: LOCK_TIMEOUT });
  await uow.query({ name: undefined, text: `drop table ${nameOf(name)}` });
}
