import type { ModuleServices, RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';

const TAKEN = {
  name: 'cmdbsync-cards-taken',
  text: 'select card_id from cmdbsync_identities where mapping_id = $1 and card_id = any($2::uuid[])',
};

/** Active cards of a type by the value of a target, as far as they are visible. @returns ids by value */
export async function findByTarget(
  host: Pick<Host, 'inventory' | 'nameKey'>,
  ctx: RequestContext,
  type: string,
  target: string,
  texts: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (texts.length === 0) return found;
  await host.inventory.read(ctx, {}, async (inventory) => {
    const field = inventory.field(target, [type]);
    // Names are the same as far as they are unique among siblings.
    const isName = target === 'name';
    if (!isName && target !== 'external_id' && !field) return;
    const keys = new Map<string, string[]>();
    for (const text of texts) {
      const key = isName ? host.nameKey(text) : text;
      keys.set(key, [...(keys.get(key) ?? []), text]);
    }
    const rows = await inventory.query<{ id: string; value: string }>('cmdbsync-match', (sql) => {
      const value = isName ? 'c.name_key' : field && target !== 'external_id' ? 'c.value::text' : 'c.external_id';
      const cards = sql.cards({ type }, field && !isName && target !== 'external_id' ? { value: field } : {});
      return `select c.id, ${value} as value from ${cards} c where ${value} = any(${sql.bind([...keys.keys()])}::text[]) order by c.id`;
    });
    for (const { id, value } of rows)
      for (const text of keys.get(value) ?? []) found.set(text, [...(found.get(text) ?? []), id]);
  });
  return found;
}

/** Those cards that are linked to a record of the mapping. */
export async function findTaken(
  db: Pick<ModuleServices['db'], 'query'>,
  mappingId: string,
  cards: readonly string[],
): Promise<Set<string>> {
  if (cards.length === 0) return new Set();
  const rows = await db.query<{ card_id: string }>(TAKEN, [mappingId, cards]);
  return new Set(rows.map(({ card_id }) => card_id));
}
