import type { Knex } from 'knex';

/** Relations between decisions, and the Markdown of decisions that came from files. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table adr_related (
  adr_id uuid not null references adr_decisions(id) on delete cascade,
  target_id uuid not null constraint adr_related_target references adr_decisions(id) on delete cascade,
  type text not null check (type in ('supersedes', 'relates_to')),
  -- read from the Markdown of one of the two, which says so itself
  is_imported boolean not null default false,
  primary key (adr_id, target_id, type),
  constraint adr_related_others check (adr_id <> target_id)
);
create index adr_related_by_target on adr_related (target_id, type);

alter table adr_decisions
  -- collection the file belongs to, and where it is in there
  add column source text,
  add column source_path text,
  add column source_sha256 text,
  add column source_markdown text,
  -- the status as the file spells it
  add column source_status text,
  -- the status the decision had right after the import
  add column source_life text,
  add constraint adr_source_whole check ((source_path is null) = (source is null) and (source_path is null) = (source_sha256 is null)
    and (source_path is null) = (source_markdown is null) and (source_path is null) = (source_life is null));
create unique index adr_source_file on adr_decisions (source, source_path) where revision = 1 and source_path is not null;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table adr_related;
alter table adr_decisions drop constraint adr_source_whole, drop column source, drop column source_path, drop column source_sha256,
  drop column source_markdown, drop column source_status, drop column source_life;
`);
}
