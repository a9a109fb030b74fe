import type { AttentionRow } from './portfolio-repository.js';

/** The working days after a day up to another one. Dates are YYYY-MM-DD. */
export type CountDays = (cardId: string, from: string, to: string) => number;

/** What a reason is about: the reported health, the end of the plan, late items, amounts, or risks. */
export const AREAS = ['health', 'finish', 'items', 'costs', 'risks'] as const;

/** Why an initiative needs attention. */
export interface Reason {
  area: (typeof AREAS)[number];
  /** As a sentence without its subject. */
  text: string;
  /** For a narrow column: one or two short lines. */
  short: string[];
}

const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
const days = (count: number): string => many(count, 'working day', 'working days');
const share = (part: number, whole: number): string => `${Math.round((part / whole) * 100)} %`;
/** From which score a risk is a reason of its own. */
const HIGH = 15;

/**
 * Why an initiative needs attention, the weightiest reason first.
 * @param today YYYY-MM-DD
 */
export function reasonsOf(row: AttentionRow, today: string, count: CountDays): Reason[] {
  return [
    ...ofHealth(row),
    ...ofFinish(row, today, count),
    ...ofItems(row, today, count),
    ...ofCosts(row),
    ...ofRisks(row),
  ];
}

function ofHealth({ areas }: AttentionRow): Reason[] {
  return (['off_track', 'at_risk'] as const).flatMap((state): Reason[] => {
    const named = areas ? (['schedule', 'cost', 'scope'] as const).filter((area) => areas[area] === state) : [];
    const words = state === 'at_risk' ? 'at risk' : 'off track';
    if (named.length === 0) return [];
    return [{ area: 'health', text: `${named.join(', ')} reported as ${words}`, short: [words, named.join(', ')] }];
  });
}

function ofFinish({ id, end_date, completion, baseline }: AttentionRow, today: string, count: CountDays): Reason[] {
  const reasons: Reason[] = [];
  if (end_date !== null && end_date < today && completion !== null && completion < 100) {
    const late = count(id, end_date, today);
    const text = `${days(late)} after the planned end, ${completion} % complete`;
    reasons.push({ area: 'finish', text, short: [`${late} days overdue`, `${completion} % complete`] });
  }
  if (baseline && end_date !== null) {
    const later = count(id, baseline.end_date, end_date);
    const text = `finish ${days(later)} after that of the baseline “${baseline.name}”`;
    reasons.push({ area: 'finish', text, short: [`${later} days later`, `than “${baseline.name}”`] });
  }
  return reasons;
}

function ofItems({ id, late_items, late_since }: AttentionRow, today: string, count: CountDays): Reason[] {
  if (late_items === 0 || late_since === null) return [];
  const late = count(id, late_since, today);
  const text = `${many(late_items, 'item', 'items')} late, by up to ${days(late)}`;
  return [{ area: 'items', text, short: [many(late_items, 'item', 'items'), `by up to ${late} days`] }];
}

function ofCosts({ budget, actual, forecast }: AttentionRow): Reason[] {
  if (budget === null || actual === null || forecast === null || budget <= 0) return [];
  const [what, amount] = actual > budget ? ['actual', actual] : ['forecast', forecast];
  if (amount <= budget) return [];
  const part = share(amount, budget);
  return [{ area: 'costs', text: `${what} ${part} of budget`, short: [part, `${what} of budget`] }];
}

function ofRisks({ highest_score: score }: AttentionRow): Reason[] {
  if (score === null || score < HIGH) return [];
  return [{ area: 'risks', text: `an open risk with the score ${score}`, short: [`score ${score}`] }];
}
