import type { ModuleMigration } from '@lintel/sdk';

/** The logos of documents for which signatures were requested, each once: what is signed does not change with the logo of the workspace. */
export const logos: ModuleMigration = {
  async up(knex) {
    await knex.raw(`
create table soaw_logos (
  -- hexadecimal
  sha256 text primary key,
  type text not null,
  bytes bytea not null
)`);
  },
  async down(knex) {
    await knex.raw('drop table soaw_logos');
  },
};
