import type { Knex } from 'knex';

/**
 * What users do by links of mails: invitations, new passwords, changes of e-mail addresses; and the devices from which
 * users log in. Tokens of links are made when a mail is sent, and only their hashes are stored.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table invitations (
  id uuid primary key,
  email text not null,
  email_key text not null collate "C",
  display_name text,
  -- no foreign key: an invitation must not keep a role in use; it is checked when the invitation is accepted
  role text not null,
  locale text,
  -- whose permissions limit the role; without this user the invitation cannot be accepted
  invited_by uuid references users(id) on delete set null,
  state text not null default 'pending' check (state in ('pending', 'accepted', 'withdrawn', 'expired')),
  user_id uuid references users(id) on delete set null,
  created_at timestamptz(3) not null default clock_timestamp(),
  sent_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  check ((state = 'pending') = (ended_at is null))
);
create unique index invitations_open on invitations (email_key) where state = 'pending';
create index invitations_created on invitations (created_at, id);
create index invitations_age on invitations (coalesce(ended_at, expires_at));
create index invitations_invited_by on invitations (invited_by) where invited_by is not null;
create index invitations_user on invitations (user_id) where user_id is not null;

create table password_resets (
  id uuid primary key,
  user_id uuid not null references users(id) on delete cascade,
  -- digest of the e-mail address and the password hash: a change of either ends the reset
  account_state bytea not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index password_resets_user on password_resets (user_id);
create index password_resets_created on password_resets (created_at);

create table email_changes (
  id uuid primary key,
  user_id uuid not null references users(id) on delete cascade,
  old_email text not null,
  new_email text not null,
  state text not null default 'pending' check (state in ('pending', 'applied', 'withdrawn')),
  confirmed_old_at timestamptz(3),
  confirmed_new_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null
);
create unique index email_changes_open on email_changes (user_id) where state = 'pending';
create index email_changes_user on email_changes (user_id);
create index email_changes_expiry on email_changes (expires_at);

create table mail_tokens (
  -- SHA-256 of 256 random bits; the token itself is not stored
  hash bytea primary key,
  purpose text not null check (purpose in ('accept', 'reset', 'confirm_old', 'confirm_new', 'withdraw')),
  invitation_id uuid references invitations(id) on delete cascade,
  reset_id uuid references password_resets(id) on delete cascade,
  change_id uuid references email_changes(id) on delete cascade,
  expires_at timestamptz(3) not null,
  check (num_nonnulls(invitation_id, reset_id, change_id) = 1)
);
create index mail_tokens_invitation on mail_tokens (invitation_id) where invitation_id is not null;
create index mail_tokens_reset on mail_tokens (reset_id) where reset_id is not null;
create index mail_tokens_change on mail_tokens (change_id) where change_id is not null;
create index mail_tokens_expiry on mail_tokens (expires_at);

-- Mails that requests have caused to an address, also to one without an account.
create table mail_limits (
  key bytea primary key,
  at timestamptz[] not null,
  was_allowed boolean not null,
  last_at timestamptz not null
);
create index mail_limits_age on mail_limits (last_at);

create table login_devices (
  user_id uuid not null references users(id) on delete cascade,
  family text not null,
  network text not null,
  last_login_at timestamptz(3) not null,
  primary key (user_id, family, network)
);
create index login_devices_age on login_devices (last_login_at);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table login_devices;
drop table mail_limits;
drop table mail_tokens;
drop table email_changes;
drop table password_resets;
drop table invitations;
`);
}
