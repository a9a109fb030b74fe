import type { Knex } from 'knex';

/**
 * Single sign-on: identities at providers, sign-ins that have begun, codes that are exchanged for a session, and how a
 * session was started. Earlier versions of the service only start sessions by password, which is the default.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table user_identities (
  id uuid primary key,
  user_id uuid not null references users(id) on delete cascade,
  issuer text not null,
  subject text not null,
  -- id of the provider in the settings at the time
  provider text not null,
  created_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null default clock_timestamp(),
  last_login_at timestamptz(3),
  constraint user_identities_taken unique (issuer, subject)
);
create index user_identities_user on user_identities (user_id, created_at);
create index user_identities_created_by on user_identities (created_by) where created_by is not null;

-- Sign-ins that have begun. Neither state nor the secret of the browser is stored; nonce and PKCE verifier are derived from both.
create table sso_requests (
  state_hash bytea primary key,
  browser_hash bytea not null,
  provider text not null,
  issuer text not null,
  return_to text not null,
  -- S256, of a client that is not on the origin of the service
  code_challenge text,
  expires_at timestamptz(3) not null
);
create index sso_requests_expiry on sso_requests (expires_at);

-- Codes that a client exchanges for a session.
create table sso_codes (
  code_hash bytea primary key,
  state_hash bytea not null,
  browser_hash bytea not null,
  code_challenge text,
  identity_id uuid not null references user_identities(id) on delete cascade,
  provider text not null,
  -- encrypted
  id_token bytea,
  expires_at timestamptz(3) not null
);
create index sso_codes_expiry on sso_codes (expires_at);
create index sso_codes_identity on sso_codes (identity_id);

alter table sessions
  add column method text not null default 'local' check (method in ('local', 'sso')),
  add column provider text,
  -- encrypted; identifies the session to the provider at log-out
  add column id_token bytea;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table sessions drop column id_token, drop column provider, drop column method;
drop table sso_codes;
drop table sso_requests;
drop table user_identities;
`);
}
