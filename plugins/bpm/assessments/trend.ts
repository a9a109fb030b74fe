import type { RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { requireProcess } from '../processes/access.js';
import { SCORES, type Score, type Trend, type TrendPoint } from './resource.js';
import { readTrend } from './repository.js';

/** The change of each score from the assessment before the last that has it to the last that has it. */
export function trendOf(points: TrendPoint[]): Trend {
  const changeOf = (score: Score): number | null => {
    const scores = points.flatMap((point) => point[score] ?? []);
    return scores.length < 2 ? null : scores.at(-1)! - scores.at(-2)!;
  };
  return { points, change: Object.fromEntries(SCORES.map((score) => [score, changeOf(score)])) as Trend['change'] };
}

/** How the assessments of a process have changed. @throws not_found */
export async function trend(host: Host, ctx: RequestContext, cardId: string): Promise<Trend> {
  const { id } = await requireProcess(host, ctx, cardId);
  return trendOf(await readTrend(host.db, id));
}
