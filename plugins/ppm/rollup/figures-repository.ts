import { convertedSql, rateSql } from '../money/conversion-repository.js';
import type { ExchangeRates } from '../money/rates.js';

/** What the figures of initiatives are computed with. */
export interface FigureContext {
  /** Returns the placeholder of a value. */
  bind: (value: unknown) => string;
  rates: ExchangeRates;
  /** Month in which the fiscal year begins, from 1. */
  fiscalYearStart: number;
  /** The UTC day, YYYY-MM-DD. */
  today: string;
}

/** A subquery in parentheses with one row per initiative; with `of`, SQL of the id of a card, only for that one. */
type Figures = (of?: string) => string;
const only = (column: string, of: string | undefined): string => (of === undefined ? '' : ` and ${column} = ${of}`);

/** Weight of an item: its working days; milestones have none. */
const WEIGHT = 'case when w.is_milestone then 0 else coalesce(w.duration_days, 1) end';

/**
 * The lowest items of the work breakdown: `completion` weighted by working days (the plain average if all weights are 0), dates,
 * and items that are late.
 */
export function itemFigures({ bind, today }: FigureContext): Figures {
  const day = `${bind(today)}::date`;
  const late = `w.completion < 100 and w.end_date < ${day}`;
  // If all weights are 0, the items without weight are all of them.
  const plain = `avg(w.completion) filter (where ${WEIGHT} = 0)`;
  return (
    of,
  ) => `(select w.card_id, count(*)::int as items, min(w.start_date) as start_date, max(w.end_date) as end_date,
      round(coalesce(sum(${WEIGHT} * w.completion) / nullif(sum(${WEIGHT}), 0), ${plain}), 2) as completion,
      count(*) filter (where ${late})::int as late_items, min(w.end_date) filter (where ${late}) as late_since
    from ppm_wbs w
    where w.id not in (select distinct x.parent_id from ppm_wbs x where x.parent_id is not null${only('x.card_id', of)})${only('w.card_id', of)}
    group by w.card_id)`;
}

/** Sums of budgets in the currency of the workspace; `missing` has the currencies without a rate. */
export function budgetFigures({ bind, rates, fiscalYearStart }: Omit<FigureContext, 'today'>): Figures {
  const date = `make_date(b.fiscal_year, ${bind(fiscalYearStart)}::int, 1)`;
  const rate = rateSql(rates, bind)({ currency: 'b.currency', date });
  return (of) => `(select b.card_id, coalesce(sum(${convertedSql('b.amount', 'v.rate')}), 0) as budget,
      array_agg(b.currency) filter (where v.rate is null) as missing
    from ppm_budgets b cross join lateral (select ${rate} as rate offset 0) v where true${only('b.card_id', of)} group by b.card_id)`;
}

/** Sums of cost lines; the forecast counts the actual amount of a line, or the planned one where there is none. */
export function costFigures({ bind, rates }: FigureContext): Figures {
  const rate = rateSql(rates, bind)({ currency: 'k.currency', date: 'k.date' });
  const sum = (amount: string): string => `coalesce(sum(${convertedSql(amount, 'v.rate')}), 0)`;
  return (of) => `(select k.card_id, ${sum('k.planned')} as planned, ${sum('k.actual')} as actual,
      ${sum('case when k.actual <> 0 then k.actual else k.planned end')} as forecast,
      array_agg(k.currency) filter (where v.rate is null) as missing
    from ppm_costs k cross join lateral (select ${rate} as rate offset 0) v where true${only('k.card_id', of)} group by k.card_id)`;
}

/** Ranks of health, the worst highest. */
export const RANKS = { on_track: 1, at_risk: 2, off_track: 3 } as const;
const rank = (column: string): string => `case ${column} when 'off_track' then 3 when 'at_risk' then 2 else 1 end`;
const NAMES = "array['on_track', 'at_risk', 'off_track']";

/** The health of the latest status report; `overall` is the worst, with its `rank` from 1. */
export const healthFigures: Figures = (of) => `(select s.*, (${NAMES})[s.rank] as overall from (
    select distinct on (r.card_id) r.card_id, r.report_date, r.schedule_health, r.cost_health, r.scope_health,
      greatest(${rank('r.schedule_health')}, ${rank('r.cost_health')}, ${rank('r.scope_health')}) as rank
    from ppm_status_reports r where true${only('r.card_id', of)} order by r.card_id, r.report_date desc, r.id desc) s)`;

/** Risks that are neither mitigated, accepted nor closed. */
export const riskFigures: Figures = (of) => `(select r.card_id, count(*)::int as count, max(r.score) as highest_score
    from ppm_risks r where r.status in ('open', 'mitigating')${only('r.card_id', of)} group by r.card_id)`;

/** The next milestones of a card that are not reached yet, as JSON. @param most a number */
export const nextMilestones = (of: string, most: number): string =>
  `(select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'title', m.title, 'date', m.end_date, 'completion', m.completion)
      order by m.end_date, m.position, m.id), '[]')
    from (select w.id, w.title, w.end_date, w.completion, w.position from ppm_wbs w
      where w.card_id = ${of} and w.is_milestone and w.completion < 100 and w.end_date is not null
        and not exists (select from ppm_wbs x where x.parent_id = w.id)
      order by w.end_date, w.position, w.id limit ${most}) m)`;
