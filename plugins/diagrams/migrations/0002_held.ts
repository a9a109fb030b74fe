import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- cells whose content was saved by a user who did not see it, and the cards to which it belongs
alter table diagrams_versions add column held jsonb not null default '[]';
-- the secret from which the ids of masked cells are made
alter table diagrams_diagrams add column mask_key uuid not null default gen_random_uuid();
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table diagrams_diagrams drop column mask_key; alter table diagrams_versions drop column held');
}
