import type { Inventory } from '@lintel/sdk';
import { GROUPS, type CardInput, type Group } from './definition.js';

/** Keys of card types by the kind of relation that they are. */
export type GroupTypes = Readonly<Record<Group, readonly string[]>>;

interface Row extends Record<string, unknown> {
  id: string;
  name: string;
  alias: string | null;
  text: string | null;
  parent: string | null;
}
interface Related extends Record<string, unknown> {
  card: string;
  other: string;
  type: string;
}

/** Longest description that is read, in characters. */
const LONGEST_TEXT = 4_000;

/**
 * Cards of a type with what they are compared by, in the order of ids.
 * @param after id of the last one of the page before
 */
export async function readCards(
  inventory: Inventory,
  { type, groups, after, limit }: { type: string; groups: GroupTypes; after: string | null; limit: number },
): Promise<CardInput[]> {
  // The settings may name a type that the metamodel does not have, or not any more.
  if (!inventory.types.has(type)) return [];
  const rows = await inventory.query<Row>(
    'insightlens-duplicates-cards',
    ({
      cards,
      bind,
    }) => `select c.id::text as id, c.name, x.alias, left(x.description, ${LONGEST_TEXT}) as text, c.parent_id::text as parent
      from ${cards({ type }, {}, ['id', 'name', 'parent_id'])} c join cards x on x.id = c.id
      ${after === null ? '' : `where c.id > ${bind(after)}::uuid`} order by c.id limit ${bind(limit)}`,
  );
  const ids = rows.map(({ id }) => id);
  const types = [...GROUPS.flatMap((group) => groups[group]), type];
  const related = await inventory.query<Related>('insightlens-duplicates-related', ({ relations, bind }) => {
    const [of, kinds] = [bind(ids), bind(types)];
    return `select r.source_id::text as card, r.target_id::text as other, r.target_type as type from ${relations()} r
        where r.source_id = any(${of}::uuid[]) and r.target_type = any(${kinds}::text[])
      union all
      select r.target_id::text, r.source_id::text, r.source_type from ${relations()} r
        where r.target_id = any(${of}::uuid[]) and r.source_type = any(${kinds}::text[])
      order by 1, 2`;
  });
  const groupOf = new Map(GROUPS.flatMap((group) => groups[group].map((key) => [key, group] as const)));
  const of = new Map<string, { related: { id: string; group: Group }[]; linked: string[] }>();
  for (const { card, other, type: otherType } of related) {
    let own = of.get(card);
    if (!own) of.set(card, (own = { related: [], linked: [] }));
    const group = groupOf.get(otherType);
    if (otherType === type) own.linked.push(other);
    else if (group) own.related.push({ id: other, group });
  }
  return rows.map((row) => ({ ...row, related: of.get(row.id)?.related ?? [], linked: of.get(row.id)?.linked ?? [] }));
}
