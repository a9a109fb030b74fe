import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- The position of each subscription of a module in the event log, and the node that holds its lease.
create table subscriptions (
  module text not null,
  name text not null,
  position bigint not null,
  holder uuid,
  lease_until timestamptz(3),
  updated_at timestamptz(3) not null default clock_timestamp(),
  primary key (module, name)
);

-- Events that a subscription failed to handle.
create table parked_events (
  module text not null,
  subscription text not null,
  position bigint not null,
  error text not null,
  attempts integer not null,
  parked_at timestamptz(3) not null default clock_timestamp(),
  -- a retry is scheduled
  is_due boolean not null default false,
  primary key (module, subscription, position)
);

-- Changes when every node is to scan its modules.
insert into revisions (kind) values ('module_files');
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop table parked_events, subscriptions; delete from revisions where kind = 'module_files'`);
}
