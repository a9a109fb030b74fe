import type { Database, Statement } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';

/** A part of the log: positions from `from` to below `to`. */
export interface Partition {
  name: string;
  from: number;
  to: number;
}

/** Whoever sends statements. */
type Sender = Pick<Database | UnitOfWork, 'query'>;

/** The longest wait for a lock on the log. Readers queue behind whoever waits for it. */
export const LOCK_MS = 300;
const LOCK_TIMEOUT = `set local lock_timeout = ${LOCK_MS}`;

/** The bounds are what the catalogue says, in order: the log is where PostgreSQL puts it. */
export const PARTITIONS: Statement = {
  name: 'event-partitions',
  text: `select c.relname as name, m[1]::float8 as "from", m[2]::float8 as "to"
    from pg_inherits i join pg_class c on c.oid = i.inhrelid,
      regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''?(\\d+)''?\\) TO \\(''?(\\d+)''?\\)') m
    where i.inhparent = 'events'::regclass order by 2`,
};
const HEAD: Statement = { name: 'event-head', text: 'select position::float8 as position from event_head' };

/** A partition as an identifier: names are ours, and go into statements that take no parameters. */
function nameOf(name: string): string {
  if (!/^events_[a-z0-9_]+$/.test(name)) throw new Error(`${name} is no partition of the event log`);
  return name;
}

/** No index is built and no row looked at: the partition is made beside the log, and a check says what is in it. */
function creation({ name, from, to }: Partition): string {
  return `create table ${nameOf(name)} (like events including all, check (position >= ${from} and position < ${to}));
    create trigger events_no_truncate before truncate on ${name} for each statement execute function events_append_only();
    alter table ${name} enable always trigger events_no_truncate;
    alter table events attach partition ${name} for values from (${from}) to (${to});
    alter table ${name} enable always trigger events_no_change;`;
}

/** The partition that begins at a position. */
export const partitionFrom = (from: number, to: number): Partition => ({ name: `events_from_${from}`, from, to });

/** A script that makes a partition. Creating it in place would lock the whole log; attaching one hardly shows. */
export function creationScript(partition: Partition): string {
  return `begin; ${LOCK_TIMEOUT}; ${creation(partition)} commit`;
}

/**
 * A script that has a partition end before a position, and the next one begin there, all or nothing. The check is
 * what attaching goes by; to make it reads the partition once, for which others wait.
 */
export function closingScript({ name, from }: Partition, next: Partition, statementMs: number): string {
  return `begin; ${LOCK_TIMEOUT}; set local statement_timeout = ${statementMs};
    alter table events detach partition ${nameOf(name)};
    alter table ${name} add constraint events_closed check (position >= ${from} and position < ${next.from});
    alter table events attach partition ${name} for values from (${from}) to (${next.from});
    alter table ${name} enable always trigger events_no_change;
    ${creation(next)} commit`;
}

export interface OldestPartition extends Partition {
  /** First and last position there is in it. */
  first: number;
  last: number;
  isExpired: boolean;
}

/**
 * The first partition of the log, if another follows it in which the log goes on.
 * @param days it is expired when its latest event is older
 */
export async function oldestPartition(db: Sender, days: number): Promise<OldestPartition | undefined> {
  const [oldest, next] = await db.query<Partition & Record<string, unknown>>(PARTITIONS);
  const [head] = await db.query<{ position: number }>(HEAD);
  if (!oldest || !next || head!.position < oldest.to - 1) return undefined;
  const name = nameOf(oldest.name);
  const [held] = await db.query<{ first: number | null; last: number | null; expired: boolean | null }>(
    {
      name: undefined,
      text: `select (select position from ${name} order by position limit 1)::float8 as first, (select position from ${name} order by position desc limit 1)::float8 as last,
      (select max(occurred_at) from ${name}) < clock_timestamp() - make_interval(days => $1) as expired`,
    },
    [days],
  );
  return {
    ...oldest,
    first: held!.first ?? oldest.from,
    last: held!.last ?? oldest.to - 1,
    isExpired: held!.expired === true,
  };
}

/** Takes a partition out of the log with all that is in it. @throws 55P03 where the log is not to be had in time */
export async function dropPartition(uow: UnitOfWork, { name }: Partition): Promise<void> {
  await uow.query({ name: undefined, text: LOCK_TIMEOUT });
  await uow.query({ name: undefined, text: `drop table ${nameOf(name)}` });
}
