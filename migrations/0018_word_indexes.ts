import type { Knex } from 'knex';

/** GIN indexes of cards with a pending list, which every search reads completely until it is merged into the index. */
const INDEXES = ['cards_words', 'cards_name_part', 'cards_attributes', 'cards_path'];

/**
 * The service merges the lists in the background, soon after each write. The limit is high enough for large imports,
 * because a transaction that exceeds it has to merge the list itself.
 */
export async function up(knex: Knex): Promise<void> {
  for (const index of INDEXES) await knex.raw(`alter index ${index} set (gin_pending_list_limit = 32768)`);
}

export async function down(knex: Knex): Promise<void> {
  for (const index of INDEXES) await knex.raw(`alter index ${index} reset (gin_pending_list_limit)`);
}
