import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- External addresses to which events are sent. Their signing secrets are in the table of secrets.
create table webhooks (
  id uuid primary key,
  name text,
  url text not null,
  -- exact types, or prefixes that end in a dot; none means all
  types text[] not null default '{}',
  -- all must be satisfied
  conditions jsonb not null default '[]',
  is_active boolean not null default true,
  disabled_reason text check (disabled_reason in ('failing', 'gone', 'owner_inactive', 'owner_not_permitted')),
  -- the user with whose permissions events are sent: the last one who changed address or filter
  owner_id uuid references users(id) on delete set null,
  -- events up to this position are not sent
  from_position bigint not null,
  -- until this time requests are also signed with the previous secret
  previous_secret_until timestamptz(3),
  -- time since which every attempt has failed
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

-- One row for each event to be sent to a webhook. The data of the event is only in the event log.
create table webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null references webhooks(id) on delete cascade,
  position bigint not null,
  event_type text not null,
  subject_id text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'skipped')),
  attempts integer not null default 0,
  -- Time when it is due; while it is being sent, the end of the lease. Null if it is finished, or waits for an earlier one
  -- of its subject, so that waiting rows do not slow down the query for due rows.
  next_at timestamptz(3),
  lease_until timestamptz(3),
  -- fencing number, incremented with each claim: only the node with the highest one may store the outcome
  fence bigint not null default 0,
  first_attempt_at timestamptz(3),
  -- the last attempts, in chronological order
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
