import type { Knex } from 'knex';

/**
 * The core schema. Rules that concurrent transactions could violate are constraints here; services check the same rules
 * first only to report all errors together.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- ── identity ───────────────────────────────────────────────────────────────────────────────────────────
create table roles (
  key text primary key check (key ~ '^[a-z][a-z0-9_]{0,62}$'),
  label text not null,
  description text,
  color text,
  permissions jsonb not null default '[]',
  types jsonb not null default '{}',
  is_system boolean not null default false,
  is_default boolean not null default false,
  is_archived boolean not null default false,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  version integer not null default 1
);
create unique index roles_one_default on roles (is_default) where is_default;

-- Every permission key ever declared: a key is granted to the system roles once, when it is first declared, so that
-- it is not granted again after an administrator has removed it.
create table permission_keys (
  key text primary key,
  owner text not null,
  since timestamptz(3) not null default clock_timestamp()
);

create table users (
  id uuid primary key,
  email text not null,
  email_key text not null collate "C" constraint users_email_taken unique,
  display_name text not null,
  role text not null references roles(key),
  kind text not null default 'person' check (kind in ('person', 'service')),
  is_active boolean not null default true,
  auth_provider text not null default 'local' check (auth_provider in ('local', 'sso')),
  locale text,
  preferences jsonb not null default '{}',
  password_hash text,
  failed_logins integer not null default 0,
  first_failed_at timestamptz,
  locked_until timestamptz,
  last_login_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null default 1
);
create index users_display_name on users (lower(display_name), id);
create index users_role on users (role);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users(id) on delete cascade,
  created_at timestamptz(3) not null default clock_timestamp(),
  last_used_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  address text,
  agent text
);
create index sessions_user on sessions (user_id, created_at);
create index sessions_expiry on sessions (expires_at);

create table refresh_tokens (
  hash bytea primary key,
  session_id uuid not null references sessions(id) on delete cascade,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index refresh_tokens_session on refresh_tokens (session_id);

-- Unlogged: if a crash of the database empties it, only counted attempts are lost.
create unlogged table rate_counters (
  key text not null,
  window_start timestamptz not null,
  hits integer not null,
  primary key (key, window_start)
);

create table secrets (
  name text primary key,
  ciphertext bytea not null,
  updated_at timestamptz(3) not null default clock_timestamp()
);

create table settings (
  key text primary key,
  value jsonb not null,
  version integer not null default 1,
  updated_at timestamptz(3) not null default clock_timestamp()
);

create table modules (
  id text primary key check (id ~ '^[a-z][a-z0-9_]{0,30}$'),
  enabled boolean not null,
  settings jsonb not null default '{}',
  -- names of the module's applied migrations; null if it was never enabled
  migrations jsonb,
  version integer not null default 1,
  updated_at timestamptz(3) not null default clock_timestamp()
);

-- Revisions of cached data: a node whose copy has an older revision reads the data again.
create table revisions (
  kind text primary key,
  revision bigint not null default 1
);
insert into revisions (kind) values ('sessions'), ('permissions'), ('metamodel'), ('settings'), ('modules');

-- ── changes and retries ────────────────────────────────────────────────────────────────────────────────
create table changes (
  id uuid primary key,
  kind text not null check (kind in ('single', 'bulk', 'import', 'sync', 'job')),
  actor uuid,
  origin text not null,
  request_id text,
  at timestamptz(3) not null,
  dry boolean not null default false
);

create table idempotency_keys (
  user_id uuid not null references users(id) on delete cascade,
  key text not null,
  fingerprint bytea not null,
  result jsonb not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- ── metamodel ──────────────────────────────────────────────────────────────────────────────────────────
create table card_types (
  key text primary key check (key ~ '^[A-Za-z][A-Za-z0-9_]{0,62}$'),
  doc jsonb not null,
  sort_order integer not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp()
);

create table relation_types (
  key text primary key check (key ~ '^[A-Za-z][A-Za-z0-9_]{0,62}$'),
  source_type text not null,
  target_type text not null,
  one_source boolean not null,
  one_target boolean not null,
  allow_self boolean not null,
  doc jsonb not null,
  sort_order integer not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  unique (key, source_type, target_type, one_source, one_target, allow_self)
);

create table tag_groups (
  id uuid primary key,
  name text not null,
  name_key text not null collate "C" constraint tag_groups_name_taken unique,
  mode text not null check (mode in ('single', 'multi')),
  mandatory boolean not null default false,
  restrict_to_types jsonb not null default '[]',
  version integer not null default 1,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp()
);
create table tags (
  id uuid primary key,
  group_id uuid not null references tag_groups(id) on delete cascade,
  name text not null,
  name_key text not null collate "C",
  color text,
  description text,
  constraint tags_name_taken unique (group_id, name_key)
);

-- ── cards ──────────────────────────────────────────────────────────────────────────────────────────────
create table cards (
  id uuid primary key,
  type text not null references card_types(key),
  subtype text,
  name text not null check (length(name) between 1 and 500),
  name_key text not null collate "C",
  description text,
  parent_id uuid references cards(id),
  -- ids from the root to the parent; without names, so that renaming an ancestor changes no other row
  path_ids uuid[] not null default '{}',
  lifecycle jsonb not null default '{}',
  attributes jsonb not null default '{}',
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'ARCHIVED')),
  approval_status text not null default 'DRAFT' check (approval_status in ('DRAFT', 'APPROVED', 'REJECTED', 'BROKEN')),
  data_quality numeric(4,1) not null default 0 check (data_quality between 0 and 100),
  external_id text,
  alias text,
  search_name text not null,
  search_text text not null,
  created_by uuid references users(id) on delete set null,
  updated_by uuid references users(id) on delete set null,
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null,
  unique (id, type),
  constraint cards_external_id_taken unique (type, external_id),
  constraint cards_not_own_ancestor check (parent_id <> id and not (id = any(path_ids)))
);
create unique index cards_name_taken on cards (type, parent_id, name_key) nulls not distinct where status = 'ACTIVE';
create index cards_name on cards (name_key, id) where status = 'ACTIVE';
create index cards_type_name on cards (type, name_key, id) where status = 'ACTIVE';
create index cards_updated on cards (updated_at, id) where status = 'ACTIVE';
create index cards_type_updated on cards (type, updated_at, id) where status = 'ACTIVE';
create index cards_archived on cards (archived_at) where status = 'ARCHIVED';
create index cards_parent on cards (parent_id, name_key, id);
create index cards_path on cards using gin (path_ids);
create index cards_attributes on cards using gin (attributes jsonb_path_ops);
create index cards_words on cards using gin (to_tsvector('simple'::regconfig, search_text));
create index cards_name_part on cards using gin (search_name gin_trgm_ops);

-- No foreign key to cards, because the versions of a deleted card remain readable.
create table card_versions (
  id uuid not null,
  version integer not null,
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3),
  doc jsonb not null,
  change_id uuid not null,
  metamodel_revision bigint not null,
  primary key (id, version)
);
create index card_versions_range on card_versions (valid_from, valid_to);

-- Exact totals without counting: every write adds a row with its delta, and a background task sums up the rows.
create table card_counts (
  id bigint generated always as identity primary key,
  type text not null,
  status text not null,
  approval_status text not null,
  n bigint not null
);

-- Small tables with many changes: dead rows must be removed early, because queries would read them.
alter table card_counts set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create table card_tags (
  card_id uuid not null references cards(id) on delete cascade,
  tag_id uuid not null references tags(id) on delete cascade,
  primary key (card_id, tag_id)
);
create index card_tags_tag on card_tags (tag_id, card_id);

create table card_stakeholders (
  id uuid primary key,
  card_id uuid not null references cards(id) on delete cascade,
  user_id uuid not null references users(id) on delete cascade,
  role text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  constraint card_stakeholders_taken unique (card_id, user_id, role)
);
create index card_stakeholders_user on card_stakeholders (user_id, card_id);

-- ── relations ──────────────────────────────────────────────────────────────────────────────────────────
-- A relation has a copy of the rules of its type, which the foreign key keeps current, so that ends, cardinality and
-- self-links are constraints although the metamodel changes at run time.
create table relations (
  id uuid primary key,
  type text not null,
  source_id uuid not null,
  target_id uuid not null,
  source_type text not null,
  target_type text not null,
  rule_source text not null,
  rule_target text not null,
  one_source boolean not null,
  one_target boolean not null,
  allow_self boolean not null,
  attributes jsonb not null default '{}',
  description text,
  valid_from date,
  valid_to date,
  created_by uuid references users(id) on delete set null,
  updated_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null,
  constraint relations_source foreign key (source_id, source_type) references cards(id, type),
  constraint relations_target foreign key (target_id, target_type) references cards(id, type),
  constraint relations_rule foreign key (type, rule_source, rule_target, one_source, one_target, allow_self)
    references relation_types(key, source_type, target_type, one_source, one_target, allow_self) on update cascade,
  constraint relations_source_type check (rule_source in ('*', source_type)),
  constraint relations_target_type check (rule_target in ('*', target_type)),
  constraint relations_self check (allow_self or source_id <> target_id),
  constraint relations_dates check (valid_to >= valid_from),
  constraint relations_exists unique (type, source_id, target_id)
);
create unique index relations_one_source on relations (type, target_id) where one_source;
create unique index relations_one_target on relations (type, source_id) where one_target;
create index relations_by_source on relations (source_id, type);
create index relations_by_target on relations (target_id, type);

create table relation_versions (
  id uuid not null,
  version integer not null,
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3),
  doc jsonb not null,
  change_id uuid not null,
  metamodel_revision bigint not null,
  primary key (id, version)
);

-- ── event log ──────────────────────────────────────────────────────────────────────────────────────────
create table event_outbox (
  id bigint generated always as identity primary key,
  type text not null,
  occurred_at timestamptz(3) not null,
  actor_id uuid,
  actor_name text,
  origin text not null,
  request_id text,
  change_id uuid,
  subject_kind text not null,
  subject_id text not null,
  subject_type text,
  subject_name text,
  data jsonb not null default '{}'
);

-- A queue whose rows are deleted soon: dead rows must be removed early, because queries would read them.
alter table event_outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

alter table event_outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0);

create table event_head (
  one boolean primary key default true check (one),
  position bigint not null
);
insert into event_head (position) values (0);

create table events (
  position bigint not null,
  type text not null,
  occurred_at timestamptz(3) not null,
  actor_id uuid,
  actor_name text,
  origin text not null,
  request_id text,
  change_id uuid,
  subject_kind text not null,
  subject_id text not null,
  subject_type text,
  subject_name text,
  data jsonb not null,
  primary key (position)
) partition by range (position);
create table events_p0 partition of events for values from (0) to (1000000);
create index events_type on events (type text_pattern_ops, position);
create index events_subject on events (subject_id, position);
create index events_actor on events (actor_id, position);
create index events_time on events (occurred_at);

create function events_append_only() returns trigger language plpgsql as $$
begin raise exception 'events is append-only' using errcode = '42501'; end $$;
create trigger events_no_change before update or delete on events for each row execute function events_append_only();
-- Statement triggers are not inherited: every partition has its own.
create trigger events_no_truncate before truncate on events for each statement execute function events_append_only();
create trigger events_no_truncate before truncate on events_p0 for each statement execute function events_append_only();

-- ── jobs ───────────────────────────────────────────────────────────────────────────────────────────────
create table jobs (
  id uuid primary key,
  type text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  payload jsonb not null default '{}',
  -- origin of the events of the job
  origin text not null default 'job',
  progress jsonb not null default '{}',
  result jsonb,
  error text,
  attempts integer not null default 0,
  max_attempts integer not null default 5,
  run_at timestamptz(3) not null default clock_timestamp(),
  lease_until timestamptz(3),
  fence bigint not null default 0,
  created_by uuid,
  created_at timestamptz(3) not null default clock_timestamp(),
  finished_at timestamptz(3)
);
-- Each type has its own queue; running jobs are included, because their leases may expire.
create index jobs_due on jobs (type, run_at, id) where state in ('queued', 'running');

create table cron_slots (
  job text not null,
  slot timestamptz not null,
  taken_at timestamptz(3) not null default clock_timestamp(),
  primary key (job, slot)
);
`);
}

/** Does nothing: there is no earlier schema. */
export async function down(): Promise<void> {
  throw new Error('the first migration cannot be taken back');
}
