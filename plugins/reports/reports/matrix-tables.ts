import type { ReportRequest, ReportTable } from '@lintel/sdk';
import { textsOf } from '../words/index.js';
import type { Answer } from './matrix-schemas.js';

const isSum = ({ sum, measure }: Answer): boolean => measure.key !== 'count' && sum !== undefined;

/** What a cell shows besides its number of relations. */
export const shownValue = ({ value, values }: Answer['cells'][number]): string =>
  value != null ? String(value) : (values ?? []).map(({ label, count }) => `${label}: ${count}`).join(', ');

/** One row per cell, then the totals of rows and columns. */
export function matrixTables(answer: Answer, { lang }: Pick<ReportRequest, 'lang'>): ReportTable[] {
  const { column } = textsOf(lang);
  const { row_type, col_type, measure, rows, cols, cells } = answer;
  const sums = isSum(answer);
  const label = [measure.label, measure.unit].filter(Boolean).join(', ');
  const names = new Map([...rows, ...cols].map(({ id, name }) => [id, name]));
  const totals = (name: string, title: string, headers: Answer['rows']): ReportTable => ({
    name,
    columns: [
      { title, kind: 'text' },
      { title: column.level, kind: 'number' },
      { title: column.relations, kind: 'number' },
      ...(sums ? [{ title: label, kind: 'number' as const }] : []),
    ],
    rows: headers.map((header) => [header.name, header.level, header.total, ...(sums ? [header.sum ?? null] : [])]),
  });
  const [rowOrder, columnOrder] = [rows, cols].map((headers) => new Map(headers.map(({ id }, place) => [id, place])));
  const ordered = [...cells].sort(
    (a, b) =>
      rowOrder!.get(a.row_id)! - rowOrder!.get(b.row_id)! || columnOrder!.get(a.col_id)! - columnOrder!.get(b.col_id)!,
  );
  return [
    {
      name: column.matrix,
      columns: [
        { title: row_type.label, kind: 'text' },
        { title: col_type.label, kind: 'text' },
        { title: column.relations, kind: 'number' },
        ...(measure.key === 'count' ? [] : [{ title: label, kind: sums ? ('number' as const) : ('text' as const) }]),
      ],
      rows: ordered.map((cell) => [
        names.get(cell.row_id)!,
        names.get(cell.col_id)!,
        cell.count,
        ...(measure.key === 'count'
          ? []
          : [sums ? (typeof cell.value === 'number' ? cell.value : null) : shownValue(cell)]),
      ]),
    },
    totals(column.rows, row_type.label, rows),
    totals(column.columns, col_type.label, cols),
  ];
}
