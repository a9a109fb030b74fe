import type { Inventory, InventoryFilters } from '@lintel/sdk';
import { INITIATIVE_TYPE } from '../basics.js';
import type { Money } from '../initiatives/repository.js';
import { convertedSql, rateSql } from '../money/conversion-repository.js';

type Row<T> = T & Record<string, unknown>;

/** What the report is narrowed to. */
export interface LineFilter {
  fiscal_year?: number | undefined;
  category?: string | undefined;
}

/** Amounts in the currency of the workspace. */
export interface Sums {
  budget: number;
  planned: number;
  actual: number;
  forecast: number;
}

/** Sums of an initiative in a fiscal year and category. */
export interface SumRow extends Sums {
  id: string;
  name: string;
  fiscal_year: number;
  category: 'capex' | 'opex';
}

/** The sums by initiative, fiscal year and category, and those of all. */
export interface BudgetVsActual {
  rows: SumRow[];
  total_rows: number;
  initiatives: number;
  totals: Sums;
  by_year: (Sums & { fiscal_year: number })[];
  by_initiative: (Sums & { id: string; name: string })[];
  missing_rates: string[];
  withheld: boolean;
}

const SUMS = ['budget', 'planned', 'actual', 'forecast'] as const;
const sums = SUMS.map((of) => `coalesce(sum(x.${of}), 0) as ${of}`).join(', ');
const json = SUMS.map((of) => `'${of}', x.${of}`).join(', ');

/**
 * Reads the report in one statement. A cost line belongs to the fiscal year of its date.
 * @param most.rows rows by initiative, year and category
 * @param most.initiatives those with the largest budgets, for the picture
 */
export async function readBudgetVsActual(
  inventory: Inventory,
  money: Money,
  filters: InventoryFilters,
  { fiscal_year, category }: LineFilter,
  most: { rows: number; initiatives: number },
): Promise<BudgetVsActual> {
  const [row] = await inventory.query<Row<BudgetVsActual>>('ppm-budget-vs-actual', ({ cards, bind }) => {
    const rateOf = rateSql(money.rates, bind);
    const month = `${bind(money.fiscalYearStart)}::int`;
    const start = `make_date(b.fiscal_year, ${month}, 1)`;
    const rate = (line: { currency: string; date: string }): string =>
      `cross join lateral (select ${rateOf(line)} as rate offset 0) v`;
    const cost = (amount: string): string => convertedSql(amount, 'v.rate');
    const year = `extract(year from k.date - make_interval(months => ${month} - 1))::int`;
    const where = [
      ...(fiscal_year === undefined ? [] : [`y.fiscal_year = ${bind(fiscal_year)}::int`]),
      ...(category === undefined ? [] : [`y.category = ${bind(category)}::text`]),
    ];
    const visible = cards({ ...filters, type: INITIATIVE_TYPE }, {}, ['id', 'name', 'name_key', 'costs_visible']);
    return `with c as materialized (select * from ${visible} v),
      lines as materialized (select y.* from (
          select b.card_id, b.fiscal_year, b.category, b.currency, ${cost('b.amount')} as budget, 0::numeric as planned, 0::numeric as actual,
            0::numeric as forecast, v.rate is null as is_missing
          from ppm_budgets b ${rate({ currency: 'b.currency', date: start })}
          union all
          select k.card_id, ${year}, k.category, k.currency, 0, ${cost('k.planned')}, ${cost('k.actual')},
            ${cost('case when k.actual <> 0 then k.actual else k.planned end')}, v.rate is null
          from ppm_costs k ${rate({ currency: 'k.currency', date: 'k.date' })}) y
        join c on c.id = y.card_id and c.costs_visible${where.length > 0 ? ` where ${where.join(' and ')}` : ''}),
      grouped as materialized (select c.id, c.name, c.name_key, x.fiscal_year, x.category, ${sums} from lines x join c on c.id = x.card_id
        group by c.id, c.name, c.name_key, x.fiscal_year, x.category)
    select (select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name, 'fiscal_year', x.fiscal_year, 'category', x.category, ${json})
          order by x.name_key, x.id, x.fiscal_year, x.category), '[]')
        from (select * from grouped g order by g.name_key, g.id, g.fiscal_year, g.category limit ${bind(most.rows)}) x) as rows,
      (select count(*)::int from grouped) as total_rows, (select count(distinct id)::int from grouped) as initiatives,
      (select jsonb_build_object(${json}) from (select ${sums} from grouped x) x) as totals,
      (select coalesce(jsonb_agg(jsonb_build_object('fiscal_year', x.fiscal_year, ${json}) order by x.fiscal_year), '[]')
        from (select x.fiscal_year, ${sums} from grouped x group by x.fiscal_year) x) as by_year,
      (select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name, ${json}) order by x.budget desc, x.name_key, x.id), '[]')
        from (select x.id, x.name, x.name_key, ${sums} from grouped x group by x.id, x.name, x.name_key
          order by budget desc, x.name_key, x.id limit ${bind(most.initiatives)}) x) as by_initiative,
      (select coalesce(jsonb_agg(distinct x.currency order by x.currency), '[]') from lines x where x.is_missing) as missing_rates,
      exists (select from c where not c.costs_visible) as withheld`;
  });
  return row!;
}
