import type { ModuleServices } from '@lintel/sdk';
import type { TrendPoint } from './resource.js';

const TREND = {
  name: 'bpm-assessments-trend',
  text: `select assessed_on::text as assessed_on, efficiency, effectiveness, compliance, automation, overall from (
      select distinct on (a.assessed_on) a.* from bpm_assessments a where a.card_id = $1 order by a.assessed_on desc, a.id desc limit 100) latest
    order by assessed_on`,
};

/** The latest assessments of a process, oldest first, the last of each day. */
export async function readTrend(db: Pick<ModuleServices['db'], 'query'>, cardId: string): Promise<TrendPoint[]> {
  return await db.query<TrendPoint & Record<string, unknown>>(TREND, [cardId]);
}
