import type { GridHeader, Picture, ReportRequest } from '@lintel/sdk';
import { countWords, filterWords, line, textsOf, type Texts } from '../words/index.js';
import type { Answer, Query } from './matrix-schemas.js';
import { shownValue } from './matrix-tables.js';

/** Maximum number of values shown in a cell. */
const MOST_VALUES = 3;
/** So many columns fit the width; with more of them than rows, the two are exchanged, because there is room for many rows. */
const WIDE = 24;

type Cell = Answer['cells'][number];

/** In which sums are shown: the greatest one gets a few digits. */
function scaleOf({ cells }: Answer, { unit }: Texts): { factor: number; word: string } {
  const most = cells.reduce((max, { value }) => (typeof value === 'number' ? Math.max(max, Math.abs(value)) : max), 0);
  if (most >= 10_000_000) return { factor: 1_000_000, word: unit.million };
  return most >= 10_000 ? { factor: 1_000, word: unit.thousand } : { factor: 1, word: '' };
}

/** The matrix as a grid: the colour of a cell by its value, its sum, or its number of relations. */
export function matrixPicture(answer: Answer, request: ReportRequest<Query>): Picture {
  const { lang } = request;
  const texts = textsOf(lang);
  const { row_type, col_type, relation_type, measure, rows, cols, cells, total, truncated } = answer;
  // A cell has room for a few digits only, and a shortened number would be a wrong one.
  const scale = scaleOf(answer, texts);
  const number = new Intl.NumberFormat(lang, { maximumFractionDigits: 2 });
  const scaled = (sum: number): number => Number((sum / scale.factor).toFixed(scale.factor === 1 ? 2 : 1));
  const unit = [measure.label, [scale.word, measure.unit].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const whole = new Intl.NumberFormat(lang);
  const isSum = answer.sum !== undefined;
  const header = ({ name, level, total: count, sum, href }: Answer['rows'][number]): GridHeader => ({
    label: name,
    level: level - 1,
    // Without a value in any cell a sum would be empty everywhere.
    total: isSum ? (sum == null ? undefined : scaled(sum)) : count,
    href: href ?? undefined,
  });
  const [rowPlaces, columnPlaces] = [rows, cols].map((headers) => new Map(headers.map(({ id }, place) => [id, place])));
  const names = new Map([...rows, ...cols].map(({ id, name }) => [id, name]));
  const shownIn = (cell: Cell): string[] => {
    if (measure.key === 'count') return [whole.format(cell.count)];
    if (!isSum)
      return cell.count === 1
        ? [shownValue(cell)]
        : (cell.values ?? []).slice(0, MOST_VALUES).map(({ label, count }) => `${whole.format(count)} × ${label}`);
    return [typeof cell.value === 'number' ? number.format(scaled(cell.value)) : '–'];
  };
  const values = new Map(
    cells.flatMap((cell) => (cell.values ?? []).flatMap((one) => (one.color === undefined ? [] : [[one.key, one]]))),
  );
  const colorOf = ({ values: own = [] }: Cell): string | undefined => (own.length === 1 ? own[0]!.color : undefined);
  const isTurned = cols.length > WIDE && rows.length < cols.length;
  const place = (cell: Cell): [row: number, column: number] => {
    const [row, column] = [rowPlaces!.get(cell.row_id)!, columnPlaces!.get(cell.col_id)!];
    return isTurned ? [column, row] : [row, column];
  };
  const [down, across] = isTurned ? [col_type, row_type] : [row_type, col_type];
  return {
    title: texts.by(row_type.label, col_type.label),
    subtitle: line(
      `${countWords(total, 'relation', lang)}: ${row_type.label} ${relation_type.label} ${col_type.label}`,
      measure.key === 'count' ? '' : unit,
      filterWords(request),
    ),
    description: [...cells]
      .slice(0, 50)
      .map((cell) => `${names.get(cell.row_id)}, ${names.get(cell.col_id)}: ${shownIn(cell).join(' ')}`)
      .join('; '),
    notes: [
      ...(truncated ? [texts.matrix.truncated] : []),
      ...(isSum && cells.some(({ value }) => value == null) ? [texts.matrix.empty(measure.label)] : []),
    ],
    content: {
      kind: 'grid',
      rowTitle: down.label,
      columnTitle: across.label,
      rows: (isTurned ? cols : rows).map(header),
      columns: (isTurned ? rows : cols).map(header),
      cells: cells.map((cell) => {
        const [row, column] = place(cell);
        return {
          row,
          column,
          texts: shownIn(cell),
          value: isSum ? (typeof cell.value === 'number' ? scaled(cell.value) : undefined) : cell.count,
          color: colorOf(cell),
          href: cell.href ?? undefined,
        };
      }),
      unit: isSum ? unit : texts.unit.relations,
      ...(values.size > 0 && { legend: Array.from(values.values(), ({ label, color }) => ({ label, color: color! })) }),
    },
  };
}
