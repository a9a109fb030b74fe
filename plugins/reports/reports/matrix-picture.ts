import type { GridHeader, Picture, ReportRequest } from '@lintel/sdk';
import type { Answer, Query } from './matrix-schemas.js';
import { shownValue } from './matrix-tables.js';

/** Maximum number of values shown in a cell. */
const MOST_VALUES = 3;

/** The matrix as a grid: the colour of a cell by its sum, or by its number of relations. */
export function matrixPicture(answer: Answer, { lang }: ReportRequest<Query>): Picture {
  const { row_type, col_type, relation_type, measure, rows, cols, cells, total, truncated } = answer;
  const number = new Intl.NumberFormat(lang, { notation: 'compact', maximumFractionDigits: 1 });
  const whole = new Intl.NumberFormat(lang);
  const header = ({ name, level, total: count, href }: Answer['rows'][number]): GridHeader => ({
    label: name,
    level: level - 1,
    total: count,
    href: href ?? undefined,
  });
  const [rowPlaces, columnPlaces] = [rows, cols].map((headers) => new Map(headers.map(({ id }, place) => [id, place])));
  const names = new Map([...rows, ...cols].map(({ id, name }) => [id, name]));
  const isSum = answer.sum !== undefined;
  const texts = (cell: Answer['cells'][number]): string[] => {
    if (measure.key === 'count') return [whole.format(cell.count)];
    if (!isSum)
      return cell.count === 1
        ? [shownValue(cell)]
        : (cell.values ?? []).slice(0, MOST_VALUES).map(({ label, count }) => `${whole.format(count)} × ${label}`);
    return typeof cell.value === 'number' ? [number.format(cell.value)] : [`${whole.format(cell.count)} × –`];
  };
  return {
    title: `${row_type.label} by ${col_type.label}`,
    subtitle: `${whole.format(total)} relations: ${row_type.label} ${relation_type.label} ${col_type.label}`,
    description: [...cells]
      .slice(0, 50)
      .map((cell) => `${names.get(cell.row_id)}, ${names.get(cell.col_id)}: ${texts(cell).join(' ')}`)
      .join('; '),
    ...(truncated && { notes: ['Only the rows and columns with the most relations are shown.'] }),
    content: {
      kind: 'grid',
      rowTitle: row_type.label,
      columnTitle: col_type.label,
      rows: rows.map(header),
      columns: cols.map(header),
      cells: cells.map((cell) => ({
        row: rowPlaces!.get(cell.row_id)!,
        column: columnPlaces!.get(cell.col_id)!,
        texts: texts(cell),
        value: isSum ? (typeof cell.value === 'number' ? cell.value : undefined) : cell.count,
        href: cell.href ?? undefined,
      })),
      unit: isSum ? [measure.label, measure.unit].filter(Boolean).join(', ') : 'relations',
    },
  };
}
