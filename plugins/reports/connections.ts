import type { Inventory, InventoryFilters, InventoryRelationType } from '@lintel/sdk';
import { within } from './links.js';

/** The direction of relations, as seen from the cards that a report is about. */
export type Direction = 'outgoing' | 'incoming' | 'both';

const fits = (end: string, type: string): boolean => end === '*' || end === type;

/**
 * The directions in which relations of a type connect cards of two types.
 * @param from key of the card type from which the direction is seen
 */
export function directionsBetween(
  { sourceType, targetType }: InventoryRelationType,
  from: string,
  to: string,
): readonly ('outgoing' | 'incoming')[] {
  const directions: ('outgoing' | 'incoming')[] = [];
  if (fits(sourceType, from) && fits(targetType, to)) directions.push('outgoing');
  if (fits(sourceType, to) && fits(targetType, from)) directions.push('incoming');
  return directions;
}

const isGeneral = ({ sourceType, targetType }: InventoryRelationType): boolean =>
  sourceType === '*' || targetType === '*';

/** The relation types that connect cards of two types: those made for these types, else those for any. */
export function typesBetween(inventory: Inventory, from: string, to: string): InventoryRelationType[] {
  const all = [...inventory.relationTypes.values()].filter((type) => directionsBetween(type, from, to).length > 0);
  const special = all.filter((type) => !isGeneral(type));
  return special.length > 0 ? special : all;
}

/** Whether cards without such a relation have none to cards of the other type: it connects no other types. */
export const isOnlyBetween = (type: InventoryRelationType): boolean => !isGeneral(type);

const RELATED = ['related_to', 'related_root_id', 'relation_type', 'has_relation', 'lacks_relation', 'direction'];

/**
 * The filters of a figure about relations within those of the report. Parameters such as `direction` apply to all filters
 * by relations, so that a list cannot have those of the report and those of the figure.
 * @returns undefined where the list cannot express both
 */
export const withRelated = (given: InventoryFilters, more: InventoryFilters): InventoryFilters | undefined =>
  RELATED.some((name) => given[name] !== undefined) ? undefined : within(given, more);
