import type { CountedNoun } from '@lintel/sdk';

type Area = 'schedule' | 'cost' | 'scope';
type State = 'at_risk' | 'off_track';

/** The texts of the dashboard of initiatives in one language. Counts and shares are written before they are inserted. */
export interface Texts {
  initiative: CountedNoun;
  item: CountedNoun;
  workingDay: CountedNoun;
  /** For a narrow column. */
  day: CountedNoun;
  health: Readonly<Record<'on_track' | State | 'none', string>>;
  reasons: {
    areas: Readonly<Record<Area, string>>;
    /** Reported states, for a narrow column. */
    states: Readonly<Record<State, string>>;
    reported(areas: string, state: State): string;
    /** @param days working days after the planned end */
    overdue(days: string, completion: string): string;
    overdueShort(days: string): string;
    complete(completion: string): string;
    later(days: string, baseline: string): string;
    laterShort(days: string): string;
    than(baseline: string): string;
    lateItems(items: string, days: string): string;
    upTo(days: string): string;
    costs(what: 'actual' | 'forecast', share: string): string;
    ofBudget(what: 'actual' | 'forecast'): string;
    risk(score: string): string;
    riskShort(score: string): string;
  };
  picture: {
    title: string;
    subtitle(initiatives: string, late: string): string;
    amountsOf(shown: string, all: string): string;
    budget(amount: string): string;
    withheld: string;
    figures: string;
    averageCompletion: string;
    actual: string;
    forecast: string;
    health: string;
    initiatives: string;
    initiative: string;
    nextMilestones: string;
    milestone: string;
    date: string;
    late: string;
    attention: string;
    columns: Readonly<Record<'health' | 'finish' | 'items' | 'costs' | 'risks', string>>;
  };
  tables: {
    completion: string;
    end: string;
    lateItems: string;
    costVariance: string;
    reasons: string;
    milestones: string;
  };
}

export const en: Texts = {
  initiative: { one: 'initiative', other: 'initiatives' },
  item: { one: 'item', other: 'items' },
  workingDay: { one: 'working day', other: 'working days' },
  day: { one: 'day', other: 'days' },
  health: { on_track: 'On track', at_risk: 'At risk', off_track: 'Off track', none: 'Not reported' },
  reasons: {
    areas: { schedule: 'schedule', cost: 'cost', scope: 'scope' },
    states: { at_risk: 'at risk', off_track: 'off track' },
    reported: (areas, state) => `${areas} reported as ${en.reasons.states[state]}`,
    overdue: (days, completion) => `${days} after the planned end, ${completion} complete`,
    overdueShort: (days) => `${days} overdue`,
    complete: (completion) => `${completion} complete`,
    later: (days, baseline) => `finish ${days} after that of the baseline “${baseline}”`,
    laterShort: (days) => `${days} later`,
    than: (baseline) => `than “${baseline}”`,
    lateItems: (items, days) => `${items} late, by up to ${days}`,
    upTo: (days) => `by up to ${days}`,
    costs: (what, share) => `${what} ${share} of budget`,
    ofBudget: (what) => `${what} of budget`,
    risk: (score) => `an open risk with the score ${score}`,
    riskShort: (score) => `score ${score}`,
  },
  picture: {
    title: 'Initiatives',
    subtitle: (initiatives, late) => `${initiatives}, ${late} with late items`,
    amountsOf: (shown, all) => `Amounts of ${shown} of ${all}.`,
    budget: (amount) => `of ${amount} budget`,
    withheld: 'withheld',
    figures: 'Figures',
    averageCompletion: 'Average completion',
    actual: 'Actual',
    forecast: 'Forecast',
    health: 'Health',
    initiatives: 'Initiatives',
    initiative: 'Initiative',
    nextMilestones: 'Next milestones',
    milestone: 'Milestone',
    date: 'Date',
    late: 'late',
    attention: 'Attention',
    columns: { health: 'Reported', finish: 'Finish', items: 'Late', costs: 'Costs', risks: 'Risks' },
  },
  tables: {
    completion: 'Completion',
    end: 'End',
    lateItems: 'Late items',
    costVariance: 'Cost variance',
    reasons: 'Reasons',
    milestones: 'Milestones',
  },
};
