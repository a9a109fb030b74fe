import type { ModuleServices, UnitOfWork } from '@lintel/sdk';

type Reads = Pick<UnitOfWork, 'query'> | Pick<ModuleServices['db'], 'query'>;

/** An item of a baseline. Dates are YYYY-MM-DD. */
export interface FrozenItem extends Record<string, unknown> {
  id: string;
  parent_id: string | null;
  position: string;
  title: string;
  is_milestone: boolean;
  start_date: string | null;
  end_date: string | null;
  duration_days: number | null;
  completion: number;
  planned_cost: string | null;
  planned_currency: string | null;
}

/** Stores the items of a new baseline. */
export async function insertItems(uow: UnitOfWork, baselineId: string, items: readonly FrozenItem[]): Promise<void> {
  await uow.query(
    {
      name: 'ppm-baseline-items-add',
      text: `insert into ppm_baseline_items (baseline_id, wbs_id, parent_id, position, title, is_milestone, start_date, end_date, duration_days,
          completion, planned_cost, planned_currency)
        select $1, i.id, i.parent_id, i.position, i.title, i.is_milestone, i.start_date, i.end_date, i.duration_days, i.completion,
          i.planned_cost, i.planned_currency
        from jsonb_to_recordset($2::jsonb) as i(id uuid, parent_id uuid, position bigint, title text, is_milestone boolean, start_date date,
          end_date date, duration_days integer, completion numeric, planned_cost numeric, planned_currency text)`,
    },
    [baselineId, JSON.stringify(items)],
  );
}

/** The items of a baseline, by parent and position. */
export const readFrozen = (reads: Reads, baselineId: string): Promise<FrozenItem[]> =>
  reads.query<FrozenItem>(
    {
      name: 'ppm-baseline-items',
      text: `select wbs_id as id, parent_id, position::text, title, is_milestone, start_date::text, end_date::text, duration_days,
          completion::float8 as completion, planned_cost::text, planned_currency
        from ppm_baseline_items where baseline_id = $1 order by ppm_baseline_items.position, wbs_id`,
    },
    [baselineId],
  );

/** A baseline of a plan; undefined if the plan has no such one. */
export async function findBaseline(
  reads: Reads,
  cardId: string,
  id: string,
): Promise<{ id: string; name: string; created_at: Date } | undefined> {
  const rows = await reads.query<{ id: string; name: string; created_at: Date }>(
    {
      name: 'ppm-baseline-find',
      text: 'select id, name, created_at from ppm_baselines where id = $1 and card_id = $2',
    },
    [id, cardId],
  );
  return rows[0];
}

export async function countBaselines(reads: Reads, cardId: string): Promise<number> {
  const [row] = await reads.query<{ count: number }>(
    { name: 'ppm-baselines-count', text: 'select count(*)::int as count from ppm_baselines where card_id = $1' },
    [cardId],
  );
  return row!.count;
}
