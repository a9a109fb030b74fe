import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- How far each subscription of a module has come in the event log, and which node goes on with it.
create table subscriptions (
  module text not null,
  name text not null,
  position bigint not null,
  holder uuid,
  lease_until timestamptz(3),
  updated_at timestamptz(3) not null default clock_timestamp(),
  primary key (module, name)
);

-- Events a subscription has given up on.
create table parked_events (
  module text not null,
  subscription text not null,
  position bigint not null,
  error text not null,
  attempts integer not null,
  parked_at timestamptz(3) not null default clock_timestamp(),
  -- it is to be tried once more
  is_due boolean not null default false,
  primary key (module, subscription, position)
);

-- Moves when the modules of every node are to be looked for anew.
insert into revisions (kind) values ('module_files');
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop table parked_events, subscriptions; delete from revisions where kind = 'module_files'`);
}
