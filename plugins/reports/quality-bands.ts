import type { InventoryFilters } from '@lintel/sdk';
import { QUALITY_EDGES } from './groups.js';

const [, PARTIAL, COMPLETE] = QUALITY_EDGES;

/** A band of scores of data quality. */
export interface QualityBand {
  key: 'complete' | 'partial' | 'minimal';
  label: string;
  /** `#rrggbb`. */
  color: string;
  /** The filters of `GET /cards` that give exactly its cards. */
  filters: InventoryFilters;
}

/** The bands, the highest scores first. */
export const QUALITY_BANDS: readonly QualityBand[] = [
  {
    key: 'complete',
    label: `Complete (≥ ${COMPLETE})`,
    color: '#009e73',
    filters: { 'data_quality[gte]': COMPLETE },
  },
  {
    key: 'partial',
    label: `Partial (${PARTIAL} – < ${COMPLETE})`,
    color: '#e69f00',
    filters: { 'data_quality[gte]': PARTIAL, 'data_quality[lt]': COMPLETE },
  },
  { key: 'minimal', label: `Minimal (< ${PARTIAL})`, color: '#d55e00', filters: { 'data_quality[lt]': PARTIAL } },
];
