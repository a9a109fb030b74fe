import type { Inventory, InventoryFilters } from '@lintel/sdk';
import { INITIATIVE_TYPE } from '../basics.js';
import type { Money } from '../initiatives/repository.js';
import { budgetFigures, costFigures, healthFigures, itemFigures, riskFigures } from '../rollup/figures-repository.js';

type Row<T> = T & Record<string, unknown>;
type Health = 'on_track' | 'at_risk' | 'off_track';

/** An initiative that needs attention. */
export interface AttentionRow {
  id: string;
  name: string;
  end_date: string | null;
  completion: number | null;
  late_items: number;
  late_since: string | null;
  health: Health | null;
  /** By area of the status report. */
  areas: { schedule: Health; cost: Health; scope: Health } | null;
  open_risks: number;
  highest_score: number | null;
  costs_visible: boolean;
  budget: number | null;
  actual: number | null;
  forecast: number | null;
  baseline: { name: string; end_date: string } | null;
}

/** Sums over the initiatives whose costs the caller sees. */
export interface AmountTotals {
  initiatives: number;
  budget: number;
  planned: number;
  actual: number;
  forecast: number;
  missing_rates: string[];
}

/** Figures over all initiatives. */
export interface PortfolioFigures {
  total: number;
  health: Partial<Record<Health | 'none', number>>;
  completion: { none: number; not_started: number; in_progress: number; complete: number; average: number | null };
  late: { initiatives: number; items: number };
  open_risks: { initiatives: number; count: number };
  amounts: AmountTotals;
  attention: AttentionRow[];
}

/** How much attention an initiative needs: the sum of these, and none at 0. */
const URGENCY = `(case l.rank when 3 then 8 when 2 then 4 else 0 end + case when l.end_date < l.today and l.completion < 100 then 6 else 0 end
  + case when l.late_items > 0 then 2 else 0 end + case when l.baseline_end < l.end_date then 2 else 0 end
  + case when l.actual > l.budget and l.budget > 0 then 4 else 0 end + case when l.forecast > l.budget and l.budget > 0 then 1 else 0 end
  + case when l.highest_score >= 15 then 1 else 0 end)`;

/** The end of the latest baseline of each initiative. */
const BASELINE_ENDS = `(select b.card_id, b.name, (select max(i.end_date) from ppm_baseline_items i where i.baseline_id = b.id) as end_date
  from (select distinct on (x.card_id) x.id, x.card_id, x.name from ppm_baselines x order by x.card_id, x.created_at desc, x.id desc) b)`;

/** Reads the figures in one statement. @param most initiatives that need attention */
export async function readPortfolio(
  inventory: Inventory,
  money: Money,
  filters: InventoryFilters,
  most: number,
): Promise<PortfolioFigures> {
  const [row] = await inventory.query<Row<PortfolioFigures>>('ppm-portfolio', ({ cards, bind }) => {
    const context = { bind, today: inventory.today, ...money };
    const columns = ['id', 'name', 'name_key', 'costs_visible'] as const;
    const visible = (column: string, initial = '0'): string =>
      `case when c.costs_visible then coalesce(${column}, ${initial}) end`;
    return `with l as materialized (select c.id, c.name, c.name_key, c.costs_visible, i.end_date, i.completion, coalesce(i.late_items, 0) as late_items,
        i.late_since, ${bind(inventory.today)}::date as today, h.rank, h.overall, h.schedule_health, h.cost_health, h.scope_health, coalesce(r.count, 0) as open_risks, r.highest_score,
        ${visible('b.budget')} as budget, ${visible('k.planned')} as planned, ${visible('k.actual')} as actual, ${visible('k.forecast')} as forecast,
        ${visible('b.missing || k.missing', 'null')} as missing, s.name as baseline_name, s.end_date as baseline_end
      from ${cards({ ...filters, type: INITIATIVE_TYPE }, {}, columns)} c
        left join ${itemFigures(context)()} i on i.card_id = c.id left join ${healthFigures()} h on h.card_id = c.id
        left join ${riskFigures()} r on r.card_id = c.id left join ${budgetFigures(context)()} b on b.card_id = c.id
        left join ${costFigures(context)()} k on k.card_id = c.id left join ${BASELINE_ENDS} s on s.card_id = c.id),
      urgent as (select l.*, ${URGENCY} as urgency from l)
    select count(*)::int as total,
      (select jsonb_object_agg(key, n) from (select coalesce(overall, 'none') as key, count(*) as n from l group by 1) x) as health,
      jsonb_build_object('none', count(*) filter (where completion is null), 'not_started', count(*) filter (where completion = 0),
        'in_progress', count(*) filter (where completion > 0 and completion < 100), 'complete', count(*) filter (where completion = 100),
        'average', round(avg(completion), 1)) as completion,
      jsonb_build_object('initiatives', count(*) filter (where late_items > 0), 'items', coalesce(sum(late_items), 0)) as late,
      jsonb_build_object('initiatives', count(*) filter (where open_risks > 0), 'count', coalesce(sum(open_risks), 0)) as open_risks,
      jsonb_build_object('initiatives', count(*) filter (where costs_visible), 'budget', coalesce(sum(budget), 0), 'planned', coalesce(sum(planned), 0),
        'actual', coalesce(sum(actual), 0), 'forecast', coalesce(sum(forecast), 0),
        'missing_rates', (select coalesce(jsonb_agg(distinct m order by m), '[]') from l, unnest(l.missing) m)) as amounts,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'end_date', end_date, 'completion', completion, 'late_items', late_items,
          'late_since', late_since, 'health', overall, 'areas', case when rank is not null then
            jsonb_build_object('schedule', schedule_health, 'cost', cost_health, 'scope', scope_health) end,
          'open_risks', open_risks, 'highest_score', highest_score, 'costs_visible', costs_visible, 'budget', budget, 'actual', actual, 'forecast', forecast,
          'baseline', case when baseline_end < end_date then jsonb_build_object('name', baseline_name, 'end_date', baseline_end) end)
          order by urgency desc, name_key, id), '[]')
        from (select * from urgent where urgency > 0 order by urgency desc, name_key, id limit ${bind(most)}) u) as attention
    from l`;
  });
  return row!;
}

/** A milestone that is not reached. */
export interface MilestoneRow {
  id: string;
  title: string;
  date: string;
  initiative: { id: string; name: string };
}

/** The next milestones of all initiatives, by date. */
export async function readMilestones(
  inventory: Inventory,
  filters: InventoryFilters,
  most: number,
): Promise<MilestoneRow[]> {
  return await inventory.query<Row<MilestoneRow>>(
    'ppm-next-milestones',
    ({
      cards,
      bind,
    }) => `select w.id, w.title, w.end_date::text as date, jsonb_build_object('id', c.id, 'name', c.name) as initiative
      from ${cards({ ...filters, type: INITIATIVE_TYPE }, {}, ['id', 'name'])} c join ppm_wbs w on w.card_id = c.id
      where w.is_milestone and w.completion < 100 and w.end_date is not null
        and not exists (select from ppm_wbs x where x.parent_id = w.id)
      order by w.end_date, w.id limit ${bind(most)}`,
  );
}
