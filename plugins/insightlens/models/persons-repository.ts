import type { ModuleServices } from '@lintel/sdk';

/** Names that are looked for; of more accounts, the latest. */
const MOST_NAMES = 20_000;
const NAMES = {
  name: 'insightlens-persons',
  text: `select display_name as name from users where kind = 'person' order by created_at desc, id limit ${MOST_NAMES}`,
};

/** Names of the persons with an account, of disabled ones too. */
export async function personNames(db: Pick<ModuleServices['db'], 'query'>): Promise<string[]> {
  return (await db.query<{ name: string }>(NAMES)).map(({ name }) => name);
}
