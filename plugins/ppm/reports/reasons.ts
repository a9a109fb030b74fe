import type { AttentionRow } from './portfolio-repository.js';

/** The working days after a day up to another one. Dates are YYYY-MM-DD. */
export type CountDays = (cardId: string, from: string, to: string) => number;

const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
const days = (count: number): string => many(count, 'working day', 'working days');
const share = (part: number, whole: number): string => `${Math.round((part / whole) * 100)} %`;
/** From which score a risk is a reason of its own. */
const HIGH = 15;

/**
 * Why an initiative needs attention, the weightiest reason first.
 * @param today YYYY-MM-DD
 */
export function reasonsOf(row: AttentionRow, today: string, count: CountDays): string[] {
  const reasons: string[] = [];
  const { id, end_date, completion, areas, budget, actual, forecast, baseline, late_items, late_since } = row;
  for (const state of ['off_track', 'at_risk'] as const) {
    const named = areas ? (['schedule', 'cost', 'scope'] as const).filter((area) => areas[area] === state) : [];
    if (named.length > 0)
      reasons.push(`${named.join(', ')} reported as ${state === 'at_risk' ? 'at risk' : 'off track'}`);
  }
  if (end_date !== null && end_date < today && completion !== null && completion < 100)
    reasons.push(`${days(count(id, end_date, today))} after the planned end, ${completion} % complete`);
  if (baseline && end_date !== null)
    reasons.push(
      `finish ${days(count(id, baseline.end_date, end_date))} after that of the baseline “${baseline.name}”`,
    );
  if (late_items > 0 && late_since !== null)
    reasons.push(`${many(late_items, 'item', 'items')} late, by up to ${days(count(id, late_since, today))}`);
  if (budget !== null && budget > 0) {
    if (actual! > budget) reasons.push(`actual ${share(actual!, budget)} of budget`);
    else if (forecast! > budget) reasons.push(`forecast ${share(forecast!, budget)} of budget`);
  }
  if (row.highest_score !== null && row.highest_score >= HIGH)
    reasons.push(`an open risk with the score ${row.highest_score}`);
  return reasons;
}
