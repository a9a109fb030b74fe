import type { Knex } from 'knex';

/** Uploaded files, and imports with their staged rows. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table files (
  id uuid primary key,
  size bigint not null default 0,
  sha256 bytea,
  created_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null
);
create index files_expiry on files (expires_at);

create table file_chunks (
  file_id uuid not null references files(id) on delete cascade,
  n integer not null,
  bytes bytea not null,
  primary key (file_id, n)
);
-- Not compressed: rows are written once, read once and deleted soon.
alter table file_chunks alter column bytes set storage external;

create table imports (
  id uuid primary key,
  state text not null check (state in ('uploaded', 'parsing', 'ready', 'applying', 'applied', 'failed', 'cancelled')),
  format text not null check (format in ('csv', 'ndjson', 'archimate')),
  file_name text not null,
  size bigint not null,
  file_id uuid references files(id) on delete set null,
  options jsonb not null default '{}',
  -- number of rows by verdict, of cards and of relations
  counts jsonb not null default '{"card": {}, "relation": {}}',
  done integer not null default 0,
  total integer not null default 0,
  ignored_columns jsonb not null default '[]',
  notes jsonb not null default '[]',
  errors jsonb not null default '[]',
  job_id uuid,
  created_by uuid references users(id) on delete set null,
  applied_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  applied_at timestamptz(3),
  version integer not null default 1
);
create index imports_created on imports (created_at, id);

create table import_rows (
  import_id uuid not null references imports(id) on delete cascade,
  -- position in the file, from 1
  n integer not null,
  kind text not null check (kind in ('card', 'relation')),
  line integer not null,
  -- its identifier in the file
  reference text,
  type text,
  name text,
  doc jsonb not null,
  -- keys by which other rows may reference it: type and external id; digests of type, path and name, and of type and name
  ext_key text collate "C",
  path_key text collate "C",
  name_key text collate "C",
  -- its references to other cards until they are resolved: parent, source, target
  parent_ext_key text collate "C",
  parent_path_key text collate "C",
  source_ext_key text collate "C",
  source_path_key text collate "C",
  target_ext_key text collate "C",
  target_path_key text collate "C",
  -- rows of the same file that it depends on
  parent_row integer,
  source_row integer,
  target_row integer,
  -- level in the hierarchy: parents are written before their children
  level integer not null default 0,
  -- id of its card or relation, once determined
  target_id uuid,
  -- a key that only one row of the file can have: parent and name, or a pair of ends
  place_key text collate "C",
  -- the card that currently has this parent and name
  holder_id uuid,
  verdict text,
  diff jsonb,
  errors jsonb,
  applied_at timestamptz(3),
  primary key (import_id, n)
);
create index import_rows_verdict on import_rows (import_id, verdict, n);
create index import_rows_ext on import_rows (import_id, ext_key) where ext_key is not null;
create index import_rows_path on import_rows (import_id, path_key) where path_key is not null;
create index import_rows_parent on import_rows (import_id, parent_row) where parent_row is not null;
create index import_rows_target on import_rows (import_id, target_id) where target_id is not null;
create index import_rows_order on import_rows (import_id, kind, level, n);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table import_rows, imports, file_chunks, files');
}
