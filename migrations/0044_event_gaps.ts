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
  started text,
  -- Rows with a lower id are older than the epoch; null in the first one.
  made_before uuid,
  -- The first version that such rows get in the epoch.
  version_floor integer
);
insert into event_source default values;

create function continue_version() returns trigger language plpgsql as $$ begin new.version := tg_argv[0]::int; return new; end $$;

-- Versions that lost writes may have had are not given again: the next version of each older row is at least the floor. There are no such triggers
-- in the first epoch.
create function continue_versions(floor integer, made_before uuid) returns void language plpgsql as $$
declare versioned record;
begin
  for versioned in
    select c.oid::regclass as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'id' and a.atttypid = 'uuid'::regtype) as has_id
    from pg_class c join pg_attribute v on v.attrelid = c.oid and v.attname = 'version' and v.atttypid = 'integer'::regtype and not v.attisdropped
    where c.relnamespace = (select relnamespace from pg_class where oid = 'event_head'::regclass) and c.relkind in ('r', 'p') and not c.relispartition
      -- Not the tables of other programs.
      and (c.relname = any('{card_comments,card_contents,card_documents,card_todos,card_types,imports,jobs,modules,notification_preferences,notifications,relation_types,relations,roles,settings,tag_groups,tags,users,webhooks}'::text[]) or exists (select from modules m where starts_with(c.relname, m.id || '_')))
  loop
    begin
      execute format('create or replace trigger versions_continue before update on %s for each row when (new.version = old.version + 1 and new.version < %s%s)
      execute function continue_version(%s)', versioned.name, floor, case when versioned.has_id then format(' and old.id < %L', made_before) else '' end, floor);
    exception when insufficient_privilege or lock_not_available then
      -- The log must go on.
      raise warning 'versions of % may be given again: %', versioned.name, sqlerrm;
    end;
  end loop;
end $$;

-- The number of positions after a and up to b that may have events.
create function events_between(a bigint, b bigint) returns bigint language sql stable parallel safe as $$
  select greatest(0, b - a - coalesce((select sum(greatest(0, least(b, resumed - 1) - greatest(a, ended))) from event_gaps), 0))::bigint $$;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop function events_between(bigint, bigint);
drop function continue_versions(integer, uuid);
drop function continue_version() cascade;
drop table event_source;
drop table event_gaps;
`);
}
