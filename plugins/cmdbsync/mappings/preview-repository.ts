import type { Queries } from './load-repository.js';

/** The cards that records of a mapping are linked with, by id of the record. */
export async function linkedCards(
  db: Queries,
  mappingId: string,
  records: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ external_id: string; card_id: string }>(
    {
      name: 'cmdbsync-preview-cards',
      text: `select external_id, card_id from cmdbsync_identities
        where mapping_id = $1 and external_id = any($2::text[]) and card_id is not null`,
    },
    [mappingId, records],
  );
  return new Map(rows.map(({ external_id, card_id }) => [external_id, card_id]));
}
