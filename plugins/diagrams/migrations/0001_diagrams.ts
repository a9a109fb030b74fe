import { resourceColumns } from '@lintel/sdk';
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table diagrams_groups (
  ${resourceColumns},
  name text not null,
  name_key text not null collate "C",
  parent_id uuid constraint diagrams_group_parent references diagrams_groups(id),
  position integer not null,
  search_text text not null,
  constraint diagrams_group_names unique nulls not distinct (parent_id, name_key)
);

create table diagrams_diagrams (
  id uuid primary key,
  name text not null,
  name_key text not null collate "C",
  description text,
  group_id uuid constraint diagrams_in_group references diagrams_groups(id),
  -- the number of the current row of diagrams_versions
  content_version integer not null,
  search_text text not null,
  version integer not null default 1,
  created_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index diagrams_by_name on diagrams_diagrams (name_key, id);
create index diagrams_by_change on diagrams_diagrams (updated_at, id);
create index diagrams_by_group on diagrams_diagrams (group_id);
create index diagrams_by_author on diagrams_diagrams (created_by);
create index diagrams_words on diagrams_diagrams using gin (search_text gin_trgm_ops);

create table diagrams_versions (
  id uuid primary key default gen_random_uuid(),
  diagram_id uuid not null references diagrams_diagrams(id) on delete cascade,
  number integer not null,
  -- the sanitised file, uncompressed XML in UTF-8, as zlib data
  content bytea not null,
  sha256 text not null,
  -- of the XML
  bytes integer not null,
  cell_count integer not null,
  pages jsonb not null,
  -- the shapes of cards and the edges between them, as they were when the version was saved
  shapes jsonb not null,
  links jsonb not null,
  removed jsonb not null,
  restored_from integer,
  created_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null,
  unique (diagram_id, number)
);
-- Compressed data is not compressed again.
alter table diagrams_versions alter column content set storage external;
create index diagrams_versions_author on diagrams_versions (created_by);

-- The cards of the current version of each diagram.
create table diagrams_shown (
  diagram_id uuid not null references diagrams_diagrams(id) on delete cascade,
  card_id uuid not null constraint diagrams_shown_card references cards(id) on delete cascade,
  -- linked by a user, independently of shapes
  is_linked boolean not null,
  shapes integer not null,
  primary key (diagram_id, card_id)
);
create index diagrams_shown_by_card on diagrams_shown (card_id, diagram_id);

create table diagrams_favourites (
  user_id uuid not null references users(id) on delete cascade,
  diagram_id uuid not null references diagrams_diagrams(id) on delete cascade,
  primary key (user_id, diagram_id)
);
create index diagrams_favourites_diagram on diagrams_favourites (diagram_id);

-- Cards that have changed since the last event diagrams.cards_changed of a diagram.
create table diagrams_changed (
  diagram_id uuid not null references diagrams_diagrams(id) on delete cascade,
  card_id uuid not null references cards(id) on delete cascade,
  card_type text not null,
  since timestamptz(3) not null default clock_timestamp(),
  primary key (diagram_id, card_id)
);
create index diagrams_changed_card on diagrams_changed (card_id);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop table diagrams_changed, diagrams_favourites, diagrams_shown, diagrams_versions, diagrams_diagrams, diagrams_groups',
  );
}
