import type { ModuleServices } from '@lintel/sdk';
import type { Settings } from './settings.js';

export type Host = ModuleServices<Settings>;

/** The origin of changes by analyses. */
export const ORIGIN = 'insightlens';
/** The time of the database in the resolution of the API. */
export const NOW = "date_trunc('milliseconds', clock_timestamp())";
