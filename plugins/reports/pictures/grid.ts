/** A table of rows and columns with coloured cells. */
import { rect, shorten, text, textBlock } from '@lintel/sdk/drawing';
import type { GridPicture } from '@lintel/sdk';
import { more, type Canvas, type Drawn } from './canvas.js';
import { cellsOf, drawCell, CELL_PADDING, type Cells } from './grid-cells.js';
import { columnHeaders, rowHeaders, type Headers } from './grid-headers.js';
import { emptyDrawing, legend, scaleLegend } from './legend.js';

const MAX_ROWS = 200;
const MAX_COLUMNS = 60;
/** Cells of a picture: with more, it would be larger than a browser shows without delay. */
const MAX_CELLS = 6_000;
const MIN_COLUMN = 27;
const MAX_COLUMN = 230;
/** Between cells; and between rows that are close together. */
const [GAP, DENSE_GAP] = [3, 1.6];
/** With more rows they are close together, so that the picture is at most about as high as three pages. */
const DENSE = 80;
const TOTAL = { size: 12, bold: true };
const TITLE = { size: 12, bold: true };

/** Where the rows and columns are. */
export interface Layout {
  left: number;
  top: number;
  columnWidth: number;
  /** Height and upper edge of each row. */
  heights: readonly number[];
  tops: readonly number[];
}

function layOut(rows: Headers, cells: Cells, columnWidth: number, top: number, gap: number): Layout {
  const heights = rows.blocks.map((_, row) => Math.max(rows.sizes[row]!, cells.heights[row]!));
  let y = top;
  const tops = heights.map((height) => {
    y += height + gap;
    return y - height - gap;
  });
  return { left: rows.size + 8, top, columnWidth, heights, tops };
}

function totals(content: GridPicture, layout: Layout, shown: [number, number], room: number, canvas: Canvas): string {
  const { left, columnWidth, tops, heights } = layout;
  const style = { ...TOTAL, fill: canvas.theme.ink, anchor: 'middle' as const };
  const x = left + shown[1] * columnWidth + room / 2;
  const y = (tops.at(-1) ?? 0) + (heights.at(-1) ?? 0) + 20;
  const number = (total: number | undefined, width: number): string =>
    total === undefined
      ? ''
      : shorten(canvas.number(total), width, TOTAL).isCut
        ? canvas.compact(total)
        : canvas.number(total);
  const fitted = (x: number, y: number, total: number | undefined, width: number): string =>
    textBlock(x, y, shorten(number(total, width), width, TOTAL), style);
  const rowTotals = content.rows
    .slice(0, shown[0])
    .map(({ total }, row) => fitted(x, tops[row]! + heights[row]! / 2 + 4.3, total, room - 4));
  const columnTotals = content.columns
    .slice(0, shown[1])
    .map(({ total }, column) => fitted(left + (column + 0.5) * columnWidth, y, total, columnWidth - 3));
  const sign = { ...TOTAL, fill: canvas.theme.soft };
  return [
    ...rowTotals,
    ...columnTotals,
    rowTotals.some((one) => one !== '') ? text(x, layout.top - 8, 'Σ', { ...sign, anchor: 'middle' }) : '',
    columnTotals.some((one) => one !== '') ? text(left - 10, y, 'Σ', { ...sign, anchor: 'end' }) : '',
  ].join('');
}

/** The colours: those given, and the scale of the values where cells have no colour of their own. */
function key({ legend: entries, unit }: GridPicture, cells: Cells, width: number, canvas: Canvas): Drawn {
  const given = legend(entries ?? [], width, canvas);
  if (!cells.range || cells.range.from === cells.range.to) return given;
  const scale = scaleLegend(cells.range.from, cells.range.to, unit ?? '', width, canvas);
  return { ...scale, body: given.body + scale.body, left: given.left, height: given.height + scale.height };
}

/** Draws a grid; at most 200 rows, 60 columns and 6,000 cells. */
export function drawGrid(content: GridPicture, width: number, canvas: Canvas): Drawn {
  if (content.rows.length === 0 || content.columns.length === 0) return emptyDrawing(width, canvas);
  const hasTotals = (headers: GridPicture['rows']): boolean => headers.some(({ total }) => total !== undefined);
  const room = hasTotals(content.rows) ? 56 : 0;
  const rowLimit = Math.min(content.rows.length, MAX_ROWS);
  const allRows = rowHeaders(content.rows.slice(0, rowLimit), content.rowTitle, width, rowLimit > DENSE);
  const fits = Math.floor((width - allRows.size - 8 - room) / MIN_COLUMN);
  const columnCount = Math.max(1, Math.min(content.columns.length, MAX_COLUMNS, fits));
  const rowCount = Math.min(rowLimit, Math.floor(MAX_CELLS / columnCount));
  const isDense = rowCount > DENSE;
  const rows = rowHeaders(content.rows.slice(0, rowCount), content.rowTitle, width, isDense);
  const columnWidth = Math.min(MAX_COLUMN, (width - rows.size - 8 - room) / columnCount);
  const columns = columnHeaders(content.columns.slice(0, columnCount), columnWidth);
  const cells = cellsOf(content, rowCount, columnCount, columnWidth - GAP - CELL_PADDING, isDense);
  const above = key(content, cells, width, canvas);
  const layout = layOut(rows, cells, columnWidth, above.height + 22 + columns.size + 6, isDense ? DENSE_GAP : GAP);
  const { left, top, tops, heights } = layout;
  const titles = [
    textBlock(left, above.height + 12, shorten(content.columnTitle, width - left, TITLE), {
      ...TITLE,
      fill: canvas.theme.soft,
    }),
    textBlock(0, top - 8, shorten(content.rowTitle, left - 12, TITLE), { ...TITLE, fill: canvas.theme.soft }),
  ];
  const body: string[] = [];
  for (let row = 0; row < rowCount; row++)
    for (let column = 0; column < columnCount; column++) {
      const cell = cells.at(row, column);
      const [x, y] = [left + column * columnWidth, tops[row]!];
      if (cell) body.push(drawCell(cell, x, y, columnWidth - GAP, heights[row]!, cells, canvas));
      else body.push(rect(x, y, columnWidth - GAP, heights[row]!, { rx: 3, fill: canvas.theme.faint }));
    }
  const bottom = tops.at(-1)! + heights.at(-1)!;
  return {
    body: [
      above.body,
      ...titles,
      rows.draw(content.rows, layout, canvas),
      columns.draw(content.columns, layout, canvas),
      ...body,
      totals(content, layout, [rowCount, columnCount], room, canvas),
    ].join(''),
    height: bottom + (hasTotals(content.columns) ? 28 : 0),
    left: [
      ...above.left,
      ...more(content.rows.length - rowCount, 'rows', canvas),
      ...more(content.columns.length - columnCount, 'columns', canvas),
    ],
  };
}
