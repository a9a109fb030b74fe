import { resourceColumns } from '@lintel/sdk';
import type { Knex } from 'knex';

/** Saved reports; their owner is the user who created them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table reports_saved (
  ${resourceColumns},
  name text not null,
  description text,
  report text not null,
  parameters jsonb not null,
  visibility text not null check (visibility in ('private', 'shared', 'public')),
  -- { users: [id], roles: [key] }
  shared_with jsonb not null,
  was_hidden boolean not null,
  name_key text not null collate "C",
  search_text text not null
);
create index reports_saved_created_by on reports_saved (created_by);
create index reports_saved_public on reports_saved (name_key, id) where visibility = 'public';
create index reports_saved_shared on reports_saved using gin (shared_with jsonb_path_ops) where visibility = 'shared';
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table reports_saved');
}
