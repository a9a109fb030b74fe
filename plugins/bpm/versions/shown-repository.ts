import type { ModuleServices } from '@lintel/sdk';

const SHOWN = {
  name: 'bpm-version-shown',
  text: `select v.id from bpm_versions v where v.card_id = $1 and ($2::uuid is null or v.id = $2)
    order by v.state = 'published' desc, v.revision desc limit 1`,
};

/** The id of a version of a process; without one, of the published or otherwise the latest version. */
export async function findShown(
  db: Pick<ModuleServices['db'], 'query'>,
  cardId: string,
  id: string | null,
): Promise<string | undefined> {
  return (await db.query<{ id: string }>(SHOWN, [cardId, id]))[0]?.id;
}
