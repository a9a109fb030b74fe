import type { Knex } from 'knex';

/** Indexes of cards that gather new entries in a list, which searches read as a whole until it is worked in. */
const INDEXES = ['cards_words', 'cards_name_part', 'cards_attributes', 'cards_path'];

/**
 * The lists are worked in by the service, soon after each write and beside it. Room for large imports: whoever fills a
 * list works it in himself, in the middle of his transaction.
 */
export async function up(knex: Knex): Promise<void> {
  for (const index of INDEXES) await knex.raw(`alter index ${index} set (gin_pending_list_limit = 32768)`);
}

export async function down(knex: Knex): Promise<void> {
  for (const index of INDEXES) await knex.raw(`alter index ${index} reset (gin_pending_list_limit)`);
}
