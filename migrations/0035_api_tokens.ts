import type { Knex } from 'knex';

/**
 * API tokens, and the token of a change, an event and a job. A row without a token is of a session, or of the system;
 * earlier versions of the service write none.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table api_tokens (
  -- the claim jti of the token; the token itself is not stored
  id uuid primary key,
  user_id uuid not null references users(id) on delete cascade,
  name text not null,
  -- keys of permissions; the token has those of them that its user has
  permissions text[] not null check (cardinality(permissions) > 0),
  -- CIDR; empty: any address
  address_ranges text[] not null default '{}',
  created_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  ended_at timestamptz(3)
);
create index api_tokens_user on api_tokens (user_id, created_at);
create index api_tokens_expiry on api_tokens (expires_at);
create index api_tokens_created_by on api_tokens (created_by) where created_by is not null;

-- The id of a session or of an API token. A ticket is redeemed only while that is active.
alter table stream_tickets drop constraint stream_tickets_session_id_fkey;

-- {id, name}: kept when the token is deleted
alter table changes add column token jsonb;
alter table event_outbox add column token jsonb;
alter table events add column token jsonb;

-- A job on behalf of a user that was queued with a token has the permissions of the token, and fails when the token
-- has ended. No foreign key: the job must not gain permissions when the row of the token is deleted.
alter table jobs add column token_id uuid;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table jobs drop column token_id;
alter table events drop column token;
alter table event_outbox drop column token;
alter table changes drop column token;
delete from stream_tickets;
alter table stream_tickets add constraint stream_tickets_session_id_fkey foreign key (session_id) references sessions(id) on delete cascade;
drop table api_tokens;
`);
}
