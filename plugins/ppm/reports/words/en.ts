import type { CountedNoun } from '@lintel/sdk';

type Area = 'schedule' | 'cost' | 'scope';
type State = 'at_risk' | 'off_track';

/** The texts of the reports of initiatives in one language. Counts and shares are written before they are inserted. */
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
  budget: {
    title: string;
    amounts(budget: string, actual: string, forecast: string): string;
    budgetOf(row: string): string;
    costsOf(row: string): string;
    budget: string;
    planned: string;
    stillForecast: string;
    variance: string;
    varianceNote: string;
    withheld: string;
    noRates(currencies: string): string;
    byYear: string;
    byInitiative: string;
    year: string;
    category: string;
  };
  gantt: {
    title: string;
    subtitle(initiatives: string): string;
    span(name: string, from: string, to: string): string;
    truncated: string;
    milestoneReached: string;
    start: string;
    reached: string;
  };
  load: {
    title: string;
    /** @param over persons with more than their capacity */
    subtitle(from: string, to: string, over: string, all: string): string;
    person(name: string, hours: string, weeks: string): string;
    truncated: string;
    load: string;
    personTitle: string;
    week: string;
    hours: string;
    undated: string;
    weeksAbove: string;
    withoutEffort: string;
    /** From no work to more than a quarter above the capacity. */
    shades: readonly [string, string, string, string, string];
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
  budget: {
    title: 'Budget and actual costs',
    amounts: (budget, actual, forecast) => `${budget} budget, ${actual} actual, ${forecast} forecast`,
    budgetOf: (row) => `${row}: budget`,
    costsOf: (row) => `${row}: costs`,
    budget: 'Budget',
    planned: 'Planned',
    stillForecast: 'Still forecast',
    variance: 'Variance',
    varianceNote: 'budget less forecast',
    withheld: 'Without initiatives whose costs you may not see.',
    noRates: (currencies) => `Without lines in ${currencies}: no exchange rate.`,
    byYear: 'By fiscal year',
    byInitiative: 'By initiative',
    year: 'Fiscal year',
    category: 'Category',
  },
  gantt: {
    title: 'Initiatives over time',
    subtitle: (initiatives) => `${initiatives} with dates`,
    span: (name, from, to) => `${name}: ${from} to ${to}`,
    truncated: 'Not all initiatives are shown.',
    milestoneReached: 'Milestone, reached',
    start: 'Start',
    reached: 'Reached',
  },
  load: {
    title: 'Load by person and week',
    subtitle: (from, to, over, all) =>
      `Hours of tasks from ${from} to ${to}; ${over} of ${all} persons have more than their capacity`,
    person: (name, hours, weeks) => `${name}: ${hours} hours, ${weeks} weeks above the capacity`,
    truncated: 'Not all persons are shown.',
    load: 'Load',
    personTitle: 'Person',
    week: 'Week',
    hours: 'Hours',
    undated: 'Hours without dates',
    weeksAbove: 'Weeks above capacity',
    withoutEffort: 'Tasks without effort',
    shades: ['No work', 'Up to half of the capacity', 'Up to the capacity', 'Up to a quarter more', 'More than that'],
  },
};
