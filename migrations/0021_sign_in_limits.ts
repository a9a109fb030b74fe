import type { Knex } from 'knex';

/**
 * Limits that slide: requests and wrong passwords are kept with their times instead of being counted from a point in
 * time. Wrong passwords are kept by account and client address, and not with the user: an address nobody is
 * registered under is limited like any other. And sessions end after 30 days.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
drop table rate_counters;
-- Lost on a crash of the database, which only forgives requests: not worth a write-ahead log.
create unlogged table rate_hits (
  key text primary key,
  -- of the requests that were let through within a window, oldest first
  at timestamptz[] not null,
  was_allowed boolean not null,
  last_at timestamptz not null
);
create index rate_hits_age on rate_hits (last_at);

create unlogged table login_misses (
  -- SHA-256 of the e-mail address that was given, which may be of no account, or no address at all
  account bytea not null,
  -- a client address, a session, or '*' for all addresses from which nobody has logged in to the account lately
  source text not null,
  at timestamptz[] not null,
  limited_until timestamptz,
  -- from then on the row limits nothing
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
-- Addresses of IPv6 count by their network; they are known again from the next log-in.
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
