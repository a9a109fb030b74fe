import type { Knex } from 'knex';

/**
 * Lists of one subtype usually name the type too: with the type in the index, their hits are counted without reading the
 * cards.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
drop index cards_subtype_name;
create index cards_subtype_name on cards (subtype collate "C", name_key, id) include (type) where status = 'ACTIVE';
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index cards_subtype_name;
create index cards_subtype_name on cards (subtype collate "C", name_key, id) where status = 'ACTIVE';
`);
}
