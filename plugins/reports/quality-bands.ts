import type { InventoryFilters } from '@lintel/sdk';
import { QUALITY_EDGES } from './groups.js';
import type { Texts } from './words/index.js';

const [, PARTIAL, COMPLETE] = QUALITY_EDGES;

/** A band of scores of data quality. */
export interface QualityBand {
  key: 'complete' | 'partial' | 'minimal';
  /** Which scores it has. */
  range: string;
  /** `#rrggbb`. */
  color: string;
  /** The filters of `GET /cards` that give exactly its cards. */
  filters: InventoryFilters;
}

/** The bands, the highest scores first. */
export const QUALITY_BANDS: readonly QualityBand[] = [
  {
    key: 'complete',
    range: `≥ ${COMPLETE}`,
    color: '#009e73',
    filters: { 'data_quality[gte]': COMPLETE },
  },
  {
    key: 'partial',
    range: `${PARTIAL} – < ${COMPLETE}`,
    color: '#e69f00',
    filters: { 'data_quality[gte]': PARTIAL, 'data_quality[lt]': COMPLETE },
  },
  { key: 'minimal', range: `< ${PARTIAL}`, color: '#d55e00', filters: { 'data_quality[lt]': PARTIAL } },
];

/** The name of a band with its scores, such as `Complete (≥ 80)`. */
export const bandLabel = ({ key, range }: Pick<QualityBand, 'key' | 'range'>, { band }: Texts): string =>
  `${band[key]} (${range})`;
