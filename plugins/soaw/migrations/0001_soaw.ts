import { fileTrigger, resourceColumns, type ModuleMigration } from '@lintel/sdk';

export const documents: ModuleMigration = {
  async up(knex) {
    await knex.raw(`
create table soaw_templates (
  ${resourceColumns},
  name text not null,
  name_key text not null collate "C" constraint soaw_templates_name unique,
  description text,
  sections jsonb not null,
  search_text text not null
);
create index soaw_templates_words on soaw_templates using gin (search_text gin_trgm_ops);

create table soaw_documents (
  ${resourceColumns},
  -- shared by the revisions of a document
  number integer not null,
  title text not null,
  title_key text not null collate "C",
  template_id uuid constraint soaw_documents_template references soaw_templates(id) on delete set null,
  sections jsonb not null,
  -- the live tables as they were when signatures were requested, seen with all rights
  frozen jsonb,
  -- what is found besides the title
  words text not null,
  search_text text not null
);
create index soaw_documents_number on soaw_documents (number, id);
create index soaw_documents_title on soaw_documents (title_key, id);
create index soaw_documents_created on soaw_documents (created_at, id);
create index soaw_documents_updated on soaw_documents (updated_at, id);
create index soaw_documents_template_of on soaw_documents (template_id) where template_id is not null;
create index soaw_documents_words on soaw_documents using gin (search_text gin_trgm_ops);

create table soaw_cards (
  document_id uuid not null references soaw_documents(id) on delete cascade,
  card_id uuid not null constraint soaw_cards_card references cards(id) on delete cascade,
  role text not null check (role in ('initiative', 'in_scope', 'affected')),
  primary key (document_id, card_id)
);
create index soaw_cards_by_card on soaw_cards (card_id, document_id);

create table soaw_comments (
  ${resourceColumns},
  document_id uuid not null references soaw_documents(id) on delete cascade,
  -- null: about the whole document
  section text,
  text text not null,
  resolved boolean not null
);
create index soaw_comments_of on soaw_comments (document_id, created_at, id);

create table soaw_renditions (
  document_id uuid not null references soaw_documents(id) on delete cascade,
  kind text not null check (kind in ('docx', 'md', 'html')),
  -- without amounts
  withheld boolean not null,
  sha256 text not null,
  size integer not null,
  file_id uuid not null unique,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (document_id, kind, withheld)
);
${fileTrigger('soaw_renditions')};

-- A sequence would leave a gap where a transaction fails; the row makes numbering wait its turn instead.
create table soaw_counter (
  one boolean primary key default true check (one),
  last integer not null
);
insert into soaw_counter (last) values (0);
`);
  },
  async down(knex) {
    await knex.raw(
      'drop table soaw_counter, soaw_renditions, soaw_comments, soaw_cards, soaw_documents, soaw_templates',
    );
  },
};
