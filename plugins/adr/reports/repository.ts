import type { DocumentStatus, ModuleServices } from '@lintel/sdk';
import type { CallerFilters } from '../caller-filters.js';
import { conditionsOf } from '../repository.js';

/** How many decisions of a status were begun in a period. */
export interface PeriodRow extends Record<string, unknown> {
  /** First day of the period, YYYY-MM-DD. */
  start: string;
  status: DocumentStatus;
  count: number;
}

/** Counts decisions, each revision by itself, by the period (UTC) in which they were begun, and by their status. */
export async function countDecisions(
  db: ModuleServices['db'],
  interval: 'month' | 'quarter',
  query: CallerFilters,
): Promise<PeriodRow[]> {
  const values: unknown[] = [];
  const where = conditionsOf(query, (value) => `$${values.push(value)}`);
  const text = `select to_char(date_trunc('${interval}', d.created_at at time zone 'UTC'), 'YYYY-MM-DD') as start, d.status, count(*)::int as count
    from adr_decisions d${where.length > 0 ? ` where ${where.join(' and ')}` : ''} group by 1, 2`;
  return await db.query<PeriodRow>({ name: `adr-decisions-${interval}`, text }, values);
}
