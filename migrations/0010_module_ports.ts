import type { Knex } from 'knex';

/** Files of modules: whose they are. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- the module that stored it and alone may read it; null is the core
alter table files add column module text;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
-- Nobody would know them any more.
delete from files where module is not null;
alter table files drop column module;
`);
}
