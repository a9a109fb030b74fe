import type { Inventory, InventoryFilters, InventorySql, ListParams, PageResult } from '@lintel/sdk';
import { INITIATIVE_TYPE } from '../basics.js';
import type { ExchangeRates } from '../money/rates.js';
import {
  budgetFigures,
  costFigures,
  healthFigures,
  itemFigures,
  nextMilestones,
  riskFigures,
  type FigureContext,
} from '../rollup/figures-repository.js';
import type { InitiativeItem } from './schemas.js';

type Row<T> = T & Record<string, unknown>;
const MILESTONES = 5;
const CARD_COLUMNS = ['id', 'name', 'name_key', 'subtype', 'status', 'parent_id', 'costs_visible'] as const;

/** Where amounts come from. */
export interface Money {
  rates: ExchangeRates;
  fiscalYearStart: number;
}

const contextOf = ({ bind }: InventorySql, { today }: Inventory, money: Money): FigureContext => ({
  bind,
  today,
  ...money,
});

/** Columns and joins of initiatives, over `l`: computed for the rows of a page only. */
function shownBy(context: FigureContext): { columns: string; joins: string } {
  const of = 'l.id';
  const amount = (column: string): string => `case when l.costs_visible then coalesce(${column}, 0) end`;
  return {
    joins: `left join lateral ${itemFigures(context)(of)} i on true left join lateral ${healthFigures(of)} h on true
      left join lateral ${riskFigures(of)} r on true left join lateral ${budgetFigures(context)(of)} b on true
      left join lateral ${costFigures(context)(of)} k on true`,
    columns: `l.id, l.name, l.subtype, l.status, l.parent_id, i.start_date::text as start_date, i.end_date::text as end_date,
      i.completion::float8 as completion, coalesce(i.items, 0) as items, coalesce(i.late_items, 0) as late_items,
      case when h.card_id is not null then jsonb_build_object('schedule', h.schedule_health, 'cost', h.cost_health, 'scope', h.scope_health,
        'overall', h.overall, 'report_date', h.report_date) end as health,
      jsonb_build_object('count', coalesce(r.count, 0), 'highest_score', r.highest_score) as open_risks,
      ${nextMilestones(of, MILESTONES)} as next_milestones, ${context.bind(context.rates.currency)}::text as currency,
      jsonb_build_object('budget', ${amount('b.budget')}, 'planned', ${amount('k.planned')}, 'actual', ${amount('k.actual')},
        'forecast', ${amount('k.forecast')}) as amounts,
      case when l.costs_visible then array(select distinct m from unnest(b.missing || k.missing) m order by 1) else '{}' end as missing_rates,
      not l.costs_visible as amounts_withheld`,
  };
}

type Stored = Omit<InitiativeItem, 'budget' | 'planned' | 'actual' | 'forecast'> & {
  amounts: Pick<InitiativeItem, 'budget' | 'planned' | 'actual' | 'forecast'>;
};
const itemOf = ({ amounts, ...item }: Stored): InitiativeItem => ({ ...item, ...amounts });

/** A sort that needs figures of all initiatives. */
interface FigureSort {
  /** Of the subquery with the figures. */
  alias: string;
  figures(context: FigureContext): string;
  column: string;
  type: 'numeric' | 'date' | 'integer';
}
const items = (column: string, type: FigureSort['type']): FigureSort => ({
  alias: 'i',
  figures: (context) => itemFigures(context)(),
  column,
  type,
});
const ofCosts = (column: string): FigureSort => ({
  alias: 'k',
  figures: (context) => costFigures(context)(),
  column: `coalesce(k.${column}, 0)`,
  type: 'numeric',
});
const FIGURE_SORTS: Readonly<Record<string, FigureSort>> = {
  completion: items('i.completion', 'numeric'),
  start_date: items('i.start_date', 'date'),
  end_date: items('i.end_date', 'date'),
  late_items: items('coalesce(i.late_items, 0)', 'integer'),
  health: { alias: 'h', figures: () => healthFigures(), column: 'coalesce(h.rank, 0)', type: 'integer' },
  open_risks: { alias: 'r', figures: () => riskFigures(), column: 'coalesce(r.count, 0)', type: 'integer' },
  budget: {
    alias: 'b',
    figures: (context) => budgetFigures(context)(),
    column: 'coalesce(b.budget, 0)',
    type: 'numeric',
  },
  planned: ofCosts('planned'),
  actual: ofCosts('actual'),
  forecast: ofCosts('forecast'),
};

