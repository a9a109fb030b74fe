import type { Knex } from 'knex';

/** Items of a card: comments, linked documents, to-dos; and changes of a card that create no version. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Changes of tags and stakeholders, one row per card and change; part of the history, like card_versions. It has no
-- foreign key to cards, and its rows are not deleted with events.
create table card_changes (
  card_id uuid not null,
  change_id uuid not null,
  -- version of the card at that time
  version integer not null,
  at timestamptz(3) not null,
  changes jsonb not null check (jsonb_typeof(changes) = 'array'),
  primary key (card_id, change_id)
);

create table card_comments (
  id uuid primary key,
  card_id uuid not null references cards(id) on delete cascade,
  parent_id uuid,
  is_reply boolean not null generated always as (parent_id is not null) stored,
  -- a reply to a reply is not possible: the parent must have is_reply = false
  answers_reply boolean not null default false check (not answers_reply),
  body text not null,
  author_id uuid references users(id) on delete set null,
  created_at timestamptz(3) not null,
  edited_at timestamptz(3),
  deleted_at timestamptz(3),
  version integer not null default 1,
  unique (id, card_id, is_reply),
  constraint card_comments_parent foreign key (parent_id, card_id, answers_reply) references card_comments(id, card_id, is_reply) on delete cascade
);
create index card_comments_card on card_comments (card_id, created_at, id);
create index card_comments_replies on card_comments (parent_id) where parent_id is not null;
create index card_comments_author on card_comments (author_id);

create table card_documents (
  id uuid primary key,
  card_id uuid not null references cards(id) on delete cascade,
  name text not null,
  name_key text not null collate "C",
  url text not null check (lower(url) like 'http://_%' or lower(url) like 'https://_%'),
  link_type text not null,
  created_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null default 1
);
create index card_documents_card on card_documents (card_id);
create index card_documents_creator on card_documents (created_by);

create table card_todos (
  id uuid primary key,
  card_id uuid not null references cards(id) on delete cascade,
  title text not null,
  status text not null check (status in ('open', 'done')),
  assignee_id uuid references users(id) on delete set null,
  due_date date,
  created_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null default 1
);
create index card_todos_card on card_todos (card_id, created_at, id);
create index card_todos_assignee on card_todos (assignee_id, status, due_date, id);
create index card_todos_creator on card_todos (created_by);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table card_todos, card_documents, card_comments, card_changes');
}
