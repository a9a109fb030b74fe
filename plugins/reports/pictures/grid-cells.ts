/** The cells of a grid: colours by value, and texts of a size that fits all of them. */
import { clean, lineHeight, measure, rect, shorten, textBlock, titled } from '@lintel/sdk/drawing';
import type { GridPicture } from '@lintel/sdk';
import type { Canvas } from './canvas.js';
import { shade } from './legend.js';
import { drawable } from './scale.js';
import { colorOr, filled } from './theme.js';

type Cell = GridPicture['cells'][number];

export const CELL_PADDING = 6;
const SIZES = [18, 16, 14, 13, 12, 11];
const OTHERS = 11;
/** Texts of a cell; the last is replaced by their number where there are more. */
const MAX_TEXTS = 8;
/** Texts of all cells: with more, the picture would become too large. */
const ALL_TEXTS = 9_000;

export interface Cells {
  at(row: number, column: number): Cell | undefined;
  /** The least and greatest value of the cells that have no colour of their own. */
  range: { from: number; to: number } | undefined;
  /** The size of the first text of the cells. */
  size: number;
  /** Whether each cell has one text at most: it is bold then. */
  isSingle: boolean;
  /** Texts that are drawn in a cell. */
  most: number;
  /** The height that each row needs. */
  heights: readonly number[];
  room: number;
}

function textsOf({ texts }: Cell, most: number): readonly string[] {
  if (texts.length <= most) return texts;
  // The first text, such as a number, matters more than how many follow.
  return most === 1 ? texts.slice(0, 1) : [...texts.slice(0, most - 1), `+${texts.length - most + 1}`];
}

function rangeOf(cells: Iterable<Cell>): Cells['range'] {
  let range: Cells['range'];
  for (const { value, color } of cells) {
    const number = drawable(value);
    if (number === undefined || colorOr(color, '') !== '') continue;
    range = range
      ? { from: Math.min(range.from, number), to: Math.max(range.to, number) }
      : { from: number, to: number };
  }
  return range;
}

/** The least height of a row, and the space around the texts of a cell; of rows close together. */
const [LEAST, AROUND, DENSE_LEAST, DENSE_AROUND] = [24, 10, 13.4, 0.2];

/** @param room the width of the texts in a cell @param isDense whether the rows are close together */
export function cellsOf({ cells }: GridPicture, rows: number, columns: number, room: number, isDense: boolean): Cells {
  const found = new Map<number, Cell>();
  for (const cell of cells)
    if (cell.row >= 0 && cell.row < rows && cell.column >= 0 && cell.column < columns)
      found.set(cell.row * columns + cell.column, cell);
  const firsts = new Set(Array.from(found.values(), ({ texts }) => clean(texts[0] ?? '')));
  const fits = (size: number): boolean => Array.from(firsts).every((one) => measure(one, { size, bold: true }) <= room);
  const size = isDense ? OTHERS : (SIZES.find(fits) ?? OTHERS);
  const [lowest, around] = isDense ? [DENSE_LEAST, DENSE_AROUND] : [LEAST, AROUND];
  const most = Math.max(1, Math.min(MAX_TEXTS, Math.floor(ALL_TEXTS / found.size)));
  // Rows without cells are as high as others, so that the grid is even.
  const least = found.size === 0 ? lowest : Math.max(lowest, size * 1.2 + around);
  const heights = Array.from({ length: rows }, () => least);
  for (const [place, cell] of found) {
    const row = Math.floor(place / columns);
    const count = textsOf(cell, most).length;
    const height = count === 0 ? lowest : size * 1.2 + (count - 1) * lineHeight(OTHERS) + around + (count > 1 ? 6 : 0);
    heights[row] = Math.max(heights[row]!, height);
  }
  const isSingle = Array.from(found.values()).every(({ texts }) => texts.length <= 1);
  return {
    at: (row, column) => found.get(row * columns + column),
    range: rangeOf(found.values()),
    size,
    isSingle,
    most,
    heights,
    room,
  };
}

function fillOf({ color, value }: Cell, { range }: Cells, canvas: Canvas): string {
  const own = colorOr(color, '');
  if (own !== '') return own;
  const number = drawable(value);
  if (number === undefined || !range) return canvas.theme.faint;
  const span = range.to - range.from;
  return shade(canvas, span === 0 ? 0.5 : (number - range.from) / span);
}

export function drawCell(
  cell: Cell,
  x: number,
  y: number,
  width: number,
  height: number,
  cells: Cells,
  canvas: Canvas,
): string {
  const { fill, ink } = filled(fillOf(cell, cells, canvas));
  const texts = textsOf(cell, cells.most);
  const used = texts.length === 0 ? 0 : cells.size + (texts.length - 1) * lineHeight(OTHERS);
  const top = y + (height - used) / 2;
  let isCut = false;
  const lines = texts.map((one, i) => {
    const font = i === 0 ? { size: cells.size, bold: cells.size > OTHERS || cells.isSingle } : { size: OTHERS };
    const block = shorten(one, cells.room, font);
    isCut ||= block.isCut;
    const baseline = top + cells.size * 0.86 + i * lineHeight(OTHERS);
    return textBlock(x + width / 2, baseline, { ...block, isCut: false }, { ...font, fill: ink, anchor: 'middle' });
  });
  const full = isCut ? clean(texts.join(', ')) : '';
  return canvas.link(cell.href, titled(full, rect(x, y, width, height, { rx: 3, fill }), ...lines));
}
