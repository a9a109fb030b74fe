import type { Knex } from 'knex';

/**
 * Rows with cards, too, are written once, with their verdict: until then they wait in pages, and the service keeps in memory
 * which rows name each other.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
drop index import_rows_name, import_rows_path, import_rows_ext;
alter table import_rows drop column path_key, drop column name_key, drop column parent_ext_key, drop column parent_path_key;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table import_rows add column path_key text collate "C", add column name_key text collate "C",
  add column parent_ext_key text collate "C", add column parent_path_key text;
create index import_rows_ext on import_rows (import_id, ext_key, n) where ext_key is not null;
create index import_rows_path on import_rows (import_id, path_key, n) where path_key is not null;
create index import_rows_name on import_rows (import_id, name_key, n) where name_key is not null;
`);
}
