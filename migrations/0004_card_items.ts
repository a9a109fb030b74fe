import type { Knex } from 'knex';

/** What hangs on a card: comments, documents, to-dos. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('select 1');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('select 1');
}
