import type { Knex } from 'knex';

/** Notifications of users, and their preferences. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table notifications (
  id uuid primary key,
  user_id uuid not null references users(id) on delete cascade,
  kind text not null,
  -- events with the same key are one notification: a single event, or for bulk changes the change
  group_key text not null,
  -- if false, the row exists only for its mail
  in_app boolean not null,
  -- position of the last counted event; null for notifications of modules
  position bigint,
  subject_kind text not null,
  subject_id text not null,
  subject_type text,
  subject_name text,
  actor_id uuid,
  actor_name text,
  -- given by a module; titles of the core are composed when they are read
  title text,
  link text,
  count integer not null check (count > 0),
  data jsonb not null default '{}',
  mail_state text check (mail_state in ('due', 'sent', 'failed')),
  -- the job that sends, or has sent, its mail
  mail_job uuid,
  created_at timestamptz(3) not null,
  -- time of the last counted event
  updated_at timestamptz(3) not null,
  read_at timestamptz(3),
  version integer not null default 1,
  constraint notifications_group unique (user_id, kind, group_key)
);
create index notifications_list on notifications (user_id, created_at, id) where in_app;
create index notifications_unread on notifications (user_id) where in_app and read_at is null;
create index notifications_mail on notifications (user_id) where mail_state in ('due', 'failed');
create index notifications_age on notifications (created_at);

-- Only differences from the defaults of the kinds.
create table notification_preferences (
  user_id uuid primary key references users(id) on delete cascade,
  value jsonb not null default '{}',
  version integer not null default 1,
  updated_at timestamptz(3) not null default clock_timestamp()
);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `drop table notification_preferences, notifications; delete from subscriptions where module = 'core' and name = 'notifications'`,
  );
}
