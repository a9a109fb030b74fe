import type { Inventory } from '@lintel/sdk';
import type { TableDefinition } from './definition.js';
import { typesOf } from './fields.js';
import type { Row } from './model.js';
import { readGaps, type Demand, type Extract, type GapRow } from './repository.js';
import type { Words } from './words.js';

/** A relation type between cards of one type in which the source succeeds the target; the convention of the metamodel. */
const SUCCESSOR = /Successor$/;
/** Ends of relation types that are checked. */
const MOST_DEMANDS = 30;

/** A year after a day, YYYY-MM-DD; 29 February becomes 1 March. */
export function yearAfter(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCFullYear(at.getUTCFullYear() + 1);
  return at.toISOString().slice(0, 10);
}

/** The ends at which relations are required, of card types whose relations the caller may see. */
function demandsOf(inventory: Inventory, named: readonly string[] | undefined): Demand[] {
  const seen = inventory.relatedTypes.filter((type) => named === undefined || named.includes(type));
  const ofEnd = (end: string): string[] => seen.filter((type) => end === '*' || end === type);
  return [...inventory.relationTypes.values()]
    .flatMap(({ key, sourceType, targetType, sourceMandatory, targetMandatory }): Demand[] => [
      ...(sourceMandatory ? [{ relationType: key, side: 'source' as const, types: ofEnd(sourceType) }] : []),
      ...(targetMandatory ? [{ relationType: key, side: 'target' as const, types: ofEnd(targetType) }] : []),
    ])
    .filter(({ types }) => types.length > 0)
    .slice(0, MOST_DEMANDS);
}

/**
 * What the cards of a filter lack for a target: each gap is a row.
 * - Their life cycle ends until the target date, and no card succeeds them.
 * - They are phased out until that day, and do not end before.
 * - They have no relation of a type that the metamodel requires.
 * Gaps that depend on relations are judged only where the caller may see relations.
 */
export async function gapRows(
  inventory: Inventory,
  table: TableDefinition,
  extract: Extract,
  words: Words,
): Promise<Row[]> {
  const mayRelate = inventory.relatedTypes.length > 0;
  const demands = mayRelate ? demandsOf(inventory, typesOf(table)) : [];
  const successors = mayRelate ? [...inventory.relationTypes.keys()].filter((key) => SUCCESSOR.test(key)) : [];
  const day = table.target_date ?? yearAfter(inventory.today);
  const cards = await readGaps(inventory, table.filter ?? {}, { successors, demands, day, extract });
  return cards.flatMap((card) =>
    gapsOf(card, day).map(({ gap, date, demand }) => {
      const type = demand === undefined ? undefined : inventory.relationTypes.get(demands[demand]!.relationType);
      const detail = type && (demands[demand!]!.side === 'source' ? type.label : type.reverseLabel);
      return {
        card_id: card.id,
        card_type: card.type,
        key: `${gap}${demand === undefined ? '' : ` ${demands[demand]!.relationType}`}`,
        ...(gap !== 'phase_out' && { by_relations: true as const }),
        cells: [
          card.name,
          inventory.types.get(card.type)?.label ?? card.type,
          words.gaps[gap],
          date === undefined ? null : { date },
          detail ?? null,
        ],
      };
    }),
  );
}

interface Gap {
  gap: keyof Words['gaps'];
  date?: string;
  /** Index of the demand that is not met. */
  demand?: number;
}

function gapsOf({ lifecycle, has_successor, missing }: GapRow, day: string): Gap[] {
  const { endOfLife: end, phaseOut: out } = lifecycle;
  const ends = end !== undefined && end <= day;
  return [
    ...(ends && !has_successor ? [{ gap: 'end_of_life' as const, date: end }] : []),
    ...(!ends && out !== undefined && out <= day ? [{ gap: 'phase_out' as const, date: out }] : []),
    ...missing.map((demand) => ({ gap: 'missing_relation' as const, demand })),
  ];
}
