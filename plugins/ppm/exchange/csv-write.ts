/** A plan as CSV (RFC 4180, UTF-8 with a byte order mark, so that spreadsheets read it as such). */
import { guardedCell } from '@lintel/sdk';
import { predecessorsText } from './predecessors.js';
import type { StoredPlan } from './stored.js';

/** The columns, in their order. Amounts only for callers who may see them. */
export const COLUMNS = [
  'number',
  'id',
  'external_id',
  'outline',
  'title',
  'description',
  'milestone',
  'start_date',
  'end_date',
  'duration_days',
  'completion',
  'constraint_type',
  'constraint_date',
  'predecessors',
  'scheduled_start',
  'scheduled_finish',
  'critical',
] as const;
export const COST_COLUMNS = ['planned_cost', 'planned_currency'] as const;

function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? guardedCell(value) : String(value);
  return /[",\r\n;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes the file in pieces, one for each row. @param hasCosts whether the caller may see amounts */
export function* csvOf({ items, dependencies }: StoredPlan, hasCosts: boolean): Generator<string> {
  const numbers = new Map(items.map(({ id }, i) => [id, String(i + 1)]));
  const before = new Map<string, { number: string; type: 'FS' | 'SS' | 'FF' | 'SF'; lag_days: number }[]>();
  for (const { predecessor_id, successor_id, type, lag_days } of dependencies) {
    const list = before.get(successor_id) ?? [];
    list.push({ number: numbers.get(predecessor_id)!, type, lag_days });
    before.set(successor_id, list);
  }
  const row = (cells: readonly Parameters<typeof cell>[0][]): string => `${cells.map(cell).join(',')}\r\n`;
  yield `\ufeff${row([...COLUMNS, ...(hasCosts ? COST_COLUMNS : [])])}`;
  for (const [i, item] of items.entries()) {
    const predecessors = (before.get(item.id) ?? []).sort((a, b) => Number(a.number) - Number(b.number));
    const own = item.isSummary ? { start_date: null, end_date: null, duration_days: null, completion: null } : item;
    yield row([
      i + 1,
      item.id,
      item.external_id,
      item.outline,
      item.title,
      item.description,
      item.is_milestone,
      own.start_date,
      own.end_date,
      own.duration_days,
      own.completion,
      item.constraint_type,
      item.constraint_date,
      predecessorsText(predecessors),
      item.computed.start,
      item.computed.finish,
      item.computed.isCritical,
      ...(hasCosts ? (item.isSummary ? [null, null] : [item.planned_cost, item.planned_currency]) : []),
    ]);
  }
}
