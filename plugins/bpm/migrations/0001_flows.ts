import { fileTrigger, resourceColumns, type ModuleMigration } from '@lintel/sdk';

export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(`
create table bpm_templates (
  ${resourceColumns},
  name text not null,
  name_key text not null collate "C",
  description text,
  file_id uuid unique,
  content_hash text,
  size integer,
  element_count integer,
  search_text text not null,
  constraint bpm_template_names unique (name_key),
  constraint bpm_templates_whole check ((file_id is null) = (content_hash is null) and (file_id is null) = (size is null)
    and (file_id is null) = (element_count is null))
);
create index bpm_templates_by_change on bpm_templates (updated_at, id);
create index bpm_templates_created on bpm_templates (created_at, id);
${fileTrigger('bpm_templates')};

create table bpm_versions (
  id uuid primary key,
  card_id uuid not null references cards(id) on delete cascade,
  revision integer not null,
  state text not null default 'draft' check (state in ('draft', 'pending', 'published', 'archived')),
  title text not null,
  comment text,
  source text not null check (source in ('nothing', 'template', 'version', 'upload')),
  based_on uuid references bpm_versions(id) on delete set null,
  template_id uuid references bpm_templates(id) on delete set null,
  -- the uploaded bytes, unchanged
  file_id uuid not null unique,
  file_name text not null,
  size integer not null,
  content_hash text not null,
  -- the hash of the content that was submitted
  frozen_hash text,
  element_count integer not null,
  error_count integer not null,
  warning_count integer not null,
  has_interchange boolean not null,
  diagrams jsonb not null,
  -- ids of the processes in the file, by which call activities of others name them
  process_ids text[] not null,
  created_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  submitted_by uuid references users(id) on delete set null,
  submitted_at timestamptz(3),
  decision text check (decision in ('approved', 'rejected', 'withdrawn')),
  decided_by uuid references users(id) on delete set null,
  decided_at timestamptz(3),
  reason text,
  published_at timestamptz(3),
  archived_at timestamptz(3),
  version integer not null default 1,
  constraint bpm_revision unique (card_id, revision),
  constraint bpm_frozen check ((state = 'draft') = (frozen_hash is null))
);
create unique index bpm_one_pending on bpm_versions (card_id) where state = 'pending';
create unique index bpm_one_published on bpm_versions (card_id) where state = 'published';
create index bpm_versions_by_based_on on bpm_versions (based_on) where based_on is not null;
create index bpm_versions_by_template on bpm_versions (template_id) where template_id is not null;
create index bpm_versions_process_ids on bpm_versions using gin (process_ids) where state = 'published';
${fileTrigger('bpm_versions')};

-- What was submitted does not change until it is a draft again, and what was published never does.
create function bpm_keep_content() returns trigger language plpgsql as $body$
begin
  if old.state <> 'draft' and (new.file_id, new.content_hash, new.size, new.title, new.revision, new.card_id, new.element_count, new.process_ids)
      is distinct from (old.file_id, old.content_hash, old.size, old.title, old.revision, old.card_id, old.element_count, old.process_ids) then
    raise exception 'the content of a % version cannot be changed', old.state using errcode = 'check_violation', constraint = 'bpm_content_kept';
  end if;
  if (old.state in ('published', 'archived') and new.state in ('draft', 'pending')) or (old.state = 'archived' and new.state <> 'archived') then
    raise exception 'a % version cannot become %', old.state, new.state using errcode = 'check_violation', constraint = 'bpm_content_kept';
  end if;
  return new;
end $body$;
create trigger bpm_versions_kept before update on bpm_versions for each row execute function bpm_keep_content();

create table bpm_problems (
  id uuid primary key,
  version_id uuid not null references bpm_versions(id) on delete cascade,
  position integer not null,
  severity text not null check (severity in ('error', 'warning')),
  code text not null,
  message text not null,
  line integer,
  element_id text,
  constraint bpm_problems_once unique (version_id, position)
);

create table bpm_elements (
  id uuid primary key,
  version_id uuid not null references bpm_versions(id) on delete cascade,
  -- at most 255 characters
  bpmn_id text not null collate "C",
  -- order of sequence flow
  position integer not null,
  kind text not null,
  type text not null,
  event_definition text,
  name text,
  name_folded text not null,
  documentation text,
  process_bpmn_id text,
  parent_bpmn_id text,
  lane_bpmn_id text,
  called_element text,
  -- whether a user has set the links in this version; otherwise they are carried over
  links_set boolean not null default false,
  version integer not null default 1,
  updated_at timestamptz(3) not null,
  constraint bpm_elements_once unique (version_id, bpmn_id)
);
create index bpm_elements_in_order on bpm_elements (version_id, position, id);

create table bpm_element_links (
  element_id uuid not null references bpm_elements(id) on delete cascade,
  card_id uuid not null references cards(id) on delete cascade,
  -- a call activity whose called process was found
  is_automatic boolean not null default false,
  primary key (element_id, card_id)
);
create index bpm_element_links_by_card on bpm_element_links (card_id, element_id);

-- Relations that this module has made, because links imply them.
create table bpm_relations (
  relation_id uuid primary key references relations(id) on delete cascade,
  process_id uuid not null references cards(id) on delete cascade,
  card_id uuid not null references cards(id) on delete cascade,
  type text not null,
  -- when it was made: one that was changed since is kept
  made_version integer not null
);
create index bpm_relations_by_process on bpm_relations (process_id, card_id);
create index bpm_relations_by_card on bpm_relations (card_id);

create table bpm_assessments (
  ${resourceColumns},
  card_id uuid not null references cards(id) on delete cascade,
  assessed_on date not null,
  efficiency smallint check (efficiency between 1 and 5),
  effectiveness smallint check (effectiveness between 1 and 5),
  compliance smallint check (compliance between 1 and 5),
  automation smallint check (automation between 1 and 5),
  overall smallint not null check (overall between 1 and 5),
  notes text,
  action_items jsonb not null
);
create index bpm_assessments_latest on bpm_assessments (card_id, assessed_on desc, id desc);
create index bpm_assessments_by_change on bpm_assessments (updated_at, id);
`);
};

export const down: ModuleMigration['down'] = async (knex) => {
  await knex.raw(`drop table bpm_assessments, bpm_relations, bpm_element_links, bpm_elements, bpm_problems, bpm_versions, bpm_templates;
    drop function bpm_keep_content()`);
};
