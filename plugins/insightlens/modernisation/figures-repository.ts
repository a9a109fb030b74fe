import type { Inventory } from '@lintel/sdk';

/** A card with the figures that are a reason to modernise it. */
export interface Figure extends Record<string, unknown> {
  id: string;
}

const TYPES = ['Application', 'ITComponent'];
const IN_USE = "coalesce(c.lifecycle_phase, 'active') in ('phaseIn', 'active', 'phaseOut')";
export const COST = 'attributes.costTotalAnnual';

export const candidateTypes = (inventory: Inventory): string[] => TYPES.filter((type) => inventory.types.has(type));

/** Cards in use whose quality, without the fields that are costs, is below a percentage, by id. */
export async function readLowQuality(
  inventory: Inventory,
  below: number,
  after: string | null,
  limit: number,
): Promise<Figure[]> {
  const types = candidateTypes(inventory);
  if (types.length === 0) return [];
  return await inventory.query(
    'insightlens-low-quality',
    ({
      cards,
      bind,
    }) => `select c.id, c.open_quality::float8 as quality from ${cards({ type: types.join(',') }, {}, ['id', 'open_quality', 'lifecycle_phase'])} c
      where ${after === null ? '' : `c.id > ${bind(after)}::uuid and `}${IN_USE} and c.open_quality < ${bind(below)} order by c.id limit ${bind(limit)}`,
  );
}

/** Cards in use with annual costs of at least a quantile of those of their type, by id, with these costs. */
export async function readExpensive(
  inventory: Inventory,
  quantile: number,
  after: string | null,
  limit: number,
): Promise<Figure[]> {
  const types = candidateTypes(inventory);
  const cost = types.length === 0 ? undefined : inventory.field(COST, types);
  if (!cost) return [];
  return await inventory.query(
    'insightlens-high-cost',
    ({ cards, bind }) => `with used as materialized (
        select c.id, c.type, c.cost from ${cards({ type: types.join(',') }, { cost }, ['id', 'type', 'lifecycle_phase'])} c where ${IN_USE} and c.cost > 0
      ), least as (select type, percentile_disc(${bind(quantile)}::float8) within group (order by cost) as cost from used group by type)
      select u.id, u.cost::text as annual_cost, l.cost::text as at_least from used u join least l on l.type = u.type
      where u.cost >= l.cost${after === null ? '' : ` and u.id > ${bind(after)}::uuid`} order by u.id limit ${bind(limit)}`,
  );
}
