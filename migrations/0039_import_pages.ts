import type { Knex } from 'knex';

/**
 * Rows with relations are written once, with their verdict: until those of all cards are known, they wait in pages, as read
 * from the file. The rows that they name are then found by key, one look-up per card: therefore the indexes of the keys contain
 * the row number, of which the first counts. Rows have no foreign key: each transaction that adds some locks their import, and
 * who deletes an import has locked it and deletes them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table import_pages (
  import_id uuid not null references imports(id) on delete cascade,
  n integer not null,
  -- an array of rows, in JSON that only the service parses
  rows text not null,
  primary key (import_id, n)
);
-- Not compressed: pages are written once, read once and deleted soon.
alter table import_pages alter column rows set storage external;
alter table import_rows drop constraint import_rows_import_id_fkey,
  drop column source_ext_key, drop column source_path_key, drop column target_ext_key, drop column target_path_key;
drop index import_rows_ext, import_rows_path;
create index import_rows_ext on import_rows (import_id, ext_key, n) where ext_key is not null;
create index import_rows_path on import_rows (import_id, path_key, n) where path_key is not null;
create index import_rows_name on import_rows (import_id, name_key, n) where name_key is not null;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index import_rows_name, import_rows_path, import_rows_ext;
create index import_rows_ext on import_rows (import_id, ext_key) where ext_key is not null;
create index import_rows_path on import_rows (import_id, path_key) where path_key is not null;
alter table import_rows add column source_ext_key text collate "C", add column source_path_key text collate "C",
  add column target_ext_key text collate "C", add column target_path_key text collate "C",
  add constraint import_rows_import_id_fkey foreign key (import_id) references imports(id) on delete cascade;
drop table import_pages;
`);
}
