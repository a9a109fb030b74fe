import type { Database } from '../../foundation/db/database.js';

const BELOW = {
  name: 'relation-ends-below',
  text: 'select id from cards where id = any($2::uuid[]) and path_ids && $1::uuid[]',
};
const ALL_BELOW = { name: 'relation-ends-all-below', text: 'select id from cards where path_ids && $1::uuid[]' };

/** Which of the cards, all where null, lie below one of the roots. */
export async function cardsBelow(
  on: Pick<Database, 'query'>,
  roots: readonly string[],
  ids: readonly string[] | null,
): Promise<string[]> {
  if (ids?.length === 0) return [];
  return (await on.query<{ id: string }>(ids === null ? ALL_BELOW : BELOW, ids === null ? [roots] : [roots, ids])).map(
    ({ id }) => id,
  );
}
