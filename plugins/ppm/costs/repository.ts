import type { UnitOfWork } from '@lintel/sdk';

const ITEM = {
  name: 'ppm-cost-item',
  text: 'select 1 from ppm_wbs where id = $1 and card_id = $2 for key share',
};

/** Whether an item of the work breakdown belongs to an initiative; it then cannot be deleted until the transaction ends. */
export async function isItemOf(uow: UnitOfWork, wbsId: string, cardId: string): Promise<boolean> {
  return (await uow.query(ITEM, [wbsId, cardId])).length > 0;
}

const OF_ITEMS = {
  name: 'ppm-costs-of-items',
  text: 'select id from ppm_costs where wbs_id = any($1::uuid[]) order by id',
};

/** The ids of the cost lines of any of these items. */
export async function costsOf(uow: UnitOfWork, items: readonly string[]): Promise<string[]> {
  return (await uow.query<{ id: string }>(OF_ITEMS, [items])).map(({ id }) => id);
}

/** Lines of an initiative, of its budget or of its costs. */
export const MAX_LINES = 20_000;
const COUNTS = {
  ppm_budgets: { name: 'ppm-budget-count', text: 'select count(*)::int as n from ppm_budgets where card_id = $1' },
  ppm_costs: { name: 'ppm-cost-count', text: 'select count(*)::int as n from ppm_costs where card_id = $1' },
} as const;

/** Whether an initiative has as many lines as it may have. */
export async function isFull(uow: UnitOfWork, table: keyof typeof COUNTS, cardId: string): Promise<boolean> {
  return (await uow.query<{ n: number }>(COUNTS[table], [cardId]))[0]!.n >= MAX_LINES;
}
