import type { Knex } from 'knex';

/**
 * The rows of an import are changed up to three times: linked to each other, given a verdict, and applied. No index
 * contains what these changes write on most rows, and each page has room for the next version of its rows, so that the
 * changes are heap-only. Rows with one verdict are found by a scan of the import.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
drop index import_rows_verdict, import_rows_target, import_rows_order;
create index import_rows_order on import_rows (import_id, level, n) where kind = 'card';
alter table import_rows set (fillfactor = 50);
-- No condition or order uses these columns, and documents make ANALYZE slow.
alter table import_rows alter column reference set statistics 0, alter column name set statistics 0, alter column doc set statistics 0,
  alter column diff set statistics 0, alter column errors set statistics 0;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table import_rows alter column reference set statistics default, alter column name set statistics default, alter column doc set statistics default,
  alter column diff set statistics default, alter column errors set statistics default;
alter table import_rows reset (fillfactor);
drop index import_rows_order;
create index import_rows_order on import_rows (import_id, kind, level, n);
create index import_rows_target on import_rows (import_id, target_id) where target_id is not null;
create index import_rows_verdict on import_rows (import_id, verdict, n);
`);
}
