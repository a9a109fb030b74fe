import type { ModuleServices } from '@lintel/sdk';
import { conversion } from '../money/conversion-repository.js';
import type { ExchangeRates } from '../money/rates.js';
import { budgetFigures } from '../rollup/figures-repository.js';

type Host = Pick<ModuleServices, 'db'>;

export interface ProgressRow extends Record<string, unknown> {
  id: string;
  /** YYYY-MM-DD. */
  day: string;
  /** 0 to 10,000. */
  completion: number;
}

/** The completion of the items of a plan by day, up to a day. */
export const readProgress = ({ db }: Host, cardId: string, until: string): Promise<ProgressRow[]> =>
  db.query<ProgressRow>(
    {
      name: 'ppm-progress-of-plan',
      text: `select p.wbs_id as id, p.day::text, (p.completion * 100)::int as completion
        from ppm_progress p join ppm_wbs w on w.id = p.wbs_id where w.card_id = $1 and p.day <= $2::date order by p.day`,
    },
    [cardId, until],
  );

export interface SpentRow extends Record<string, unknown> {
  day: string;
  /** In the currency of the workspace; a decimal number. */
  amount: string;
  /** Currencies without a rate on that day. */
  missing: string[];
}

/** Actual costs by day, up to a day, each line converted with the rate of its date and rounded to cents. */
export async function readSpent(
  { db }: Host,
  cardId: string,
  until: string,
  rates: ExchangeRates,
): Promise<SpentRow[]> {
  const bindings = db.bindings();
  const [card, last] = [bindings.add(cardId), bindings.add(until)];
  const amount = conversion(rates, (value) => bindings.add(value))({
    amount: 'c.actual',
    currency: 'c.currency',
    date: 'c.date',
  });
  const text = `select l.day::text as day, coalesce(sum(l.amount), 0)::text as amount,
      coalesce(array_agg(distinct l.currency) filter (where l.amount is null), '{}') as missing
    from (select c.date as day, c.currency, ${amount} as amount from ppm_costs c
      where c.card_id = ${card} and c.date <= ${last}::date and c.actual <> 0) l
    group by l.day order by l.day`;
  return await db.query<SpentRow>({ name: 'ppm-spent-of-plan', text }, bindings.values);
}

export interface BudgetRow extends Record<string, unknown> {
  /** In the currency of the workspace; a decimal number. */
  amount: string;
  /** Currencies without a rate. */
  missing: string[];
}

/** The sum of the budget lines of an initiative; no row without lines. @param fiscalYearStart month, from 1 */
export async function readBudget(
  { db }: Host,
  cardId: string,
  rates: ExchangeRates,
  fiscalYearStart: number,
): Promise<BudgetRow[]> {
  const bindings = db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const figures = budgetFigures({ bind, rates, fiscalYearStart })(`${bind(cardId)}::uuid`);
  const text = `select b.budget::text as amount, coalesce(b.missing, '{}') as missing from ${figures} b`;
  return await db.query<BudgetRow>({ name: 'ppm-budget-of-plan', text }, bindings.values);
}
