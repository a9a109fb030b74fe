import { defaultRelationTypes } from '../../config/metamodel/index.js';
import { uuidv7 } from '../../core/foundation/ids.js';
import type { RelationTypeDefinition } from '../../core/inventory/metamodel/types.js';

export interface MadeRelation {
  id: string;
  type: RelationTypeDefinition;
  source: { id: string; type: string };
  target: { id: string; type: string };
}

const typesOf = (source: string): RelationTypeDefinition[] =>
  defaultRelationTypes.filter((type) => type.source_type === source);
const anywhere = typesOf('*');
const ofSource = new Map(
  defaultRelationTypes.map(({ source_type }) => [source_type, [...typesOf(source_type), ...anywhere]]),
);

/**
 * Generates the relations of one card, valid by the default metamodel. Few cards are the target of very many, as in
 * real inventories.
 * @param targets ids of active cards by type
 */
export function relationsOf(
  source: { id: string; type: string },
  count: number,
  targets: ReadonlyMap<string, readonly string[]>,
  random: () => number,
): MadeRelation[] {
  const types = ofSource.get(source.type) ?? anywhere;
  const everyType = [...targets.keys()];
  const seen = new Set<string>();
  const made: MadeRelation[] = [];
  for (let i = 0; i < count; i++) {
    const type = types[Math.floor(random() * types.length)]!;
    const targetType =
      type.target_type === '*' ? everyType[Math.floor(random() * everyType.length)]! : type.target_type;
    const ids = targets.get(targetType) ?? [];
    const id = ids[Math.floor(ids.length * random() ** 3)];
    // The card itself and a pair drawn before are skipped without another draw, so that a card may have fewer relations.
    if (id === undefined || id === source.id || seen.has(`${type.key} ${id}`)) continue;
    seen.add(`${type.key} ${id}`);
    made.push({ id: uuidv7(), type, source, target: { id, type: targetType } });
  }
  return made;
}
