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

/** Counts by type, approval, band of quality and phase, in one pass over the cards. */
export const readCounts = (inventory: Inventory, filters: InventoryFilters): Promise<CountRow[]> =>
  inventory.query<CountRow>(
    'report-dashboard',
    ({ cards }) => `select case when grouping(type) = 0 then 'type' when grouping(approval) = 0 then 'approval'
        when grouping(quality) = 0 then 'quality' else 'phase' end as dimension,
      coalesce(type, approval, quality, phase) as value, count(*)::int as count
      from (select type, approval_status as approval, lifecycle_phase as phase,
        case when data_quality >= ${COMPLETE} then 'complete' when data_quality >= ${PARTIAL} then 'partial' else 'minimal' end as quality
        from ${cards(filters, {}, ['type', 'approval_status', 'lifecycle_phase', 'data_quality'])} c) c
      group by grouping sets ((type), (approval), (quality), (phase))`,
  );

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
