import type { Knex } from 'knex';

/** How the Markdown of a decision was read when it was imported: what is there was read in the first way. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'alter table adr_decisions add column source_reader smallint not null default 1 check (source_reader in (1, 2))',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table adr_decisions drop column source_reader');
}
