/** A plan as CSV (RFC 4180, UTF-8 with a byte order mark, so that spreadsheets read it as such). */
import { guardedCell } from '@lintel/sdk';
import { predecessorsText, type Predecessor } from './predecessors.js';
import { visitInSlices } from '../slices.js';
import type { StoredItem, StoredPlan } from './stored.js';

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

const rowOf = (cells: readonly Parameters<typeof cell>[0][]): string => `${cells.map(cell).join(',')}\r\n`;

/** @param hasCosts whether the caller may see amounts @returns the file in pieces, one for each row */
export async function csvOf({ items, dependencies }: StoredPlan, hasCosts: boolean): Promise<Iterable<string>> {
  const numbers = new Map<string, string>();
  await visitInSlices(items, ({ row }, i) => numbers.set(row.id, String(i + 1)));
  const before = new Map<string, Predecessor[]>();
  await visitInSlices(dependencies, ({ predecessor_id, successor_id, type, lag_days }) => {
    const one = { number: numbers.get(predecessor_id)!, type, lag_days };
    const list = before.get(successor_id);
    if (list) list.push(one);
    else before.set(successor_id, [one]);
  });
  function* pieces(): Generator<string> {
    yield `\ufeff${rowOf([...COLUMNS, ...(hasCosts ? COST_COLUMNS : [])])}`;
    for (const [i, item] of items.entries()) yield itemRow(item, i + 1, before.get(item.row.id) ?? [], hasCosts);
  }
  return pieces();
}

function itemRow(
  { row, outline, isSummary, computed }: StoredItem,
  number: number,
  predecessors: Predecessor[],
  hasCosts: boolean,
): string {
  const own = isSummary ? { start_date: null, end_date: null, duration_days: null, completion: null } : row;
  return rowOf([
    number,
    row.id,
    row.external_id,
    outline,
    row.title,
    row.description,
    row.is_milestone,
    own.start_date,
    own.end_date,
    own.duration_days,
    own.completion,
    row.constraint_type,
    row.constraint_date,
    predecessorsText(predecessors.sort((a, b) => Number(a.number) - Number(b.number))),
    computed.start,
    computed.finish,
    computed.isCritical,
    ...(hasCosts ? (isSummary ? [null, null] : [row.planned_cost, row.planned_currency]) : []),
  ]);
}
