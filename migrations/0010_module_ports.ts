import type { Knex } from 'knex';

/** The module that owns a file. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- the module that stored the file, and the only one that may read it; null for the core
alter table files add column module text;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
-- Without the column they could not be distinguished from files of the core.
delete from files where module is not null;
alter table files drop column module;
`);
}
