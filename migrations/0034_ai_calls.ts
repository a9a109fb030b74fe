import type { Knex } from 'knex';

/** Requests to the language model: their log, and the spend cap of a month. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Locked while a request is admitted, so that requests of all nodes are admitted one after the other.
create table ai_months (
  month date primary key
);
create table ai_calls (
  id uuid primary key,
  -- first day of the UTC month to whose cap it counts
  month date not null references ai_months(month),
  module text not null,
  purpose text not null,
  user_id uuid references users(id) on delete set null,
  provider text not null,
  model text not null,
  -- open: under way, or its node is gone
  state text not null default 'open' check (state in ('open', 'done', 'failed')),
  reason text,
  detail text,
  -- US dollars: an upper bound, which counts until the request has ended or the reservation expires
  reserved numeric not null,
  expires_at timestamptz(3) not null,
  cost numeric,
  input_tokens integer,
  output_tokens integer,
  is_estimated boolean not null default false,
  attempts smallint not null default 0,
  -- null after their retention
  prompt text,
  answer text,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  finished_at timestamptz(3)
);
create index ai_calls_of_month on ai_calls (month) include (state, reserved, expires_at, cost);
create index ai_calls_recent on ai_calls (created_at desc, id);
create index ai_calls_of_user on ai_calls (user_id) where user_id is not null;
create index ai_calls_with_texts on ai_calls (created_at) where prompt is not null or answer is not null;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table ai_calls, ai_months');
}
