import type { Knex } from 'knex';

/**
 * Positions of the log that are never given. When another server continues the log, or a former state of it, positions that were given before may
 * belong to events that are lost: the log resumes at a position that was never given.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table event_gaps (
  -- the last position before the gap of which it is certain that no other event ever had it
  sure bigint not null,
  -- the last position before the gap
  ended bigint not null check (ended >= sure),
  -- the first position after the gap
  resumed bigint primary key check (resumed > ended),
  -- the number of the part of the log that begins after the gap
  epoch integer not null check (epoch >= 1),
  reason text not null check (reason in ('failover', 'restart', 'lost')),
  at timestamptz(3) not null default clock_timestamp(),
  -- the last position that is known to be lost
  lost_to bigint
);
-- The database that has continued the log so far.
create table event_source (
  one boolean primary key default true check (one),
  epoch integer not null default 1 check (epoch >= 1),
  lineage text,
  started text
);
insert into event_source default values;

-- The number of positions after a and up to b that may have events.
create function events_between(a bigint, b bigint) returns bigint language sql stable parallel safe as $$
  select greatest(0, b - a - coalesce((select sum(greatest(0, least(b, resumed - 1) - greatest(a, ended))) from event_gaps), 0))::bigint $$;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function events_between(bigint, bigint); drop table event_source; drop table event_gaps');
}
