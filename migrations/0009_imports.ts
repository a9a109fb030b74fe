import type { Knex } from 'knex';

/** Rows of imports: the version compared with, the current owner of an external id, and rows that must be written together. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table import_rows
  -- the version of the card or relation from which the diff was computed
  add column base_version integer,
  -- the card that currently has the external id
  add column key_holder_id uuid,
  -- rows that must be written together, such as two cards that exchange their names: number of the first one
  add column grp integer;
create index import_rows_holder on import_rows (import_id, holder_id) where holder_id is not null;
create index import_rows_key_holder on import_rows (import_id, key_holder_id) where key_holder_id is not null;
create index import_rows_grp on import_rows (import_id, grp) where grp is not null;
-- For the deletion of old imports.
create index imports_updated on imports (updated_at);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
update import_rows set verdict = 'failed' where verdict = 'conflict';
drop index imports_updated, import_rows_grp, import_rows_key_holder, import_rows_holder;
alter table import_rows drop column grp, drop column key_holder_id, drop column base_version;
`);
}
