import type { Knex } from 'knex';

/** Rows of imports know the version they were compared with, who has what they want, and who must be written with whom. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table import_rows
  -- the version of the card or relation the diff was made with
  add column base_version integer,
  -- a card that has the external id now
  add column key_holder_id uuid,
  -- rows that only together can be written, such as two cards that exchange their names: the first of them
  add column grp integer;
create index import_rows_holder on import_rows (import_id, holder_id) where holder_id is not null;
create index import_rows_key_holder on import_rows (import_id, key_holder_id) where key_holder_id is not null;
create index import_rows_grp on import_rows (import_id, grp) where grp is not null;
-- What retention looks for.
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
