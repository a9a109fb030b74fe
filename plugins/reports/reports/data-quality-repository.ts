import type { Inventory, InventoryField, InventoryFilters } from '@lintel/sdk';
import { QUALITY_EDGES } from '../groups.js';

const [, PARTIAL, COMPLETE] = QUALITY_EDGES;

export interface QualityRow extends Record<string, unknown> {
  type: string;
  count: number;
  /** Decimal text. */
  average: string;
  /** Sum of the scores, decimal text. */
  scores: string;
  complete: number;
  partial: number;
  minimal: number;
  stale: number;
}

/** Scores by type, and how many cards have not changed since an instant. */
export const readQuality = (
  inventory: Inventory,
  filters: InventoryFilters,
  changedBefore: string,
): Promise<QualityRow[]> =>
  inventory.query<QualityRow>(
    'report-data-quality',
    ({
      cards,
      bind,
    }) => `select type, count(*)::int as count, round(avg(data_quality), 1)::text as average, sum(data_quality)::text as scores,
      count(*) filter (where data_quality >= ${COMPLETE})::int as complete,
      count(*) filter (where data_quality >= ${PARTIAL} and data_quality < ${COMPLETE})::int as partial,
      count(*) filter (where data_quality < ${PARTIAL})::int as minimal,
      count(*) filter (where updated_at < ${bind(changedBefore)}::timestamptz)::int as stale
      from ${cards(filters, {}, ['type', 'data_quality', 'updated_at'])} c group by type`,
  );

export interface WorstRow extends Record<string, unknown> {
  id: string;
  type: string;
  name: string;
  /** Decimal text. */
  score: string;
}

/** The cards with the lowest scores. */
export const readWorst = (inventory: Inventory, filters: InventoryFilters, most: number): Promise<WorstRow[]> =>
  inventory.query<WorstRow>(
    'report-data-quality-worst',
    ({ cards, bind }) => `select c.id, c.type, n.name, trim_scale(c.data_quality)::text as score
      from (select id, type, name_key, data_quality from ${cards(filters, {}, ['id', 'type', 'name_key', 'data_quality'])} c
        order by data_quality, name_key, id limit ${bind(most)}) c
      join ${cards({ status: 'ACTIVE,ARCHIVED' }, {}, ['id', 'name'])} n on n.id = c.id
      order by c.data_quality, c.name_key, c.id`,
  );

/**
 * Cards without a relation. The distinct sources are read in the order of their index and compared with the cards in the order of
 * theirs: a hash table of a million cards or five million relations takes three times as long.
 * @throws forbidden without relations.view
 */
export async function readOrphans(inventory: Inventory, filters: InventoryFilters): Promise<number> {
  const { relatedTypes, types } = inventory;
  const [row] = await inventory.query<{ n: number }>('report-data-quality-orphans', ({ cards, relations, bind }) => {
    const isSeen = relatedTypes.length === types.size ? '' : `c.type = any(${bind(relatedTypes)}::text[]) and`;
    // OFFSET has PostgreSQL look up each of the cards without outgoing relations, usually few; it expects most cards to be among them.
    return `with sources as not materialized (select distinct r.source_id as id from ${relations()} r),
      lone as materialized (select c.id from ${cards(filters, {}, ['id', 'type'])} c where ${isSeen} not exists (select from sources s where s.id = c.id))
      select count(*)::int as n from lone c where not exists (select from ${relations()} r where r.target_id = c.id offset 0)`;
  });
  return row!.n;
}

/** How many cards of a type have no value in each of its fields. @returns in the order of the fields */
export async function readMissing(
  inventory: Inventory,
  filters: InventoryFilters,
  fields: readonly InventoryField[],
): Promise<number[]> {
  if (fields.length === 0) return [];
  const columns = Object.fromEntries(fields.map((field, i) => [`f${i}`, field]));
  const isEmpty = ({ kind }: InventoryField, i: number): string =>
    kind === 'options' ? `c.f${i} is null or c.f${i} = '[]'::jsonb` : `c.f${i} is null`;
  const [row] = await inventory.query<{ missing: number[] }>(
    'report-data-quality-missing',
    ({ cards }) =>
      `select array[${fields.map((field, i) => `count(*) filter (where ${isEmpty(field, i)})::int`).join(', ')}] as missing
      from ${cards(filters, columns, [])} c`,
  );
  return row!.missing;
}

export interface OwnerRow extends Record<string, unknown> {
  user_id: string;
  count: number;
  /** Decimal text. */
  average: string;
}

/** Scores of the cards of each user who is a stakeholder. @throws forbidden without stakeholders.view */
export const readOwners = (inventory: Inventory, filters: InventoryFilters, most: number): Promise<OwnerRow[]> =>
  inventory.query<OwnerRow>(
    'report-data-quality-owners',
    ({
      cards,
      stakeholders,
      bind,
    }) => `select s.user_id, count(*)::int as count, round(avg(c.data_quality), 1)::text as average
      from ${cards(filters, {}, ['id', 'data_quality'])} c
      join (select distinct card_id, user_id from ${stakeholders()} s) s on s.card_id = c.id
      group by s.user_id order by count(*) desc, s.user_id limit ${bind(most)}`,
  );
