import type { CardView } from '../cards/index.js';
import type { RelationView } from './service.js';

/** The expansions of relations. */
export const RELATION_EXPANSIONS = ['source_card', 'target_card'] as const;
type RelationExpansion = (typeof RELATION_EXPANSIONS)[number];

/**
 * Adds the requested cards at the ends of relations.
 * @param read returns the cards visible to the caller, by id; called once, and only if cards are requested
 * @returns the relations; a card that was deleted after the relations were read is missing
 */
export async function withCards(
  relations: readonly RelationView[],
  expand: ReadonlySet<RelationExpansion>,
  read: (ids: readonly string[]) => Promise<Map<string, CardView>>,
): Promise<RelationView[]> {
  if (expand.size === 0) return [...relations];
  const idsOf = ({ source_id, target_id }: RelationView): string[] => [
    ...(expand.has('source_card') ? [source_id] : []),
    ...(expand.has('target_card') ? [target_id] : []),
  ];
  const cards = await read(relations.flatMap(idsOf));
  return relations.map((relation) => {
    const source_card = expand.has('source_card') ? cards.get(relation.source_id) : undefined;
    const target_card = expand.has('target_card') ? cards.get(relation.target_id) : undefined;
    const members = { ...(source_card && { source_card }), ...(target_card && { target_card }) };
    // The ETag of the relation must change with the cards.
    return { ...relation, ...members, derived: [relation.derived, members] };
  });
}
