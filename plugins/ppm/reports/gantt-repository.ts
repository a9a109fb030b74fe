import type { Inventory, InventoryFilters } from '@lintel/sdk';
import { INITIATIVE_TYPE } from '../basics.js';
import type { Money } from '../initiatives/repository.js';
import { healthFigures, itemFigures } from '../rollup/figures-repository.js';

type Health = 'on_track' | 'at_risk' | 'off_track';

/** An initiative with dates. Dates are YYYY-MM-DD. */
export interface BarRow extends Record<string, unknown> {
  id: string;
  name: string;
  start_date: string;
  end_date: string;
  completion: number | null;
  late_items: number;
  health: Health | null;
  milestones: { id: string; title: string; date: string; completion: number }[];
  /** All initiatives with dates within the span. */
  total: number;
}

/** What the report is narrowed to. */
export interface BarFilter {
  from?: string | undefined;
  to?: string | undefined;
  /** Initiatives. */
  most: number;
  /** Milestones of each. */
  milestones: number;
}

/** Initiatives by start, with the dates of their plans, otherwise those of their cards. */
export async function readBars(
  inventory: Inventory,
  money: Money,
  filters: InventoryFilters,
  { from, to, most, milestones }: BarFilter,
): Promise<BarRow[]> {
  const [start, end] = ['attributes.startDate', 'attributes.endDate'].map((key) =>
    inventory.field(key, [INITIATIVE_TYPE]),
  );
  const fields = { ...(start && { card_start: start }), ...(end && { card_end: end }) };
  // Only texts that are dates: the field of a metamodel may have become one of another kind.
  const dateOf = (column: string): string =>
    `case when ${column}::text ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then ${column}::text end`;
  return await inventory.query<BarRow>('ppm-portfolio-gantt', ({ cards, bind }) => {
    const context = { bind, today: inventory.today, ...money };
    const of = cards({ ...filters, type: INITIATIVE_TYPE }, fields, ['id', 'name', 'name_key']);
    const [cardStart, cardEnd] = [
      start ? dateOf('c.card_start') : 'null::text',
      end ? dateOf('c.card_end') : 'null::text',
    ];
    return `with l as (select c.id, c.name, c.name_key, coalesce(i.start_date::text, i.end_date::text, ${cardStart}, ${cardEnd}) as start_date,
          coalesce(i.end_date::text, i.start_date::text, ${cardEnd}, ${cardStart}) as end_date, i.completion, coalesce(i.late_items, 0) as late_items, h.overall as health
        from ${of} c left join ${itemFigures(context)()} i on i.card_id = c.id left join ${healthFigures()} h on h.card_id = c.id),
      s as (select l.*, count(*) over ()::int as total from l where l.start_date is not null
        and (${bind(from ?? null)}::text is null or l.end_date >= ${bind(from ?? null)}) and (${bind(to ?? null)}::text is null or l.start_date <= ${bind(to ?? null)})
        order by l.start_date, l.name_key, l.id limit ${bind(most)})
      select s.id, s.name, s.start_date, greatest(s.start_date, s.end_date) as end_date, s.completion::float8 as completion, s.late_items, s.health, s.total,
        (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'title', m.title, 'date', m.end_date, 'completion', m.completion) order by m.end_date, m.id), '[]')
          from (select w.id, w.title, w.end_date, w.completion from ppm_wbs w where w.card_id = s.id and w.is_milestone and w.end_date is not null
            and not exists (select from ppm_wbs x where x.parent_id = w.id) order by w.end_date, w.id limit ${bind(milestones)}) m) as milestones
      from s order by s.start_date, s.name_key, s.id`;
  });
}
