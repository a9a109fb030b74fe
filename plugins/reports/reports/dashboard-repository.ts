import type { Inventory, InventoryFilters } from '@lintel/sdk';
import { QUALITY_EDGES } from '../groups.js';

const [, PARTIAL, COMPLETE] = QUALITY_EDGES;

/** A number of cards with one value of one of the dimensions. */
export interface CountRow extends Record<string, unknown> {
  dimension: 'type' | 'approval' | 'quality' | 'phase';
  /** Null for no phase. */
  value: string | null;
  count: number;
}

/**
 * Counts by type, approval, band of quality and phase. Two statements, because what changes often is stored apart: each then reads
 * one table.
 */
export async function readCounts(inventory: Inventory, filters: InventoryFilters): Promise<CountRow[]> {
  const ofCards = await inventory.query<{ type: string; approval: string; count: number }>(
    'report-dashboard-cards',
    ({ cards }) => `select type, approval_status as approval, count(*)::int as count
      from ${cards(filters, {}, ['type', 'approval_status'])} c group by 1, 2`,
  );
  const ofContents = await inventory.query<{ quality: string; phase: string | null; count: number }>(
    'report-dashboard-contents',
    ({
      cards,
    }) => `select case when data_quality >= ${COMPLETE} then 'complete' when data_quality >= ${PARTIAL} then 'partial' else 'minimal' end as quality,
        lifecycle_phase as phase, count(*)::int as count
      from ${cards(filters, {}, ['lifecycle_phase', 'data_quality'])} c group by 1, 2`,
  );
  const row = (dimension: CountRow['dimension'], value: string | null, count: number): CountRow => ({
    dimension,
    value,
    count,
  });
  return added([
    ...ofCards.flatMap(({ type, approval, count }) => [row('type', type, count), row('approval', approval, count)]),
    ...ofContents.flatMap(({ quality, phase, count }) => [row('quality', quality, count), row('phase', phase, count)]),
  ]);
}

/** Adds up the counts of equal values. */
function added(rows: readonly CountRow[]): CountRow[] {
  const sums = new Map<string, CountRow>();
  for (const row of rows) {
    const key = JSON.stringify([row.dimension, row.value]);
    const sum = sums.get(key);
    if (sum) sum.count += row.count;
    else sums.set(key, { ...row });
  }
  return [...sums.values()];
}

export interface RecentRow extends Record<string, unknown> {
  id: string;
  type: string;
  name: string;
  updated_at: Date;
}

/** The cards that changed last. */
export const readRecent = (inventory: Inventory, filters: InventoryFilters, most: number): Promise<RecentRow[]> =>
  inventory.query<RecentRow>(
    'report-dashboard-recent',
    ({
      cards,
      bind,
    }) => `select id, type, name, updated_at from ${cards(filters, {}, ['id', 'type', 'name', 'updated_at'])} c
      where updated_at is not null order by updated_at desc, id desc limit ${bind(most)}`,
  );
