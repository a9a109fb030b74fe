import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Addresses outside that are told of events. Their signing secrets are in the table of secrets.
create table webhooks (
  id uuid primary key,
  name text,
  url text not null,
  -- exact types, or prefixes that end in a dot; none means all
  types text[] not null default '{}',
  -- all must hold
  conditions jsonb not null default '[]',
  is_active boolean not null default true,
  disabled_reason text check (disabled_reason in ('failing', 'gone', 'owner_inactive', 'owner_not_permitted')),
  -- by whose rights events are sent: who last decided what is sent where
  owner_id uuid references users(id) on delete set null,
  -- events up to here are not for it
  from_position bigint not null,
  -- until when the former secret signs too
  previous_secret_until timestamptz(3),
  -- since when every attempt has failed
  failing_since timestamptz(3),
  last_attempt_at timestamptz(3),
  last_success_at timestamptz(3),
  last_status integer,
  last_error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null default 1,
  constraint webhooks_reason check (disabled_reason is null or not is_active)
);
create index webhooks_created on webhooks (created_at, id);
create index webhooks_owner on webhooks (owner_id);

-- One row for each event a webhook is told of. What the event says is in the event log alone.
create table webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null references webhooks(id) on delete cascade,
  position bigint not null,
  event_type text not null,
  subject_id text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'skipped')),
  attempts integer not null default 0,
  -- When it is due; of one being sent, when the lease is up of the node that does so. Null where it is through, and where
  -- it waits for an earlier one of its subject: what waits costs the look for what is due nothing.
  next_at timestamptz(3),
  lease_until timestamptz(3),
  -- grows with each claim: of two nodes the one with the higher number may say what became of it
  fence bigint not null default 0,
  first_attempt_at timestamptz(3),
  -- the last attempts, the latest last
  log jsonb not null default '[]',
  redelivery_of uuid,
  created_at timestamptz(3) not null default clock_timestamp(),
  finished_at timestamptz(3),
  constraint webhook_deliveries_finished check ((state = 'pending') = (finished_at is null))
);
create unique index webhook_deliveries_once on webhook_deliveries (webhook_id, position) where redelivery_of is null;
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_at) where state = 'pending' and next_at is not null;
create index webhook_deliveries_turn on webhook_deliveries (webhook_id, subject_id, position) where state = 'pending';
create index webhook_deliveries_created on webhook_deliveries (webhook_id, created_at, id);
create index webhook_deliveries_through on webhook_deliveries (finished_at) where finished_at is not null;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table webhook_deliveries, webhooks;
delete from secrets where starts_with(name, 'webhook.');
delete from subscriptions where module = 'core' and name = 'webhooks';
`);
}
