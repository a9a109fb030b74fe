import type { ModuleMigration } from '@lintel/sdk';

const ROW = `version integer not null default 1,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  created_by uuid references users(id) on delete set null,
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())`;

export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(`
create table cmdbsync_connections (
  id uuid primary key,
  ${ROW},
  name text not null,
  name_key text collate "C" not null,
  connector text not null,
  config jsonb not null,
  -- by name, when each secret that is set was set; their values are in the secrets of the module
  secrets jsonb not null default '{}',
  max_requests_per_second integer not null check (max_requests_per_second between 1 and 1000),
  -- the result of the last test: tested_at, ok, detail
  last_test jsonb,
  constraint cmdbsync_connection_names unique (name_key)
);

create table cmdbsync_mappings (
  id uuid primary key,
  ${ROW},
  connection_id uuid not null references cmdbsync_connections(id) on delete restrict,
  name text not null,
  name_key text collate "C" not null,
  card_type text not null,
  table_name text not null,
  filter text,
  direction text not null check (direction in ('pull', 'push', 'both')),
  fields jsonb not null,
  identity jsonb not null,
  relations jsonb not null,
  creates_remote boolean not null,
  delete_policy text not null check (delete_policy in ('ignore', 'archive')),
  -- largest share of linked cards that one run archives without review, 0 to 1
  delete_ratio numeric(4, 3) not null check (delete_ratio between 0 and 1),
  proposes_matches boolean not null,
  auto_apply boolean not null,
  schedule text,
  time_zone text not null,
  next_run_at timestamptz(3),
  is_enabled boolean not null,
  owner_id uuid references users(id) on delete set null,
  -- the service account whose rights its runs have
  runs_as uuid references users(id) on delete set null,
  -- of the last complete read, for the next incremental one; null after changes that need a full one
  watermark text,
  constraint cmdbsync_mapping_names unique (name_key)
);
create index cmdbsync_mappings_due on cmdbsync_mappings (next_run_at) where next_run_at is not null;
create index cmdbsync_mappings_of_connection on cmdbsync_mappings (connection_id, table_name);

create table cmdbsync_runs (
  id uuid primary key,
  version integer not null default 1,
  mapping_id uuid not null references cmdbsync_mappings(id) on delete cascade,
  -- queued, reading, applying: active; review: read, and records wait; done, failed, cancelled: ended
  state text not null check (state in ('queued', 'reading', 'applying', 'review', 'done', 'failed', 'cancelled')),
  direction text not null check (direction in ('pull', 'push', 'both')),
  is_full boolean not null,
  dry_run boolean not null,
  auto_apply boolean not null,
  -- null: by schedule
  started_by uuid references users(id) on delete set null,
  -- the time of the schedule
  slot timestamptz(3),
  job_id uuid,
  -- of the mapping when the run began; null: what was read does not suffice, so that the next run has to read everything
  mapping_version integer,
  -- watermark of the read before and after, position of the next page or of what follows the read, number of pages, and what the source said its total is
  since text,
  watermark text,
  cursor text,
  pages integer not null default 0,
  total integer,
  is_read boolean not null default false,
  guard_tripped boolean not null default false,
  -- numbers of records by what they are: read, unchanged, create, update, archive, conflict, skip, error, remote_create, remote_update; by what
  -- became of them: applied, pushed, failed; and of relations: linked, unlinked, unresolved
  counts jsonb not null default '{}',
  -- code and detail of why it failed
  error jsonb,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  started_at timestamptz(3),
  finished_at timestamptz(3)
);
-- One run for each mapping in the whole cluster, and one for each slot of its schedule.
create unique index cmdbsync_run_active on cmdbsync_runs (mapping_id) where state in ('queued', 'reading', 'applying');
create unique index cmdbsync_run_slots on cmdbsync_runs (mapping_id, slot) where slot is not null;
create index cmdbsync_runs_of_mapping on cmdbsync_runs (mapping_id, created_at desc, id);
create index cmdbsync_runs_recent on cmdbsync_runs (created_at desc, id);

-- What a record of the other system is here.
create table cmdbsync_identities (
  mapping_id uuid not null references cmdbsync_mappings(id) on delete cascade,
  external_id text collate "C" not null,
  id uuid not null,
  -- null: seen, but no card yet
  card_id uuid references cards(id) on delete cascade,
  -- digest of the mapped values, and one of the references, at the last read that was applied
  digest text,
  references_digest text,
  -- by target of the field map: the value at the last synchronisation, the same on both sides
  base jsonb not null default '{}',
  -- by target: a value of the other system that a person has decided not to take; stays until it changes
  kept jsonb not null default '{}',
  -- version of the card when it was last compared with what was read, and with what is to be written to the other system
  pulled_version integer,
  pushed_version integer,
  -- the run of the last full read that had it, or the first run that read it
  seen_run uuid,
  linked_at timestamptz(3),
  primary key (mapping_id, external_id)
) with (fillfactor = 80);
create unique index cmdbsync_identity_ids on cmdbsync_identities (id);
create unique index cmdbsync_identity_cards on cmdbsync_identities (mapping_id, card_id) where card_id is not null;
create index cmdbsync_identities_of_card on cmdbsync_identities (card_id);

-- What references of records ask for, and the relations that were made for them.
create table cmdbsync_links (
  mapping_id uuid not null,
  external_id text collate "C" not null,
  -- key of the relation map
  map_key text not null,
  target_table text not null,
  target_id text collate "C" not null,
  -- of a parent: the card
  relation_id uuid,
  -- whether the relation did not exist before
  is_made boolean not null default false,
  -- false: the reference is gone, and its relation has to be removed
  is_wanted boolean not null default true,
  primary key (mapping_id, external_id, map_key, target_id),
  foreign key (mapping_id, external_id) references cmdbsync_identities (mapping_id, external_id) on delete cascade
);
create index cmdbsync_links_open on cmdbsync_links (mapping_id, external_id) where relation_id is null or not is_wanted;
create index cmdbsync_links_of_relation on cmdbsync_links (relation_id) where relation_id is not null;
create index cmdbsync_links_of_target on cmdbsync_links (target_table, target_id);

-- What a run found to be done.
create table cmdbsync_records (
  id uuid primary key,
  run_id uuid not null references cmdbsync_runs(id) on delete cascade,
  external_id text collate "C",
  card_id uuid references cards(id) on delete set null,
  card_type text not null,
  -- name of the card, or the one that it gets
  name text,
  action text not null check (action in ('create', 'update', 'archive', 'conflict', 'skip', 'error')),
  -- where it changes something: card or cmdb
  side text not null check (side in ('card', 'cmdb')),
  -- pending: waits for a decision; approved: is applied by the next job; sent: a creation in the other system whose outcome is not known yet
  state text not null check (state in ('pending', 'approved', 'sent', 'applied', 'resolved', 'failed', 'superseded', 'reported')),
  -- a list of { field, base, cmdb, ea, take }
  diff jsonb not null,
  -- what else is needed to apply it: references, digest, proposals of matching cards, version of the card
  detail jsonb not null default '{}',
  reason text,
  decided_by uuid references users(id) on delete set null,
  decided_at timestamptz(3),
  applied_at timestamptz(3)
) with (fillfactor = 80);
create index cmdbsync_records_of_run on cmdbsync_records (run_id, id);
create index cmdbsync_records_open on cmdbsync_records (run_id, state, id) where state in ('pending', 'approved', 'sent');
-- Cards for which no record may be created in the other system, because one may exist there.
create index cmdbsync_records_uncertain on cmdbsync_records (card_id) where card_id is not null and (state = 'sent' or action = 'error');
create unique index cmdbsync_record_once on cmdbsync_records (run_id, external_id, side) where external_id is not null;
`);
};

export const down: ModuleMigration['down'] = async (knex) => {
  await knex.raw(`drop table cmdbsync_records, cmdbsync_links, cmdbsync_identities, cmdbsync_runs, cmdbsync_mappings,
    cmdbsync_connections`);
};
