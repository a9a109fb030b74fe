import type { ErrorTable } from '@lintel/sdk';

/** Maximum number of portals: each node has the published ones in memory. */
export const MOST_PORTALS = 200;

export const ERRORS = {
  portals_slug_taken: [409, 'Slug taken', 'Another portal has this slug.'],
  portals_too_many: [409, 'Too many portals', 'A workspace has at most 200 portals.'],
} as const satisfies ErrorTable;