/** What a list of initiatives is narrowed and sorted by. */
export interface InitiativeList {
  params: ListParams;
  /** Of cards, without the type. */
  filters: InventoryFilters;
  health?: string | undefined;
  late?: boolean | undefined;
}

/** One page of the initiatives that the caller sees. */
export async function listInitiatives(
  inventory: Inventory,
  money: Money,
  { params, filters, health, late }: InitiativeList,
): Promise<PageResult<InitiativeItem>> {
  const page = await inventory.readPage<Row<Stored>>('ppm-initiatives', (sql) => {
    const context = contextOf(sql, inventory, money);
    const sorted = FIGURE_SORTS[params.sort_by ?? ''];
    const joined = new Map<string, string>();
    if (health !== undefined) joined.set('h', healthFigures());
    if (late !== undefined) joined.set('i', itemFigures(context)());
    if (sorted && !joined.has(sorted.alias)) joined.set(sorted.alias, sorted.figures(context));
    const where: string[] = [];
    if (health !== undefined) where.push(`coalesce(l.health, 'none') = any(${sql.bind(health.split(','))}::text[])`);
    if (late !== undefined) where.push(`l.late = ${sql.bind(late)}::boolean`);
    return {
      source: `select c.*, ${sorted?.column ?? 'null::int'} as sorted, ${health === undefined ? 'null' : 'h.overall'} as health,
          ${late === undefined ? 'null' : 'coalesce(i.late_items, 0) > 0'} as late
        from ${sql.cards({ ...filters, type: INITIATIVE_TYPE }, {}, CARD_COLUMNS)} c
          ${[...joined].map(([alias, figures]) => `left join ${figures} ${alias} on ${alias}.card_id = c.id`).join(' ')}`,
      spec: {
        id: 'l.id',
        idType: 'uuid',
        sorts: {
          name: { sql: 'l.name_key', type: 'text', collate: '"C"' },
          ...(sorted && { [params.sort_by!]: { sql: 'l.sorted', type: sorted.type, nullable: true } }),
        },
        defaultSort: 'name',
      },
      params,
      where,
      ...shownBy(context),
      scope: JSON.stringify([Object.entries(filters).sort(), health, late]),
    };
  });
  return { ...page, items: page.items.map(itemOf) };
}

/** One initiative, archived ones included; undefined if the caller may not see it. */
export async function findInitiative(
  inventory: Inventory,
  money: Money,
  id: string,
): Promise<InitiativeItem | undefined> {
  const page = await inventory.readPage<Row<Stored>>('ppm-initiative', (sql) => {
    const cards = sql.cards({ type: INITIATIVE_TYPE, status: 'ACTIVE,ARCHIVED' }, {}, CARD_COLUMNS);
    return {
      source: `select * from ${cards} c where c.id = ${sql.bind(id)}`,
      spec: {
        id: 'l.id',
        idType: 'uuid',
        sorts: { name: { sql: 'l.name_key', type: 'text', collate: '"C"' } },
        defaultSort: 'name',
      },
      params: { page_size: 1, total: 'none' },
      ...shownBy(contextOf(sql, inventory, money)),
      scope: 'one',
    };
  });
  return page.items.map(itemOf)[0];
}

/** What one initiative has, and the state of its roll-up. */
export interface PlanRow {
  counts: {
    status_reports: number;
    wbs: number;
    tasks: number;
    open_tasks: number;
    dependencies: number;
    risks: number;
    baselines: number;
  };
  fields: string[];
  pending: boolean;
  written_at: Date | null;
}

/** Reads it for a card that the caller may see. */
export async function readPlan(inventory: Inventory, id: string): Promise<PlanRow> {
  const [row] = await inventory.query<Row<PlanRow>>('ppm-initiative-plan', ({ bind }) => {
    const card = `${bind(id)}::uuid`;
    const count = (table: string, where = ''): string =>
      `(select count(*) from ${table} x where x.card_id = ${card}${where})`;
    return `select jsonb_build_object('status_reports', ${count('ppm_status_reports')}, 'wbs', ${count('ppm_wbs')}, 'tasks', ${count('ppm_tasks')},
        'open_tasks', ${count('ppm_tasks', " and x.status <> 'done'")}, 'dependencies', ${count('ppm_dependencies')},
        'risks', ${count('ppm_risks')}, 'baselines', ${count('ppm_baselines')}) as counts,
      coalesce((select array_agg(f order by f) from jsonb_object_keys(p.rolled_up) f), '{}') as fields,
      p.rollup_due_at is not null as pending, p.rollup_written_at as written_at
      from (select 1) one left join ppm_plans p on p.card_id = ${card}`;
  });
  return row!;
}
