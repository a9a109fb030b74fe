import type { Database } from '../../foundation/db/database.js';
import type { MigrationRights } from '../../foundation/db/migration-role.js';
import { prefixesWithin } from '../repository.js';

const words = (text: string): string[] => text.split(' ');

/**
 * The columns that `cards.visibleSql`, `cards.visibleCards` and the subqueries of `inventory.read` read. Those apply the rights of the
 * caller; SQL that names these tables itself does not.
 */
export const READABLE: Readonly<Record<string, readonly string[]>> = {
  cards: words('id type subtype name status external_id parent_id path_ids'),
  card_rows: words(
    'id type subtype name name_key parent_id path_ids status approval_status external_id search_name search_text words created_by created_at content_type attributes lifecycle data_quality open_quality basic_quality updated_at version',
  ),
  card_deletions: words('id type'),
  card_stakeholders: words('card_id user_id role'),
  card_tags: words('card_id tag_id'),
  relations: words('id type source_id target_id source_type target_type valid_from valid_to attributes hidden'),
};

/** What the tables of modules may refer to. */
const REFERABLE: MigrationRights['referable'] = { cards: ['id'], relations: ['id'], users: ['id'] };

/** What a module may use of the schema `public`: its SQL, and its migrations. @param id of the module */
export async function rightsOf(on: Pick<Database, 'query'>, id: string): Promise<MigrationRights> {
  return {
    prefix: `${id}_`,
    without: {
      // The record of its migrations is written by the platform.
      names: [
        `${id}_migrations`,
        `${id}_migrations_lock`,
        `${id}_migrations_id_seq`,
        `${id}_migrations_lock_index_seq`,
      ],
      prefixes: await prefixesWithin(on, id),
    },
    readable: READABLE,
    referable: REFERABLE,
  };
}
