import type { Knex } from 'knex';

/**
 * Limits with a sliding window: the times of requests and wrong passwords are stored instead of counts per window. Wrong
 * passwords are stored by account and client address and not with the user, so that an e-mail address without an account is
 * limited in the same way. Sessions end after 30 days.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
drop table rate_counters;
-- Unlogged: if a crash of the database empties it, only counted requests are lost.
create unlogged table rate_hits (
  key text primary key,
  -- times of the accepted requests within the window, the oldest first
  at timestamptz[] not null,
  was_allowed boolean not null,
  last_at timestamptz not null
);
create index rate_hits_age on rate_hits (last_at);

create unlogged table login_misses (
  -- SHA-256 of the given e-mail address, which may belong to no account or be invalid
  account bytea not null,
  -- a client address, a session, or '*' for all addresses without a recent log-in to the account
  source text not null,
  at timestamptz[] not null,
  limited_until timestamptz,
  -- after this time the row has no effect
  stale_at timestamptz not null,
  primary key (account, source)
);
create index login_misses_age on login_misses (stale_at);

create table login_addresses (
  user_id uuid not null references users(id) on delete cascade,
  address text not null,
  last_login_at timestamptz(3) not null,
  primary key (user_id, address)
);
create index login_addresses_age on login_addresses (last_login_at);
-- IPv6 addresses are stored by their network; the previous ones are recorded again at the next log-in.
insert into login_addresses (user_id, address, last_login_at)
select user_id, regexp_replace(address, '^::ffff:', '', 'i'), max(created_at) from sessions
where address ~* '^(::ffff:|)[0-9]{1,3}([.][0-9]{1,3}){3}$' and created_at > now() - interval '30 days'
group by 1, 2;

alter table users drop column failed_logins, drop column first_failed_at, drop column locked_until;

update sessions set expires_at = least(expires_at, created_at + interval '30 days') where ended_at is null;
update refresh_tokens r set expires_at = s.expires_at from sessions s where s.id = r.session_id and r.expires_at > s.expires_at;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table rate_hits, login_misses, login_addresses;
create unlogged table rate_counters (
  key text not null,
  window_start timestamptz not null,
  hits integer not null,
  primary key (key, window_start)
);
alter table users
  add column failed_logins integer not null default 0,
  add column first_failed_at timestamptz,
  add column locked_until timestamptz;
`);
}
