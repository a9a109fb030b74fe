import type { Knex } from 'knex';

/** Executes a statement for every existing partition of the log. @param statement with `%s` for the name of the partition */
const eachPartition = (statement: string): string => `
do $$ declare part regclass; begin
  for part in select inhrelid::regclass from pg_inherits where inhparent = 'events'::regclass loop
    execute format('${statement}', part);
  end loop;
end $$;`;

/**
 * The log is append-only for every role: its triggers also fire with `session_replication_role = replica`, by which a
 * superuser could otherwise bypass them. Only the sequencer may delete from the outbox. A ticket opens one stream.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table events enable always trigger events_no_change;
alter table events enable always trigger events_no_truncate;
${eachPartition('alter table %s enable always trigger events_no_change')}
${eachPartition('alter table %s enable always trigger events_no_truncate')}

create function event_outbox_guard() returns trigger language plpgsql as $$
begin raise exception 'what waits in event_outbox is taken out by the sequencer alone' using errcode = '42501'; end $$;
create trigger event_outbox_no_change before update on event_outbox for each row execute function event_outbox_guard();
create trigger event_outbox_no_truncate before truncate on event_outbox for each statement execute function event_outbox_guard();
-- For each statement and not for each row, so that the condition does not slow down the sequencer.
create trigger event_outbox_no_delete before delete on event_outbox for each statement
  when (current_setting('lintel.sequencer', true) is distinct from 'on') execute function event_outbox_guard();
alter table event_outbox enable always trigger event_outbox_no_change;
alter table event_outbox enable always trigger event_outbox_no_truncate;
alter table event_outbox enable always trigger event_outbox_no_delete;

create table stream_tickets (
  hash bytea primary key,
  session_id uuid not null references sessions(id) on delete cascade,
  -- expiry of the token with which the ticket was requested; its stream ends then
  token_expires_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index stream_tickets_expiry on stream_tickets (expires_at);
create index stream_tickets_session on stream_tickets (session_id);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table stream_tickets;
drop trigger event_outbox_no_delete on event_outbox;
drop trigger event_outbox_no_truncate on event_outbox;
drop trigger event_outbox_no_change on event_outbox;
drop function event_outbox_guard();
${eachPartition('alter table %s enable trigger events_no_truncate')}
${eachPartition('alter table %s enable trigger events_no_change')}
alter table events enable trigger events_no_truncate;
alter table events enable trigger events_no_change;
`);
}
