import { LIFECYCLE_PHASES } from '../types.js';

/**
 * SQL of the phase of the life cycle of the card `c`: the last one that has begun; null for none.
 * @param today SQL of the UTC day, YYYY-MM-DD
 */
export const phaseSql = (today: string): string =>
  `case when c.lifecycle <> '{}' then coalesce(${[...LIFECYCLE_PHASES]
    .reverse()
    .map((phase) => `case when c.lifecycle->>'${phase}' collate "C" <= ${today}::text then '${phase}' end`)
    .join(', ')}) end`;
